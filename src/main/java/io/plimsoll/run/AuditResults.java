package io.plimsoll.run;

import io.plimsoll.audit.AuditFindings;
import io.plimsoll.audit.Finding;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.audit.Reconciliation;
import io.plimsoll.audit.RecordRange;
import io.plimsoll.audit.Verdict;
import io.plimsoll.result.AuditHeader;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.AuditSentences;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Makes of an audit's findings what results have of them.
 *
 * @param leaders by {@code topic-partition}
 */
record AuditResults(AuditHeader header, Map<String, Integer> leaders) {
    static final String BY_IDENTITIES = "identities";

    /** Anomalies in a result; the worst come first. */
    private static final int MOST_ANOMALIES = 10_000;

    AuditResult of(Reconciliation.Result result, List<GroupAudit> groups) {
        AuditFindings found = result.findings();
        List<Finding> all = found.all();
        List<Anomaly> anomalies =
                all.stream().limit(MOST_ANOMALIES).map(this::anomaly).toList();
        long left = all.size() - anomalies.size() + found.left();
        long foreign = found.records(Verdict.FOREIGN);
        return new AuditResult(
                BY_IDENTITIES,
                new AuditResult.Counts(
                        result.acknowledged(),
                        result.read(),
                        found.records(Verdict.LOST),
                        found.records(Verdict.DUPLICATED),
                        found.records(Verdict.REORDERED),
                        found.records(Verdict.CORRUPTED),
                        result.unknown(),
                        found.records(Verdict.UNKNOWN_AND_PRESENT)),
                new AuditResult.Identified(
                        found.records(Verdict.PHANTOM) + foreign,
                        foreign,
                        found.records(Verdict.ABORTED_YET_VISIBLE),
                        found.records(Verdict.OFFSET_GAP),
                        found.records(Verdict.EXPIRED),
                        found.violations()),
                result.complete(),
                AuditSentences.of(anomalies, left),
                anomalies,
                left,
                groups);
    }

    private Anomaly anomaly(Finding finding) {
        RecordRange range = finding.range();
        boolean placed = range.partition() != null;
        boolean ours = range.producer() >= 0;
        return new Anomaly(
                finding.verdict().toString(),
                new AuditResult.Place(
                        placed ? range.partition().topic() : null,
                        placed ? range.partition().partition() : null,
                        known(range.firstOffset()),
                        known(range.lastOffset()),
                        placed ? leaders.get(range.partition().toString()) : null),
                range.records(),
                new AuditResult.Origin(
                        ours ? name(range.producer()) : null,
                        known(range.firstSequence()),
                        known(range.lastSequence()),
                        range.epochMillis() < 0 ? null : Instant.ofEpochMilli(range.epochMillis())),
                finding.violation(),
                null);
    }

    private static Long known(long value) {
        return value < 0 ? null : value;
    }

    private String name(int producer) {
        ProducerProfile profile = header.producers().get(producer);
        return profile.entry() + "/" + producer;
    }
}
