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

/**
 * A topic of ours of which each broker is to lead a partition. Nothing else of the cluster is touched. Used by one thread; does
 * not close the admin client.
 *
 * @param name of the topic
 * @param copies of each partition, fewer where there are fewer brokers
 */
public record SpreadTopic(Admin admin, String name, int copies) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** A mark says how long its run lasts: this one has no end. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private static final long COORDINATOR_SECONDS = 5;

    /** What its mark says in the place of a run. */
    private static final int MARK_RUN = "plimsoll-watch".hashCode() & 0xffffff;

    /**
     * How the topic is spread.
     *
     * @param topicId another one whenever a topic of this name was made anew; null where brokers do not tell
     * @param leaders by partition; where there is none the broker that should lead
     * @param homes the broker that should lead, by partition
     * @param brokers that are there
     * @param assigned brokers that partitions are on or should be, also those that are not there
     * @param elsewhere partitions that another broker leads than the one that should, although that is in sync
     * @param given those that have a partition that they should lead, or had one
     * @param problem why partitions that should be there could not be made; empty where they were
     */
    public record Kept(
            String topicId,
            Map<Integer, Integer> leaders,
            Map<Integer, Integer> homes,
            List<Node> brokers,
            Set<Integer> assigned,
            Set<Integer> elsewhere,
            Given given,
            Optional<PlimsollException> problem) {}

    /** The brokers that have been given a partition, and are given no other; the topic as {@link Kept} says. */
    public record Given(String topicId, Set<Integer> brokers) {
        public static final Given NONE = new Given(null, Set.of());
    }

    /**
     * Makes the topic, unless it is there.
     *
     * @param config its properties
     * @param least partitions; each broker has one whatever their number
     * @param known as {@link Kept} says, of a topic that is used already, whoever made it; null for none
     * @param believed whether a topic of this name is known to be ours, so that it is taken where nobody may read its mark
     * @throws PlimsollException ({@link Exit#USAGE}) where a topic of this name is somebody else's
     */
    public void create(Map<String, String> config, int least, String known, boolean believed) {
        Topics topics = new Topics(admin);
        Optional<TopicDescription> there = topics.lookup(List.of(name)).get(name);
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

    /** Whether a topic with this mark is one that a watch has made and keeps for its next start. */
    public static boolean isOfWatch(TopicMark mark) {
        return mark.run() == MARK_RUN;
    }

    /** A topic that a run has made, or left, has a mark as well, and another one. */
    private boolean isOurs(Topics topics, TopicDescription there, String known, boolean believed) {
        if (known != null && known.equals(id(there))) {
            return true;
        }
        try {
            return TopicMark.of(topics.configs(List.of(name)).get(name))
                    .filter(SpreadTopic::isOfWatch)
                    .isPresent();
        } catch (PlimsollException e) {
            if (believed && KafkaErrors.unwrap(e.getCause()) instanceof AuthorizationException) {
                return true;
            }
            throw e;
        }
    }

    /** The broker first that is to lead, and those after it. */
    private static List<Integer> replicas(List<Integer> brokers, int first, int copies) {
        List<Integer> replicas = new ArrayList<>();
        for (int i = 0; i < Math.min(copies, brokers.size()); i++) {
            replicas.add(brokers.get((brokers.indexOf(first) + i) % brokers.size()));
        }
        return replicas;
    }

    /**
     * Gives each broker that is there and never had one a partition that it should lead. Where that fails, all else is told.
     *
     * @param before what was told last
     * @return how it is spread now; empty where there is no such topic
     */
    public Optional<Kept> keep(Given before) {
        return new Topics(admin).lookup(List.of(name)).get(name).map(topic -> keep(topic, before));
    }

    private Kept keep(TopicDescription topic, Given before) {
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
        return new Kept(id(topic), leaders, homes, there, assigned, elsewhere, new Given(id(topic), given), problem);
    }

    /** A partition to each of these, with as many copies as the others have, as brokers want it. */
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

    /** Makes the brokers that should lead these partitions lead them. Producing to them waits for a moment meanwhile. */
    public void lead(Set<Integer> partitions) {
        Set<TopicPartition> them =
                partitions.stream().map(p -> new TopicPartition(name, p)).collect(Collectors.toSet());
        Answers.await(admin.electLeaders(ElectionType.PREFERRED, them).partitions(), "elect leaders of", name);
    }

    /** Asks for no longer than this which topic has the name now; empty where there is none. */
    public Optional<String> topicId(Duration limit) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) limit.toMillis());
        return Answers.await(
                        admin.describeTopics(List.of(name), options)
                                .topicNameValues()
                                .get(name),
                        "describe topic",
                        name,
                        e -> e instanceof UnknownTopicOrPartitionException)
                .map(SpreadTopic::id);
    }

    private static String id(TopicDescription topic) {
        return topic.topicId().equals(Uuid.ZERO_UUID) ? null : topic.topicId().toString();
    }

    private static int preferred(TopicPartitionInfo partition) {
        return partition.replicas().get(0).id();
    }

    /** By broker, the name of a group with this prefix that it coordinates; only those that can be told. */
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
            // As coordinators do it: of a hash below zero the remainder is another one than without its sign.
            Node leader =
                    partitions.get(Math.abs(id.hashCode() % partitions.size())).leader();
            if (leader != null) {
                groups.putIfAbsent(leader.id(), id);
            }
        }
        return groups;
    }

    private Optional<TopicDescription> offsets() {
        String offsets = "__consumer_offsets";
        return new Topics(admin).lookup(List.of(offsets)).get(offsets);
    }

    /** The brokers of a cluster that has had no group yet make the topic of committed offsets when somebody asks. */
    private void askForCoordinator(String group) {
        try {
            admin.describeConsumerGroups(List.of(group)).all().get(COORDINATOR_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // That there is no such group yet was known; whoever has no coordinator by now asks again later.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
