package io.plimsoll.measure;

import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/**
 * Takes latencies from one writing thread while another reads them off in intervals; nothing is lost or counted twice
 * between two intervals, and the writer never waits.
 *
 * <p>One that takes nothing has no buckets: together they take some 150 KB on each side.
 *
 * <p>The buckets are those of HdrHistogram with {@link Latencies#DIGITS} digits, so the histograms that come out are
 * the ones it would have made. Each bucket is a count that only grows: the writer adds with a plain read and an ordered
 * write (HdrHistogram's own recorder needs two locked instructions a value, which cost more than all the rest of
 * recording), the reader takes the difference to what it saw last.
 */
public final class LatencyRecorder {
    /** Three digits take 2048 linear steps; each further bucket doubles the step and keeps the upper half of them. */
    private static final int HALF_STEPS_LOG2 = 10;

    private static final int HALF_STEPS = 1 << HALF_STEPS_LOG2;
    private static final int STEPS_MASK = 2 * HALF_STEPS - 1;
    private static final int INITIAL_LENGTH = index(Latencies.HIGHEST_MICROS) + 1;
    private static final AtomicLongArray NONE = new AtomicLongArray(0);

    /** Replaced by a longer one, with all of its counts, when a value is beyond its end, as the first one is. */
    private volatile AtomicLongArray counts = NONE;

    private long[] seen = {};

    /**
     * Only the owning thread calls this.
     *
     * @param nanos less than a microsecond counts as one microsecond, the smallest value kept
     */
    public void recordNanos(long nanos) {
        recordNanos(nanos, 1);
    }

    /** As {@link #recordNanos(long)}, for several records with the same latency. */
    public void recordNanos(long nanos, long count) {
        int index = index(Math.max(1, (nanos + 500) / 1000));
        AtomicLongArray to = counts;
        if (index >= to.length()) {
            to = grow(to, Math.max(INITIAL_LENGTH, index + 1));
        }
        to.lazySet(index, to.getPlain(index) + count);
    }

    private AtomicLongArray grow(AtomicLongArray from, int length) {
        AtomicLongArray longer = new AtomicLongArray(length);
        for (int i = 0; i < from.length(); i++) {
            longer.setPlain(i, from.getPlain(i));
        }
        counts = longer;
        return longer;
    }

    /** Adds what was recorded since the last call to a sum. Only the reading thread calls this. */
    public void drainInto(Counts.Sum sum, Metric<Latencies> metric) {
        if (counts.length() > 0) {
            drainInto(sum.histogram(metric));
        }
    }

    /** Likewise. */
    public void drainInto(Histogram sum) {
        AtomicLongArray from = counts;
        if (from.length() > seen.length) {
            seen = java.util.Arrays.copyOf(seen, from.length());
        }
        for (int i = 0; i < from.length(); i++) {
            long now = from.getAcquire(i);
            if (now != seen[i]) {
                sum.recordValueWithCount(lowestValue(i), now - seen[i]);
                seen[i] = now;
            }
        }
    }

    private static int index(long micros) {
        int doublings = 63 - Long.numberOfLeadingZeros(micros | STEPS_MASK) - HALF_STEPS_LOG2;
        return (doublings << HALF_STEPS_LOG2) + (int) (micros >>> doublings);
    }

    private static long lowestValue(int index) {
        if (index < 2 * HALF_STEPS) {
            return index;
        }
        int doublings = (index >> HALF_STEPS_LOG2) - 1;
        return (long) ((index & (HALF_STEPS - 1)) + HALF_STEPS) << doublings;
    }
}
