package io.plimsoll.measure;

import org.jspecify.annotations.Nullable;

/**
 * The assignment of a partition to a member of a consumer group. Times are nanoseconds of one clock.
 * @param group the consumer group; null before 1.1
 * @param partition name of the partition, such as {@code orders-3}
 * @param fromNanos last poll that returned its records before the assignment
 * @param givenNanos last assignment callback
 * @param toNanos first poll that returned its records after the assignment
 * @param again number of records redelivered since the assignment
 */
public record HandOver(
        @Nullable String group, String partition, long fromNanos, long givenNanos, long toNanos, long again) {
    /** A copy with {@code more} additional redelivered records. */
    public HandOver with(long more) {
        return new HandOver(group, partition, fromNanos, givenNanos, toNanos, again + more);
    }

    /** The same handover, with times relative to {@code startNanos}. */
    public HandOver since(long startNanos) {
        return new HandOver(
                group, partition, fromNanos - startNanos, givenNanos - startNanos, toNanos - startNanos, again);
    }
}
