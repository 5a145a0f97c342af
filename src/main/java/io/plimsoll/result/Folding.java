package io.plimsoll.result;

import io.plimsoll.measure.Snapshot;

/**
 * The time for which seconds of a trial are kept. Older seconds are folded into minutes, half an hour at a time, in
 * memory and in the timeline. Pure.
 * @param secondsForNanos this time; a sixtieth of it is called a minute, which is exact for the default of one hour
 */
record Folding(long secondsForNanos) {
    /** The default: an hour, or the number of seconds in the property {@code plimsoll.secondsFor}. */
    static final Folding USUAL = new Folding(Long.getLong("plimsoll.secondsFor", 3600) * 1_000_000_000L);

    long minuteNanos() {
        return Math.max(1, secondsForNanos / 60);
    }

    long minuteOf(Snapshot s) {
        return (s.fromNanos() + s.toNanos()) / 2 / minuteNanos();
    }

    /** Seconds before this time are folded into minutes when a trial has reached {@code nowNanos}. */
    long untilNanos(long nowNanos) {
        long together = 30 * minuteNanos();
        return Math.max(0, (nowNanos - secondsForNanos) / together * together);
    }
}
