package io.plimsoll.run;

import io.plimsoll.audit.Finding;
import io.plimsoll.audit.Findings;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.audit.Reconciliation;
import io.plimsoll.audit.Verdict;
import io.plimsoll.result.AuditHeader;
import io.plimsoll.result.TrialResult.Anomaly;
import io.plimsoll.result.TrialResult.Audit;
import io.plimsoll.result.TrialResult.GroupAudit;
import io.plimsoll.result.Units;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What an audit found, as results have it. */
final class AuditResults {
    static final String BY_IDENTITIES = "identities";

    /** Findings in words; the others are among the anomalies. */
    private static final int MOST_SENTENCES = 20;
    /** Anomalies in a result; the worst come first. */
    private static final int MOST_ANOMALIES = 10_000;

    private final AuditHeader header;
    private final Map<String, Integer> leaders;

    /** @param leaders by {@code topic-partition} */
    AuditResults(AuditHeader header, Map<String, Integer> leaders) {
        this.header = header;
        this.leaders = leaders;
    }

    Audit of(Reconciliation.Result result, List<GroupAudit> groups) {
        Findings found = result.findings();
        List<Finding> all = found.all();
        List<Anomaly> anomalies =
                all.stream().limit(MOST_ANOMALIES).map(this::anomaly).toList();
        long foreign = found.records(Verdict.FOREIGN);
        return new Audit(
                BY_IDENTITIES,
                result.acknowledged(),
                result.read(),
                found.records(Verdict.LOST),
                found.records(Verdict.DUPLICATED),
                found.records(Verdict.REORDERED),
                found.records(Verdict.CORRUPTED),
                found.records(Verdict.PHANTOM) + foreign,
                result.unknown(),
                found.records(Verdict.UNKNOWN_AND_PRESENT),
                result.complete(),
                sentences(all, found.left()),
                foreign,
                found.records(Verdict.ABORTED_YET_VISIBLE),
                found.records(Verdict.OFFSET_GAP),
                found.records(Verdict.EXPIRED),
                found.violations(),
                anomalies,
                all.size() - anomalies.size() + found.left(),
                groups);
    }

    private Anomaly anomaly(Finding finding) {
        boolean placed = finding.partition() != null;
        boolean ours = finding.producer() >= 0;
        return new Anomaly(
                finding.verdict().toString(),
                placed ? finding.partition().topic() : null,
                placed ? finding.partition().partition() : null,
                known(finding.firstOffset()),
                known(finding.lastOffset()),
                finding.records(),
                ours ? name(finding.producer()) : null,
                known(finding.firstSequence()),
                known(finding.lastSequence()),
                placed ? leaders.get(finding.partition().toString()) : null,
                finding.epochMillis() < 0 ? null : Instant.ofEpochMilli(finding.epochMillis()),
                finding.violation());
    }

    private static Long known(long value) {
        return value < 0 ? null : value;
    }

    private String name(int producer) {
        ProducerProfile profile = header.producers().get(producer);
        return profile.entry() + "/" + producer;
    }

    private List<String> sentences(List<Finding> all, long left) {
        List<String> sentences = new ArrayList<>();
        all.stream().limit(MOST_SENTENCES).forEach(f -> sentences.add(sentence(anomaly(f))));
        long more = all.size() - sentences.size() + left;
        if (more > 0) {
            sentences.add("and " + Units.count(more) + " more findings, in result.json");
        }
        return sentences;
    }

    /** Such as: 12 records lost in events-3, offsets 100 to 111 (producers-0/4, sequences 7 to 18; broker 2; at …). */
    private static String sentence(Anomaly a) {
        StringBuilder text = new StringBuilder();
        boolean offsets = a.verdict().equals(Verdict.OFFSET_GAP.toString());
        text.append(Units.count(a.records()))
                .append(offsets ? " offset" : " record")
                .append(a.records() == 1 ? " " : "s ")
                .append(offsets ? "without a record" : a.verdict());
        if (a.topic() != null) {
            text.append(" in ").append(a.topic()).append('-').append(a.partition());
        }
        if (a.firstOffset() != null) {
            text.append(", ").append(range("offset", a.firstOffset(), a.lastOffset()));
        }
        List<String> details = new ArrayList<>();
        if (a.producer() != null) {
            details.add(a.producer() + " " + range("sequence", a.firstSequence(), a.lastSequence()));
        }
        if (a.broker() != null) {
            details.add("broker " + a.broker());
        }
        if (a.at() != null) {
            details.add("at " + a.at());
        }
        if (!details.isEmpty()) {
            text.append(" (").append(String.join("; ", details)).append(')');
        }
        return text.toString();
    }

    private static String range(String what, long first, long last) {
        return first == last ? what + " " + first : what + "s " + first + " to " + last;
    }
}
