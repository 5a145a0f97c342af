package io.plimsoll.nullbroker;

import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * Statistics of a {@link NullBroker} since its start. Immutable; taken while the broker works, so that the figures of
 * different partitions may be some requests apart.
 *
 * @param connections accepted
 * @param brokenConnections closed by the broker: malformed frames, unknown APIs
 * @param cpuNanos CPU time of the broker's event loops
 * @param partitions partitions of every existing topic
 * @param deleted records and bytes produced to topics that were deleted since
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
     * Counts of produce requests.
     *
     * @param requests read wholly, refused ones included
     * @param refusedRequests of those, the ones refused on purpose ({@link NullBrokerBehaviour#errorRate()})
     * @param refusedBatches refused because they were wrong: CRC, header, unknown partition
     */
    public record Produced(long requests, long refusedRequests, long refusedBatches) {}

    /**
     * Counts of fetch requests that were answered.
     *
     * @param bytes of the batches that were served
     */
    public record Fetched(long requests, long records, long bytes) {}

    /**
     * Counts of accepted records of a partition.
     *
     * @param bytes of batches, their 61-byte headers included
     * @param endOffset the offset that the next record gets
     */
    public record Partition(long records, long bytes, long batches, long endOffset) {}

    /** Produced and accepted, all partitions together, also those that were deleted since. */
    public long records() {
        return sum(Partition::records);
    }

    /** Batch bytes produced and accepted, all partitions together, also those that were deleted since. */
    public long bytes() {
        return sum(Partition::bytes);
    }

    /** Produced and accepted, all partitions together, also those that were deleted since. */
    public long batches() {
        return sum(Partition::batches);
    }

    private long sum(ToLongFunction<Partition> count) {
        return count.applyAsLong(deleted)
                + partitions.values().stream().mapToLong(count).sum();
    }
}
