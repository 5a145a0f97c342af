package io.plimsoll.measure;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Records latencies from one writing thread while another thread drains them, without loss and without waiting. A
 * recorder allocates buckets at its first value. All buckets together need about 150 KB on the writing side, and the
 * same amount on the reading side.
 *
 * <p>The buckets equal an HdrHistogram with {@link Latencies#DIGITS} digits. Each is a count that only grows, written
 * with an ordered write; HdrHistogram's recorder needs two locked instructions per value. The reader takes the
 * difference from its last reading.
 */
public final class LatencyRecorder {
    private static final int INITIAL_LENGTH = Latencies.index(Latencies.HIGHEST_MICROS) + 1;
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
        int index = Latencies.index(Math.max(1, (nanos + 500) / 1000));
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

    /** The values since the last call. Called by the reading thread only. */
    public Latencies drain() {
        AtomicLongArray from = counts;
        if (from.length() > seen.length) {
            seen = Arrays.copyOf(seen, from.length());
        }
        Latencies.Buckets news = new Latencies.Buckets();
        for (int i = 0; i < from.length(); i++) {
            long now = from.getAcquire(i);
            if (now != seen[i]) {
                news.add(i, now - seen[i]);
                seen[i] = now;
            }
        }
        return news.taken();
    }
}
