package io.plimsoll.lab;

import java.time.Duration;

/**
 * A fault of the network in front of a broker. It holds for connections that others open to the broker's
 * clients' listener (clients, and followers that copy from it), in both directions; not for those that the broker opens
 * itself, nor for what the controllers say to each other.
 *
 * @param state whether anything passes
 * @param delay added to everything that passes, each way
 * @param jitter the delay varies by up to so much, up and down, evenly; not more than {@code delay}
 * @param bytesPerSecond that pass each way, over all connections; 0 for no limit
 */
public record Impairment(State state, Duration delay, Duration jitter, double bytesPerSecond) {

    /** The effect on connections. */
    public enum State {
        OPEN,
        /** Connections are reset, and new ones as well. */
        CUT,
        /** Connections stay and new ones are taken, but nothing passes; they are reset when this ends. */
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
