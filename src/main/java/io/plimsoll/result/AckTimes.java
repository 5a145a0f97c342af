package io.plimsoll.result;

import io.plimsoll.measure.AckPulse;
import java.util.Arrays;

/** When acknowledgements came in a trial, by buckets: memory depends on its length alone. */
final class AckTimes {
    private static final double RESTORED = 0.95;
    private static final double WINDOW_SECONDS = 1;
    /** Time for which throughput must stay restored; a burst of waiting records is not a recovery. */
    private static final double SUSTAINED_SECONDS = 3;

    private static final double BASELINE_SECONDS = 5;

    private long[] buckets = new long[600];
    private int count;
    private long bucketNanos = 100_000_000;

    void accept(AckPulse pulse) {
        bucketNanos = pulse.bucketNanos();
        for (long acknowledged : pulse.acknowledged()) {
            if (count == buckets.length) {
                buckets = Arrays.copyOf(buckets, 2 * count);
            }
            buckets[count++] = acknowledged;
        }
    }

    /** Mean records/s of the last seconds before a time; 0 without any. */
    double before(long nanos) {
        int end = Math.min(count, (int) (nanos / bucketNanos));
        return mean(Math.max(0, end - buckets(BASELINE_SECONDS)), end);
    }

    /**
     * Time at which throughput was restored after a disturbance; {@code fromNanos} if it never dropped, -1 if it was
     * not restored or there was too little time to decide.
     */
    long backNanos(double perSecond, long fromNanos, long endNanos) {
        int from = (int) (fromNanos / bucketNanos);
        int end = Math.min(count, (int) (endNanos / bucketNanos));
        int window = buckets(WINDOW_SECONDS);
        double enough = RESTORED * perSecond;
        if (from + window > end) {
            return -1;
        }
        int fell = from;
        while (fell + window <= end && mean(fell, fell + window) >= enough) {
            fell++;
        }
        if (fell + window > end) {
            return fromNanos;
        }
        for (int i = fell; i + window <= end; i++) {
            if (buckets[i] / (bucketNanos / 1e9) >= enough
                    && mean(i, i + window) >= enough
                    && mean(i, Math.min(end, i + buckets(SUSTAINED_SECONDS))) >= enough) {
                return Math.max(fromNanos, i * bucketNanos);
            }
        }
        return -1;
    }

    private int buckets(double seconds) {
        return (int) Math.round(seconds * 1e9 / bucketNanos);
    }

    private double mean(int from, int to) {
        return to > from ? Arrays.stream(buckets, from, to).sum() / ((to - from) * (bucketNanos / 1e9)) : 0;
    }
}
