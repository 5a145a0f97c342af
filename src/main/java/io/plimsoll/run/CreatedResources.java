package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Groups;
import io.plimsoll.cluster.Topics;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArraySet;
import org.apache.kafka.common.Uuid;

/** The topics and groups that a trial created on the cluster, and their removal. */
final class CreatedResources {
    private static final Duration TOPIC_LIMIT = Duration.ofSeconds(60);

    private final Topics topics;
    private final Groups groups;
    private final Map<String, Uuid> ids;
    private final Set<String> createdTopics = new CopyOnWriteArraySet<>();
    private final Set<String> createdGroups = new CopyOnWriteArraySet<>();

    /** @param ids ids of topics created by the run */
    CreatedResources(Topics topics, Groups groups, Map<String, Uuid> ids) {
        this.topics = topics;
        this.groups = groups;
        this.ids = ids;
    }

    void topics(Collection<String> names) {
        createdTopics.addAll(names);
    }

    Set<String> topics() {
        return createdTopics;
    }

    /**
     * Keeps topics for the next trial.
     *
     * @return the names among them that this trial owns
     */
    Set<String> leave(Set<String> names) {
        Set<String> left = new TreeSet<>(createdTopics);
        left.retainAll(names);
        createdTopics.removeAll(left);
        return left;
    }

    /** @param ids groups about to be created; existing groups are not owned */
    void groups(Collection<String> ids) {
        if (ids.isEmpty()) {
            return;
        }
        Set<String> made = new TreeSet<>(ids);
        made.removeAll(groups.existing(ids));
        createdGroups.addAll(made);
    }

    Set<String> groups() {
        return createdGroups;
    }

    /** @return a warning on resources that could not be removed; empty if none */
    Optional<Sentence> remove() {
        List<Sentence> reasons = new ArrayList<>();
        List<Sentence> madeAgain = new ArrayList<>();
        try {
            Set<String> others = topics.delete(List.copyOf(createdTopics), ids, TOPIC_LIMIT);
            createdTopics.clear();
            Sentence.addIf(!others.isEmpty(), madeAgain, "run.topicsOfOthers", List.copyOf(others));
        } catch (PlimsollException e) {
            reasons.add(e.sentence());
        }
        try {
            groups.delete(createdGroups);
            createdGroups.clear();
        } catch (PlimsollException e) {
            reasons.add(e.sentence());
        }
        return left().map(left -> Sentence.of("run.leftBecause", left, reasons))
                .or(() -> madeAgain.stream().findFirst());
    }

    Optional<Sentence> left() {
        List<Sentence> parts = new ArrayList<>();
        Sentence.addIf(!createdTopics.isEmpty(), parts, "run.topics", List.copyOf(new TreeSet<>(createdTopics)));
        Sentence.addIf(!createdGroups.isEmpty(), parts, "run.groups", List.copyOf(new TreeSet<>(createdGroups)));
        return parts.isEmpty() ? Optional.empty() : Optional.of(Sentence.of("run.left", parts));
    }
}
