package io.plimsoll.audit;

import org.jspecify.annotations.Nullable;

/**
 * At least one record of a producer in a partition, with consecutive offsets and sequences, and the time of the first.
 * {@link #UNKNOWN} or null stand for unknown values.
 */
public record RecordRange(
        @Nullable LogPartition partition,
        long firstOffset,
        int producer,
        long firstSequence,
        long records,
        long epochMillis) {
    public static final int UNKNOWN = -1;

    /** A range known only by its location in the log. */
    public static RecordRange inLog(LogPartition partition, long firstOffset, long records, long epochMillis) {
        return new RecordRange(partition, firstOffset, UNKNOWN, UNKNOWN, records, epochMillis);
    }

    /** A range known only by its producer and sequences. */
    static RecordRange unplaced(int producer, long firstSequence, long records) {
        return new RecordRange(null, UNKNOWN, producer, firstSequence, records, UNKNOWN);
    }

    public long lastOffset() {
        return plus(firstOffset, records - 1);
    }

    public long lastSequence() {
        return plus(firstSequence, records - 1);
    }

    /** The sub-range of {@code count} records after the first {@code skipped} records. */
    RecordRange part(long skipped, long count) {
        return new RecordRange(
                partition, plus(firstOffset, skipped), producer, plus(firstSequence, skipped), count, epochMillis);
    }

    /** This range, extended by the adjacent range; keeps the time of the first record. */
    RecordRange with(RecordRange next) {
        return part(0, records + next.records);
    }

    boolean isFollowedBy(RecordRange next) {
        return producer == next.producer
                && (partition == null ? next.partition == null : partition.equals(next.partition))
                && next.firstOffset == plus(firstOffset, records)
                && next.firstSequence == plus(firstSequence, records);
    }

    private static long plus(long first, long more) {
        return first < 0 ? UNKNOWN : first + more;
    }
}
