package io.plimsoll.load.raw;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The due and handover times of the records in one batch, until its outcome; then the object is reused. Owned by one thread. */
final class PendingBatch {
    final long[] due;
    final long[] handed;
    int count;
    /** Whether all records were due and handed over at the same time; {@code handed} is then unused. */
    boolean atOnce;
    /** Whether the batch counts as full, so that it no longer lingers. */
    boolean full;

    long createdNanos;

    int attempts;
    /** Time of the first attempt. */
    long firstSentNanos;
    /** Whether an attempt without a response may have written the batch to the log. */
    boolean doubtful;
    /**
     * Whether this is a part of a batch that may have been written; the broker cannot recognize the part as a
     * duplicate.
     */
    boolean cut;
    /** The audit's sequence of the first record; −1 until the batch is sent. */
    long firstSequence = -1;

    int baseSequence = -1;
    /** The encoded batch, kept for retries, which send the same records. */
    @Nullable
    BatchTemplate template;

    PendingBatch(int maxRecords) {
        due = new long[maxRecords];
        handed = new long[maxRecords];
    }

    void begin(long nowNanos) {
        count = 0;
        atOnce = false;
        full = false;
        createdNanos = nowNanos;
        attempts = 0;
        firstSentNanos = 0;
        doubtful = false;
        cut = false;
        firstSequence = -1;
        baseSequence = -1;
        template = null;
    }

    void append(long dueNanos, long nowNanos) {
        due[count] = dueNanos;
        handed[count++] = nowNanos;
    }

    void fillAtOnce(int records, long nowNanos) {
        atOnce = true;
        full = true;
        Arrays.fill(due, 0, records, nowNanos);
        count = records;
    }

    /** The encoded batch, once it is prepared for sending. */
    BatchTemplate encoded() {
        return Objects.requireNonNull(template);
    }

    boolean hasRoom() {
        return count < due.length;
    }
}
