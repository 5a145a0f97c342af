package io.plimsoll.load.raw;

import io.plimsoll.wire.RawLink;
import java.util.BitSet;

/**
 * One connection and its partitions. It tracks which partitions have batches, and the earliest time at which a batch
 * can be ready, so that idle checks cost nothing. Owned by the client's thread.
 */
final class Route {
    final RawLink link;
    private final PartitionQueue[] queues;
    private final BitSet waiting;
    private long lingerNanos;
    /** Time before which no batch is ready. */
    private long readyNanos = Long.MIN_VALUE;
    /** Index at which the next request starts, for fairness. */
    private int first;

    /** @param queues grouped by topic; they report changes to this route from now on */
    Route(RawLink link, PartitionQueue[] queues, long lingerNanos) {
        this.link = link;
        this.queues = queues;
        this.lingerNanos = lingerNanos;
        this.waiting = new BitSet(queues.length);
        for (int i = 0; i < queues.length; i++) {
            queues[i].route(this, i);
        }
    }

    PartitionQueue queue(int index) {
        return queues[index];
    }

    int size() {
        return queues.length;
    }

    int first() {
        return first;
    }

    void beginAt(int index) {
        first = index;
    }

    /** Ends the linger time of all batches. */
    void flush() {
        lingerNanos = 0;
        readyNanos = Long.MIN_VALUE;
    }

    /** Reports that a batch was added, removed or filled, or can be retried. */
    void changed(int index) {
        PartitionQueue queue = queues[index];
        waiting.set(index, !queue.batches.isEmpty());
        readyNanos = Math.min(readyNanos, queue.readyNanos(lingerNanos));
    }

    int nextWaiting(int from) {
        return waiting.nextSetBit(from);
    }

    boolean ready(long nowNanos) {
        if (nowNanos < readyNanos) {
            return false;
        }
        long next = Long.MAX_VALUE;
        for (int i = waiting.nextSetBit(0); i >= 0; i = waiting.nextSetBit(i + 1)) {
            next = Math.min(next, queues[i].readyNanos(lingerNanos));
            if (next <= nowNanos) {
                return true;
            }
        }
        readyNanos = next;
        return false;
    }

    /** Time of the next scheduled work, in nanoTime; overdue work waits for a response or a connection. */
    long nextNanos(long nowNanos) {
        long next = readyNanos > nowNanos ? readyNanos : Long.MAX_VALUE;
        long throttled = waiting.isEmpty() ? 0 : link.throttledUntilNanos();
        return throttled > nowNanos ? Math.min(next, throttled) : next;
    }
}
