package io.plimsoll.result;

import io.plimsoll.audit.Verdict;
import io.plimsoll.result.AuditResult.Anomaly;
import java.util.ArrayList;
import java.util.List;

/** The findings of an audit in words. */
public final class AuditSentences {
    /** The others are among the anomalies. */
    private static final int MOST = 20;

    private AuditSentences() {}

    /**
     * @param anomalies the worst first
     * @param left findings that are not among them
     * @return one each for the first of them, and one that tells how many more there are
     */
    public static List<String> of(List<Anomaly> anomalies, long left) {
        List<String> sentences = new ArrayList<>();
        anomalies.stream().limit(MOST).forEach(a -> sentences.add(sentence(a)));
        long more = anomalies.size() - sentences.size() + left;
        if (more > 0) {
            sentences.add("and " + Units.count(more) + " more findings, in result.json");
        }
        return List.copyOf(sentences);
    }

    /** Such as: 12 records lost in events-3, offsets 100 to 111 (producers-0/4, sequences 7 to 18; broker 2; at …). */
    private static String sentence(Anomaly a) {
        StringBuilder text = new StringBuilder();
        boolean offsets = a.verdict().equals(Verdict.OFFSET_GAP.toString());
        text.append(Units.count(a.records()))
                .append(offsets ? " offset" : " record")
                .append(a.records() == 1 ? " " : "s ")
                .append(offsets ? "without a record" : a.verdict());
        if (a.place().topic() != null) {
            text.append(" in ")
                    .append(a.place().topic())
                    .append('-')
                    .append(a.place().partition());
        }
        if (a.place().firstOffset() != null) {
            text.append(", ")
                    .append(range("offset", a.place().firstOffset(), a.place().lastOffset()));
        }
        List<String> details = details(a);
        if (!details.isEmpty()) {
            text.append(" (").append(String.join("; ", details)).append(')');
        }
        return text.toString();
    }

    private static List<String> details(Anomaly a) {
        List<String> details = new ArrayList<>();
        if (a.origin().producer() != null) {
            details.add(a.origin().producer() + " "
                    + range("sequence", a.origin().firstSequence(), a.origin().lastSequence()));
        }
        if (a.place().broker() != null) {
            details.add("broker " + a.place().broker());
        }
        if (a.origin().at() != null) {
            details.add("at " + a.origin().at());
        }
        if (a.fault() != null) {
            details.add("fault: " + a.fault());
        }
        return details;
    }

    private static String range(String what, long first, long last) {
        return first == last ? what + " " + first : what + "s " + first + " to " + last;
    }
}
