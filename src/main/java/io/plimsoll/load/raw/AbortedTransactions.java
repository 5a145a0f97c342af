package io.plimsoll.load.raw;

import java.util.Arrays;

/**
 * Which batches of one fetch response belong to transactions that were aborted: a producer's batches from the first
 * offset of such a transaction to its abort marker. Owned by one thread.
 */
final class AbortedTransactions {
    private long[] firstOffsets = new long[8];
    private long[] producerIds = new long[8];
    private int count;
    /** The transactions before this index have begun. */
    private int begun;
    /** Producers within an aborted transaction. */
    private long[] open = new long[8];

    private int openCount;

    void clear() {
        count = 0;
        begun = 0;
        openCount = 0;
    }

    /** Before the first batch is read; brokers list transactions mostly, but not always, by their first offset. */
    void add(long producerId, long firstOffset) {
        if (count == firstOffsets.length) {
            firstOffsets = Arrays.copyOf(firstOffsets, 2 * count);
            producerIds = Arrays.copyOf(producerIds, 2 * count);
        }
        int at = count++;
        for (; at > 0 && firstOffsets[at - 1] > firstOffset; at--) {
            firstOffsets[at] = firstOffsets[at - 1];
            producerIds[at] = producerIds[at - 1];
        }
        firstOffsets[at] = firstOffset;
        producerIds[at] = producerId;
    }

    /** Batches are asked about in the order of the log. */
    boolean contain(long producerId, long lastOffset) {
        while (begun < count && firstOffsets[begun] <= lastOffset) {
            open(producerIds[begun++]);
        }
        return indexOf(producerId) >= 0;
    }

    /** The abort marker of a producer's transaction has come. */
    void ended(long producerId) {
        int at = indexOf(producerId);
        if (at >= 0) {
            open[at] = open[--openCount];
        }
    }

    private void open(long producerId) {
        if (indexOf(producerId) < 0) {
            if (openCount == open.length) {
                open = Arrays.copyOf(open, 2 * openCount);
            }
            open[openCount++] = producerId;
        }
    }

    private int indexOf(long producerId) {
        for (int i = 0; i < openCount; i++) {
            if (open[i] == producerId) {
                return i;
            }
        }
        return -1;
    }
}
