package io.plimsoll.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DeleteTopicsResult;
import org.apache.kafka.clients.admin.DescribeClientQuotasResult;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTransactionsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.jspecify.annotations.Nullable;

/** The topics of a cluster: validation, reliable creation and deletion, log offsets, and clients. */
public record Topics(Admin admin) {
    /**
     * Topic settings of the bundled Kafka release. Brokers of other releases can accept different settings; their
     * response decides.
     */
    private static final Set<String> TOPIC_CONFIGS = topicConfigs();

    private static final CreateTopicsOptions VALIDATE = new CreateTopicsOptions().validateOnly(true);
    /** Maximum number of metadata changes in a request, far below the limit of controllers (10,000). */
    private static final int MOST_CHANGES = 5000;
    /** Number of metadata changes for a topic with one partition and one setting. */
    private static final int CHANGES_OF_TOPIC = 3;

    private static final String TOPIC_LIMIT = "max.message.bytes";
    private static final String BROKER_LIMIT = "message.max.bytes";
    private static final String AUTO_CREATE = "auto.create.topics.enable";
    private static final long POLL_MILLIS = 50;
    /** Interval in ms between two readings of end offsets; an active producer writes within this time. */
    private static final long BETWEEN_ENDS_MILLIS = 2000;

    /**
     * Required number of consecutive successful polls. Each poll queries an arbitrary broker, so that several polls
     * detect a broker with stale metadata.
     */
    private static final int LOOKS_IN_A_ROW = 3;

    public List<Node> brokers() {
        return List.copyOf(
                Answers.await(admin.describeCluster().nodes(), "describe", Sentence.of("cluster.onCluster")));
    }

    /** The cluster id; null if not reported. */
    public @Nullable String clusterId() {
        return Answers.await(
                        admin.describeCluster().clusterId().thenApply(Optional::ofNullable),
                        "describe",
                        Sentence.of("cluster.onCluster"))
                .orElse(null);
    }

    /** Those topics that receive a record within two seconds, the duration of this call. */
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

