package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DeleteTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;

/** The topics of a cluster: reliable creation and deletion, and log offsets. */
public record Topics(Admin admin) {
    private static final long POLL_MILLIS = 50;
    /** An active producer writes within this time. */
    private static final long BETWEEN_ENDS_MILLIS = 2000;

    /** Each poll queries some broker; several in a row detect one with stale metadata. */
    private static final int LOOKS_IN_A_ROW = 3;

    /** Brokers with their advertised addresses. */
    public List<Node> brokers() {
        return List.copyOf(Answers.await(admin.describeCluster().nodes(), "describe the cluster", ""));
    }

    /** The cluster id; null if not reported. */
    public String clusterId() {
        return Answers.await(
                        admin.describeCluster().clusterId().thenApply(Optional::ofNullable), "describe the cluster", "")
                .orElse(null);
    }

    /** Topics that receive records within two seconds. */
    public Set<String> written(Collection<String> names) {
        if (names.isEmpty()) {
            return Set.of();
        }
        Map<TopicPartition, Long> before = endOffsets(names);
        Answers.pause(BETWEEN_ENDS_MILLIS, "read the offsets of", names);
        return endOffsets(names).entrySet().stream()
                .filter(end -> !end.getValue().equals(before.get(end.getKey())))
                .map(end -> end.getKey().topic())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A topic of a scenario for {@link #create}. */
    public static NewTopic newTopic(TopicSpec spec) {
        return new NewTopic(spec.name(), spec.partitions(), (short) spec.replication()).configs(spec.config());
    }

    /** The same with the replica placement of the scenario; requires enough broker ids. */
    public static NewTopic newTopic(TopicSpec spec, List<Integer> brokerIds) {
        if (spec.brokers() == 0) {
            return newTopic(spec);
        }
        List<Integer> ids = brokerIds.stream().sorted().limit(spec.brokers()).toList();
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        for (int p = 0; p < spec.partitions(); p++) {
            List<Integer> copies = new ArrayList<>();
            for (int r = 0; r < spec.replication(); r++) {
                copies.add(ids.get((p + r) % ids.size()));
            }
            replicas.put(p, copies);
        }
        return new NewTopic(spec.name(), replicas).configs(spec.config());
    }

    /**
     * Creates all of these topics or none, and waits until each partition has a serving leader. Returns the topic ids.
     * Fails with {@link Exit#USAGE} if a topic exists.
     */
    public Map<String, Uuid> create(Collection<NewTopic> topics, Duration timeout) {
        CreateTopicsResult result = admin.createTopics(topics);
        List<String> created = new ArrayList<>();
        Map<String, Uuid> ids = new HashMap<>();
        PlimsollException failure = null;
        for (NewTopic topic : topics) {
            try {
                awaitSettled(result.values().get(topic.name()));
                Answers.await(result.values().get(topic.name()), "create topic", topic.name());
                created.add(topic.name());
                ids.put(topic.name(), id(result, topic.name()));
            } catch (PlimsollException e) {
                failure = failure == null ? e : failure;
            }
        }
        try {
            if (failure != null) {
                throw failure;
            }
            awaitUsable(created, timeout);
            return ids;
        } catch (PlimsollException e) {
            undo(created, e);
            throw e;
        }
    }

    /** Not reported by brokers before 2.8, nor without permission to read the configuration. */
    private static Uuid id(CreateTopicsResult result, String name) {
        return Answers.await(result.topicId(name), "create topic", name, e -> true)
                .orElse(Uuid.ZERO_UUID);
    }

    private void undo(List<String> created, PlimsollException why) {
        KafkaFuture<Void> deleted = admin.deleteTopics(created).all();
        awaitSettled(deleted);
        var unused = deleted.whenComplete((ok, failure) -> {
            if (failure != null) {
                why.addSuppressed(failure);
            }
        });
    }

    /** Waits even if interrupted: the caller must know whether a topic was created. */
    private static void awaitSettled(KafkaFuture<?> future) {
        boolean interrupted = false;
        while (!future.isDone()) {
            try {
                future.get();
            } catch (ExecutionException e) {
                // reported to the caller that reads the result
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until every partition has a leader that serves it. */
    public void awaitUsable(Collection<String> names, Duration timeout) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        awaitLooks(deadlineNanos, "wait for topics", names, look -> missingFrom(names, deadlineNanos)
                .map(missing -> Exit.CLUSTER.because("cluster.partitionsNotReady", timeout.toSeconds(), missing)));
    }

    /** @param problem the current problem, given the number of successful polls in a row */
    private static void awaitLooks(
            long deadlineNanos,
            String doing,
            Collection<String> names,
            IntFunction<Optional<PlimsollException>> problem) {
        for (int looks = 0; looks < LOOKS_IN_A_ROW; ) {
            Optional<PlimsollException> found = problem.apply(looks);
            looks = found.isEmpty() ? looks + 1 : 0;
            if (found.isPresent() && System.nanoTime() > deadlineNanos) {
                throw found.get();
            }
            if (looks < LOOKS_IN_A_ROW) {
                Answers.pause(POLL_MILLIS, doing, names);
            }
        }
    }

    /** The reason why the topics are not usable yet; empty if they are. */
    private Optional<Sentence> missingFrom(Collection<String> names, long deadlineNanos) {
        Map<TopicPartition, OffsetSpec> offsets = new HashMap<>();
        for (Map.Entry<String, Optional<TopicDescription>> topic : lookup(names).entrySet()) {
            if (topic.getValue().isEmpty()) {
                return Optional.of(Sentence.of("cluster.notKnown", topic.getKey()));
            }
            for (TopicPartitionInfo partition : topic.getValue().get().partitions()) {
                TopicPartition id = new TopicPartition(topic.getKey(), partition.partition());
                if (partition.leader() == null || partition.leader().isEmpty()) {
                    return Optional.of(Sentence.of("cluster.hasNoLeader", id));
                }
                offsets.put(id, OffsetSpec.latest());
            }
        }
        // Metadata names a leader before it has taken over; only its response is proof.
        long leftMillis = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000);
        try {
            admin.listOffsets(offsets, new ListOffsetsOptions().timeoutMs((int) Math.min(leftMillis, 30_000)))
                    .all()
                    .get();
            return Optional.empty();
        } catch (ExecutionException e) {
            Throwable cause = KafkaErrors.unwrap(e);
            if (cause instanceof UnknownTopicOrPartitionException || cause instanceof TimeoutException) {
                return Optional.of(Sentence.of("cluster.leaderSilent", cause.getMessage()));
            }
            throw KafkaErrors.explain(e, "read the end offsets of", String.join(", ", names));
        } catch (InterruptedException e) {
            throw Answers.interrupted(e, "wait for topics", String.join(", ", names));
        }
    }

    /** Deletes these topics and waits until no broker knows them and the names are free. */
    public void delete(Collection<String> names, Duration timeout) {
        delete(names, Map.of(), timeout);
    }

    /**
     * As {@link #delete(Collection, Duration)}, but keeps and returns topics recreated by other clients, with another
     * id.
     */
    public Set<String> delete(Collection<String> wanted, Map<String, Uuid> known, Duration timeout) {
        Set<String> names = new TreeSet<>(wanted);
        Set<String> others = new TreeSet<>();
        Map<Uuid, String> ids = new HashMap<>();
        lookup(names)
                .forEach((name, topic) -> topic.ifPresent(t -> {
                    Uuid own = known.getOrDefault(name, Uuid.ZERO_UUID);
                    if (own.equals(Uuid.ZERO_UUID) || own.equals(t.topicId())) {
                        ids.put(t.topicId(), name);
                    } else {
                        others.add(name);
                    }
                }));
        names.removeAll(others);
        if (!names.isEmpty()) {
            delete(names, ids, timeout, !ids.containsKey(Uuid.ZERO_UUID));
        }
        return others;
    }

    private void delete(Set<String> names, Map<Uuid, String> ids, Duration timeout, boolean byId) {
        // By id: a delayed request must not delete a new topic with the same name.
        DeleteTopicsResult deleted = admin.deleteTopics(
                byId ? TopicCollection.ofTopicIds(ids.keySet()) : TopicCollection.ofTopicNames(names));
        // A topic deleted by another client counts as deleted.
        Predicate<Throwable> gone =
                e -> e instanceof UnknownTopicOrPartitionException || e instanceof UnknownTopicIdException;
        Map<?, KafkaFuture<Void>> answers = byId ? deleted.topicIdValues() : deleted.topicNameValues();
        answers.forEach((which, answer) -> Answers.done(answer, "delete topic", byId ? ids.get(which) : which, gone));
        awaitLooks(System.nanoTime() + timeout.toNanos(), "delete topics", names, look -> {
            Set<String> left = new TreeSet<>();
            lookup(names).forEach((name, topic) -> topic.ifPresent(still -> left.add(name)));
            if (left.isEmpty() && look == LOOKS_IN_A_ROW - 1) {
                names.stream().filter(name -> !creatable(name)).forEach(left::add);
            }
            return left.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            Exit.CLUSTER.because("cluster.topicStillThere", List.copyOf(left), timeout.toSeconds()));
        });
    }

    /** Validates on the controller; counts as true without permission. */
    private boolean creatable(String name) {
        NewTopic probe = new NewTopic(name, 1, (short) 1);
        try {
            admin.createTopics(List.of(probe), new CreateTopicsOptions().validateOnly(true))
                    .all()
                    .get();
            return true;
        } catch (ExecutionException e) {
            return !(KafkaErrors.unwrap(e) instanceof TopicExistsException);
        } catch (InterruptedException e) {
            throw Answers.interrupted(e, "delete topic", name);
        }
    }

    /** Names of all visible topics, sorted. */
    public Set<String> names(boolean internal) {
        return new TreeSet<>(Answers.await(
                admin.listTopics(new ListTopicsOptions().listInternal(internal)).names(),
                "list",
                Sentence.of("cluster.allTopics")));
    }

    /** Descriptions by name; empty for missing topics. */
    public Map<String, Optional<TopicDescription>> lookup(Collection<String> names) {
        Map<String, Optional<TopicDescription>> found = new TreeMap<>();
        admin.describeTopics(names)
                .topicNameValues()
                .forEach((name, answer) -> found.put(
                        name,
                        Answers.await(
                                answer, "describe topic", name, e -> e instanceof UnknownTopicOrPartitionException)));
        return found;
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if a topic does not exist */
    public Map<String, TopicDescription> describe(Collection<String> names) {
        Map<String, TopicDescription> topics = new TreeMap<>();
        admin.describeTopics(names)
                .topicNameValues()
                .forEach((name, answer) -> topics.put(name, Answers.await(answer, "describe topic", name)));
        return topics;
    }

    /** Replicas of each partition by topic, the preferred leader first. */
    public Map<String, Map<Integer, List<Integer>>> copies(Collection<String> names) {
        Map<String, Map<Integer, List<Integer>>> copies = new HashMap<>();
        describe(names).forEach((name, topic) -> topic.partitions()
                .forEach(p -> copies.computeIfAbsent(name, n -> new HashMap<>())
                        .put(p.partition(), p.replicas().stream().map(Node::id).toList())));
        return copies;
    }

    /** Leader id of each partition; −1 for none. */
    public Map<TopicPartition, Integer> leaders(Collection<String> names) {
        Map<TopicPartition, Integer> leaders = new HashMap<>();
        describe(names).forEach((name, topic) -> topic.partitions()
                .forEach(partition -> leaders.put(
                        new TopicPartition(name, partition.partition()),
                        partition.leader() == null ? -1 : partition.leader().id())));
        return leaders;
    }

    /** End offset of each partition; partitions without a leader are omitted. */
    public Map<TopicPartition, Long> endOffsets(Collection<String> names) {
        return offsets(names, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** Last stable offset of each partition, see {@link #endOffsets}. */
    public Map<TopicPartition, Long> stableOffsets(Collection<String> names) {
        return offsets(names, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    /** Earliest offset of each partition (the end offset of an empty log); partitions without a leader are omitted. */
    public Map<TopicPartition, Long> earliestOffsets(Collection<String> names) {
        return offsets(names, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    }

    private Map<TopicPartition, Long> offsets(Collection<String> names, OffsetSpec spec, IsolationLevel isolation) {
        Map<TopicPartition, Integer> led = leaders(names);
        led.values().removeIf(leader -> leader < 0);
        ListOffsetsOptions options = new ListOffsetsOptions(isolation);
        return Answers.offsets(admin, led.keySet(), spec, options, "read the offsets of", String.join(", ", names));
    }

    /** Explicitly set properties of each topic. */
    public Map<String, Map<String, String>> configs(Collection<String> names) {
        return configs(names, false, e -> false);
    }

    /** The same for existing topics with readable configuration. */
    public Map<String, Map<String, String>> readableConfigs(Collection<String> names) {
        return configs(
                names,
                false,
                e -> e instanceof AuthorizationException || e instanceof UnknownTopicOrPartitionException);
    }

    /** All effective properties of each topic. */
    public Map<String, Map<String, String>> effectiveConfigs(Collection<String> names) {
        return configs(names, true, e -> false);
    }

    /** Client quotas by user, client id, or both; empty without permission or support. */
    public Map<String, Map<String, String>> quotas() {
        try {
            Map<String, Map<String, String>> quotas = new TreeMap<>();
            Answers.await(
                            admin.describeClientQuotas(ClientQuotaFilter.all()).entities(),
                            "read the configuration of",
                            "quotas")
                    .forEach((entity, limits) -> limits.forEach((property, value) -> quotas.computeIfAbsent(
                                    "quota of " + name(entity), e -> new TreeMap<>())
                            .put(
                                    property,
                                    BigDecimal.valueOf(value)
                                            .stripTrailingZeros()
                                            .toPlainString())));
            return quotas;
        } catch (PlimsollException e) {
            return Map.of();
        }
    }

    /** Such as {@code user alice, default client-id}. */
    private static String name(ClientQuotaEntity entity) {
        return new TreeMap<>(entity.entries())
                .descendingMap().entrySet().stream()
                        .map(e -> e.getValue() == null ? "default " + e.getKey() : e.getKey() + " " + e.getValue())
                        .collect(Collectors.joining(", "));
    }

    /** Topics with LogAppendTime; empty without permission or support. */
    public Set<String> appendTimes(Collection<String> names) {
        return having(names, "message.timestamp.type", "LogAppendTime");
    }

    /** Topics with unclean leader election, which can lose consumed records; empty without permission or support. */
    public Set<String> uncleanlyLed(Collection<String> names) {
        return having(names, "unclean.leader.election.enable", "true");
    }

    private Set<String> having(Collection<String> names, String property, String value) {
        try {
            Map<String, Map<String, String>> configs = effectiveConfigs(names);
            configs.values().removeIf(config -> !value.equals(config.get(property)));
            return configs.keySet();
        } catch (PlimsollException e) {
            return Set.of();
        }
    }

    /** @param all include default values */
    private Map<String, Map<String, String>> configs(
            Collection<String> names, boolean all, Predicate<Throwable> leavesOut) {
        List<ConfigResource> resources = names.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        Map<String, Map<String, String>> configs = new TreeMap<>();
        admin.describeConfigs(resources).values().forEach((resource, answer) -> {
            String name = resource.name();
            Answers.await(answer, "read the configuration of", name, leavesOut).ifPresent(config -> {
                Map<String, String> set = new TreeMap<>();
                config.entries().stream()
                        .filter(entry -> all || entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                        .forEach(entry -> set.put(entry.name(), String.valueOf(entry.value())));
                configs.put(name, set);
            });
        });
        return configs;
    }

    /** Size of each partition's largest replica; empty without permission (DESCRIBE on the cluster) or support. */
    public Optional<Map<TopicPartition, Long>> sizesOnDisk(Collection<String> names) {
        Predicate<Throwable> untold = e -> e instanceof AuthorizationException
                || e instanceof UnsupportedVersionException
                || e instanceof TimeoutException;
        String doing = "read the size on disk of";
        String subject = String.join(", ", names);
        return Answers.await(admin.describeCluster().nodes(), doing, subject, untold)
                .map(nodes -> nodes.stream().map(Node::id).toList())
                .flatMap(ids -> Answers.await(admin.describeLogDirs(ids).allDescriptions(), doing, subject, untold))
                .map(brokers -> LogDirs.largest(brokers.values(), names));
    }
}
