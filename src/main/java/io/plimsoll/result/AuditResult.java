package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.audit.Verdict;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Audit of one trial. In JSON, the fields of records marked as unwrapped are fields of this object.
 *
 * @param method comparison by end offsets, or by the identity of each record
 * @param complete false if some records could not be examined
 * @param findings findings as sentences
 * @param anomalies anomalies, up to a maximum number; null if records have no identities
 * @param anomaliesLeft number of anomalies beyond that maximum
 * @param groups consumer groups with commits; null if their reads were not audited
 */
public record AuditResult(
        String method,
        @JsonUnwrapped Counts counts,
        @JsonUnwrapped Identified identified,
        boolean complete,
        List<Sentence> findings,
        @Nullable List<Anomaly> anomalies,
        @Nullable Long anomaliesLeft,
        @Nullable List<GroupAudit> groups) {
    private static final int MOST_SENTENCES = 20;

    /**
     * Numbers of records by outcome; a number is null if it was not examined.
     *
     * @param read records found in the log
     * @param unknown records with neither a known success nor a known failure
     */
    public record Counts(
            long acknowledged,
            long read,
            long lost,
            @Nullable Long duplicated,
            @Nullable Long reordered,
            @Nullable Long corrupted,
            long unknown,
            @Nullable Long unknownRead) {}

    /**
     * Results that require identities; a number is null if it was not examined.
     *
     * @param phantom records without a known sender
     * @param foreign phantoms that do not belong to this run
     * @param abortedVisible records of aborted transactions that are visible with {@code read_committed}
     * @param offsetGaps unexplained offsets without a record
     * @param expired acknowledged records that the topic's retention deleted before they were read
     * @param violations records that violate a guarantee of Kafka, including lost and corrupted ones
     */
    public record Identified(
            @Nullable Long phantom,
            @Nullable Long foreign,
            @Nullable Long abortedVisible,
            @Nullable Long offsetGaps,
            @Nullable Long expired,
            @Nullable Long violations) {
        public static final Identified NOTHING = new Identified(null, null, null, null, null, null);
    }

    /** An audit by end offsets with these findings. */
    public static AuditResult ofOffsets(Counts counts, boolean complete, List<Sentence> findings) {
        return new AuditResult("end offsets", counts, Identified.NOTHING, complete, findings, null, null, null);
    }

    /** A copy of this audit that is marked as incomplete. */
    public AuditResult incomplete() {
        return new AuditResult(method, counts, identified, false, findings, anomalies, anomaliesLeft, groups);
    }

    AuditResult withAnomalies(List<Anomaly> others) {
        List<Sentence> sentences = sentences(others, anomaliesLeft == null ? 0 : anomaliesLeft);
        return new AuditResult(method, counts, identified, complete, sentences, others, anomaliesLeft, groups);
    }

    /** Whether data was lost or damaged, or a guarantee of Kafka was violated. */
    public boolean violated() {
        return counts.lost > 0 || positive(counts.corrupted) || positive(identified.violations);
    }

    /** A sentence for each of the first anomalies, worst first, and a sentence with the number of further anomalies. */
    public static List<Sentence> sentences(List<Anomaly> anomalies, long left) {
        List<Sentence> sentences = new ArrayList<>();
        anomalies.stream().limit(MOST_SENTENCES).forEach(a -> sentences.add(sentence(a)));
        long more = anomalies.size() - sentences.size() + left;
        Sentence.addIf(more > 0, sentences, "result.moreFindings", Units.count(more));
        return List.copyOf(sentences);
    }

    /** A sentence such as: 12 records lost in events-3, offsets 100 to 111 (producers-0/4, sequences 7 to 18; broker 2; at …). */
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
        Long first = a.origin().firstSequence();
        if (producer != null && first != null) {
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

    private static boolean positive(@Nullable Long count) {
        return count != null && count > 0;
    }

    /**
     * Consecutive records with the same verdict.
     *
     * @param verdict verdict of the audit, such as {@code lost}
     * @param records number of records, at least 1
     * @param violation whether a guarantee of Kafka is violated
     * @param fault the fault in effect at that time, such as {@code kill broker 2}; null if none
     */
    public record Anomaly(
            String verdict,
            @JsonUnwrapped Place place,
            long records,
            @JsonUnwrapped Origin origin,
            boolean violation,
            @Nullable Sentence fault) {

        Anomaly withFault(Sentence what) {
            return new Anomaly(verdict, place, records, origin, violation, what);
        }
    }

    /**
     * Location of the records.
     *
     * @param topic topic; like {@code partition}, null if unknown
     * @param firstOffset first offset; like {@code lastOffset}, null if unknown
     * @param broker leader of the partition at the time of the audit, negative without a leader; null if unknown
     */
    public record Place(
            @Nullable String topic,
            @Nullable Integer partition,
            @Nullable Long firstOffset,
            @Nullable Long lastOffset,
            @Nullable Integer broker) {}

    /**
     * Sender of the records.
     *
     * @param producer entry of the scenario and number of the producer; null if the records are not from this run
     * @param firstSequence first sequence number; like {@code lastSequence}, null if the records are not from this run
     * @param at time at which the first record was sent or acknowledged; null if unknown
     */
    public record Origin(
            @Nullable String producer,
            @Nullable Long firstSequence,
            @Nullable Long lastSequence,
            @Nullable Instant at) {}

    /**
     * Reads of one consumer group with commits.
     *
     * @param processedTwice records processed more than once
     * @param skipped records delivered to no member; null if unknown
     * @param givenUp records of a share group that no member accepted and that are not delivered again: rejected, or
     *     delivered the maximum number of times; null for other groups
     */
    public record GroupAudit(
            String group,
            long processedTwice,
            @Nullable Long skipped,
            @Nullable Long givenUp) {}
}
