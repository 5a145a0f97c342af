package io.plimsoll.engine.client;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * Who does what in a cluster at this moment, asked while brokers may be failing: each answer comes within a few seconds
 * or not at all. Usable by several threads; does not close the admin client.
 */
public final class BrokerRoles {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

    private final Admin admin;

    public BrokerRoles(Admin admin) {
        this.admin = admin;
    }

    /**
     * How the replicas of some topics are.
     *
     * @param underReplicated partitions of which not every replica is in sync
     * @param leaderless partitions without a leader
     */
    public record Replicas(int underReplicated, int leaderless) {
        public boolean allInSync() {
            return underReplicated == 0 && leaderless == 0;
        }
    }

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

    /** @return empty if nobody answers */
    public java.util.Optional<Replicas> replicas(Collection<String> topics) {
        List<TopicDescription> found = describe(topics);
        if (found.size() < topics.size()) {
            return java.util.Optional.empty();
        }
        List<TopicPartitionInfo> all =
                found.stream().flatMap(t -> t.partitions().stream()).toList();
        long under =
                all.stream().filter(p -> p.isr().size() < p.replicas().size()).count();
        long leaderless = all.stream()
                .filter(p -> p.leader() == null || p.leader().isEmpty())
                .count();
        return java.util.Optional.of(new Replicas((int) under, (int) leaderless));
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
            throw new PlimsollException(Exit.INTERRUPTED, "interrupted while asking the cluster", e);
        }
    }
}
