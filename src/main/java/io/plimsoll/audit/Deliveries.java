package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * The records of one partition that the members of a consumer group processed, over all of them: by offsets, so that a record that
 * was handed out again after a rebalance shows. Thread-safe.
 */
public final class Deliveries {
    private final long from;
    private final SequenceSet processed = new SequenceSet();
    private long again;

    /** @param from the first offset that counts */
    public Deliveries(long from) {
        this.from = from;
    }

    /** Records with offsets in a row. */
    public synchronized void processed(long firstOffset, long count) {
        long skip = Math.max(0, from - firstOffset);
        if (skip < count) {
            long first = firstOffset + skip - from;
            again += count - skip - processed.add(first, count - skip);
        }
    }

    /** How many records were processed a second time, or more often. */
    public synchronized long twice() {
        return again;
    }

    /** Whether the record at this offset was processed at least once. */
    public synchronized boolean contains(long offset) {
        return offset >= from && processed.contains(offset - from);
    }

    /** How many of the offsets between these, the second not included, were processed at least once. */
    public synchronized long distinct(long first, long end) {
        return below(end) - below(first);
    }

    /** The offsets that were processed: first and number of each range, one after the other. */
    public synchronized List<Long> ranges() {
        List<Long> ranges = new ArrayList<>();
        SequenceSet.ranges(new SequenceSet[] {processed}, new SequenceSet[0], SequenceSet.LIMIT, (first, end) -> {
            ranges.add(from + first);
            ranges.add(end - first);
        });
        return ranges;
    }

    private long below(long offset) {
        return SequenceSet.ranges(
                new SequenceSet[] {processed}, new SequenceSet[0], Math.max(0, offset - from), (a, b) -> {});
    }
}
