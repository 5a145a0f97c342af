package io.plimsoll.pace;

/**
 * The intended times of one sending thread, in order. Used by one thread only.
 */
public interface Arrivals {

    /** The next event's intended time in nanoseconds after the schedule's start; {@link Long#MAX_VALUE} after the last. */
    long nextDueNanos();
}
