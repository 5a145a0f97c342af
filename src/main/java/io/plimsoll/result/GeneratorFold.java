package io.plimsoll.result;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.WireUse;
import io.plimsoll.result.GeneratorLimit.Load;
import io.plimsoll.result.SnapshotSum.BusiestThreads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds up the resource usage of the load generator, and decides whether it was the limit. */
final class GeneratorFold {
    private final BusiestThreads busiest = new BusiestThreads();
    private long behind;
    private long heldNanos;
    /** {@link #behind} and, in the next field, {@link #heldNanos} at the start of the window. */
    private long behindBefore;

    private long heldBeforeNanos;

    void accept(Snapshot s) {
        if (s.phase() != Phase.WARMUP) {
            busiest.add(s);
        }
        if (s.phase() != Phase.DRAIN) {
            for (Counts window : List.of(s.warmup(), s.measured())) {
                behind += window.get(Produced.DUE) - window.get(Produced.SENT);
            }
            // Versions before 1.0 counted only waits for the buffer.
            heldNanos += Math.max(s.whole().get(WireUse.HELD_NANOS), s.whole().get(WireUse.BUFFER_WAIT_NANOS));
        }
        if (s.phase() == Phase.WARMUP) {
            behindBefore = behind;
            heldBeforeNanos = heldNanos;
        }
    }

    /** @param due number of due records; lower than the number in {@code measured} if the trial was stopped */
    Load load(double seconds, long due, Counts measured) {
        long missing = due - measured.get(Produced.ARRIVED) - measured.total(Produced.ERRORS);
        return new Load(seconds, due, Math.max(0, missing), Math.max(0, behind));
    }

    /**
     * @param used time-based counts of everything after the warm-up
     * @param calibratedShare work done ÷ calibrated maximum of this host; null if it was not calibrated for this load
     */
    GeneratorLimit limit(Load load, int clients, Counts used, Counts measured, @Nullable Double calibratedShare) {
        double before = heldBeforeNanos / 1e9 / Math.max(1, clients);
        double backlog = load.perSecond() > 0 ? Math.max(0, behindBefore) / load.perSecond() : 0;
        return GeneratorLimit.of(
                load,
                new GeneratorLimit.Times(
                        before,
                        heldNanos / 1e9 / Math.max(1, clients) - before,
                        Math.min(before, backlog),
                        measured.get(Produced.SEND_DELAY).meanMicros(),
                        GeneratorUse.answerWaitMicros(used),
                        measured.get(Produced.RESPONSE_TIME).meanMicros()),
                new GeneratorLimit.Use(
                        busiest.mostOfTheTime().share(),
                        GeneratorUse.starvedShare(used),
                        GeneratorUse.stoodShare(used),
                        calibratedShare));
    }

    Generator figures(Counts used, long records, GeneratorLimit limit, @Nullable Double calibratedShare) {
        double seconds = used.get(GeneratorUse.ELAPSED_NANOS) / 1e9;
        double cpuSeconds = used.get(GeneratorUse.CPU_NANOS) / 1e9;
        // A thread that loses its core while it spins uses less CPU time than the time that passes.
        double spunSeconds = Math.min(cpuSeconds, used.get(GeneratorUse.SPUN_NANOS) / 1e9);
        GeneratorUse.Busiest thread = busiest.mostOfTheTime();
        return new Generator(
                new Generator.Cpu(
                        cpuSeconds,
                        seconds == 0 ? 0 : cpuSeconds / seconds,
                        records == 0 ? null : cpuSeconds * 1e6 / records,
                        thread.thread().isEmpty()
                                ? null
                                : new Generator.BusiestThread(thread.thread(), thread.share())),
                new Generator.Ticks(
                        used.get(GeneratorUse.TICKS),
                        used.get(GeneratorUse.LATE_TICKS),
                        seconds == 0 ? 0 : spunSeconds / seconds),
                used.get(GeneratorUse.GC_NANOS) / 1e9,
                used.get(GeneratorUse.HEAP_USED_BYTES),
                limit.cause() != GeneratorLimit.Cause.NONE,
                calibratedShare,
                new Generator.Part(limit.missingShare(), limit.responseShare(), kept(used)));
    }

    private static Generator.@Nullable Kept kept(Counts used) {
        return used.get(GeneratorUse.WATCHED_NANOS) == 0
                ? null
                : new Generator.Kept(
                        GeneratorUse.stoodShare(used),
                        GeneratorUse.starvedShare(used),
                        GeneratorUse.answerWaitMicros(used));
    }
}
