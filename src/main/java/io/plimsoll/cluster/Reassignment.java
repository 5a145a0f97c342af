package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.NoReassignmentInProgressException;

/** Moves partitions between brokers. Used by one thread; does not close the admin client. */
public record Reassignment(Admin admin, Collection<Integer> brokers) {
    private static final String DOING = "move partitions of";
    private static final long POLL_MILLIS = 200;
    private static final List<String> RATES =
            List.of("leader.replication.throttled.rate", "follower.replication.throttled.rate");
    private static final List<String> THROTTLED =
            List.of("leader.replication.throttled.replicas", "follower.replication.throttled.replicas");

    /** Current replicas of all partitions, including internal topics. */
    public Map<TopicPartition, List<Integer>> present() {
        ListTopicsOptions options = new ListTopicsOptions().listInternal(true);
        return present(Answers.await(admin.listTopics(options).names(), DOING, "cluster"));
    }

    /** Current replicas of these topics' partitions, in assignment order. */
    public Map<TopicPartition, List<Integer>> present(Collection<String> topics) {
        Map<TopicPartition, List<Integer>> present =
                new TreeMap<>(Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition));
        Answers.await(admin.describeTopics(topics).allTopicNames(), DOING, String.join(", ", topics))
                .forEach((name, topic) -> topic.partitions()
                        .forEach(p -> present.put(
                                new TopicPartition(name, p.partition()),
                                p.replicas().stream().map(Node::id).toList())));
        return present;
    }

    /** Elects the preferred leader of each partition. */
    public void elect(Collection<String> topics) {
        Set<TopicPartition> all = present(topics).keySet();
        Map<TopicPartition, Optional<Throwable>> left =
                Answers.await(admin.electLeaders(ElectionType.PREFERRED, all).partitions(), "elect leaders of", all);
        left.values().stream()
                .flatMap(Optional::stream)
                .filter(e -> !(e instanceof ElectionNotNeededException))
                .findFirst()
                .ifPresent(e -> {
                    throw KafkaErrors.explain(e, "elect leaders of", String.join(", ", topics));
                });
    }

    /** A reassignment that moves each replica to the next broker. */
    public Map<TopicPartition, List<Integer>> turned(Map<TopicPartition, List<Integer>> present) {
        List<Integer> ring = brokers.stream().sorted().toList();
        Map<TopicPartition, List<Integer>> wanted = new HashMap<>();
        present.forEach((partition, replicas) -> wanted.put(
                partition,
                replicas.stream()
                        .map(id -> ring.get((ring.indexOf(id) + 1) % ring.size()))
                        .toList()));
        return wanted;
    }

    /** A reassignment that moves a fair share of replicas to a broker, from the other brokers in turn. */
    public Map<TopicPartition, List<Integer>> onto(int broker, Map<TopicPartition, List<Integer>> present) {
        int copies = present.values().stream().mapToInt(List::size).sum();
        int part = Math.round((float) copies / brokers.size());
        Map<TopicPartition, List<Integer>> wanted = new HashMap<>();
        for (Map.Entry<TopicPartition, List<Integer>> entry : present.entrySet()) {
            if (wanted.size() < part && !entry.getValue().contains(broker)) {
                List<Integer> replicas = new ArrayList<>(entry.getValue());
                replicas.set(wanted.size() % replicas.size(), broker);
                wanted.put(entry.getKey(), replicas);
            }
        }
        return wanted;
    }

    /**
     * A reassignment that moves a broker's replicas to the brokers with the fewest replicas. Fails with {@link
     * Exit#CLUSTER} if all other brokers already have a replica of a partition.
     */
    public Map<TopicPartition, List<Integer>> away(int broker, Map<TopicPartition, List<Integer>> present) {
        Map<Integer, Integer> copies = new TreeMap<>();
        brokers.stream().filter(id -> id != broker).forEach(id -> copies.put(id, 0));
        present.values().forEach(all -> all.forEach(id -> copies.computeIfPresent(id, (key, n) -> n + 1)));
        Map<TopicPartition, List<Integer>> wanted = new HashMap<>();
        present.forEach((partition, replicas) -> {
            if (replicas.contains(broker)) {
                int next = copies.entrySet().stream()
                        .filter(e -> !replicas.contains(e.getKey()))
                        .min(Map.Entry.comparingByValue())
                        .map(Map.Entry::getKey)
                        .orElseThrow(
                                () -> Exit.CLUSTER.because("cluster.noRoomFor", broker, partition, replicas.size()));
                copies.merge(next, 1, Integer::sum);
                wanted.put(
                        partition,
                        replicas.stream().map(id -> id == broker ? next : id).toList());
            }
        });
        return wanted;
    }

    /** @param bytesPerSecond replication throttle per broker and direction; 0 for no limit */
    public Moving start(Map<TopicPartition, List<Integer>> wanted, double bytesPerSecond) {
        Moving moving = new Moving(admin, wanted.keySet(), new ArrayList<>());
        try {
            if (bytesPerSecond > 0) {
                String rate = Long.toString(Math.max(1, Math.round(bytesPerSecond)));
                moving.limit(true, brokers.stream().map(String::valueOf).toList(), RATES, rate);
                moving.limit(false, topics(wanted.keySet()), THROTTLED, "*");
            }
            Map<TopicPartition, Optional<NewPartitionReassignment>> moves = new HashMap<>();
            wanted.forEach(
                    (partition, replicas) -> moves.put(partition, Optional.of(new NewPartitionReassignment(replicas))));
            Answers.await(admin.alterPartitionReassignments(moves).all(), DOING, wanted.keySet());
            return moving;
        } catch (PlimsollException e) {
            undo(moving, e);
            throw e;
        }
    }

    private static void undo(Moving moving, PlimsollException why) {
        boolean interrupted = Thread.interrupted();
        try {
            moving.awaitEnd(() -> true);
        } catch (PlimsollException e) {
            why.addSuppressed(e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> topics(Set<TopicPartition> partitions) {
        return partitions.stream().map(TopicPartition::topic).distinct().toList();
    }

    /** A reassignment in progress with its throttles. */
    public record Moving(Admin admin, Set<TopicPartition> partitions, List<Settable> limits) {
        private void limit(boolean ofBrokers, List<String> names, List<String> settings, String value) {
            Settable limit = Settable.of(admin, ofBrokers, names);
            limits.add(limit);
            limit.set(settings.stream().collect(Collectors.toMap(setting -> setting, setting -> value)));
        }

        /**
         * Waits for completion, or cancels the remaining reassignments once {@code hurried} is true; then restores the
         * throttles. True if all moves completed.
         */
        public boolean awaitEnd(BooleanSupplier hurried) {
            // Without a response, all of them can be in progress.
            Set<TopicPartition> left = partitions;
            try {
                left = onTheirWay();
                while (!left.isEmpty() && !hurried.getAsBoolean()) {
                    Answers.pause(POLL_MILLIS, DOING, topics(partitions));
                    left = onTheirWay();
                }
            } finally {
                endMoves(left);
            }
            return left.isEmpty();
        }

        private void endMoves(Set<TopicPartition> left) {
            try {
                takeBack(left);
            } finally {
                restoreLimits();
            }
        }

        /** Restores every limit even if one fails: a broker can be unreachable. */
        private void restoreLimits() {
            PlimsollException failure = null;
            for (Settable limit : limits) {
                try {
                    limit.restore();
                } catch (PlimsollException e) {
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
            if (failure != null) {
                throw failure;
            }
        }

        private void takeBack(Set<TopicPartition> left) {
            Map<TopicPartition, Optional<NewPartitionReassignment>> moves = new HashMap<>();
            left.forEach(partition -> moves.put(partition, Optional.empty()));
            admin.alterPartitionReassignments(moves)
                    .values()
                    .forEach((partition, answer) -> Answers.done(
                            answer, DOING, partition, e -> e instanceof NoReassignmentInProgressException));
        }

        private Set<TopicPartition> onTheirWay() {
            return Answers.await(admin.listPartitionReassignments(partitions).reassignments(), DOING, partitions)
                    .keySet();
        }
    }

    /** Changeable settings of topics or brokers, with their original values in {@code back}. Used by one thread. */
    public record Settable(
            Admin admin, List<ConfigResource> resources, Map<ConfigResource, Collection<AlterConfigOp>> back) {
        private static final String DOING = "change settings of";

        /** @param names topic names or broker ids */
        public static Settable of(Admin admin, boolean brokers, Collection<String> names) {
            ConfigResource.Type type = brokers ? ConfigResource.Type.BROKER : ConfigResource.Type.TOPIC;
            return new Settable(
                    admin,
                    names.stream().map(name -> new ConfigResource(type, name)).toList(),
                    new HashMap<>());
        }

        public void set(Map<String, String> values) {
            Map<ConfigResource, Config> before =
                    Answers.await(admin.describeConfigs(resources).all(), DOING, names());
            Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
            for (ConfigResource resource : resources) {
                Collection<AlterConfigOp> there = new ArrayList<>();
                Collection<AlterConfigOp> wanted = new ArrayList<>();
                Config config = Objects.requireNonNull(before.get(resource));
                values.forEach((name, value) -> {
                    ConfigEntry old = config.get(name);
                    boolean own = old != null
                            && (old.source() == ConfigSource.DYNAMIC_TOPIC_CONFIG
                                    || old.source() == ConfigSource.DYNAMIC_BROKER_CONFIG);
                    there.add(new AlterConfigOp(
                            new ConfigEntry(name, own ? old.value() : null), own ? OpType.SET : OpType.DELETE));
                    wanted.add(new AlterConfigOp(new ConfigEntry(name, value), OpType.SET));
                });
                back.put(resource, there);
                changes.put(resource, wanted);
            }
            Answers.await(admin.incrementalAlterConfigs(changes).all(), DOING, names());
        }

        public void restore() {
            Answers.await(admin.incrementalAlterConfigs(back).all(), DOING, names());
        }

        private String names() {
            return String.join(
                    ", ", resources.stream().map(ConfigResource::name).toList());
        }
    }
}
