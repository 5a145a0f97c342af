package io.plimsoll.nullbroker;

import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * Statistics of a {@link NullBroker} since its start. Immutable; taken while the broker works, so figures of different
 * partitions can differ by a few requests.
 *
 * @param connections accepted
 * @param brokenConnections closed by the broker because of malformed frames or unknown APIs
 * @param cpuNanos CPU time of the broker's event loops
 * @param partitions of every existing topic
 * @param deleted totals of deleted topics
 */
public record NullBrokerStats(
        Produced produced,
        Fetched fetched,
        long connections,
        long brokenConnections,
        long cpuNanos,
        Map<TopicPartition, Partition> partitions,
        Partition deleted) {

    /**
     * Produce requests.
     *
     * @param requests received completely, rejected ones included
     * @param refusedRequests rejected on purpose ({@link NullBrokerBehaviour#errorRate()})
     * @param refusedBatches rejected as invalid: CRC, header, unknown partition
     */
    public record Produced(long requests, long refusedRequests, long refusedBatches) {}

    /**
     * Answered fetch requests.
     *
     * @param bytes of the served batches
     */
    public record Fetched(long requests, long records, long bytes) {}

    /**
     * Accepted records of a partition.
     *
     * @param bytes of batches, including their 61-byte headers
     * @param endOffset offset of the next record
     */
    public record Partition(long records, long bytes, long batches, long endOffset) {}

    /** Accepted records of all partitions, deleted topics included. */
    public long records() {
        return sum(Partition::records);
    }

    /** Accepted batch bytes of all partitions, deleted topics included. */
    public long bytes() {
        return sum(Partition::bytes);
    }

    /** Accepted batches of all partitions, deleted topics included. */
    public long batches() {
        return sum(Partition::batches);
    }

    private long sum(ToLongFunction<Partition> count) {
        return count.applyAsLong(deleted)
                + partitions.values().stream().mapToLong(count).sum();
    }
}
