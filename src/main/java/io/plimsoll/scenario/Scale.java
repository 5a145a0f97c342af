package io.plimsoll.scenario;

import java.time.Duration;

/**
 * Shortens or lengthens a scenario: numbers of records and lengths of time are multiplied, sizes, rates and settings
 * are not.
 *
 * @param factor more than 0
 */
record Scale(double factor) {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** At least one record. */
    long records(long records) {
        return isOne() ? records : Math.max(1, Math.round(records * factor));
    }

    /** At least a millisecond, unless nothing was asked for. */
    Duration time(Duration time) {
        if (isOne() || time.isZero()) {
            return time;
        }
        Duration scaled = Duration.ofNanos(Math.round(time.toNanos() * factor));
        return scaled.compareTo(SHORTEST) < 0 ? SHORTEST : scaled;
    }

    boolean isOne() {
        return factor == 1;
    }
}
