package io.plimsoll.run.guards;

import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Limits of a load on a cluster that is not a lab. A load beyond them requires consent.
 *
 * @param diskReserve fraction of each disk that stays free even with consent, 0 to 1
 * @param maxRate maximum total rate of a trial's producers; if in bytes, log bytes of one replica
 * @param maxBytes maximum log bytes of all trials, one replica
 * @param consent requested once for all violations
 * @param lookEvery polling interval of the guards during the load
 * @param rampUp time in which rates ramp up; empty for the default
 * @param guards additional checks during the load, which also apply in labs
 */
public record LoadLimits(
        double diskReserve,
        Quantity maxRate,
        long maxBytes,
        Consent consent,
        Duration lookEvery,
        Optional<Duration> rampUp,
        List<Check> guards) {
    /** 20 % of each disk, 50 MB/s, 50 GB, no consent. */
    public static final LoadLimits DEFAULT = new LoadLimits(
            0.2,
            new Quantity(50e6, Unit.PAYLOAD_BYTES),
            50_000_000_000L,
            Consent.NONE,
            Duration.ofSeconds(10),
            Optional.empty(),
            List.of());

    private static final Duration USUAL_RAMP = Duration.ofSeconds(5);

    /** A copy with another source of consent. */
    public LoadLimits with(Consent other) {
        return new LoadLimits(diskReserve, maxRate, maxBytes, other, lookEvery, rampUp, guards);
    }

    /**
     * The warm-up of a trial, extended by the ramp-up. By default, rates do not ramp up in a lab ({@code own}), or in a
     * trial without a warm-up, because the ramp-up would add records.
     */
    public Warmup ramped(Scenario scenario, boolean own) {
        Warmup warmup = scenario.effectiveWarmup();
        boolean needless =
                own || warmup.atMost().isZero() || scenario.producers().isEmpty();
        return warmup.after(rampUp.orElse(needless ? Duration.ZERO : USUAL_RAMP));
    }

    /** Asks for consent to exceed the limits. */
    @FunctionalInterface
    public interface Consent {
        Consent NONE = beyond -> false;
        Consent GIVEN = beyond -> true;

        /** @param beyond effects of the load beyond the limits, one sentence each; not empty */
        boolean to(List<Sentence> beyond);
    }
}
