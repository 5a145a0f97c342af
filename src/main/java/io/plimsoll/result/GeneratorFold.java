package io.plimsoll.result;

import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window;
import io.plimsoll.result.Generator.BusiestThread;
import io.plimsoll.result.GeneratorLimit.Load;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds up what the load generator used after the warm-up, and says whether it was the limit, see {@link GeneratorLimit}. */
final class GeneratorFold {
    private GeneratorSample sum = GeneratorSample.ZERO;
    private final Map<String, Long> busiestNanos = new TreeMap<>();
    private double busyNanos;
    private long behind;
    private long heldNanos;
    /** The same two when the window began. */
    private long behindBefore;

    private long heldBeforeNanos;

    void accept(Snapshot s) {
        if (s.phase() != Phase.WARMUP) {
            accept(s.generator());
        }
        if (s.phase() != Phase.DRAIN) {
            for (Window window : List.of(s.warmup(), s.measured())) {
                behind += window.produce().due() - window.produce().sent();
            }
            // Earlier versions told of the buffer alone.
            heldNanos += Math.max(s.wire().heldNanos(), s.wire().bufferWaitNanos());
        }
        if (s.phase() == Phase.WARMUP) {
            behindBefore = behind;
            heldBeforeNanos = heldNanos;
        }
    }

    private void accept(GeneratorSample sample) {
        sum = sum.plus(sample);
        if (!sample.busiestThread().isEmpty()) {
            busiestNanos.merge(sample.busiestThread(), sample.elapsedNanos(), Long::sum);
            busyNanos += sample.busiestThreadShare() * sample.elapsedNanos();
        }
    }

    /** Everything after the warm-up. */
    GeneratorSample sum() {
        return sum;
    }

    /** @param due records, of which fewer may have fallen due than were counted where the trial was stopped */
    Load load(double seconds, long due, ProduceCounts measured) {
        long missing = due - measured.volume().arrived() - measured.errorTotal();
        return new Load(seconds, due, Math.max(0, missing), Math.max(0, behind));
    }

    /** @param calibratedShare done ÷ what can be done on this host; null if it was not calibrated for that */
    GeneratorLimit limit(Load load, int clients, ProduceCounts.Times times, Double calibratedShare) {
        BusiestThread busiest = busiest();
        return GeneratorLimit.of(
                load,
                new GeneratorLimit.Times(
                        held(load, clients),
                        times.sendDelay().meanMicros(),
                        sum.kept().answerWaitMicros(),
                        times.responseTime().meanMicros()),
                new GeneratorLimit.Use(
                        busiest == null ? 0 : busiest.share(),
                        sum.kept().starvedShare(),
                        sum.kept().stoodShare(),
                        calibratedShare));
    }

    private GeneratorLimit.Held held(Load load, int clients) {
        double before = heldBeforeNanos / 1e9 / Math.max(1, clients);
        double all = heldNanos / 1e9 / Math.max(1, clients);
        double backlog = load.perSecond() > 0 ? Math.max(0, behindBefore) / load.perSecond() : 0;
        return new GeneratorLimit.Held(before, all - before, Math.min(before, backlog));
    }

    /** @param records produced plus consumed */
    Generator figures(long records, GeneratorLimit limit, Double calibratedShare) {
        double seconds = sum.elapsedNanos() / 1e9;
        double cpuSeconds = sum.cpuNanos() / 1e9;
        // Who loses its core while it spins has used less of it than the clock says.
        double spunSeconds = Math.min(cpuSeconds, sum.wakeUps().spunNanos() / 1e9);
        return new Generator(
                new Generator.Cpu(
                        cpuSeconds,
                        seconds == 0 ? 0 : cpuSeconds / seconds,
                        records == 0 ? null : sum.cpuNanos() / 1e3 / records,
                        busiest()),
                new Generator.Ticks(sum.ticks(), sum.lateTicks(), seconds == 0 ? 0 : spunSeconds / seconds),
                sum.gcNanos() / 1e9,
                sum.heapUsedBytes(),
                limit.cause() != GeneratorLimit.Cause.NONE,
                calibratedShare,
                new Generator.Part(limit.missingShare(), limit.responseShare(), kept()));
    }

    private Generator.Kept kept() {
        GeneratorSample.Kept kept = sum.kept();
        return kept.watchedNanos() == 0
                ? null
                : new Generator.Kept(kept.stoodShare(), kept.starvedShare(), kept.answerWaitMicros());
    }

    /** The thread that was busiest for most of the time, with the mean share of whichever was busiest. */
    private BusiestThread busiest() {
        long nanos = busiestNanos.values().stream().mapToLong(Long::longValue).sum();
        if (nanos == 0) {
            return null;
        }
        String name = busiestNanos.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        return new BusiestThread(name, busyNanos / nanos);
    }
}
