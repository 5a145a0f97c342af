package io.plimsoll.run;

import java.util.Arrays;

/**
 * What synchronous senders must see behind a periodic stall: each thread sends the records that are due for it one
 * after the other, each takes the service time, and one that is on its way in a stall waits for its end.
 */
final class SyncBacklog {
    private SyncBacklog() {}

    /** Sorted response times, in nanoseconds; the stall is the last part of each period. */
    static long[] responseTimes(
            int threads, double ratePerSecond, long serviceNanos, long periodNanos, long stallNanos, long spanNanos) {
        int perThread = (int) (ratePerSecond / threads * (spanNanos / 1e9));
        long gap = (long) (1e9 * threads / ratePerSecond);
        long[] times = new long[threads * perThread];
        int n = 0;
        for (int thread = 0; thread < threads; thread++) {
            long offset = gap * thread / threads;
            long free = 0;
            for (int i = 0; i < perThread; i++) {
                long due = offset + i * gap;
                long done = Math.max(due, free) + serviceNanos;
                long inPeriod = done % periodNanos;
                if (inPeriod > periodNanos - stallNanos) {
                    done += periodNanos - inPeriod;
                }
                times[n++] = done - due;
                free = done;
            }
        }
        Arrays.sort(times);
        return times;
    }

    static long percentile(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.round(share * sorted.length))];
    }
}
