package io.plimsoll.audit;

/**
 * A verdict on some records.
 *
 * @param range of a record whose outcome is unknown and that is not in the log, nobody can know the partition
 * @param violation true if Kafka's promise is broken
 */
public record Finding(Verdict verdict, RecordRange range, boolean violation) {

    /** Whether {@code next} goes on where this one ends, with the same verdict. */
    boolean joins(Finding next) {
        return verdict == next.verdict && violation == next.violation && range.isFollowedBy(next.range);
    }

    Finding with(Finding next) {
        return new Finding(verdict, range.with(next.range), violation);
    }
}
