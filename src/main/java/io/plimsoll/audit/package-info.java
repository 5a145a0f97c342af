/**
 * The audit: every acknowledged record must be in the log exactly once, in order, unaltered. Pure code without Kafka,
 * clocks, threads, or files.
 *
 * <h2>Model</h2>
 * Each producer numbers its records from 0 without gaps. A record carries an identity: run id, producer id, sequence,
 * and a checksum of the value. A producer writes each known outcome to a {@link Journal}: acknowledged with partition
 * and offset, failed, committed or aborted. The outcome of the other sent records is unknown. After the load, each
 * partition is read from its end offset before the first record to its current end. {@link LogReading} checks each
 * record on the way, and {@link ReadLedger} collects the sequences of each producer as a {@link SequenceSet}. {@link
 * Reconciliation} compares both sides with set operations: <i>acknowledged − read</i> is missing, <i>read − sent</i> is
 * unexpected. {@link ProducerProfile} states which guarantees apply. A duplicate from a producer that is not idempotent
 * is reported but is not a violation.
 *
 * <h2>Anomalies</h2>
 * <ol>
 * <li>{@link Verdict#LOST}: acknowledged but missing. Always a violation.
 * <li>{@link Verdict#DUPLICATED}: stored more than once. A violation for idempotent producers.
 * <li>{@link Verdict#REORDERED}: stored after a later record of the same producer and partition. A violation for
 * ordered producers.
 * <li>{@link Verdict#CORRUPTED}: the checksum does not match.
 * <li>{@link Verdict#PHANTOM}: stored although never sent, or although the broker rejected it.
 * <li>{@link Verdict#ABORTED_YET_VISIBLE}: visible to committed readers although its transaction was aborted.
 * <li>{@link Verdict#OFFSET_GAP}: an offset without a record, marker, or aborted record.
 * <li>{@link Verdict#FOREIGN}: written by another application. Not a violation.
 * <li>{@link Verdict#UNKNOWN_AND_PRESENT} and {@link Verdict#UNKNOWN_AND_ABSENT}: the producer never learned the
 * outcome. Both are legal.
 * <li>{@link Verdict#EXPIRED}: deleted by the topic's own settings before the audit read it. Not a violation.
 * </ol>
 *
 * <p>Pipelines (consume, transform, produce in transactions) have anomalies of their own: {@link
 * PipelineAudit.Anomaly}.
 *
 * <h2>Code</h2>
 * {@link JournalWriter} and {@link JournalReader} define the file format; {@link Outcomes} holds the acknowledged side
 * and {@link Deliveries} the offsets that a consumer group processed. {@link AuditFindings} bounds the memory of a bad
 * run.
 */
@NullMarked
package io.plimsoll.audit;

import org.jspecify.annotations.NullMarked;
