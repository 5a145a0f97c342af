package io.plimsoll.load;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Measures the CPU time of short stages of the calling thread, without the cost of the measurement. Stateless. */
public final class StageCpu {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int TRIES = 2000;
    private static final long COST_NANOS = cost();

    private static long cost() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            long from = now();
            least = Math.min(least, now() - from);
        }
        return least;
    }

    /** CPU time of the calling thread in nanoseconds. */
    public static long now() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** @param from a previous result of {@link #now} in this thread */
    public static long since(long from) {
        return Math.max(0, now() - from - COST_NANOS);
    }
}
