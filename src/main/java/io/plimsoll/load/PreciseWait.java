package io.plimsoll.load;

import io.plimsoll.measure.SpunTime;

/**
 * Waits for due times as exactly as the host allows. The kernel is asked not to put wake-ups off; and where a core can be
 * spared, the time that a wake-up takes is spun: so much before the due time the thread wakes up as nearly all wake-ups have
 * taken lately. Owned by the thread that waits.
 */
public final class PreciseWait {
    private static final long FIRST_WINDOW_NANOS = 60_000;
    private static final long LEAST_WINDOW_NANOS = 5_000;
    private static final long MOST_WINDOW_NANOS = 150_000;
    /** Steps whose ratio lets the window settle where one wake-up in thirty takes longer. */
    private static final long WIDER_NANOS = 3_000;

    private static final long NARROWER_NANOS = 100;
    /** So late nobody is who has a core. */
    private static final long DISTURBED_NANOS = 200_000;
    /** A disturbed wait weighs as much as so many that were not; after a run of ten it stops to spin. */
    private static final int DISTURBED_WEIGHT = 20;

    private static final int MOST_DISTURBED = 10 * DISTURBED_WEIGHT;
    private static final long PAUSE_NANOS = 1_000_000_000;

    private final Waiter waiter;
    private final SpareCores cores;
    private SpunTime spunTime;
    private long windowNanos = FIRST_WINDOW_NANOS;
    private int disturbed;
    private boolean paused;
    private long pausedUntilNanos;

    public PreciseWait(Waiter waiter, SpareCores cores) {
        this.waiter = waiter;
        this.cores = cores;
    }

    /** The thread that waits is the calling one. */
    public void begin() {
        waiter.beExact();
        spunTime = SpunTime.ofThisThread();
    }

    /** Whether the calling thread may spin now, rather than sleep for a short time. */
    public boolean spins(long nowNanos) {
        if (paused && nowNanos - pausedUntilNanos >= 0) {
            paused = false;
        }
        return !paused && cores.free();
    }

    /** The time that a wake-up may take: so much a thread that {@link #spins} had better not sleep. */
    public long windowNanos() {
        return windowNanos;
    }

    /**
     * Waits until a record is due, or a little less if somebody wakes the thread.
     *
     * @param nowNanos now
     * @return now
     */
    public long until(long dueNanos, long nowNanos) {
        if (!spins(nowNanos)) {
            waiter.park(dueNanos - nowNanos);
            return waiter.nanoTime();
        }
        long now = nowNanos;
        long wakeNanos = dueNanos - windowNanos;
        if (now < wakeNanos) {
            waiter.park(wakeNanos - now);
            now = waiter.nanoTime();
            if (now < wakeNanos) {
                return now;
            }
            windowNanos = now - wakeNanos > windowNanos
                    ? Math.min(MOST_WINDOW_NANOS, windowNanos + WIDER_NANOS)
                    : Math.max(LEAST_WINDOW_NANOS, windowNanos - NARROWER_NANOS);
        }
        long from = now;
        while (now < dueNanos) {
            waiter.spin();
            now = waiter.nanoTime();
        }
        spun(now - from);
        judge(now - dueNanos, now);
        return now;
    }

    /** Sleeps for a while, or less if somebody wakes the thread. */
    public void sleep(long nanos) {
        waiter.park(nanos);
    }

    /** The thread has spun in its own way. */
    public void spun(long nanos) {
        if (nanos > 0) {
            cores.spun(nanos);
            spunTime.add(nanos);
        }
    }

    private void judge(long lateNanos, long nowNanos) {
        if (lateNanos <= DISTURBED_NANOS) {
            disturbed = Math.max(0, disturbed - 1);
            return;
        }
        disturbed += DISTURBED_WEIGHT;
        if (disturbed >= MOST_DISTURBED) {
            disturbed = 0;
            paused = true;
            pausedUntilNanos = nowNanos + PAUSE_NANOS;
        }
    }
}
