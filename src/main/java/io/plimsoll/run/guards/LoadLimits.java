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
 * Limits of a load without consent on a cluster that is not a lab.
 *
 * @param diskReserve share of each disk to keep free, 0 to 1; consent does not change it
 * @param maxRate rate of all producers of a trial together; in bytes, log bytes of one replica
 * @param maxBytes log bytes of all trials together, one replica
 * @param consent asked once, with all findings beyond the limits
 * @param lookEvery interval of queries to the cluster during the load
 * @param rampUp ramp-up time of rates; empty for the default
 * @param guards additional guards, also on labs
 */
public record LoadLimits(
        double diskReserve,
        Quantity maxRate,
        long maxBytes,
        Consent consent,
        Duration lookEvery,
        Optional<Duration> rampUp,
        List<Check> guards) {
    /** 20 % of each disk, 50 MB/s, 50 GB, and no consent. */
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

    /** A copy with another source of consent. */
    public LoadLimits with(Consent other) {
        return new LoadLimits(diskReserve, maxRate, maxBytes, other, lookEvery, rampUp, guards);
    }

    /**
     * The warm-up of a trial, including the ramp-up. A trial without a warm-up gets no ramp-up by default, since
     * its records add to the trial's.
     *
     * @param own whether the cluster is a lab
     */
    public Warmup ramped(Scenario scenario, boolean own) {
        Warmup warmup = scenario.effectiveWarmup();
        boolean needless =
                own || warmup.atMost().isZero() || scenario.producers().isEmpty();
        return warmup.after(rampUp.orElse(needless ? Duration.ZERO : USUAL_RAMP));
    }

    /** Source of consent to loads beyond the limits. */
    @FunctionalInterface
    public interface Consent {
        Consent NONE = beyond -> false;
        Consent GIVEN = beyond -> true;

        /** @param beyond one sentence per finding; at least one */
        boolean to(List<Sentence> beyond);
    }
}
