package io.plimsoll.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Whether the senders of a trial may spin while they wait for a due time: only where each of them has a core of this host (or of
 * its quota) and another beside it, and only as long as the host has CPU left all the same. Any thread.
 */
public final class SpareCores {
    /** Below so many idle cores somebody else may have waited for the CPU that was spun away. */
    static final double TOO_FEW = 0.25;
    /** So many cores must be idle, beyond what spinning itself used, before it begins. */
    static final double ENOUGH = 0.5;

    private static final long LOOK_NANOS = 900_000_000;
    private static final long PAUSE_NANOS = 5_000_000_000L;

    private final int processors;
    private final DoubleSupplier busyShare;
    /** By all senders since the start. */
    final AtomicLong spunNanos = new AtomicLong();

    private int senders;
    private long takenNanos;
    private long lookedNanos;
    private long spunBefore;
    private boolean looked;
    private double spunCores;
    private long pausedUntilNanos;
    private volatile boolean free;

    /**
     * @param processors that this process may use
     * @param busyShare of them since it was asked last, by anybody, 0 to 1; negative or not a number if unknown
     */
    SpareCores(int processors, DoubleSupplier busyShare) {
        this.processors = processors;
        this.busyShare = busyShare;
    }

    /** The processors of this host, or of the control group, as the JVM knows them. */
    static SpareCores ofThisHost() {
        OperatingSystemMXBean host = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new SpareCores(Runtime.getRuntime().availableProcessors(), host::getCpuLoad);
    }

    /** So many threads more will send; before they start. */
    synchronized void claim(int threads) {
        senders += threads;
    }

    /** Looks once a second what the host has left. */
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
        // What was asked first is of a time before the load.
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

    /** Whether a sender may spin now. */
    boolean free() {
        return free;
    }

    /** For how long all senders have spun since this was asked last, by anybody. */
    synchronized long takeSpunNanos() {
        long since = spunNanos.get() - takenNanos;
        takenNanos += since;
        return since;
    }

    void spun(long nanos) {
        spunNanos.getAndAdd(nanos);
    }
}
