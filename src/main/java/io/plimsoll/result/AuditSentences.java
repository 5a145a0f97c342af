package io.plimsoll.result;

import io.plimsoll.audit.Verdict;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.text.Sentence;
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
    public static List<Sentence> of(List<Anomaly> anomalies, long left) {
        List<Sentence> sentences = new ArrayList<>();
        anomalies.stream().limit(MOST).forEach(a -> sentences.add(sentence(a)));
        long more = anomalies.size() - sentences.size() + left;
        if (more > 0) {
            sentences.add(Sentence.of("result.moreFindings", Units.count(more)));
        }
        return List.copyOf(sentences);
    }

    /** Such as: 12 records lost in events-3, offsets 100 to 111 (producers-0/4, sequences 7 to 18; broker 2; at …). */
    private static Sentence sentence(Anomaly a) {
        String records = Units.count(a.records());
        List<Sentence> all = details(a);
        Sentence details = all.isEmpty() ? Sentence.NONE : Sentence.of("result.details", all);
        if (a.place().topic() == null) {
            return Sentence.of(
                    "result.finding", records, Sentence.term("result.found.", a.verdict()), offsets(a), details);
        }
        String partition = a.place().topic() + "-" + a.place().partition();
        return a.verdict().equals(Verdict.OFFSET_GAP.toString())
                ? Sentence.of("result.gap", records, partition, offsets(a), details)
                : Sentence.of(
                        "result.findingIn",
                        records,
                        Sentence.term("result.found.", a.verdict()),
                        partition,
                        offsets(a),
                        details);
    }

    private static Sentence offsets(Anomaly a) {
        if (a.place().firstOffset() == null) {
            return Sentence.NONE;
        }
        return a.place().firstOffset().equals(a.place().lastOffset())
                ? Sentence.of("result.offset", a.place().firstOffset())
                : Sentence.of(
                        "result.offsets", a.place().firstOffset(), a.place().lastOffset());
    }

    private static List<Sentence> details(Anomaly a) {
        List<Sentence> details = new ArrayList<>();
        if (a.origin().producer() != null) {
            details.add(
                    a.origin().firstSequence().equals(a.origin().lastSequence())
                            ? Sentence.of(
                                    "result.sequence",
                                    a.origin().producer(),
                                    a.origin().firstSequence())
                            : Sentence.of(
                                    "result.sequences",
                                    a.origin().producer(),
                                    a.origin().firstSequence(),
                                    a.origin().lastSequence()));
        }
        if (a.place().broker() != null) {
            details.add(Sentence.of("result.broker", a.place().broker()));
        }
        if (a.origin().at() != null) {
            details.add(Sentence.of("result.sentAt", a.origin().at()));
        }
        if (a.fault() != null) {
            details.add(Sentence.of("result.byFault", a.fault()));
        }
        return details;
    }
}
