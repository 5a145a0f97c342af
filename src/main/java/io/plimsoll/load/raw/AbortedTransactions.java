package io.plimsoll.load.raw;

import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Which batches of one fetch response belong to transactions that were aborted: a producer's batches from the first
 * offset of such a transaction to its abort marker. Owned by one thread.
 */
final class AbortedTransactions {
    private record Aborted(long producerId, long firstOffset) {}

    /** Brokers list them mostly, but not always, by their first offset. */
    private final PriorityQueue<Aborted> ahead = new PriorityQueue<>(Comparator.comparingLong(Aborted::firstOffset));
    /** Producers within an aborted transaction. */
    private final Set<Long> open = new HashSet<>();

    void clear() {
        ahead.clear();
        open.clear();
    }

    /** Before the first batch is read. */
    void add(long producerId, long firstOffset) {
        ahead.add(new Aborted(producerId, firstOffset));
    }

    /** Batches are asked about in the order of the log. */
    boolean contain(long producerId, long lastOffset) {
        while (!ahead.isEmpty() && ahead.peek().firstOffset() <= lastOffset) {
            open.add(ahead.poll().producerId());
        }
        return !open.isEmpty() && open.contains(producerId);
    }

    /** The abort marker of a producer's transaction has come. */
    void ended(long producerId) {
        open.remove(producerId);
    }
}