    /** As {@link #newTopic(TopicSpec)}, with the replica placement of the scenario; requires enough broker ids. */
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
        Map<String, Uuid> ids = new HashMap<>();
        try {
            for (List<NewTopic> some : requests(topics, Topics::changes)) {
                CreateTopicsResult result = admin.createTopics(some);
                Map<String, KafkaFuture<Void>> answers = result.values();
                answers.forEach((name, answer) -> {
                    if (settled(answer).isEmpty()) {
                        ids.put(name, id(result, name));
                    }
                });
                answers.forEach((name, answer) -> Answers.await(answer, "create topic", name));
                awaitUsable(answers.keySet(), timeout);
            }
            return ids;
        } catch (PlimsollException e) {
            undo(ids.keySet(), e);
            throw e;
        }
    }

    /** Splits a list into requests that controllers accept. */
    private static <T> Collection<List<T>> requests(Collection<T> all, ToIntFunction<T> changes) {
        AtomicInteger sum = new AtomicInteger();
        return all.stream()
                .collect(Collectors.groupingBy(
                        each -> sum.getAndAdd(changes.applyAsInt(each)) / MOST_CHANGES,
                        TreeMap::new,
                        Collectors.toList()))
                .values();
    }

    /** The changes that create a topic. */
    private static int changes(NewTopic topic) {
        Map<?, ?> placed = Objects.requireNonNullElse(topic.replicasAssignments(), Map.of());
        Map<?, ?> configs = Objects.requireNonNullElse(topic.configs(), Map.of());
        return 1 + Math.max(topic.numPartitions(), placed.size()) + configs.size();
    }

    /**
     * The topic id. Brokers before 2.8 do not report it, and later brokers only to users with permission to read the
     * configuration.
     */
    private static Uuid id(CreateTopicsResult result, String name) {
        return Answers.await(result.topicId(name), "create topic", name, e -> true)
                .orElse(Uuid.ZERO_UUID);
    }

    private void undo(Set<String> created, PlimsollException why) {
        for (List<String> some : requests(created, name -> CHANGES_OF_TOPIC)) {
            settled(admin.deleteTopics(some).all()).ifPresent(why::addSuppressed);
        }
    }

    /** Waits even if interrupted, because the caller must know whether a topic was created. Returns the failure. */
    private static Optional<Throwable> settled(KafkaFuture<?> future) {
        return future.toCompletionStage()
                .handle((done, failure) -> Optional.ofNullable(failure))
                .toCompletableFuture()
                .join();
    }

    /** Waits until every partition has a leader that serves requests. */
    public void awaitUsable(Collection<String> names, Duration timeout) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        awaitLooks(deadlineNanos, "wait for topics", names, look -> missingFrom(names, deadlineNanos)
                .map(missing -> Exit.CLUSTER.because("cluster.partitionsNotReady", timeout.toSeconds(), missing)));
    }

    /** @param problem returns the current problem, given the number of consecutive successful polls; empty if none */
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
        // Metadata names a leader before it has taken over; only a response from the leader is proof.
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
     * As {@link #delete(Collection, Duration)}, but keeps and returns topics that other clients recreated, which have
     * another id.
     */
    public Set<String> delete(Collection<String> wanted, Map<String, Uuid> known, Duration timeout) {
        return requests(new TreeSet<>(wanted), name -> CHANGES_OF_TOPIC).stream()
                .flatMap(some -> deleteAtOnce(new TreeSet<>(some), known, timeout).stream())
                .collect(Collectors.toSet());
    }

    private Set<String> deleteAtOnce(Set<String> names, Map<String, Uuid> known, Duration timeout) {
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
        // Delete by id: a delayed request must not delete a new topic with the same name.
        boolean byId = !ids.containsKey(Uuid.ZERO_UUID);
        DeleteTopicsResult deleted = admin.deleteTopics(
                byId ? TopicCollection.ofTopicIds(ids.keySet()) : TopicCollection.ofTopicNames(names));
        // A topic deleted by another client counts as deleted.
        Predicate<Throwable> gone =
                e -> e instanceof UnknownTopicOrPartitionException || e instanceof UnknownTopicIdException;
        Map<?, KafkaFuture<Void>> answers = byId ? deleted.topicIdValues() : deleted.topicNameValues();
        answers.forEach((which, answer) ->
                Answers.done(answer, "delete topic", byId ? Objects.requireNonNull(ids.get(which)) : which, gone));
        awaitLooks(System.nanoTime() + timeout.toNanos(), "delete topics", names, look -> {
            Set<String> left = new TreeSet<>();
            lookup(names).forEach((name, topic) -> topic.ifPresent(still -> left.add(name)));
            if (left.isEmpty() && look == LOOKS_IN_A_ROW - 1) {
                // Without permission to create a topic, its name counts as free.
                validated(names.stream()
                                .map(name -> new NewTopic(name, 1, (short) 1))
                                .toList())
                        .forEach((name, answer) -> Answers.done(
                                answer,
                                "delete topic",
                                name,
                                e -> !(e instanceof TopicExistsException) || left.add(name)));
            }
            List<String> topics = List.copyOf(left);
            return topics.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Exit.CLUSTER.because(
                            "cluster.topicStillThere", topics, timeout.toSeconds(), Sentence.list(topics, 3)));
        });
        return others;
    }

    /** Names of all visible topics, sorted. */
    public Set<String> names(boolean internal) {
        return new TreeSet<>(Answers.await(
                admin.listTopics(new ListTopicsOptions().listInternal(internal)).names(),
                "list",
                Sentence.of("cluster.allTopics")));
    }

    /** Ids of all visible topics except internal ones, by name; {@link Uuid#ZERO_UUID} from brokers before 2.8. */
    public Map<String, Uuid> ids() {
        Map<String, Uuid> ids = new TreeMap<>();
        Answers.await(admin.listTopics().listings(), "list", Sentence.of("cluster.allTopics"))
                .forEach(topic -> ids.put(topic.name(), topic.topicId()));
        return ids;
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if no topic except internal topics matches */
    public List<String> matching(Pattern pattern) {
        List<String> matching =
                names(false).stream().filter(pattern.asMatchPredicate()).toList();
        Exit.USAGE.when(matching.isEmpty(), "cluster.noTopicMatches", pattern);
        return matching;
    }

    /** The description of a topic; empty if it does not exist. */
    public Optional<TopicDescription> lookup(String name) {
        return Objects.requireNonNull(lookup(List.of(name)).get(name));
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

    /** @throws PlimsollException ({@link Exit#USAGE}) if the topic does not exist */
    public TopicDescription describe(String name) {
        return Objects.requireNonNull(describe(List.of(name)).get(name));
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

    /** The end offset of each partition; partitions without a leader are omitted. */
    public Map<TopicPartition, Long> endOffsets(Collection<String> names) {
        return offsets(names, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** The last stable offset of each partition; partitions without a leader are omitted. */
    public Map<TopicPartition, Long> stableOffsets(Collection<String> names) {
        return offsets(names, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    /** The earliest offset of each partition (in an empty log, the end offset); partitions without a leader are omitted. */
    public Map<TopicPartition, Long> earliestOffsets(Collection<String> names) {
        return offsets(names, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    }

    private Map<TopicPartition, Long> offsets(Collection<String> names, OffsetSpec spec, IsolationLevel isolation) {
        Map<TopicPartition, Integer> led = leaders(names);
        led.values().removeIf(leader -> leader < 0);
        return offsets(led.keySet(), spec, isolation, String.join(", ", names));
    }

    private Map<TopicPartition, Long> offsets(
            Collection<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation, Object subject) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(partition -> wanted.put(partition, spec));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        Answers.await(
                        admin.listOffsets(wanted, new ListOffsetsOptions(isolation))
                                .all(),
                        "read the offsets of",
                        subject)
                .forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    /** Properties that are set explicitly on each topic. */
    public Map<String, Map<String, String>> configs(Collection<String> names) {
        return configs(names, false, e -> false);
    }

    /** As {@link #configs}, but only for existing topics with a readable configuration. */
    public Map<String, Map<String, String>> readableConfigs(Collection<String> names) {
        return configs(names, false, Topics::isUnreadable);
    }

    private static boolean isUnreadable(Throwable e) {
        return e instanceof AuthorizationException || e instanceof UnknownTopicOrPartitionException;
    }

    public Map<String, Map<String, String>> effectiveConfigs(Collection<String> names) {
        return configs(names, true, e -> false);
    }

    /** Properties of each topic that differ from Kafka's defaults, in the format and order of kafka-topics. */
    public Map<String, String> configsAsKafka(Collection<String> names) {
        Map<String, String> texts = new HashMap<>();
        configs(ConfigResource.Type.TOPIC, names, e -> false)
                .forEach((name, config) -> texts.put(
                        name,
                        config.entries().stream()
                                .filter(entry -> !entry.isDefault())
                                .map(entry -> entry.name() + "=" + entry.value())
                                .collect(Collectors.joining(","))));
        return texts;
    }

    /** Client quotas by user, client id, or both; empty without permission or support. */
    public Map<String, Map<String, String>> quotas() {
        try {
            Map<String, Map<String, String>> quotas = new TreeMap<>();
            DescribeClientQuotasResult all = admin.describeClientQuotas(ClientQuotaFilter.all());
            Answers.await(all.entities(), "read the configuration of", "quotas").forEach((entity, limits) -> {
                Map<String, String> quota = new TreeMap<>();
                limits.forEach((property, limit) -> quota.put(
                        property, BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString()));
                quotas.put("quota of " + name(entity), quota);
            });
            return quotas;
        } catch (PlimsollException e) {
            return Map.of();
        }
    }

    /** The name of a quota's entity, such as {@code user alice, default client-id}. */
    private static String name(ClientQuotaEntity entity) {
        return new TreeMap<>(entity.entries())
                .descendingMap().entrySet().stream()
                        .map(e -> e.getValue() == null ? "default " + e.getKey() : e.getKey() + " " + e.getValue())
                        .collect(Collectors.joining(", "));
    }

    /** Topics with {@code LogAppendTime} timestamps, as far as their configuration is readable. */
    public Set<String> appendTimes(Collection<String> names) {
        return having(names, "message.timestamp.type", "LogAppendTime");
    }

    /** Topics with unclean leader election, which can lose acknowledged records, as far as this is readable. */
    public Set<String> uncleanlyLed(Collection<String> names) {
        return having(names, "unclean.leader.election.enable", "true");
    }

    private Set<String> having(Collection<String> names, String property, String value) {
        try {
            Map<String, Map<String, String>> configs = configs(names, true, Topics::isUnreadable);
            configs.values().removeIf(config -> !value.equals(config.get(property)));
            return configs.keySet();
        } catch (PlimsollException e) {
            return Set.of();
        }
    }

    /** @param all whether to include default values */
    private Map<String, Map<String, String>> configs(
            Collection<String> names, boolean all, Predicate<Throwable> leavesOut) {
        Map<String, Map<String, String>> configs = new TreeMap<>();
        configs(ConfigResource.Type.TOPIC, names, leavesOut).forEach((name, config) -> {
            Map<String, String> set = new TreeMap<>();
            config.entries().stream()
                    .filter(entry -> all || entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
                    .forEach(entry -> set.put(entry.name(), String.valueOf(entry.value())));
            configs.put(name, set);
        });
        return configs;
    }

    private Map<String, Config> configs(
            ConfigResource.Type type, Collection<String> names, Predicate<Throwable> leavesOut) {
        Map<String, Config> configs = new HashMap<>();
        admin.describeConfigs(names.stream()
                        .map(name -> new ConfigResource(type, name))
                        .toList())
                .values()
                .forEach((resource, answer) -> Answers.await(
                                answer, "read the configuration of", resource.name(), leavesOut)
                        .ifPresent(config -> configs.put(resource.name(), config)));
        return configs;
    }

    /** Size of each partition's largest replica; empty without permission (DESCRIBE on the cluster) or support. */
    public Optional<Map<TopicPartition, Long>> sizesOnDisk(Collection<String> names) {
        Predicate<Throwable> unavailable = e -> e instanceof AuthorizationException
                || e instanceof UnsupportedVersionException
                || e instanceof TimeoutException;
        String doing = "read the size on disk of";
        String subject = String.join(", ", names);
        return Answers.await(admin.describeCluster().nodes(), doing, subject, unavailable)
                .map(nodes -> nodes.stream().map(Node::id).toList())
                .flatMap(
                        ids -> Answers.await(admin.describeLogDirs(ids).allDescriptions(), doing, subject, unavailable))
                .map(brokers -> LogDirs.largest(brokers.values(), names));
    }

    /** Active groups that read a topic, their members, and their total lag. */
    public record Readers(int groups, int members, long lag) {
        public static final Readers NONE = new Readers(0, 0, 0);

        public Readers and(Readers more) {
            return new Readers(groups + more.groups, members + more.members, lag + more.lag);
        }
    }

    /**
     * Groups with committed offsets in these partitions, by topic. Groups without permission or an available
     * coordinator are left out: groups need a different permission than topics.
     */
    public Map<String, Readers> readers(Map<TopicPartition, Long> ends) {
        Set<String> consumers = new TreeSet<>();
        Set<String> streams = new TreeSet<>();
        Answers.await(admin.listGroups().valid(), "list", Sentence.of("cluster.allGroups"), e -> true).stream()
                .flatMap(Collection::stream)
                .filter(Groups::commits)
                .forEach(group -> {
                    boolean ofStreams = group.type().equals(Optional.of(GroupType.STREAMS));
                    (ofStreams ? streams : consumers).add(group.groupId());
                });
        Map<String, KafkaFuture<Integer>> members = new TreeMap<>();
        admin.describeConsumerGroups(consumers)
                .describedGroups()
                .forEach((id, group) ->
                        members.put(id, group.thenApply(found -> found.members().size())));
        admin.describeStreamsGroups(streams)
                .describedGroups()
                .forEach((id, group) ->
                        members.put(id, group.thenApply(found -> found.members().size())));
        Map<String, ListConsumerGroupOffsetsSpec> every = new HashMap<>();
        members.keySet().forEach(id -> every.put(id, new ListConsumerGroupOffsetsSpec()));
        ListConsumerGroupOffsetsResult offsets = admin.listConsumerGroupOffsets(every);
        Map<String, Readers> readers = new TreeMap<>();
        members.forEach((id, count) -> {
            Optional<Integer> active = Answers.await(count, KafkaErrors.DESCRIBE_GROUP, id, e -> true);
            Optional<Map<TopicPartition, OffsetAndMetadata>> committed = Answers.await(
                    offsets.partitionsToOffsetAndMetadata(id), "read the offsets of group", id, e -> true);
            if (active.isPresent() && committed.isPresent()) {
                lags(committed.get(), ends)
                        .forEach((topic, lag) -> readers.merge(
                                topic, new Readers(active.get() > 0 ? 1 : 0, active.get(), lag), Readers::and));
            }
        });
        return readers;
    }

    /** Lag of a group by topic, in partitions with a known end. */
    private static Map<String, Long> lags(
            Map<TopicPartition, OffsetAndMetadata> committed, Map<TopicPartition, Long> ends) {
        Map<String, Long> lags = new TreeMap<>();
        committed.forEach((partition, offset) -> {
            Long end = ends.get(partition);
            if (offset != null && end != null) {
                lags.merge(partition.topic(), Math.max(0, end - offset.offset()), Long::sum);
            }
        });
        return lags;
    }

    /** An offset for each partition; −1 if {@code spec} is a time and no record is that recent. */
    public Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, OffsetSpec spec) {
        List<String> topics =
                partitions.stream().map(TopicPartition::topic).distinct().toList();
        return offsets(partitions, spec, IsolationLevel.READ_UNCOMMITTED, Sentence.list(topics, 3));
    }

    /** Ids of idempotent producers that wrote to each topic since this time, as far as partition leaders remember. */
    public Map<String, Set<Long>> producers(Collection<TopicPartition> partitions, long sinceMillis) {
        DescribeProducersResult result = admin.describeProducers(partitions);
        Map<String, Set<Long>> ids = new HashMap<>();
        for (TopicPartition partition : partitions) {
            Optional<PartitionProducerState> state = Answers.await(
                    result.partitionResult(partition), "describe the producers of", partition.topic(), e -> true);
            if (state.isEmpty()) {
                // Unsupported by older brokers, or not authorized.
                return Map.of();
            }
            state.get().activeProducers().stream()
                    .filter(p -> p.lastTimestamp() >= sinceMillis)
                    .forEach(p -> ids.computeIfAbsent(partition.topic(), t -> new HashSet<>())
                            .add(p.producerId()));
        }
        return ids;
    }

    /** Those transactional ids that are in use; empty before Kafka 3.0. */
    public Optional<Set<String>> transactionalIds(Collection<String> ids) {
        Set<String> existing = new TreeSet<>();
        DescribeTransactionsResult answers = admin.describeTransactions(ids);
        for (String id : ids) {
            try {
                if (Answers.done(
                        answers.description(id),
                        "describe transactional id",
                        id,
                        e -> e instanceof TransactionalIdNotFoundException)) {
                    existing.add(id);
                }
            } catch (PlimsollException e) {
                if (KafkaErrors.unwrap(Objects.requireNonNullElse(e.getCause(), e))
                        instanceof UnsupportedVersionException) {
                    return Optional.empty();
                }
                throw e;
            }
        }
        return Optional.of(existing);
    }

    /**
     * Validates the creation of these topics without creating them; {@code refusals} receives a sentence for each
     * rejected topic. Fails with {@link Exit#CLUSTER} without permission.
     */
    public void tryToCreate(Collection<NewTopic> topics, Consumer<Sentence> refusals) {
        Map<String, KafkaFuture<Void>> answers = validated(topics);
        for (NewTopic topic : topics) {
            try {
                Answers.await(Objects.requireNonNull(answers.get(topic.name())), "create topic", topic.name());
            } catch (PlimsollException e) {
                if (e.exit() != Exit.USAGE) {
                    throw e;
                }
                refusals.accept(e.sentence());
                unknownConfigs(topic.configs() == null ? Map.of() : topic.configs(), topic.name())
                        .forEach(refusals);
            }
        }
    }

    /** Whether the cluster would accept the creation of all of these topics. */
    public boolean accepts(Collection<NewTopic> topics) {
        return validated(topics).entrySet().stream()
                .allMatch(topic -> Answers.done(topic.getValue(), "create topic", topic.getKey(), e -> true));
    }

    private Map<String, KafkaFuture<Void>> validated(Collection<NewTopic> topics) {
        Map<String, KafkaFuture<Void>> answers = new HashMap<>();
        requests(topics, Topics::changes)
                .forEach(some ->
                        answers.putAll(admin.createTopics(some, VALIDATE).values()));
        return answers;
    }

    /** Default {@code retention.ms} of a topic with this name, negative for unlimited; empty if unknown. */
    public OptionalLong usualRetentionMillis(String name) {
        NewTopic probe = new NewTopic(name, Optional.empty(), Optional.empty());
        return Answers.await(admin.createTopics(List.of(probe), VALIDATE).config(name), "create topic", name, e -> true)
                .map(config -> config.get(TopicConfig.RETENTION_MS_CONFIG))
                .map(entry -> OptionalLong.of(Long.parseLong(entry.value())))
                .orElse(OptionalLong.empty());
    }

    /** Topics on which this operation is not permitted; topics with unknown permissions are left out. */
    public Set<String> forbidden(Collection<String> topics, AclOperation operation) {
        Set<String> forbidden = new TreeSet<>();
        DescribeTopicsOptions withRights = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        admin.describeTopics(topics, withRights).topicNameValues().forEach((name, answer) -> {
            Set<AclOperation> allowed =
                    Answers.await(answer, "describe topic", name).authorizedOperations();
            if (allowed != null && !allowed.isEmpty() && !allowed.contains(operation)) {
                forbidden.add(name);
            }
        });
        return forbidden;
    }

    /** {@code max.message.bytes} of each existing topic; absent without permission. */
    public Map<String, Long> largestBatchOf(Collection<String> topics) {
        return describe(ConfigResource.Type.TOPIC, topics, TOPIC_LIMIT).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, limit -> Long.parseLong(limit.getValue())));
    }

    /** Broker default for the maximum size of a record batch in bytes; empty if unknown. */
    public OptionalLong largestBatch(Collection<Integer> brokers) {
        return ofBrokers(brokers, BROKER_LIMIT).mapToLong(Long::parseLong).min();
    }

    /** Whether brokers auto-create topics; true if unknown. */
    public boolean createTopicsOnDemand(Collection<Integer> brokers) {
        return ofBrokers(brokers, AUTO_CREATE).allMatch(Boolean::parseBoolean);
    }

    private Stream<String> ofBrokers(Collection<Integer> brokers, String property) {
        List<String> ids = brokers.stream().map(String::valueOf).toList();
        return describe(ConfigResource.Type.BROKER, ids, property).values().stream();
    }

    private Map<String, String> describe(ConfigResource.Type type, Collection<String> names, String property) {
        Map<String, String> found = new HashMap<>();
        configs(type, names, e -> e instanceof AuthorizationException).forEach((name, config) -> {
            if (config.get(property) != null && config.get(property).value() != null) {
                found.put(name, config.get(property).value());
            }
        });
        return found;
    }

    static Set<String> topicConfigs() {
        Set<String> names = new TreeSet<>(
                Set.of("leader.replication.throttled.replicas", "follower.replication.throttled.replicas"));
        try {
            for (Field field : TopicConfig.class.getFields()) {
                // Deprecated constants are settings that brokers no longer accept.
                if (field.getName().endsWith("_CONFIG") && !field.isAnnotationPresent(Deprecated.class)) {
                    names.add((String) field.get(null));
                }
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return names;
    }

    /** One sentence for each unknown setting, with the setting that was probably intended. */
    public static List<Sentence> unknownConfigs(Map<String, String> configs, Object where) {
        return configs.keySet().stream()
                .filter(name -> !TOPIC_CONFIGS.contains(name))
                .map(name -> Sentence.of(
                        "cluster.unknownTopicConfig", where, name, Suggestions.didYouMean(name, TOPIC_CONFIGS)))
                .toList();
    }

    /**
     * A topic as shown by {@code topic describe}, with explicit settings. {@code records} is the end minus the earliest
     * offset, an upper bound because of compaction and transactions; null if a partition has no leader. {@code bytes}
     * counts one replica of each partition; null if unreported.
     */
    @JsonPropertyOrder({"name", "internal", "replication", "records", "bytes", "config", "partitions"})
    public record TopicReport(
            String name,
            boolean internal,
            int replication,
            @Nullable Long records,
            @Nullable Long bytes,
            Map<String, String> config,
            List<Partition> partitions) {

        /**
         * Leader id (−1 for none), offsets (null without a leader), and size of the largest replica (null if not reported).
         */
        public record Partition(
                int partition,
                int leader,
                List<Integer> replicas,
                List<Integer> inSync,
                @Nullable Long earliestOffset,
                @Nullable Long endOffset,
                @Nullable Long bytes) {
            private @Nullable Long records() {
                return earliestOffset == null || endOffset == null ? null : Long.valueOf(endOffset - earliestOffset);
            }
        }

        /** Reports on these topics, in this order. */
        public static List<TopicReport> of(Topics topics, Collection<String> names) {
            Map<String, TopicDescription> descriptions = topics.describe(names);
            Map<TopicPartition, Long> earliest = topics.earliestOffsets(names);
            Map<TopicPartition, Long> ends = topics.endOffsets(names);
            Map<TopicPartition, Long> sizes = topics.sizesOnDisk(names).orElse(Map.of());
            Map<String, Map<String, String>> configs = topics.configs(names);
            return names.stream()
                    .map(name -> {
                        TopicDescription topic = Objects.requireNonNull(descriptions.get(name));
                        List<Partition> partitions = topic.partitions().stream()
                                .map(info -> {
                                    TopicPartition id = new TopicPartition(name, info.partition());
                                    return new Partition(
                                            info.partition(),
                                            info.leader() == null
                                                    ? -1
                                                    : info.leader().id(),
                                            ids(info.replicas()),
                                            ids(info.isr()),
                                            earliest.get(id),
                                            ends.get(id),
                                            sizes.get(id));
                                })
                                .toList();
                        return report(name, topic.isInternal(), Objects.requireNonNull(configs.get(name)), partitions);
                    })
                    .toList();
        }

        private static TopicReport report(
                String name, boolean internal, Map<String, String> config, List<Partition> partitions) {
            return new TopicReport(
                    name,
                    internal,
                    partitions.get(0).replicas().size(),
                    sum(partitions, Partition::records),
                    sum(partitions, Partition::bytes),
                    config,
                    partitions);
        }

        /** The sum over all partitions; null if unknown for a partition. */
        private static @Nullable Long sum(List<Partition> partitions, Function<Partition, @Nullable Long> value) {
            long sum = 0;
            for (Partition partition : partitions) {
                Long one = value.apply(partition);
                if (one == null) {
                    return null;
                }
                sum += one;
            }
            return sum;
        }

        private static List<Integer> ids(List<Node> nodes) {
            return nodes.stream().map(Node::id).toList();
        }
    }
}
