package io.plimsoll.result;

import io.plimsoll.measure.Snapshot;

/**
 * How long the seconds of a trial are kept. What is older becomes minutes, half an hour at a time, in memory and in the
 * timeline alike, so that both tell the same. Pure.
 *
 * @param secondsForNanos the length of time, of which a sixtieth is a <em>minute</em>: of an hour it is one
 */
record Folding(long secondsForNanos) {
    /** An hour, unless the property {@code plimsoll.secondsFor} says after how many seconds folding begins. */
    static final Folding USUAL = new Folding(Long.getLong("plimsoll.secondsFor", 3600) * 1_000_000_000L);

    /** The length of a minute. */
    long minuteNanos() {
        return Math.max(1, secondsForNanos / 60);
    }

    /** The number of the minute in which a snapshot has its middle. */
    long minuteOf(Snapshot s) {
        return (s.fromNanos() + s.toNanos()) / 2 / minuteNanos();
    }

    /** Everything before it is told by the minute when a trial has come to {@code nowNanos}. */
    long untilNanos(long nowNanos) {
        long together = 30 * minuteNanos();
        return Math.max(0, (nowNanos - secondsForNanos) / together * together);
    }
}
