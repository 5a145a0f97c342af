package io.plimsoll.load;

import com.sun.management.OperatingSystemMXBean;
import io.plimsoll.measure.SpunTime;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for due times as exactly as the host allows: with the kernel's timer slack disabled and, if a core is spare, by
 * waking up early and spinning until the due time. The spinning time exceeds the delay of nearly all recent wake-ups.
 * Used by the waiting thread.
 */
public final class PreciseWait {
    private static final long FIRST_WINDOW_NANOS = 60_000;
    private static final long LEAST_WINDOW_NANOS = 5_000;
    private static final long MOST_WINDOW_NANOS = 150_000;
    /** Increase of the window in ns after a late wake-up. With this step, one wake-up in thirty exceeds the window. */
    private static final long WIDER_NANOS = 3_000;

    private static final long NARROWER_NANOS = 100;
    /** Wake-up delay in ns that a thread with its own core never reaches. */
    private static final long DISTURBED_NANOS = 200_000;
    /** Weight of a disturbed wait relative to an undisturbed one; ten consecutive disturbed waits stop the spinning. */
    private static final int DISTURBED_WEIGHT = 20;

    private static final int MOST_DISTURBED = 10 * DISTURBED_WEIGHT;
    private static final long PAUSE_NANOS = 1_000_000_000;

    private final Waiter waiter;
    private final SpareCores cores;
    private @Nullable SpunTime spunTime;
    private long windowNanos = FIRST_WINDOW_NANOS;
    private int disturbed;
    private boolean paused;
    private long pausedUntilNanos;

    public PreciseWait(Waiter waiter, SpareCores cores) {
        this.waiter = waiter;
        this.cores = cores;
    }

    /** Prepares the waiting thread, which calls this method first. */
    public void begin() {
        waiter.beExact();
        spunTime = SpunTime.ofThisThread();
    }

    /** Whether the calling thread may spin instead of sleeping briefly. */
    public boolean spins(long nowNanos) {
        if (paused && nowNanos - pausedUntilNanos >= 0) {
            paused = false;
        }
        return !paused && cores.free();
    }

    /** The longest time in ns that a wake-up usually takes; a thread that {@link #spins} never sleeps for a shorter time. */
    public long windowNanos() {
        return windowNanos;
    }

    /** Waits until the due time, or until woken; returns the current time. */
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

    /** Sleeps for this time, or until woken. */
    public void sleep(long nanos) {
        waiter.park(nanos);
    }

    /** Reports that the thread has spun for this time outside of this class. */
    public void spun(long nanos) {
        if (nanos > 0) {
            cores.spun(nanos);
            Objects.requireNonNull(spunTime).add(nanos);
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

    /**
     * Whether the senders of a trial may spin while they wait: only if the host (or the CPU quota) has at least two
     * cores per sender, and the host still has idle CPU. Usable by any thread.
     */
    public static final class SpareCores {
        /** Number of idle cores below which spinning stops, because it could take CPU from another process. */
        static final double TOO_FEW = 0.25;
        /** Number of idle cores needed to start spinning, in addition to the CPU used by spinning. */
        static final double ENOUGH = 0.5;

        private static final long LOOK_NANOS = 900_000_000;
        private static final long PAUSE_NANOS = 5_000_000_000L;

        private final int processors;
        private final DoubleSupplier busyShare;
        final AtomicLong spunNanos = new AtomicLong();
        private int senders;
        private long takenNanos;
        private long lookedNanos;
        private long spunBefore;
        private boolean looked;
        private double spunCores;
        private long pausedUntilNanos;
        private volatile boolean free;

        /** @param busyShare returns the share of the processors used since its last call, 0 to 1; negative or NaN if unknown */
        SpareCores(int processors, DoubleSupplier busyShare) {
            this.processors = processors;
            this.busyShare = busyShare;
        }

        static SpareCores ofThisHost() {
            OperatingSystemMXBean host = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            return new SpareCores(Runtime.getRuntime().availableProcessors(), host::getCpuLoad);
        }

        /** Announces the number of sending threads before they start. */
        synchronized void claim(int threads) {
            senders += threads;
        }

        /** Checks the idle CPU of the host once a second. */
        synchronized void look(long nowNanos) {
            if (2 * senders > processors || (looked && nowNanos - lookedNanos < LOOK_NANOS)) {
                return;
            }
            double busy = busyShare.getAsDouble();
            long spun = spunNanos.get();
            if (looked && busy >= 0 && free) {
                spunCores = (double) (spun - spunBefore) / (nowNanos - lookedNanos);
            }
            double idle = busy >= 0 ? (1 - busy) * processors : 0;
            // The first reading covers the time before the load, so it is ignored.
            if (!looked || (free && idle < TOO_FEW)) {
                free = false;
                pausedUntilNanos = nowNanos + (looked ? PAUSE_NANOS : 0);
            } else if (!free && nowNanos - pausedUntilNanos >= 0) {
                free = idle >= spunCores + ENOUGH;
            }
            looked = true;
            lookedNanos = nowNanos;
            spunBefore = spun;
        }

        boolean free() {
            return free;
        }

        /** Spinning time of all senders in ns since the last call. */
        synchronized long takeSpunNanos() {
            long since = spunNanos.get() - takenNanos;
            takenNanos += since;
            return since;
        }

        void spun(long nanos) {
            spunNanos.getAndAdd(nanos);
        }
    }
}
