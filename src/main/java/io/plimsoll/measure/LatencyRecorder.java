package io.plimsoll.measure;

import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/**
 * Records latencies from one writing thread while another thread drains them, without loss and without waiting. A
 * recorder allocates buckets at its first value. All buckets take about 150 KB on the writing side and on the reading
 * side.
 *
 * <p>The buckets equal an HdrHistogram with {@link Latencies#DIGITS} digits. Each is a count that only grows, written
 * with an ordered write; HdrHistogram's recorder needs two locked instructions per value. The reader takes the
 * difference to its last reading.
 */
public final class LatencyRecorder {
    /** Base-2 logarithm of half the steps: three digits need 2048 steps; further buckets double the step and use the upper half. */
    private static final int HALF_STEPS_LOG2 = 10;

    private static final int HALF_STEPS = 1 << HALF_STEPS_LOG2;
    private static final int STEPS_MASK = 2 * HALF_STEPS - 1;
    private static final int INITIAL_LENGTH = index(Latencies.HIGHEST_MICROS) + 1;
    private static final AtomicLongArray NONE = new AtomicLongArray(0);

    /** Replaced by a longer copy when a value exceeds the last bucket, as the first value does. */
    private volatile AtomicLongArray counts = NONE;

    private long[] seen = {};

    /** Records a latency; values below a microsecond count as one microsecond. Only the owning thread calls this method. */
    public void recordNanos(long nanos) {
        recordNanos(nanos, 1);
    }

    /** Records {@code count} values with the same latency. */
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

    /** Adds the values since the last call. Only the reading thread calls this method. */
    public void drainInto(Counts.Sum sum, Metric<Latencies> metric) {
        if (counts.length() > 0) {
            drainInto(sum.histogram(metric));
        }
    }

    /** Adds the values since the last call. Only the reading thread calls this method. */
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
