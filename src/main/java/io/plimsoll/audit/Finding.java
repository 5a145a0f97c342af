package io.plimsoll.audit;

/**
 * Records in a row of which the same is to be said.
 *
 * @param partition null if nobody can know: the record of an unknown outcome that is not there
 * @param firstOffset −1 if unknown, as {@code lastOffset}
 * @param producer −1 if not ours, as {@code firstSequence} and {@code lastSequence}
 * @param epochMillis when the first of them was sent or acknowledged; −1 if unknown
 * @param violation true if Kafka's promise is broken
 */
public record Finding(
        Verdict verdict,
        LogPartition partition,
        long firstOffset,
        long lastOffset,
        long records,
        int producer,
        long firstSequence,
        long lastSequence,
        long epochMillis,
        boolean violation) {

    static final long UNKNOWN = -1;

    /** One with {@code count} records whose offsets and sequences follow each other. */
    static Finding at(
            Verdict verdict,
            LogPartition partition,
            long firstOffset,
            long count,
            int producer,
            long firstSequence,
            long epochMillis,
            boolean violation) {
        return new Finding(
                verdict,
                partition,
                firstOffset,
                firstOffset < 0 ? UNKNOWN : firstOffset + count - 1,
                count,
                producer,
                firstSequence,
                firstSequence < 0 ? UNKNOWN : firstSequence + count - 1,
                epochMillis,
                violation);
    }

    /** Whether {@code next} goes on where this one ends. */
    boolean joins(Finding next) {
        return verdict == next.verdict
                && violation == next.violation
                && producer == next.producer
                && (partition == null ? next.partition == null : partition.equals(next.partition))
                && follows(lastOffset, next.firstOffset)
                && follows(lastSequence, next.firstSequence);
    }

    private static boolean follows(long last, long first) {
        return last < 0 ? first < 0 : first == last + 1;
    }

    Finding with(Finding next) {
        return new Finding(
                verdict,
                partition,
                firstOffset,
                next.lastOffset,
                records + next.records,
                producer,
                firstSequence,
                next.lastSequence,
                epochMillis,
                violation);
    }
}
