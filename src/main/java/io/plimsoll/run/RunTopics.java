package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArraySet;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * The topics and groups that a trial or the guards of a run create on the cluster, and their removal. On a persistent
 * cluster their names are recorded first, so that {@code plimsoll clean} finds the leftovers of a killed run. The
 * topics are marked with the run's tag. Their retention is limited, with a large margin for the run, if the cluster's
 * default retention is longer. Settings of the user take precedence. Used by one thread; {@link #left} by any thread.
 */
final class RunTopics {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Safety factor of the retention for slow consumers, in addition to one day for suspended hosts. */
    private static final int SLOWER = 10;

    private static final Duration LEAST_RETENTION = Duration.ofHours(24);
    /** Assumed minimum rate of loads without a schedule. */
    private static final double LEAST_RECORDS_PER_SECOND = 100;

    private static final Duration BETWEEN_TRIALS = Duration.ofMinutes(2);

    private final Run run;
    private final ClusterSession cluster;
    private final Set<String> createdTopics = new CopyOnWriteArraySet<>();
    private final Set<String> createdGroups = new CopyOnWriteArraySet<>();

    RunTopics(Run run) {
        this.run = run;
        this.cluster = run.cluster();
    }

    static String tag(long runId) {
        return "plimsoll-" + Long.toHexString(runId | (1L << 63)).substring(0, 6);
    }

    private int number() {
        return Integer.parseInt(tag(run.runId).substring("plimsoll-".length()), 16);
    }

    /** The longest possible duration of a plan, including waits and drains. */
    static Duration longest(Plan plan) {
        return plan.trials().stream().map(t -> longest(t.scenario())).reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration longest(Scenario scenario) {
        double seconds = scenario.duration().toSeconds();
        for (ProducerSpec p : scenario.producers()) {
            seconds = Math.max(seconds, p.duration().orElse(Duration.ZERO).toSeconds());
            seconds += p.records().orElse(0) / LEAST_RECORDS_PER_SECOND;
        }
        for (ConsumerSpec c : scenario.consumers()) {
            seconds += c.records().orElse(0) / LEAST_RECORDS_PER_SECOND;
        }
        return scenario.effectiveWarmup().atMost().plus(BETWEEN_TRIALS).plusSeconds((long)
                Math.min(seconds, Integer.MAX_VALUE));
    }

    /** Creates all of these topics or none; the trial is null for topics of the whole run. */
    void create(@Nullable String trial, List<NewTopic> wanted) {
        List<String> names = wanted.stream().map(NewTopic::name).toList();
        cluster.made.putAll(
                cluster.isLab() ? cluster.topics().create(wanted, LIMIT) : createMarked(trial, wanted, names));
        createdTopics.addAll(names);
    }

    private Map<String, Uuid> createMarked(@Nullable String trial, List<NewTopic> wanted, List<String> names) {
        note(trial, names, List.of());
        Topics dry = cluster.topics();
        Duration longest = longest(run.request.plan());
        List<NewTopic> marked =
                wanted.stream().map(topic -> marked(topic, dry, longest)).toList();
        try {
            return cluster.topics().create(marked, LIMIT);
        } catch (PlimsollException e) {
            // A cluster policy can reject the added properties; then only the timeline identifies the topics.
            boolean same = marked.equals(wanted);
            if (same || e.exit() == Exit.INTERRUPTED || !dry.accepts(wanted) || dry.accepts(marked)) {
                throw e;
            }
            return cluster.topics().create(wanted, LIMIT);
        }
    }

    private void note(@Nullable String trial, Collection<String> topics, Collection<String> groups) {
        if (!cluster.isLab() && !(topics.isEmpty() && groups.isEmpty())) {
            run.append(
                    new TimelineEvent.Made(Instant.now(), trial, number(), List.copyOf(topics), List.copyOf(groups)));
        }
    }

    private NewTopic marked(NewTopic topic, Topics dry, Duration longest) {
        Map<String, String> config = new HashMap<>(topic.configs() == null ? Map.of() : topic.configs());
        if (!TopicMark.fits(config)) {
            return topic;
        }
        config.put(TopicMark.PROPERTY, new TopicMark(number(), Instant.now(), longest).text());
        long needed = LEAST_RETENTION.plus(longest.multipliedBy(SLOWER)).toMillis();
        OptionalLong usual = dry.usualRetentionMillis(topic.name());
        boolean shorter = usual.isPresent() && (usual.getAsLong() < 0 || usual.getAsLong() > needed);
        if (shorter && !config.containsKey(TopicConfig.RETENTION_MS_CONFIG)) {
            config.put(TopicConfig.RETENTION_MS_CONFIG, String.valueOf(needed));
        }
        return copy(topic).configs(config);
    }

    private static NewTopic copy(NewTopic topic) {
        return topic.replicasAssignments() == null
                ? new NewTopic(
                        topic.name(),
                        topic.numPartitions() < 0 ? Optional.empty() : Optional.of(topic.numPartitions()),
                        topic.replicationFactor() < 0 ? Optional.empty() : Optional.of(topic.replicationFactor()))
                : new NewTopic(topic.name(), topic.replicasAssignments());
    }

    void adopt(Set<String> topics) {
        createdTopics.addAll(topics);
    }

    Set<String> topics() {
        return createdTopics;
    }

    /** Leaves these topics to later trials; returns the topics that this trial had. */
    Set<String> leave(Set<String> names) {
        Set<String> left = new TreeSet<>(createdTopics);
        left.retainAll(names);
        createdTopics.removeAll(left);
        return left;
    }

    /** @param ids groups about to be created by the trial's consumers; existing groups are not owned */
    void groups(String trial, Set<String> ids) {
        if (!ids.isEmpty()) {
            Set<String> made = new TreeSet<>(ids);
            made.removeAll(cluster.groups().existing(ids));
            createdGroups.addAll(made);
        }
        note(trial, Set.of(), createdGroups);
    }

    /** @return a warning on resources that could not be removed; empty if none */
    Optional<Sentence> remove() {
        List<Sentence> reasons = new ArrayList<>();
        List<Sentence> recreated = new ArrayList<>();
        try {
            Set<String> others = cluster.topics().delete(List.copyOf(createdTopics), cluster.made, LIMIT);
            createdTopics.clear();
            Sentence.addIf(!others.isEmpty(), recreated, "run.topicsOfOthers", List.copyOf(others));
        } catch (PlimsollException e) {
            reasons.add(e.sentence());
        }
        try {
            cluster.groups().delete(createdGroups);
            createdGroups.clear();
        } catch (PlimsollException e) {
            reasons.add(e.sentence());
        }
        return left().map(left -> Sentence.of("run.leftBecause", left, reasons))
                .or(() -> recreated.stream().findFirst());
    }

    Optional<Sentence> left() {
        List<Sentence> parts = new ArrayList<>();
        Sentence.addIf(!createdTopics.isEmpty(), parts, "run.topics", List.copyOf(new TreeSet<>(createdTopics)));
        Sentence.addIf(!createdGroups.isEmpty(), parts, "run.groups", List.copyOf(new TreeSet<>(createdGroups)));
        return parts.isEmpty() ? Optional.empty() : Optional.of(Sentence.of("run.left", parts));
    }
}
