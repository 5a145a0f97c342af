package io.plimsoll.lab;

import java.time.Duration;

/**
 * A network fault in front of a broker. It affects both directions of connections to the broker's client and
 * inter-broker listeners, but not the broker's outgoing connections or controller traffic.
 *
 * @param state whether data passes
 * @param delay added in each direction
 * @param jitter uniform variation of the delay, plus or minus; at most {@code delay}
 * @param bytesPerSecond limit for each direction over all connections; 0 for no limit
 */
public record Impairment(State state, Duration delay, Duration jitter, double bytesPerSecond) {

    /** Effect on connections. */
    public enum State {
        OPEN,
        /** Existing and new connections are reset. */
        CUT,
        /** Connections are accepted and kept, but no data passes; they are reset when the impairment ends. */
        HALF_OPEN
    }

    public static final Impairment NONE = new Impairment(State.OPEN, Duration.ZERO, Duration.ZERO, 0);

    public static final Impairment CUT = new Impairment(State.CUT, Duration.ZERO, Duration.ZERO, 0);

    public static final Impairment HALF_OPEN = new Impairment(State.HALF_OPEN, Duration.ZERO, Duration.ZERO, 0);

    public static Impairment slow(Duration delay, Duration jitter, double bytesPerSecond) {
        return new Impairment(State.OPEN, delay, jitter, bytesPerSecond);
    }

    boolean passesAtOnce() {
        return state == State.OPEN && delay.isZero() && bytesPerSecond == 0;
    }
}
