package io.plimsoll.scenario;

import java.time.Duration;

/**
 * The time under load before the measured window.
 *
 * @param until condition that ends the warm-up
 * @param atLeast minimum length
 * @param atMost maximum length; with {@link Until#TIME}, equal to {@code atLeast}
 * @param rampUp ramp-up of rates at the beginning; at most {@code atLeast}
 */
public record Warmup(Until until, Duration atLeast, Duration atMost, Duration rampUp) {
    /** The condition that ends a warm-up. */
    public enum Until {
        TIME,
        STEADY,
        /** No warm-up, because the cost of a cold start is part of the measurement. */
        NONE;

        /** The name in scenarios and results. */
        public String word() {
            return this == TIME ? "time" : this == STEADY ? "steady" : "none";
        }
    }

    /** No warm-up; the first second is a separate window with the figures of a cold start. */
    public static final Warmup NONE =
            new Warmup(Until.NONE, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO);
    /** No warm-up; the load starts with the measured window. */
    public static final Warmup NO_TIME = lasting(Duration.ZERO);

    public static final Warmup STEADY = untilSteady(Duration.ofSeconds(5), Duration.ofSeconds(60));

    /** Lower limit of {@link #atMost} with {@link Until#STEADY}, because detecting a steady load takes time. */
    static final Duration SHORTEST_MOST = Duration.ofSeconds(10);

    private static final Duration USUALLY_STEADY = Duration.ofSeconds(15);

    public static Warmup lasting(Duration time) {
        return new Warmup(Until.TIME, time, time, Duration.ZERO);
    }

    public static Warmup untilSteady(Duration atLeast, Duration atMost) {
        return new Warmup(Until.STEADY, atLeast, atMost, Duration.ZERO);
    }

    /** The same warm-up with a ramp-up; unchanged for a cold start. */
    public Warmup after(Duration ramp) {
        return until == Until.NONE ? this : new Warmup(until, atLeast.plus(ramp), atMost.plus(ramp), ramp);
    }

    public boolean steady() {
        return until == Until.STEADY;
    }

    /** The estimated length. */
    public Duration about() {
        Duration usual = atLeast.compareTo(USUALLY_STEADY) > 0 ? atLeast : USUALLY_STEADY;
        return usual.compareTo(atMost) > 0 ? atMost : usual;
    }

    /** The warm-up as written in a scenario. */
    public String text() {
        if (!steady()) {
            return until == Until.NONE ? until.word() : Quantities.text(atMost);
        }
        return equals(STEADY)
                ? until.word()
                : "{until: steady, atLeast: " + Quantities.text(atLeast) + ", atMost: " + Quantities.text(atMost) + "}";
    }
}
