package io.plimsoll.pace;

/**
 * The end of a warm-up, which can be set during the load. It must be in the future, so that events already taken do not
 * change windows. Thread-safe.
 */
public final class WarmupEnd {
    /** Result of {@link #nanos} until the end is known. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    private volatile long nanos;

    private WarmupEnd(long nanos) {
        this.nanos = nanos;
    }

    /**
     * An end that is known from the beginning.
     *
     * @param nanos after the schedule's start, 0 or more
     */
    public static WarmupEnd after(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("a warm-up of " + nanos + " ns");
        }
        return new WarmupEnd(nanos);
    }

    /** An end that is set later. */
    public static WarmupEnd later() {
        return new WarmupEnd(UNKNOWN);
    }

    /** Sets the end, in nanoseconds after the schedule's start; only the first call has an effect. */
    public synchronized void tell(long afterStart) {
        if (nanos == UNKNOWN) {
            nanos = afterStart;
        }
    }

    /** The end in nanoseconds after the schedule's start; {@link #UNKNOWN} until set. */
    public long nanos() {
        return nanos;
    }

    public boolean known() {
        return nanos != UNKNOWN;
    }
}
