package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.text.Sentence;
import java.util.function.UnaryOperator;

/**
 * Collects the clock error of each second of a trial and removes latencies below it. The worst error counts for the
 * whole trial.
 */
final class ClockFold {
    /** Brokers on the same host share a clock with a resolution of one millisecond. */
    private static final double ONE_CLOCK_MICROS = 1_000;

    private final boolean brokersHere;
    private Long clocks;
    private Long appends;

    /** @param brokersHere brokers and the only worker are on one host */
    ClockFold(boolean brokersHere) {
        this.brokersHere = brokersHere;
    }

    void accept(Snapshot s) {
        if (s.phase() != Phase.WARMUP) {
            clocks = Snapshot.worst(clocks, s.clockErrorNanos());
            if (s.appendErrorNanos() != null) {
                long between = s.clockErrorNanos() == null ? 0 : s.clockErrorNanos();
                appends = Snapshot.worst(appends, s.appendErrorNanos() + between);
            }
        }
    }

    /** Maximum clock difference between workers; the initial one if no second reports it, null with a single clock. */
    Double errorMicros(Double atStart) {
        return clocks == null ? atStart : Double.valueOf(clocks / 1e3);
    }

    /** Null if a latency is whole; otherwise why figures are left out. */
    static Sentence unknown(Latency measured, Latency left, Double errorMicros) {
        return left.equals(measured) ? null : Sentence.of("result.lessThanClocksTell", Units.micros(errorMicros));
    }

    FromAppend fromAppend(Counts counts) {
        long negative = counts.get(Consumed.NEGATIVE_FROM_APPEND);
        if (counts.get(Consumed.END_TO_END_FROM_APPEND).isEmpty() && negative == 0) {
            return FromAppend.NONE;
        }
        Latency measured = LatencyFigures.of(counts.get(Consumed.END_TO_END_FROM_APPEND));
        if (brokersHere) {
            return new FromAppend(measured, negative, ONE_CLOCK_MICROS, null);
        }
        Double error = appends == null ? null : Double.valueOf(appends / 1e3);
        Latency left = error == null ? measured : known(measured, error);
        return new FromAppend(left, negative, error, unknown(measured, left, error));
    }

    /** The distribution without values below the clock error. */
    static Latency known(Latency all, double leastMicros) {
        UnaryOperator<Long> known = micros -> micros == null || micros < leastMicros ? null : micros;
        TrialResult.Percentiles p = all.percentiles();
        return new Latency(
                all.unit(),
                all.count(),
                known.apply(all.min()),
                all.mean() == null || all.mean() < leastMicros ? null : all.mean(),
                new TrialResult.Percentiles(
                        known.apply(p.p50()),
                        known.apply(p.p75()),
                        known.apply(p.p90()),
                        known.apply(p.p95()),
                        known.apply(p.p99()),
                        known.apply(p.p999()),
                        known.apply(p.p9999())),
                known.apply(all.max()));
    }
}
