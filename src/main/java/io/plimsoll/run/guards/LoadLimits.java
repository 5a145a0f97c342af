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
 * How far a load may go on a cluster that is not a lab, unless somebody consents.
 *
 * @param diskReserve 0 to 1: the share of each disk that stays free, whoever consents
 * @param maxRate of all producers of a trial together; in bytes these are the bytes of the log, one copy
 * @param maxBytes that all trials write together, one copy
 * @param consent asked once, with all that is beyond
 * @param lookEvery the time between two questions to the cluster while the load goes on
 * @param rampUp the time in which rates are reached; empty for what is usual
 * @param guards what must hold while the load goes on, beside what is guarded anyway; on labs too
 */
public record LoadLimits(
        double diskReserve,
        Quantity maxRate,
        long maxBytes,
        Consent consent,
        Duration lookEvery,
        Optional<Duration> rampUp,
        List<Check> guards) {
    /** 20 % of each disk, 50 MB/s, 50 GB; and nobody who could consent. */
    public static final LoadLimits DEFAULT = new LoadLimits(
            0.2,
            new Quantity(50e6, Unit.PAYLOAD_BYTES),
            50_000_000_000L,
            Consent.NONE,
            Duration.ofSeconds(10),
            Optional.empty(),
            List.of());

    private static final Duration USUAL_RAMP = Duration.ofSeconds(5);

    public LoadLimits {
        guards = List.copyOf(guards);
    }

    /** The same limits, with somebody else who may allow more. */
    public LoadLimits with(Consent other) {
        return new LoadLimits(diskReserve, maxRate, maxBytes, other, lookEvery, rampUp, guards);
    }

    /**
     * The warm-up of a trial, with the ramp before it. A trial that begins with the measured window has none unless it was
     * asked for, since its records come on top of those that the trial has.
     *
     * @param own whether nobody else can be on the cluster
     */
    public Warmup ramped(Scenario scenario, boolean own) {
        Warmup warmup = scenario.effectiveWarmup();
        boolean needless =
                own || warmup.atMost().isZero() || scenario.producers().isEmpty();
        return warmup.after(rampUp.orElse(needless ? Duration.ZERO : USUAL_RAMP));
    }

    /** Somebody who may allow what is beyond the limits. */
    @FunctionalInterface
    public interface Consent {
        Consent NONE = beyond -> false;
        Consent GIVEN = beyond -> true;

        /** @param beyond what the load would do, a sentence each; at least one */
        boolean to(List<Sentence> beyond);
    }
}
