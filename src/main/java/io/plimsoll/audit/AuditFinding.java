package io.plimsoll.audit;

/**
 * A verdict on a range of records.
 *
 * @param range the partition is null for a record with an unknown outcome that is missing from the log
 * @param violation whether a guarantee of Kafka is broken
 */
public record AuditFinding(Verdict verdict, RecordRange range, boolean violation) {

    /** Whether {@code next} continues this range with the same verdict. */
    boolean joins(AuditFinding next) {
        return verdict == next.verdict && violation == next.violation && range.isFollowedBy(next.range);
    }

    AuditFinding with(AuditFinding next) {
        return new AuditFinding(verdict, range.with(next.range), violation);
    }
}
