package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.List;

/**
 * The audit of one trial: what was verified.
 *
 * @param method how: {@code end offsets} or {@code identities}
 * @param read records found in the log
 * @param unknown records of which neither success nor failure is known
 * @param complete false if not everything could be examined
 * @param findings sentences for people
 * @param foreign of the phantoms, those that are not of this run; null if not examined, as what follows
 * @param abortedVisible records of aborted transactions that {@code read_committed} shows
 * @param offsetGaps offsets without a record for which nothing accounts
 * @param expired acknowledged records that the topic's own settings deleted before they were read
 * @param violations records of which a promise of Kafka's was broken, lost and corrupted ones included
 * @param anomalies all of them, as far as there is room
 * @param anomaliesLeft how many there was no room for
 * @param groups consumer groups with commits
 */
public record AuditResult(
        String method,
        long acknowledged,
        long read,
        long lost,
        Long duplicated,
        Long reordered,
        Long corrupted,
        Long phantom,
        long unknown,
        Long unknownRead,
        boolean complete,
        List<Sentence> findings,
        Long foreign,
        Long abortedVisible,
        Long offsetGaps,
        Long expired,
        Long violations,
        List<Anomaly> anomalies,
        Long anomaliesLeft,
        List<GroupAudit> groups) {

    /** Without what only identities can tell. */
    public AuditResult(
            String method,
            long acknowledged,
            long read,
            long lost,
            Long duplicated,
            Long reordered,
            Long corrupted,
            Long phantom,
            long unknown,
            Long unknownRead,
            boolean complete,
            List<Sentence> findings) {
        this(
                method,
                acknowledged,
                read,
                lost,
                duplicated,
                reordered,
                corrupted,
                phantom,
                unknown,
                unknownRead,
                complete,
                findings,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** The same, of which not everything could be examined. */
    public AuditResult incomplete() {
        return with(false, findings, anomalies);
    }

    AuditResult withAnomalies(List<Anomaly> others) {
        return with(complete, AuditSentences.of(others, anomaliesLeft), others);
    }

    private AuditResult with(boolean whole, List<Sentence> sentences, List<Anomaly> found) {
        return new AuditResult(
                method,
                acknowledged,
                read,
                lost,
                duplicated,
                reordered,
                corrupted,
                phantom,
                unknown,
                unknownRead,
                whole,
                sentences,
                foreign,
                abortedVisible,
                offsetGaps,
                expired,
                violations,
                found,
                anomaliesLeft,
                groups);
    }

    /** Whether data was lost or damaged, or a promise of Kafka's was broken. */
    public boolean violated() {
        return lost > 0 || (corrupted != null && corrupted > 0) || (violations != null && violations > 0);
    }

    /**
     * Records in a row of which the same is to be said.
     *
     * @param verdict such as {@code lost}
     * @param topic null if nobody can know, as {@code partition}
     * @param firstOffset null if nobody can know, as {@code lastOffset}
     * @param records how many
     * @param producer entry of the scenario and number of the producer; null if the records are not ours
     * @param firstSequence null if the records are not ours, as {@code lastSequence}
     * @param broker that led the partition when it was audited; null if unknown
     * @param at when the first of them was sent or acknowledged; null if unknown
     * @param violation true if Kafka's promise is broken
     * @param fault what had failed then, such as {@code kill broker 2}: see measuring.md on faults; null if nothing
     */
    public record Anomaly(
            String verdict,
            String topic,
            Integer partition,
            Long firstOffset,
            Long lastOffset,
            long records,
            String producer,
            Long firstSequence,
            Long lastSequence,
            Integer broker,
            Instant at,
            boolean violation,
            String fault) {

        Anomaly withFault(String what) {
            return new Anomaly(
                    verdict,
                    topic,
                    partition,
                    firstOffset,
                    lastOffset,
                    records,
                    producer,
                    firstSequence,
                    lastSequence,
                    broker,
                    at,
                    violation,
                    what);
        }
    }

    /**
     * What a consumer group with commits did to the records of the trial.
     *
     * @param processedTwice records that it was given again
     * @param skipped records that no member was given; null if that cannot be told
     */
    public record GroupAudit(String group, long processedTwice, Long skipped) {}
}
