package io.plimsoll.cluster;

import io.plimsoll.Exit;
import java.time.Duration;
import java.util.ArrayList;
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
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeLogDirsOptions;
import org.apache.kafka.clients.admin.DescribeProducersOptions;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Current roles of brokers in a failing cluster: each call returns within seconds, possibly without a result. Thread-safe. */
public record BrokerRoles(Admin admin) {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
    private static final Set<String> VERBOSE = Set.of("DEBUG", "TRACE", "ALL");

    /** Number of under-replicated partitions and of partitions without a leader. */
    public record Replicas(int underReplicated, int leaderless) {
        public boolean allInSync() {
            return underReplicated == 0 && leaderless == 0;
        }
    }

    /** Leader of a partition (empty if none), in-sync replicas, and number of replicas. */
    public record PartitionRoles(OptionalInt leader, Set<Integer> inSync, int replicas) {}

    /** @return the leader's broker id; empty without a leader or a response */
    public OptionalInt leaderOf(String topic, int partition) {
        return describe(List.of(topic)).stream()
                .flatMap(List::stream)
                .flatMap(t -> t.partitions().stream())
                .filter(p -> p.partition() == partition && isLed(p))
                .mapToInt(p -> p.leader().id())
                .findFirst();
    }

    /** Node id of the active controller; empty without a controller, a response, or permission. */
    public OptionalInt controller() {
        // The metadata response names an arbitrary broker as the controller.
        int leader = answer(admin.describeMetadataQuorum().quorumInfo())
                .map(QuorumInfo::leaderId)
                .orElse(-1);
        return leader < 0 ? OptionalInt.empty() : OptionalInt.of(leader);
    }

    /** Topics with tiered storage; empty without a response. */
    public Set<String> tiered(Collection<String> topics) {
        List<ConfigResource> resources = topics.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        Set<String> tiered = new HashSet<>();
        answer(admin.describeConfigs(resources).all()).orElse(Map.of()).forEach((topic, config) -> {
            ConfigEntry entry = config.get(TopicConfig.REMOTE_LOG_STORAGE_ENABLE_CONFIG);
            if (entry != null && "true".equals(entry.value())) {
                tiered.add(topic.name());
            }
        });
        return tiered;
    }

    /** Largest number of loggers at DEBUG or TRACE on any of these brokers; empty without a response or permission. */
    public OptionalInt verboseLoggers(Collection<Integer> brokers) {
        List<ConfigResource> resources = brokers.stream()
                .map(id -> new ConfigResource(ConfigResource.Type.BROKER_LOGGER, String.valueOf(id)))
                .toList();
        return answer(admin.describeConfigs(resources).all())
                .map(all -> all.values().stream()
                        .mapToInt(config -> (int) config.entries().stream()
                                .filter(logger -> VERBOSE.contains(logger.value()))
                                .count())
                        .max())
                .orElse(OptionalInt.empty());
    }

