package io.plimsoll.measure;

import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/**
 * Takes latencies from one writing thread while another reads them off in intervals; nothing is lost or counted twice
 * between two intervals, and the writer never waits.
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

    /** Replaced by a longer one, with all of its counts, when a value is beyond its end. */
    private volatile AtomicLongArray counts = new AtomicLongArray(INITIAL_LENGTH);

    private long[] seen = new long[INITIAL_LENGTH];

    /**
     * Only the owning thread calls this.
     *
     * @param nanos less than a microsecond counts as one microsecond, the smallest value kept
     */
    public void recordNanos(long nanos) {
        int index = index(Math.max(1, (nanos + 500) / 1000));
        AtomicLongArray to = counts;
        if (index >= to.length()) {
            to = grow(to, index + 1);
        }
        to.lazySet(index, to.getPlain(index) + 1);
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
