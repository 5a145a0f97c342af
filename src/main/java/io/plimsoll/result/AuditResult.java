package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.List;

/**
 * The audit of one trial: what was verified. Nested values that JSON does not show lie flat in it.
 *
 * @param method how: by end offsets, or by the identity of each record
 * @param complete false if not everything could be examined
 * @param findings sentences for people
 * @param anomalies all of them, as far as there is room; null if records have no identities
 * @param anomaliesLeft how many there was no room for
 * @param groups consumer groups with commits; null if nobody asked what they were given
 */
public record AuditResult(
        String method,
        @JsonUnwrapped Counts counts,
        @JsonUnwrapped Identified identified,
        boolean complete,
        List<Sentence> findings,
        List<Anomaly> anomalies,
        Long anomaliesLeft,
        List<GroupAudit> groups) {

    /**
     * Records by what became of them; null where that was not examined.
     *
     * @param read records found in the log
     * @param unknown records of which neither success nor failure is known
     */
    public record Counts(
            long acknowledged,
            long read,
            long lost,
            Long duplicated,
            Long reordered,
            Long corrupted,
            long unknown,
            Long unknownRead) {}

    /**
     * What only identities tell; null where they were not examined.
     *
     * @param phantom records that nobody is known to have sent
     * @param foreign of the phantoms, those that are not of this run
     * @param abortedVisible records of aborted transactions that {@code read_committed} shows
     * @param offsetGaps offsets without a record for which nothing accounts
     * @param expired acknowledged records that the topic's own settings deleted before they were read
     * @param violations records of which a promise of Kafka's was broken, lost and corrupted ones included
     */
    public record Identified(
            Long phantom, Long foreign, Long abortedVisible, Long offsetGaps, Long expired, Long violations) {
        public static final Identified NOTHING = new Identified(null, null, null, null, null, null);
    }

    /** What end offsets tell, with these sentences for people. */
    public static AuditResult ofOffsets(Counts counts, boolean complete, List<Sentence> findings) {
        return new AuditResult("end offsets", counts, Identified.NOTHING, complete, findings, null, null, null);
    }

    /** The same, of which not everything could be examined. */
    public AuditResult incomplete() {
        return new AuditResult(method, counts, identified, false, findings, anomalies, anomaliesLeft, groups);
    }

    AuditResult withAnomalies(List<Anomaly> others) {
        List<Sentence> sentences = AuditSentences.of(others, anomaliesLeft);
        return new AuditResult(method, counts, identified, complete, sentences, others, anomaliesLeft, groups);
    }

    /** Whether data was lost or damaged, or a promise of Kafka's was broken. */
    public boolean violated() {
        return counts.lost > 0 || positive(counts.corrupted) || positive(identified.violations);
    }

    private static boolean positive(Long count) {
        return count != null && count > 0;
    }

    /**
     * Records in a row of which the same is to be said.
     *
     * @param verdict such as {@code lost}
     * @param records how many, at least 1
     * @param violation true if Kafka's promise is broken
     * @param fault what had failed then, such as {@code kill broker 2}: see docs/explanation/faults.md; null if nothing
     */
    public record Anomaly(
            String verdict,
            @JsonUnwrapped Place place,
            long records,
            @JsonUnwrapped Origin origin,
            boolean violation,
            Sentence fault) {

        Anomaly withFault(Sentence what) {
            return new Anomaly(verdict, place, records, origin, violation, what);
        }
    }

    /**
     * Where records are, or should have been.
     *
     * @param topic null if nobody can know, as {@code partition}
     * @param firstOffset null if nobody can know, as {@code lastOffset}
     * @param broker that led the partition when it was audited, negative if none did; null if unknown
     */
    public record Place(String topic, Integer partition, Long firstOffset, Long lastOffset, Integer broker) {}

    /**
     * Who sent records.
     *
     * @param producer entry of the scenario and number of the producer; null if the records are not ours
     * @param firstSequence null if the records are not ours, as {@code lastSequence}
     * @param at when the first of them was sent or acknowledged; null if unknown
     */
    public record Origin(String producer, Long firstSequence, Long lastSequence, Instant at) {}

    /**
     * What a consumer group with commits did to the records of the trial.
     *
     * @param processedTwice records that it was given again
     * @param skipped records that no member was given; null if that cannot be told
     * @param givenUp records that were given to members, accepted by none, and will be given to nobody any more: those of
     *     a share group that were rejected, or delivered as often as allowed; null for other groups
     */
    public record GroupAudit(String group, long processedTwice, Long skipped, Long givenUp) {}
}