    /** Log start offsets of these partitions; empty without a response. */
    public Optional<Map<TopicPartition, Long>> beginnings(Collection<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** Number of records in these partitions that exist only in tiered storage; empty without a response. */
    public OptionalLong remoteRecords(Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> all = beginnings(partitions).orElse(null);
        Map<TopicPartition, Long> local = offsets(
                        partitions, OffsetSpec.earliestLocal(), IsolationLevel.READ_UNCOMMITTED)
                .orElse(null);
        return all == null || local == null
                ? OptionalLong.empty()
                : OptionalLong.of(local.entrySet().stream()
                        .mapToLong(e -> Math.max(0, e.getValue() - all.getOrDefault(e.getKey(), e.getValue())))
                        .sum());
    }

    private Optional<Map<TopicPartition, Long>> offsets(
            Collection<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> wanted = partitions.stream().collect(Collectors.toMap(p -> p, p -> spec));
        return answer(admin.listOffsets(wanted, new ListOffsetsOptions(isolation))
                        .all())
                .map(all -> all.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue()
                        .offset())));
    }

    /** End offsets; with read_committed the last stable offsets. Empty without a response. */
    public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions, IsolationLevel isolation) {
        return offsets(partitions, OffsetSpec.latest(), isolation).orElse(Map.of());
    }

    /** The producers of each partition with their open transactions; fails before Kafka 3.0 or without permission. */
    public KafkaFuture<Map<TopicPartition, PartitionProducerState>> producers(Collection<TopicPartition> partitions) {
        DescribeProducersOptions options = new DescribeProducersOptions();
        options.timeoutMs((int) ANSWER_LIMIT.toMillis());
        return admin.describeProducers(partitions, options).all();
    }

    /** The transaction of each transactional producer; fails before Kafka 3.0. */
    public KafkaFuture<Collection<TransactionListing>> transactions(Collection<Long> producerIds) {
        ListTransactionsOptions options = new ListTransactionsOptions().filterProducerIds(producerIds);
        options.timeoutMs((int) ANSWER_LIMIT.toMillis());
        return admin.listTransactions(options).all();
    }

    /** @return empty without a response */
    public Optional<Replicas> replicas(Collection<String> topics) {
        return partitions(topics).map(BrokerRoles::replicas);
    }

    public static Replicas replicas(Map<TopicPartition, PartitionRoles> partitions) {
        int under = 0;
        int leaderless = 0;
        for (PartitionRoles p : partitions.values()) {
            under += p.inSync().size() < p.replicas() ? 1 : 0;
            leaderless += p.leader().isEmpty() ? 1 : 0;
        }
        return new Replicas(under, leaderless);
    }

    /** Number of these topics that do not exist; empty without a response. */
    public OptionalInt missing(Collection<String> topics) {
        return describe(topics)
                .map(found -> OptionalInt.of(topics.size() - found.size()))
                .orElse(OptionalInt.empty());
    }

    /** @return empty without a response or if a topic does not exist */
    public Optional<Map<TopicPartition, PartitionRoles>> partitions(Collection<String> topics) {
        return describe(topics).filter(found -> found.size() == topics.size()).map(found -> {
            Map<TopicPartition, PartitionRoles> partitions = new HashMap<>();
            found.forEach(topic -> topic.partitions()
                    .forEach(p -> partitions.put(
                            new TopicPartition(topic.name(), p.partition()),
                            new PartitionRoles(
                                    isLed(p) ? OptionalInt.of(p.leader().id()) : OptionalInt.empty(),
                                    p.isr().stream().map(Node::id).collect(Collectors.toUnmodifiableSet()),
                                    p.replicas().size()))));
            return partitions;
        });
    }

    private static boolean isLed(TopicPartitionInfo partition) {
        return partition.leader() != null && !partition.leader().isEmpty();
    }

    /**
     * Partitions without a leader or with missing in-sync replicas; empty without a response. Deleted topics, and
     * partitions with a replica on a disturbed broker, are ignored.
     *
     * @param disturbed whether a broker is disturbed; evaluated after the response, which shows all earlier faults
     */
    public Optional<Set<TopicPartition>> unhealthy(Collection<String> topics, IntPredicate disturbed) {
        return describe(topics).map(found -> {
            Set<TopicPartition> unhealthy = new HashSet<>();
            found.forEach(topic -> topic.partitions().stream()
                    .filter(p -> p.replicas().stream().noneMatch(replica -> disturbed.test(replica.id())))
                    .filter(p -> !isLed(p) || p.isr().size() < p.replicas().size())
                    .forEach(p -> unhealthy.add(new TopicPartition(topic.name(), p.partition()))));
            return unhealthy;
        });
    }

    /** Bytes of all replicas of these topics; empty if any broker does not respond, does not support the request, or denies it. */
    public Optional<Map<String, Long>> logBytes(Collection<String> topics, Collection<Integer> brokers) {
        DescribeLogDirsOptions options = new DescribeLogDirsOptions().timeoutMs((int) ANSWER_LIMIT.toMillis());
        Set<String> wanted = Set.copyOf(topics);
        return answer(admin.describeLogDirs(brokers, options).allDescriptions()).map(all -> all.values().stream()
                .flatMap(dirs -> dirs.values().stream())
                .flatMap(dir -> dir.replicaInfos().entrySet().stream())
                .filter(e -> wanted.contains(e.getKey().topic()))
                .collect(Collectors.groupingBy(e -> e.getKey().topic(), Collectors.summingLong(e -> e.getValue()
                        .size()))));
    }

    /** Descriptions of those topics that exist; empty without a response. */
    private Optional<List<TopicDescription>> describe(Collection<String> topics) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) ANSWER_LIMIT.toMillis());
        List<TopicDescription> found = new ArrayList<>();
        for (KafkaFuture<TopicDescription> asked :
                admin.describeTopics(topics, options).topicNameValues().values()) {
            try {
                found.add(answered(asked));
            } catch (ExecutionException | TimeoutException e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(found);
    }

    private static <T> Optional<T> answer(KafkaFuture<T> future) {
        try {
            return Optional.of(answered(future));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    private static <T> T answered(KafkaFuture<T> future) throws ExecutionException, TimeoutException {
        try {
            return future.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "cluster.interruptedAsking");
        }
    }
}
