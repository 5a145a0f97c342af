package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * A topic of this program with one partition led by each broker and up to {@code copies} replicas. Other topics are not
 * changed. Used by one thread; does not close the admin client.
 */
public record SpreadTopic(Admin admin, String name, int copies) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Duration stored in the mark of a topic without a planned end. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private static final long COORDINATOR_SECONDS = 5;

    /** Run tag in the mark of a watch's topic, which belongs to no run. */
    private static final int MARK_RUN = "plimsoll-watch".hashCode() & 0xffffff;

    /**
     * Distribution of the topic: its id (if reported), actual and intended leaders (homes), existing brokers, brokers
     * with replicas (including missing ones), partitions led elsewhere although the intended leader is in sync, brokers
     * that already have or had a partition, and the reason why partitions could not be created.
     */
    public record Kept(
            @Nullable String topicId,
            Map<Integer, Integer> leaders,
            Map<Integer, Integer> homes,
            List<Node> brokers,
            Set<Integer> assigned,
            Set<Integer> elsewhere,
            ProvidedBrokers given,
            Optional<PlimsollException> problem) {}

    /** Brokers that already received a partition of the topic with this id; they get no further partition. */
    public record ProvidedBrokers(@Nullable String topicId, Set<Integer> brokers) {
        public static final ProvidedBrokers NONE = new ProvidedBrokers(null, Set.of());
    }

    /**
     * Creates the topic unless it exists.
     *
     * @param config topic settings
     * @param least minimum number of partitions; each broker leads at least one
     * @param known id of a topic to use, regardless of its creator; null if none
     * @param believed whether a topic with this name counts as Plimsoll's even if its mark is unreadable
     * @throws PlimsollException ({@link Exit#USAGE}) if a third-party topic has this name
     */
    public void create(Map<String, String> config, int least, @Nullable String known, boolean believed) {
        Topics topics = new Topics(admin);
        Optional<TopicDescription> there = topics.lookup(name);
        if (there.isPresent()) {
            if (!isOurs(topics, there.get(), known, believed)) {
                throw Exit.USAGE.because("cluster.notOurTopic", name);
            }
            return;
        }
        List<Integer> brokers = topics.brokers().stream().map(Node::id).sorted().toList();
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        for (int p = 0; p < Math.max(least, brokers.size()); p++) {
            replicas.put(p, replicas(brokers, brokers.get(p % brokers.size()), copies));
        }
        Map<String, String> marked = new HashMap<>(config);
        marked.put(TopicMark.PROPERTY, new TopicMark(MARK_RUN, Instant.now(), FOR_EVER).text());
        topics.create(List.of(new NewTopic(name, replicas).configs(marked)), PATIENCE);
    }

    /** Whether the mark is from a watch, which keeps the topic for its next start. */
    public static boolean isOfWatch(TopicMark mark) {
        return mark.run() == MARK_RUN;
    }

    /** Whether the topic belongs to this program; topics of runs have a different mark. */
    private boolean isOurs(Topics topics, TopicDescription there, @Nullable String known, boolean believed) {
        if (known != null && known.equals(id(there))) {
            return true;
        }
        try {
            return TopicMark.of(
                            Objects.requireNonNull(topics.configs(List.of(name)).get(name)))
                    .filter(SpreadTopic::isOfWatch)
                    .isPresent();
        } catch (PlimsollException e) {
            if (believed
                    && KafkaErrors.unwrap(Objects.requireNonNullElse(e.getCause(), e))
                            instanceof AuthorizationException) {
                return true;
            }
            throw e;
        }
    }

    /** The replicas of a partition, the intended leader first. */
    private static List<Integer> replicas(List<Integer> brokers, int first, int copies) {
        List<Integer> replicas = new ArrayList<>();
        for (int i = 0; i < Math.min(copies, brokers.size()); i++) {
            replicas.add(brokers.get((brokers.indexOf(first) + i) % brokers.size()));
        }
        return replicas;
    }

    /**
     * Adds a partition for each broker that never had one, and returns the distribution even if partitions cannot be
     * added; empty if the topic does not exist.
     */
    public Optional<Kept> keep(ProvidedBrokers before) {
        return new Topics(admin).lookup(name).map(topic -> keep(topic, before));
    }

    private Kept keep(TopicDescription topic, ProvidedBrokers before) {
        List<Node> there = new Topics(admin).brokers();
        boolean same = Objects.equals(before.topicId(), id(topic));
        Set<Integer> given = new TreeSet<>(same ? before.brokers() : Set.of());
        topic.partitions().forEach(p -> given.add(preferred(p)));
        Set<Integer> without = there.stream().map(Node::id).collect(Collectors.toCollection(TreeSet::new));
        without.removeAll(given);
        Optional<PlimsollException> problem = give(topic, without, there);
        if (problem.isEmpty()) {
            given.addAll(without);
        }
        Set<Integer> elsewhere = new HashSet<>();
        Map<Integer, Integer> leaders = new TreeMap<>();
        Map<Integer, Integer> homes = new TreeMap<>();
        for (TopicPartitionInfo p : topic.partitions()) {
            int leader = p.leader() == null ? -1 : p.leader().id();
            homes.put(p.partition(), preferred(p));
            leaders.put(p.partition(), leader < 0 ? preferred(p) : leader);
            boolean inSync = p.isr().stream().anyMatch(node -> node.id() == preferred(p));
            if (leader != preferred(p) && inSync) {
                elsewhere.add(p.partition());
            }
        }
        Set<Integer> assigned = new HashSet<>(without);
        topic.partitions().forEach(p -> p.replicas().forEach(node -> assigned.add(node.id())));
        return new Kept(
                id(topic), leaders, homes, there, assigned, elsewhere, new ProvidedBrokers(id(topic), given), problem);
    }

    /** Adds a partition for each of these brokers, with the topic's replication factor. */
    private Optional<PlimsollException> give(TopicDescription topic, Set<Integer> without, List<Node> there) {
        if (without.isEmpty()) {
            return Optional.empty();
        }
        List<Integer> brokers = there.stream().map(Node::id).sorted().toList();
        int count = topic.partitions().get(0).replicas().size();
        List<List<Integer>> assignments =
                without.stream().map(id -> replicas(brokers, id, count)).toList();
        int all = topic.partitions().size() + assignments.size();
        try {
            Answers.await(
                    admin.createPartitions(Map.of(name, NewPartitions.increaseTo(all, assignments)))
                            .all(),
                    "add partitions to",
                    name);
            return Optional.empty();
        } catch (PlimsollException e) {
            return Optional.of(e);
        }
    }

    /** Elects the intended leaders of these partitions, which briefly interrupts their producers. */
    public void lead(Set<Integer> partitions) {
        Set<TopicPartition> them =
                partitions.stream().map(p -> new TopicPartition(name, p)).collect(Collectors.toSet());
        Answers.await(admin.electLeaders(ElectionType.PREFERRED, them).partitions(), "elect leaders of", name);
    }

    /** Current topic id within the time limit; empty if the topic does not exist. */
    public Optional<String> topicId(Duration limit) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) limit.toMillis());
        return Answers.await(
                        Objects.requireNonNull(admin.describeTopics(List.of(name), options)
                                .topicNameValues()
                                .get(name)),
                        "describe topic",
                        name,
                        e -> e instanceof UnknownTopicOrPartitionException)
                .map(SpreadTopic::id);
    }

    private static @Nullable String id(TopicDescription topic) {
        return topic.topicId().equals(Uuid.ZERO_UUID) ? null : topic.topicId().toString();
    }

    private static int preferred(TopicPartitionInfo partition) {
        return partition.replicas().get(0).id();
    }

    /** For each broker, a group name with this prefix that it coordinates, as far as known. */
    public Map<Integer, String> groups(String prefix) {
        Map<Integer, String> groups = new TreeMap<>();
        List<TopicPartitionInfo> partitions = offsets()
                .or(() -> {
                    askForCoordinator(prefix + 0);
                    return offsets();
                })
                .map(TopicDescription::partitions)
                .orElse(List.of());
        Set<Integer> leaders = new HashSet<>();
        partitions.stream()
                .filter(p -> p.leader() != null)
                .forEach(p -> leaders.add(p.leader().id()));
        for (int n = 0; groups.size() < leaders.size(); n++) {
            String id = prefix + n;
            // Computed as in coordinators: the remainder of a negative hash depends on the order of abs and %.
            Node leader =
                    partitions.get(Math.abs(id.hashCode() % partitions.size())).leader();
            if (leader != null) {
                groups.putIfAbsent(leader.id(), id);
            }
        }
        return groups;
    }

    private Optional<TopicDescription> offsets() {
        return new Topics(admin).lookup("__consumer_offsets");
    }

    /** Makes a cluster without groups create its offsets topic. */
    private void askForCoordinator(String group) {
        try {
            admin.describeConsumerGroups(List.of(group)).all().get(COORDINATOR_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // A missing group is expected; a missing coordinator is retried later.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
