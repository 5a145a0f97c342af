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

/** The topics of a cluster: creating and deleting with an end that is certain, and what their logs hold. */
public record Topics(Admin admin) {
    private static final long POLL_MILLIS = 50;
    /** Whoever still writes has written within this time. */
    private static final long BETWEEN_ENDS_MILLIS = 2000;

    /** Each look at the metadata asks some broker; several in a row find one that lags behind. */
    private static final int LOOKS_IN_A_ROW = 3;

    /** The brokers, with the addresses that they advertise. */
    public List<Node> brokers() {
        return List.copyOf(Answers.await(admin.describeCluster().nodes(), "describe the cluster", ""));
    }

    /** The id of the cluster that this client has come to; null where brokers do not tell. */
    public String clusterId() {
        return Answers.await(
                        admin.describeCluster().clusterId().thenApply(Optional::ofNullable), "describe the cluster", "")
                .orElse(null);
    }

    /** Those of the topics that get records while this looks, for two seconds. */
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

    /** The topic of a scenario as {@link #create} takes it. */
    public static NewTopic newTopic(TopicSpec spec) {
        return new NewTopic(spec.name(), spec.partitions(), (short) spec.replication()).configs(spec.config());
    }

    /** The same on the brokers that the scenario asks for; there are at least as many ids. */
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
     * Creates all of these topics, or none: when one cannot be created, those that could are deleted again. Returns
     * when each partition has a leader that serves it.
     *
     * @return the id of each, by which it is known if another one should get its name
     * @throws PlimsollException also when a topic exists already ({@link Exit#USAGE})
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

    /** Brokers before 2.8 do not tell it, and others only whoever may read the topic's configuration. */
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

    /** Waits even in a thread that is interrupted: a topic that may come into being must be known of. */
    private static void awaitSettled(KafkaFuture<?> future) {
        boolean interrupted = false;
        while (!future.isDone()) {
            try {
                future.get();
            } catch (ExecutionException e) {
                // whoever takes the answer learns of it
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until every partition has a leader, and each leader answers for its partitions. */
    public void awaitUsable(Collection<String> names, Duration timeout) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        awaitLooks(deadlineNanos, "wait for topics", names, look -> missingFrom(names, deadlineNanos)
                .map(missing -> Exit.CLUSTER.because("cluster.partitionsNotReady", timeout.toSeconds(), missing)));
    }

    /** @param problem what each look finds, by how many in a row have found nothing */
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

    /** The reason why the topics cannot be used yet; empty if they can. */
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
        // Metadata names a leader before that broker has taken the partition over; only its answer proves that it has.
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

    /**
     * Deletes these topics and waits until they are gone: no broker knows them and their names can be used again. (The
     * answer to a deletion only means that it has begun.)
     */
    public void delete(Collection<String> names, Duration timeout) {
        delete(names, Map.of(), timeout);
    }

    /**
     * Deletes these topics as {@link #delete(Collection, Duration)} does, but for those that others have made since.
     *
     * @param known ids of the topics that are meant, as far as they are known
     * @return the topics that have the name of one that is meant and another id; they are left alone
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
        // A network may hold a request back for minutes: a topic that has got the name since is another one.
        DeleteTopicsResult deleted = admin.deleteTopics(
                byId ? TopicCollection.ofTopicIds(ids.keySet()) : TopicCollection.ofTopicNames(names));
        // One that somebody else has deleted meanwhile is gone all the same.
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

    /** Asks the controller without creating anything; one that may not be asked counts as a yes. */
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

    /** The names of all topics that this user may see, in order. */
    public Set<String> names(boolean internal) {
        return new TreeSet<>(Answers.await(
                admin.listTopics(new ListTopicsOptions().listInternal(internal)).names(),
                "list",
                Sentence.of("cluster.allTopics")));
    }

    /** The topics that are there, and an empty value for those that are not. */
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

    /** @throws PlimsollException ({@link Exit#USAGE}) where one of them is not there */
    public Map<String, TopicDescription> describe(Collection<String> names) {
        Map<String, TopicDescription> topics = new TreeMap<>();
        admin.describeTopics(names)
                .topicNameValues()
                .forEach((name, answer) -> topics.put(name, Answers.await(answer, "describe topic", name)));
        return topics;
    }

    /** The brokers of each partition by topic, the preferred leader first. */
    public Map<String, Map<Integer, List<Integer>>> copies(Collection<String> names) {
        Map<String, Map<Integer, List<Integer>>> copies = new HashMap<>();
        describe(names).forEach((name, topic) -> topic.partitions()
                .forEach(p -> copies.computeIfAbsent(name, n -> new HashMap<>())
                        .put(p.partition(), p.replicas().stream().map(Node::id).toList())));
        return copies;
    }

    /** The id of the broker that leads each partition; -1 for none. */
    public Map<TopicPartition, Integer> leaders(Collection<String> names) {
        Map<TopicPartition, Integer> leaders = new HashMap<>();
        describe(names).forEach((name, topic) -> topic.partitions()
                .forEach(partition -> leaders.put(
                        new TopicPartition(name, partition.partition()),
                        partition.leader() == null ? -1 : partition.leader().id())));
        return leaders;
    }

    /** The offset that the next record of each partition will get; partitions without a leader are left out. */
    public Map<TopicPartition, Long> endOffsets(Collection<String> names) {
        return offsets(names, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** The {@link #endOffsets}, but where a transaction is open no further than its first record. */
    public Map<TopicPartition, Long> stableOffsets(Collection<String> names) {
        return offsets(names, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    /** The offset of the oldest record that is still in each partition (the end offset where there is none); no leader, no entry. */
    public Map<TopicPartition, Long> earliestOffsets(Collection<String> names) {
        return offsets(names, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    }

    private Map<TopicPartition, Long> offsets(Collection<String> names, OffsetSpec spec, IsolationLevel isolation) {
        Map<TopicPartition, Integer> led = leaders(names);
        led.values().removeIf(leader -> leader < 0);
        ListOffsetsOptions options = new ListOffsetsOptions(isolation);
        return Answers.offsets(admin, led.keySet(), spec, options, "read the offsets of", String.join(", ", names));
    }

    /** The properties that were set for each topic: everything else is the brokers' default. */
    public Map<String, Map<String, String>> configs(Collection<String> names) {
        return configs(names, false, e -> false);
    }

    /** The same of those topics whose properties this user may read, and that are still there. */
    public Map<String, Map<String, String>> readableConfigs(Collection<String> names) {
        return configs(
                names,
                false,
                e -> e instanceof AuthorizationException || e instanceof UnknownTopicOrPartitionException);
    }

    /** All properties of each topic as they are in effect. */
    public Map<String, Map<String, String>> effectiveConfigs(Collection<String> names) {
        return configs(names, true, e -> false);
    }

    /**
     * The quotas of clients that the cluster has, such as {@code producer_byte_rate=1000000}, by the user, client id or both that
     * they are for; none where this user may not ask, or the cluster does not tell.
     */
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

    /** The topics whose records get their times from the brokers; none where this user may not ask, or the cluster does not tell. */
    public Set<String> appendTimes(Collection<String> names) {
        return having(names, "message.timestamp.type", "LogAppendTime");
    }

    /** The topics that a replica may come to lead which lacks what consumers have read already; none likewise. */
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

    /** @param all also those that nobody has set for the topic */
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

    /**
     * The bytes that each partition's largest replica has on disk; empty where this user may not ask for them (that
     * takes the right to describe the cluster) or a broker does not tell.
     */
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
