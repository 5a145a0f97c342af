package io.plimsoll.load;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Which records of an entry wait for an answer. A record's number is {@code n × threads + thread}, where n counts the
 * records of its sending thread; a number below the last of its thread that waits no more was answered. Memory follows
 * those that wait. Thread-safe.
 */
final class ReplyLedger {
    /** No record of this number was sent. */
    static final long NOBODY = Long.MIN_VALUE;
    /** The record was answered before. */
    static final long AGAIN = Long.MIN_VALUE + 1;
    /** The record is one that another worker sends, or too old for anybody to know of it. */
    static final long ELSEWHERE = Long.MIN_VALUE + 2;

    static final long UNKNOWN_PLACE = -1;
    private static final long FAILED = -2;
    private static final int BLOCK = 1024;
    /** So many that failed are remembered: an answer to one that failed long before is not expected. */
    private static final int MOST_FAILED = 100_000;

    private final int threads;
    private final Slice here;
    /** How many records each thread has sent. */
    private final long[] sent;

    private final Map<Long, Block> blocks = new HashMap<>();
    /** The numbers of those that failed last, in the order in which they did. */
    private final ArrayDeque<Long> failed = new ArrayDeque<>();
    /** No greater number was forgotten, though it waited. */
    private long forgotten = -1;

    private long owed;

    private static final class Block {
        private final boolean[] waits = new boolean[BLOCK];
        private final long[] dueNanos = new long[BLOCK];
        private final long[] places = new long[BLOCK];
        private int left;
    }

    /**
     * @param threads of the entry, those of all workers together
     * @param here the threads of this worker
     */
    ReplyLedger(int threads, Slice here) {
        this.threads = threads;
        this.here = here;
        this.sent = new long[threads];
    }

    /** Numbers the next record of a thread, which waits from now on. */
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

    /** Where a record came to lie, in whatever way the caller counts places. */
    synchronized void written(long number, long place) {
        if (waits(number)) {
            blocks.get(number / BLOCK).places[(int) (number % BLOCK)] = place;
        }
    }

    /** The record failed: nobody owes it an answer, though one may come where it was written all the same. */
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

    /** The last record of a thread failed before it was handed over. */
    synchronized void refused(int thread) {
        failed((sent[thread] - 1) * threads + thread);
    }

    /** An answer came: when its record was due, or {@link #NOBODY}, {@link #AGAIN} or {@link #ELSEWHERE}. */
    synchronized long answered(long number) {
        int thread = (int) (Math.max(0, number) % threads);
        if (number >= 0 && (thread < here.from() || thread >= here.to())) {
            return ELSEWHERE;
        }
        if (number < 0 || number / threads >= sent[thread]) {
            return NOBODY;
        }
        if (!waits(number)) {
            // Whether it was forgotten or answered nobody knows: that is no answer of which anything could be said.
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

    /** How many are owed an answer. */
    synchronized long owed() {
        return owed;
    }

    /** The numbers of those that are owed an answer, in order. */
    synchronized void waiting(LongConsumer each) {
        blocks.keySet().stream().sorted().forEach(b -> {
            for (long number = b * BLOCK; number < (b + 1) * BLOCK; number++) {
                if (waits(number) && place(number) != FAILED) {
                    each.accept(number);
                }
            }
        });
    }

    /** When a record that waits was due. */
    synchronized long dueNanos(long number) {
        return blocks.get(number / BLOCK).dueNanos[(int) (number % BLOCK)];
    }

    /** What {@link #written} said of a record that waits; {@link #UNKNOWN_PLACE} if nothing. */
    synchronized long place(long number) {
        return blocks.get(number / BLOCK).places[(int) (number % BLOCK)];
    }
}
