package io.plimsoll.audit;

/**
 * Records of one producer in one partition whose offsets, and whose sequences, follow each other. {@link #UNKNOWN} stands
 * for an offset, a producer, a sequence or a time that is not known.
 *
 * @param partition null if not known
 * @param producer number of the producer in its run
 * @param records how many they are, from 1
 * @param epochMillis when the first of them was sent or acknowledged
 */
public record RecordRange(
        LogPartition partition, long firstOffset, int producer, long firstSequence, long records, long epochMillis) {
    public static final int UNKNOWN = -1;

    /** Records of which only the place in the log is known. */
    public static RecordRange inLog(LogPartition partition, long firstOffset, long records, long epochMillis) {
        return new RecordRange(partition, firstOffset, UNKNOWN, UNKNOWN, records, epochMillis);
    }

    /** Records of which only the producer's numbers are known. */
    static RecordRange unplaced(int producer, long firstSequence, long records) {
        return new RecordRange(null, UNKNOWN, producer, firstSequence, records, UNKNOWN);
    }

    public long lastOffset() {
        return plus(firstOffset, records - 1);
    }

    public long lastSequence() {
        return plus(firstSequence, records - 1);
    }

    /** {@code count} of these records, without the first {@code skipped}. */
    RecordRange part(long skipped, long count) {
        return new RecordRange(
                partition, plus(firstOffset, skipped), producer, plus(firstSequence, skipped), count, epochMillis);
    }

    /** These records and those that follow them, with the time of these. */
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
