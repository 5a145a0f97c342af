package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Groups;
import io.plimsoll.cluster.SpreadTopic;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.Made;
import io.plimsoll.result.TimelineEvent.RunStarted;
import io.plimsoll.run.guards.ForeignCluster.ClusterGuard;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * Finds and removes leftovers of killed runs: topics with the mark of a run, and empty groups that a run recorded
 * before creating them. Other resources are not touched.
 */
public record CleanUp(ClusterConnection connection, Admin admin, Instant now) {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int AT_A_TIME = 200;
    private static final int MOST_NAMED = 3;

    /**
     * Leftover topics and groups with their description, and resources that resemble leftovers but are kept, with the
     * reason.
     *
     * @param ids topic ids, read before the marks of the topics; other topics can be included
     */
    public record Found(
            Map<String, Sentence> topics,
            Map<String, Uuid> ids,
            Map<String, Sentence> groups,
            List<Sentence> leftAlone) {
        Found(Map<String, Uuid> ids) {
            this(new TreeMap<>(), ids, new TreeMap<>(), new ArrayList<>());
        }

        public boolean nothing() {
            return topics.isEmpty() && groups.isEmpty();
        }
    }

    record Written(Path directory, Instant at, Set<Integer> tags, Set<String> topics, Set<String> groups) {}

    /** Leftovers of one run. Throws {@link PlimsollException} {@link Exit#USAGE} if the run is still active or used another cluster. */
    public Found ofRun(Path directory) {
        Path path = RunDirectory.open(directory).path();
        Exit.USAGE.when(RunDirectory.isBeingWritten(path), "run.clean.goesOn", path);
        String here = connection.check().clusterId();
        Written run = written(path, here).orElseThrow(() -> Exit.USAGE.because("run.clean.otherCluster", path, here));
        Topics topics = new Topics(admin);
        Found found = new Found(topics.ids());
        Set<String> there = new TreeSet<>(found.ids().keySet());
        there.retainAll(run.topics());
        marks(topics, there, found.leftAlone()).forEach((name, mark) -> {
            if (mark.filter(m -> run.tags().contains(m.run())).isPresent()) {
                found.topics().put(name, description(mark.get()));
            } else {
                found.leftAlone().add(Sentence.of("run.clean.noMark", name));
            }
        });
        addGroups(List.of(run), found);
        return found;
    }

    /**
     * Leftovers of old runs: topics if the planned end of their run is at least this long ago, groups if the start of
     * their run is. The directory of runs can be missing.
     */
    public Found olderThan(Duration age, Path runs) {
        Topics topics = new Topics(admin);
        Found found = new Found(topics.ids());
        Set<Integer> live = new HashSet<>();
        List<Written> over = new ArrayList<>();
        for (Written run : allWritten(runs, connection.check().clusterId())) {
            if (RunDirectory.isBeingWritten(run.directory())) {
                live.addAll(run.tags());
            } else if (run.at().plus(age).isBefore(now)) {
                over.add(run);
            }
        }
        Map<String, TopicMark> old = new TreeMap<>();
        marks(topics, found.ids().keySet(), found.leftAlone())
                .forEach((name, mark) -> mark.ifPresent(m -> {
                    if (SpreadTopic.isOfWatch(m)) {
                        found.leftAlone().add(Sentence.of("run.clean.ofWatch", name));
                    } else if (live.contains(m.run())) {
                        found.leftAlone().add(Sentence.of("run.clean.live", name));
                    } else if (m.over().plus(age).isAfter(now)) {
                        found.leftAlone().add(Sentence.of("run.clean.young", name, description(m)));
                    } else {
                        old.put(name, m);
                    }
                }));
        Set<String> written = topics.written(old.keySet());
        old.forEach((name, mark) -> {
            if (written.contains(name)) {
                found.leftAlone().add(Sentence.of("run.clean.written", name));
            } else {
                found.topics().put(name, description(mark));
            }
        });
        addGroups(over, found);
        return found;
    }

    /** Deletes these leftovers. Keeps and returns topics that other clients recreated after the check. */
    public Set<String> remove(Found found) {
        Set<String> recreated = new Topics(admin).delete(found.topics().keySet(), found.ids(), LIMIT);
        new Groups(admin).delete(found.groups().keySet());
        return recreated;
    }

    private Sentence description(TopicMark mark) {
        return Sentence.of(
                "run.clean.made", String.format("%06x", mark.run()), mark.made().toString());
    }

