package io.plimsoll.load.raw;

import java.util.Arrays;

/** The due and handover times of one batch's records, until its outcome; then reused. Owned by one thread. */
final class PendingBatch {
    final long[] due;
    final long[] handed;
    int count;
    /** All records were due and handed over at the same time; {@code handed} is unused. */
    boolean atOnce;
    /** No further record fits; no linger. */
    boolean full;

    long createdNanos;

    int attempts;
    /** Time of the first attempt. */
    long firstSentNanos;
    /** An attempt may have been written without a response. */
    boolean doubtful;
    /** Part of a batch that may have been written, so the broker cannot recognize it. */
    boolean cut;
    /** Sequence of the first record in the audit's numbering; −1 until it is sent. */
    long firstSequence = -1;

    int baseSequence = -1;
    /** The encoded batch, kept for retries, which send the same bytes. */
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

    boolean hasRoom() {
        return count < due.length;
    }
}
