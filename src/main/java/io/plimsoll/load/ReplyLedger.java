package io.plimsoll.load;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * The records of an entry that wait for a reply. A record's number is {@code n × threads + thread}, where n counts the
 * records of
 * its sending thread; a number below the last one of its thread that no longer waits was answered. Memory is proportional to
 * the waiting records. Thread-safe.
 */
final class ReplyLedger {
    /** No record of this number was sent. */
    static final long NOBODY = Long.MIN_VALUE;
    /** The record was answered before. */
    static final long AGAIN = Long.MIN_VALUE + 1;
    /** The record belongs to another worker, or is too old to be known. */
    static final long ELSEWHERE = Long.MIN_VALUE + 2;

    static final long UNKNOWN_PLACE = -1;
    private static final long FAILED = -2;
    private static final int BLOCK = 1024;
    /** Number of failed records remembered; replies to older ones are not expected. */
    private static final int MOST_FAILED = 100_000;

    private final int threads;
    private final Slice here;
    /** Number of records sent per thread. */
    private final long[] sent;

    private final Map<Long, Block> blocks = new HashMap<>();
    /** Numbers of the most recent failed records, in order of failure. */
    private final ArrayDeque<Long> failed = new ArrayDeque<>();
    /** Highest number that was dropped while waiting. */
    private long forgotten = -1;

    private long owed;

    private static final class Block {
        private final boolean[] waits = new boolean[BLOCK];
        private final long[] dueNanos = new long[BLOCK];
        private final long[] places = new long[BLOCK];
        private int left;
    }

    /**
     * @param threads of the entry, over all workers
     * @param here threads of this worker
     */
    ReplyLedger(int threads, Slice here) {
        this.threads = threads;
        this.here = here;
        this.sent = new long[threads];
    }

    /** Assigns the number of the next record of a thread, which now waits. */
    synchronized long sent(int thread, long dueNanos) {
        long number = sent[thread]++ * threads + thread;
        Block block = blocks.computeIfAbsent(number / BLOCK, b -> new Block());
        int at = (int) (number % BLOCK);
        block.waits[at] = true;
        block.dueNanos[at] = dueNanos;
        block.places[at] = UNKNOWN_PLACE;
        block.left++;
        owed++;
        return number;
    }

    /** Sets the place of a record in the log, in the encoding of the caller. */
    synchronized void written(long number, long place) {
        if (waits(number)) {
            blocks.get(number / BLOCK).places[(int) (number % BLOCK)] = place;
        }
    }

    /** Marks a record as failed: no reply is expected, although one can arrive if the record was written. */
    synchronized void failed(long number) {
        if (waits(number) && place(number) != FAILED) {
            written(number, FAILED);
            owed--;
            failed.add(number);
            if (failed.size() > MOST_FAILED) {
                forget(failed.remove());
            }
        }
    }

    private void forget(long number) {
        if (waits(number)) {
            waitsNoMore(number);
            forgotten = Math.max(forgotten, number);
        }
    }

    private void waitsNoMore(long number) {
        Block block = blocks.get(number / BLOCK);
        block.waits[(int) (number % BLOCK)] = false;
        if (--block.left == 0) {
            blocks.remove(number / BLOCK);
        }
    }

    /** Marks the last record of a thread as failed before it was sent. */
    synchronized void refused(int thread) {
        failed((sent[thread] - 1) * threads + thread);
    }

    /** Handles a reply; returns the due time of its record, or {@link #NOBODY}, {@link #AGAIN} or {@link #ELSEWHERE}. */
    synchronized long answered(long number) {
        int thread = (int) (Math.max(0, number) % threads);
        if (number >= 0 && (thread < here.from() || thread >= here.to())) {
            return ELSEWHERE;
        }
        if (number < 0 || number / threads >= sent[thread]) {
            return NOBODY;
        }
        if (!waits(number)) {
            // Dropped or answered: the two cannot be distinguished.
            return number <= forgotten ? ELSEWHERE : AGAIN;
        }
        owed -= place(number) == FAILED ? 0 : 1;
        long due = dueNanos(number);
        waitsNoMore(number);
        return due;
    }

    private boolean waits(long number) {
        Block block = blocks.get(number / BLOCK);
        return block != null && block.waits[(int) (number % BLOCK)];
    }

    /** Number of waiting records. */
    synchronized long owed() {
        return owed;
    }

    /** Numbers of the waiting records, in order. */
    synchronized void waiting(LongConsumer each) {
        blocks.keySet().stream().sorted().forEach(b -> {
            for (long number = b * BLOCK; number < (b + 1) * BLOCK; number++) {
                if (waits(number) && place(number) != FAILED) {
                    each.accept(number);
                }
            }
        });
    }

    /** Due time of a waiting record. */
    synchronized long dueNanos(long number) {
        return blocks.get(number / BLOCK).dueNanos[(int) (number % BLOCK)];
    }

    /** Place of a waiting record as set by {@link #written}; {@link #UNKNOWN_PLACE} without one. */
    synchronized long place(long number) {
        return blocks.get(number / BLOCK).places[(int) (number % BLOCK)];
    }
}
