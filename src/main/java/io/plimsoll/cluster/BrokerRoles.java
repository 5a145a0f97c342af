package io.plimsoll.cluster;

import io.plimsoll.Exit;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeLogDirsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Who does what in a cluster at this moment, asked while brokers may be failing: each answer comes within a few seconds
 * or not at all. Usable by several threads; does not close the admin client.
 */
public record BrokerRoles(Admin admin) {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    /**
     * The state of the replicas of some topics.
     *
     * @param underReplicated partitions of which not every replica is in sync
     * @param leaderless partitions without a leader
     */
    public record Replicas(int underReplicated, int leaderless) {
        public boolean allInSync() {
            return underReplicated == 0 && leaderless == 0;
        }
    }

    /**
     * The brokers that have a partition.
     *
     * @param leader empty if there is none
     * @param inSync the brokers whose copies are in sync
     * @param replicas how many copies there ought to be
     */
    public record PartitionRoles(OptionalInt leader, Set<Integer> inSync, int replicas) {}

    /** @return the id of the broker that leads the partition; empty if none does or nobody answers */
    public OptionalInt leaderOf(String topic, int partition) {
        return describe(List.of(topic)).stream()
                .flatMap(t -> t.partitions().stream())
                .filter(p -> p.partition() == partition)
                .map(TopicPartitionInfo::leader)
                .filter(leader -> leader != null && !leader.isEmpty())
                .mapToInt(Node::id)
                .findFirst();
    }

    /**
     * @return the node id of the controllers' leader; empty if there is none, nobody answers, or this user may not know
     */
    public OptionalInt controller() {
        try {
            // What brokers call the controller in their metadata is any of them.
            int leader = answer(admin.describeMetadataQuorum().quorumInfo()).leaderId();
            return leader < 0 ? OptionalInt.empty() : OptionalInt.of(leader);
        } catch (ExecutionException | TimeoutException e) {
            return OptionalInt.empty();
        }
    }

    /** The topics that have a second tier; none if nobody tells. */
    public Set<String> tiered(Collection<String> topics) {
        try {
            Set<String> tiered = new HashSet<>();
            answer(admin.describeConfigs(topics.stream()
                                    .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                                    .toList())
                            .all())
                    .forEach((topic, config) -> {
                        ConfigEntry entry = config.get(TopicConfig.REMOTE_LOG_STORAGE_ENABLE_CONFIG);
                        if (entry != null && "true".equals(entry.value())) {
                            tiered.add(topic.name());
                        }
                    });
            return tiered;
        } catch (ExecutionException | TimeoutException e) {
            return Set.of();
        }
    }

    /** Records of these partitions that only a second tier has; empty if nobody tells. */
    public OptionalLong remoteRecords(Collection<TopicPartition> partitions) {
        try {
            long records = 0;
            Map<TopicPartition, ListOffsetsResultInfo> all = offsets(partitions, OffsetSpec.earliest());
            for (Map.Entry<TopicPartition, ListOffsetsResultInfo> local :
                    offsets(partitions, OffsetSpec.earliestLocal()).entrySet()) {
                records += Math.max(
                        0, local.getValue().offset() - all.get(local.getKey()).offset());
            }
            return OptionalLong.of(records);
        } catch (ExecutionException | TimeoutException e) {
            return OptionalLong.empty();
        }
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(Collection<TopicPartition> partitions, OffsetSpec spec)
            throws ExecutionException, TimeoutException {
        return answer(admin.listOffsets(partitions.stream().collect(Collectors.toMap(p -> p, p -> spec)))
                .all());
    }

    /** @return empty if nobody answers */
    public Optional<Replicas> replicas(Collection<String> topics) {
        return partitions(topics).map(BrokerRoles::replicas);
    }

    /** The state of the replicas of all these partitions. */
    public static Replicas replicas(Map<TopicPartition, PartitionRoles> partitions) {
        int under = 0;
        int leaderless = 0;
        for (PartitionRoles p : partitions.values()) {
            under += p.inSync().size() < p.replicas() ? 1 : 0;
            leaderless += p.leader().isEmpty() ? 1 : 0;
        }
        return new Replicas(under, leaderless);
    }

    /** @return empty if nobody answers */
    public Optional<Map<TopicPartition, PartitionRoles>> partitions(Collection<String> topics) {
        List<TopicDescription> found = describe(topics);
        if (found.size() < topics.size()) {
            return Optional.empty();
        }
        Map<TopicPartition, PartitionRoles> partitions = new HashMap<>();
        for (TopicDescription topic : found) {
            for (TopicPartitionInfo p : topic.partitions()) {
                boolean led = p.leader() != null && !p.leader().isEmpty();
                partitions.put(
                        new TopicPartition(topic.name(), p.partition()),
                        new PartitionRoles(
                                led ? OptionalInt.of(p.leader().id()) : OptionalInt.empty(),
                                p.isr().stream().map(Node::id).collect(Collectors.toUnmodifiableSet()),
                                p.replicas().size()));
            }
        }
        return Optional.of(partitions);
    }

    /**
     * Partitions without a leader or a copy in sync. Topics that are gone are left out; empty if nobody answers.
     *
     * @param away brokers whose partitions are left out, too
     */
    public Optional<Set<TopicPartition>> ailing(Collection<String> topics, Collection<Integer> away) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) ANSWER_LIMIT.toMillis());
        Set<TopicPartition> ailing = new HashSet<>();
        for (KafkaFuture<TopicDescription> asked :
                admin.describeTopics(topics, options).topicNameValues().values()) {
            try {
                TopicDescription topic = answer(asked);
                topic.partitions().stream()
                        .filter(p -> p.replicas().stream().noneMatch(replica -> away.contains(replica.id())))
                        .filter(p -> p.leader() == null
                                || p.leader().isEmpty()
                                || p.isr().size() < p.replicas().size())
                        .forEach(p -> ailing.add(new TopicPartition(topic.name(), p.partition())));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    return Optional.empty();
                }
            } catch (TimeoutException e) {
                return Optional.empty();
            }
        }
        return Optional.of(ailing);
    }

    /**
     * @return bytes of all copies of these topics on the brokers' disks; empty if a broker does not answer, cannot tell, or
     *     this user may not know
     */
    public OptionalLong logBytes(Collection<String> topics, Collection<Integer> brokers) {
        DescribeLogDirsOptions options = new DescribeLogDirsOptions().timeoutMs((int) ANSWER_LIMIT.toMillis());
        try {
            Set<String> wanted = Set.copyOf(topics);
            long sum = 0;
            for (Map<String, LogDirDescription> dirs : answer(
                            admin.describeLogDirs(brokers, options).allDescriptions())
                    .values()) {
                for (LogDirDescription dir : dirs.values()) {
                    sum += dir.replicaInfos().entrySet().stream()
                            .filter(e -> wanted.contains(e.getKey().topic()))
                            .mapToLong(e -> e.getValue().size())
                            .sum();
                }
            }
            return OptionalLong.of(sum);
        } catch (ExecutionException | TimeoutException e) {
            return OptionalLong.empty();
        }
    }

    private List<TopicDescription> describe(Collection<String> topics) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) ANSWER_LIMIT.toMillis());
        try {
            return List.copyOf(answer(admin.describeTopics(topics, options).allTopicNames())
                    .values());
        } catch (ExecutionException | TimeoutException e) {
            return List.of();
        }
    }

    private static <T> T answer(KafkaFuture<T> future) throws ExecutionException, TimeoutException {
        try {
            return future.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Exit.INTERRUPTED.because(e, "cluster.interruptedAsking");
        }
    }
}
