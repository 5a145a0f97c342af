package io.plimsoll.pace;

/**
 * The intended times of one sending thread, in order. Used by one thread only.
 */
public interface Arrivals {

    /** The next event's intended time in nanoseconds after the schedule's start; {@link Long#MAX_VALUE} after the last. */
    long nextDueNanos();

    /** The intended time of the event that came last, once more: another where the end of a warm-up was told meanwhile. */
    long lastDueNanos();

    /** Counts how many of the events 0 to {@code total − 1} are {@code i}, {@code i + count}, {@code i + 2·count}, … */
    static long share(long total, int index, int count) {
        return total <= index ? 0 : (total - index - 1) / count + 1;
    }

    /** The number that the neighbours {@code from} to {@code to − 1} out of {@code count} have together of {@code total} events. */
    static long shareOf(long total, int from, int to, int count) {
        long rest = total % count;
        return total / count * (to - from) + Math.max(0, Math.min(rest, to) - Math.min(rest, from));
    }
}