    /** @param leftAlone receives topics with unreadable configuration, unless the configuration of all topics is unreadable */
    static Map<String, Optional<TopicMark>> marks(Topics topics, Collection<String> names, List<Sentence> leftAlone) {
        Map<String, Optional<TopicMark>> marks = new TreeMap<>();
        List<String> all = List.copyOf(names);
        for (int from = 0; from < all.size(); from += AT_A_TIME) {
            topics.readableConfigs(all.subList(from, Math.min(all.size(), from + AT_A_TIME)))
                    .forEach((name, config) -> marks.put(name, TopicMark.of(config)));
        }
        Set<String> unreadable = new TreeSet<>(all);
        unreadable.removeAll(marks.keySet());
        if (!unreadable.isEmpty() && marks.isEmpty()) {
            // This call reports the missing permission.
            topics.configs(unreadable);
        }
        Sentence.addIf(
                !unreadable.isEmpty(),
                leftAlone,
                "run.clean.untold",
                unreadable.size(),
                Sentence.list(List.copyOf(unreadable), MOST_NAMED));
        return marks;
    }

    private void addGroups(List<Written> runs, Found found) {
        for (Written run : runs) {
            if (!run.groups().isEmpty()) {
                new Groups(admin).members(run.groups()).forEach((id, members) -> {
                    if (members == 0 && !isOf(run, id)) {
                        found.leftAlone().add(Sentence.of("run.clean.notOfRun", id));
                    } else if (members == 0) {
                        found.groups()
                                .put(
                                        id,
                                        Sentence.of(
                                                "run.clean.ofRun",
                                                run.directory().getFileName()));
                    } else {
                        found.leftAlone().add(Sentence.of("run.clean.inUse", id, members));
                    }
                });
            }
        }
    }

    /**
     * Whether the group's name begins with a tag of the run, or all its committed offsets are for topics with the run's
     * mark.
     */
    private boolean isOf(Written run, String group) {
        if (run.tags().stream().anyMatch(tag -> group.startsWith(String.format("plimsoll-%06x-", tag)))) {
            return true;
        }
        Set<String> committed = new Groups(admin).committedTopics(group);
        Map<String, Map<String, String>> configs = new Topics(admin).readableConfigs(committed);
        return committed.stream().allMatch(topic -> TopicMark.of(configs.getOrDefault(topic, Map.of()))
                .filter(mark -> run.tags().contains(mark.run()))
                .isPresent());
    }

    /** @param cluster id of the cluster; null if it has none */
    static List<Written> allWritten(Path runs, @Nullable String cluster) {
        List<Written> all = new ArrayList<>();
        if (!Files.isDirectory(runs)) {
            return all;
        }
        try (Stream<Path> directories = Files.list(runs)) {
            for (Path directory : directories.sorted().toList()) {
                if (Files.exists(directory.resolve(RunDirectory.TIMELINE))) {
                    written(directory, cluster).ifPresent(all::add);
                }
            }
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "run.cannotRead", runs, e.getMessage());
        }
        return all;
    }

    private static Optional<Written> written(Path directory, @Nullable String cluster) {
        Written run = new Written(directory, Instant.EPOCH, new HashSet<>(), new TreeSet<>(), new TreeSet<>());
        Instant at = null;
        for (TimelineEvent event : RunDirectory.open(directory).readMade()) {
            if (event instanceof RunStarted started && started.environment() != null) {
                RunResult.Cluster on = started.environment().cluster();
                // Without an id, no run is known to have used this cluster.
                at = on != null && on.id() != null && on.id().equals(cluster) ? started.at() : null;
            } else if (event instanceof Made made) {
                run.tags().add(made.run());
                run.topics().addAll(made.topics());
                run.groups().addAll(made.groups());
            }
        }
        return Optional.ofNullable(at)
                .map(began -> new Written(directory, began, run.tags(), run.topics(), run.groups()));
    }

    /**
     * Deletes all topics of the cluster, provided that every name has this prefix. Consent is required unless the
     * cluster is a lab or runs have marked the topics.
     *
     * @param asked source of the request, for messages
     * @return messages about the deleted topics
     * @throws PlimsollException {@link Exit#USAGE} if any other topic exists; then no topic is deleted
     */
    public static List<Sentence> deleteOwnTopics(
            ClusterConnection connection, String prefix, String asked, Consent consent) {
        connection.check();
        try (Admin admin = connection.admin()) {
            Topics topics = new Topics(admin);
            Map<String, Uuid> ids = topics.ids();
            Set<String> all = ids.keySet();
            List<String> others =
                    all.stream().filter(name -> !name.startsWith(prefix)).toList();
            if (!others.isEmpty()) {
                String named = others.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
                throw Exit.USAGE.because(
                        "run.othersTopics", asked, others.size(), named + (others.size() > MOST_NAMED ? ", …" : ""));
            }
            ClusterGuard.of(admin).deleting(all).enforce(consent);
            topics.delete(all, ids, LIMIT);
            return all.isEmpty()
                    ? List.of()
                    : List.of(Sentence.of("run.deletedTopics", asked, all.size(), List.copyOf(all)));
        }
    }
}
