package io.plimsoll.load.raw;

import java.util.Arrays;

/**
 * The records of one batch before and while it is sent: when each was due and when it was handed over. Used again after
 * its end. Owned by one thread.
 */
final class PendingBatch {
    final long[] due;
    final long[] handed;
    int count;
    /** All records were due and handed over at one time; {@code handed} is not filled. */
    boolean atOnce;
    /** There is no room for a record of any size, or one was refused for want of room: it waits for nothing. */
    boolean full;
    /** When the first record came, in nanoTime. */
    long createdNanos;

    int attempts;
    /** An attempt may have been written although nobody said so. */
    boolean doubtful;
    /** A part of a batch that may have been written: the broker would not recognize it. */
    boolean cut;
    /** Sequence of the first record in the audit's numbering; −1 until it is sent. */
    long firstSequence = -1;
    /** Kafka's sequence of the first record; −1 without idempotence or until it is sent. */
    int baseSequence = -1;
    /** Kept until the batch is over, so that a batch that is sent again has the same bytes. */
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

    /** False if the next record must go into another batch. */
    boolean hasRoom() {
        return count < due.length;
    }
}
