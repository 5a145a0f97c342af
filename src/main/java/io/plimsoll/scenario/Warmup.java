package io.plimsoll.scenario;

import java.time.Duration;

/**
 * The time under load before the measured window.
 *
 * @param until what ends it
 * @param atLeast it is never shorter
 * @param atMost it is never longer; with {@link Until#TIME} the same as {@code atLeast}
 * @param rampUp its first part, in which rates come from nothing to what they are; not longer than {@code atLeast}
 */
public record Warmup(Until until, Duration atLeast, Duration atMost, Duration rampUp) {
    /** What ends a warm-up. */
    public enum Until {
        TIME,
        STEADY,
        /** There is none: what a cold start costs is part of what is asked. */
        NONE;

        /** As in scenarios and results. */
        public String word() {
            return this == TIME ? "time" : this == STEADY ? "steady" : "none";
        }
    }

    /** Nothing is warmed: the first second is a window of its own, whose figures are those of a cold start. */
    public static final Warmup NONE =
            new Warmup(Until.NONE, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO);
    /** It begins with the measured window. */
    public static final Warmup NO_TIME = lasting(Duration.ZERO);

    public static final Warmup STEADY = untilSteady(Duration.ofSeconds(5), Duration.ofSeconds(60));

    /** It takes nearly as long to tell whether a load is steady. */
    static final Duration SHORTEST_MOST = Duration.ofSeconds(10);

    private static final Duration USUALLY_STEADY = Duration.ofSeconds(15);

    public static Warmup lasting(Duration time) {
        return new Warmup(Until.TIME, time, time, Duration.ZERO);
    }

    public static Warmup untilSteady(Duration atLeast, Duration atMost) {
        return new Warmup(Until.STEADY, atLeast, atMost, Duration.ZERO);
    }

    /** The same warm-up after a ramp; none where what a cold start costs is asked. */
    public Warmup after(Duration ramp) {
        return until == Until.NONE ? this : new Warmup(until, atLeast.plus(ramp), atMost.plus(ramp), ramp);
    }

    public boolean steady() {
        return until == Until.STEADY;
    }

    /** How long it will about take. */
    public Duration about() {
        Duration usual = atLeast.compareTo(USUALLY_STEADY) > 0 ? atLeast : USUALLY_STEADY;
        return usual.compareTo(atMost) > 0 ? atMost : usual;
    }

    /** As it is written in a scenario. */
    public String text() {
        if (!steady()) {
            return until == Until.NONE ? until.word() : Quantities.text(atMost);
        }
        return equals(STEADY)
                ? until.word()
                : "{until: steady, atLeast: " + Quantities.text(atLeast) + ", atMost: " + Quantities.text(atMost) + "}";
    }
}
