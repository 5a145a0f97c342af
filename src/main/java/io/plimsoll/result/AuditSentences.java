package io.plimsoll.result;

import io.plimsoll.audit.Verdict;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** The findings of an audit in words. */
public final class AuditSentences {
    /** Further findings are only in the anomalies. */
    private static final int MOST = 20;

    private AuditSentences() {}

    /**
     * @param anomalies the worst first
     * @param left findings that are not among them
     * @return one each for the first of them, and one that tells how many more there are
     */
    public static List<Sentence> of(List<Anomaly> anomalies, long left) {
        List<Sentence> sentences = new ArrayList<>();
        anomalies.stream().limit(MOST).forEach(a -> sentences.add(sentence(a)));
        long more = anomalies.size() - sentences.size() + left;
        Sentence.addIf(more > 0, sentences, "result.moreFindings", Units.count(more));
        return List.copyOf(sentences);
    }

    /** Such as: 12 records lost in events-3, offsets 100 to 111 (producers-0/4, sequences 7 to 18; broker 2; at …). */
    private static Sentence sentence(Anomaly a) {
        String records = Units.count(a.records());
        List<Sentence> all = details(a);
        Sentence details = all.isEmpty() ? Sentence.NONE : Sentence.of("result.details", all);
        Sentence found = Sentence.term("result.found.", a.verdict());
        if (a.place().topic() == null) {
            return Sentence.of("result.finding", records, found, offsets(a), details);
        }
        String partition = a.place().topic() + "-" + a.place().partition();
        return a.verdict().equals(Verdict.OFFSET_GAP.toString())
                ? Sentence.of("result.gap", records, partition, offsets(a), details)
                : Sentence.of("result.findingIn", records, found, partition, offsets(a), details);
    }

    private static Sentence offsets(Anomaly a) {
        Long first = a.place().firstOffset();
        Long last = a.place().lastOffset();
        if (first == null) {
            return Sentence.NONE;
        }
        return first.equals(last) ? Sentence.of("result.offset", first) : Sentence.of("result.offsets", first, last);
    }

    private static List<Sentence> details(Anomaly a) {
        List<Sentence> details = new ArrayList<>();
        String producer = a.origin().producer();
        if (producer != null) {
            Long first = a.origin().firstSequence();
            Long last = a.origin().lastSequence();
            details.add(
                    first.equals(last)
                            ? Sentence.of("result.sequence", producer, first)
                            : Sentence.of("result.sequences", producer, first, last));
        }
        Sentence.addIf(
                a.place().broker() != null, details, "result.broker", a.place().broker());
        Sentence.addIf(
                a.origin().at() != null, details, "result.sentAt", a.origin().at());
        Sentence.addIf(a.fault() != null, details, "result.byFault", a.fault());
        return details;
    }
}
