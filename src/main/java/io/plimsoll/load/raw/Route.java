package io.plimsoll.load.raw;

import io.plimsoll.wire.RawLink;
import java.util.BitSet;

/**
 * One connection and the partitions whose batches go over it. It knows which of them have batches and before when none
 * of these is ready, so that a look costs nothing while nothing is due. Owned by the client's thread.
 */
final class Route {
    final RawLink link;
    private final PartitionQueue[] queues;
    private final BitSet waiting;
    private long lingerNanos;
    /** Nothing is ready before; perhaps nothing is then either. */
    private long readyNanos = Long.MIN_VALUE;
    /** Where the next request begins, so that a partition is not left behind for those before it. */
    private int first;

    /** @param queues those of one topic follow each other; from now on they tell this route of their changes */
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

    /** From now on nothing waits for more records. */
    void flush() {
        lingerNanos = 0;
        readyNanos = Long.MIN_VALUE;
    }

    /** A batch came or went, got full, or may be sent again. */
    void changed(int index) {
        PartitionQueue queue = queues[index];
        waiting.set(index, !queue.batches.isEmpty());
        readyNanos = Math.min(readyNanos, queue.readyNanos(lingerNanos));
    }

    /** The first partition from here on that has batches; negative if none has. */
    int nextWaiting(int from) {
        return waiting.nextSetBit(from);
    }

    /** True if a partition has a batch that need not wait. */
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

    /**
     * When there may be something to do whatever comes from the network, in nanoTime. What is overdue does not count: it
     * waits for an answer or a connection.
     */
    long nextNanos(long nowNanos) {
        long next = readyNanos > nowNanos ? readyNanos : Long.MAX_VALUE;
        long throttled = waiting.isEmpty() ? 0 : link.throttledUntilNanos();
        return throttled > nowNanos ? Math.min(next, throttled) : next;
    }
}
