package io.plimsoll.pace;

/**
 * The end of a warm-up, which may be told while the load goes on. Whoever tells it names a time that nobody has reached
 * yet, so that no event was taken for one of the wrong window. Thread-safe.
 */
public final class WarmupEnd {
    /** The answer of {@link #nanos} until the end is known. */
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

    /** An end that will be told. */
    public static WarmupEnd later() {
        return new WarmupEnd(UNKNOWN);
    }

    /** Tells the end, in nanoseconds after the schedule's start; the first to tell it is right. */
    public synchronized void tell(long afterStart) {
        if (nanos == UNKNOWN) {
            nanos = afterStart;
        }
    }

    /** Nanoseconds after the schedule's start; {@link #UNKNOWN} as long as nobody has told. */
    public long nanos() {
        return nanos;
    }

    public boolean known() {
        return nanos != UNKNOWN;
    }
}
