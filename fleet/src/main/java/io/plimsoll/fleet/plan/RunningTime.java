package io.plimsoll.fleet.plan;

/**
 * The time in which this process ran, as far as periodic looks can tell: between two looks, no more counts than a given time.
 * A timeout by this time does not expire because this process itself was not scheduled. Thread-safe.
 */
public final class RunningTime {
    private final long mostNanos;
    private long lookedNanos;
    private long ranNanos;

    /** @param mostNanos upper bound of the time between two looks */
    public RunningTime(long mostNanos, long nowNanos) {
        this.mostNanos = mostNanos;
        this.lookedNanos = nowNanos;
    }

    /** @return the nanoseconds that count so far, with those up to now */
    public synchronized long look(long nowNanos) {
        ranNanos += Math.min(Math.max(0, nowNanos - lookedNanos), mostNanos);
        lookedNanos = nowNanos;
        return ranNanos;
    }

    /** @return the nanoseconds that counted at the last look */
    public synchronized long nanos() {
        return ranNanos;
    }
}
