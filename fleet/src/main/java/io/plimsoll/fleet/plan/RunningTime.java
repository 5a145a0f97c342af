package io.plimsoll.fleet.plan;

/**
 * The time in which this process ran, estimated from periodic calls: between two calls, at most a given time counts.
 * Timeouts measured with it exclude time in which the process was not scheduled. Thread-safe.
 */
public final class RunningTime {
    private final long mostNanos;
    private long lookedNanos;
    private long ranNanos;

    /** @param mostNanos upper bound of the time that counts between two calls */
    public RunningTime(long mostNanos, long nowNanos) {
        this.mostNanos = mostNanos;
        this.lookedNanos = nowNanos;
    }

    /** @return the nanoseconds that have counted so far, including the time since the last call */
    public synchronized long look(long nowNanos) {
        ranNanos += Math.min(Math.max(0, nowNanos - lookedNanos), mostNanos);
        lookedNanos = nowNanos;
        return ranNanos;
    }

    /** @return the nanoseconds that had counted at the last call of {@link #look} */
    public synchronized long nanos() {
        return ranNanos;
    }
}
