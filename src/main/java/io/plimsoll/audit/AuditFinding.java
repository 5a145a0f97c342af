package io.plimsoll.audit;

/**
 * A verdict on a range of records, and whether it violates a guarantee of Kafka. Without a partition, the records are
 * not in the log, or their location is unknown.
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
