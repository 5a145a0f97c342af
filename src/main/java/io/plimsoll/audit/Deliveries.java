package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * The offsets that members of a consumer group processed in one partition, and the repeated deliveries. Thread-safe.
 */
public final class Deliveries {
    private final long from;
    private final SequenceSet processed = new SequenceSet();
    private long again;

    /** @param from first offset to track; lower offsets are ignored */
    public Deliveries(long from) {
        this.from = from;
    }

    public synchronized void processed(long firstOffset, long count) {
        long skip = Math.max(0, from - firstOffset);
        if (skip < count) {
            long first = firstOffset + skip - from;
            again += count - skip - processed.add(first, count - skip);
        }
    }

    public synchronized long twice() {
        return again;
    }

    public synchronized boolean contains(long offset) {
        return offset >= from && processed.contains(offset - from);
    }

    /** Number of offsets in [first, end) that were processed at least once. */
    public synchronized long distinct(long first, long end) {
        return below(end) - below(first);
    }

    /** The processed offsets as pairs: first offset and length of each range. */
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
