package io.plimsoll.run;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Warmup;
import java.time.Duration;
import java.util.List;

/**
 * A worker's part of a trial.
 *
 * @param producers the worker's clients of each producer entry
 * @param consumers the worker's group members of each consumer entry
 * @param connections the worker's part of each entry of connections
 * @param selfWarmup time limit for warming up the worker's own code; zero to disable the warm-up
 * @param warmup end of the warm-up; set later if it depends on the load
 */
public record TrialAssignment(
        String trial,
        Scenario scenario,
        LoadContext context,
        EndToEndSource endToEnd,
        List<Slice> producers,
        List<Slice> consumers,
        List<Slice> connections,
        Duration selfWarmup,
        WarmupEnd warmup) {

    public TrialAssignment(
            String trial,
            Scenario scenario,
            LoadContext context,
            EndToEndSource endToEnd,
            List<Slice> producers,
            List<Slice> consumers,
            List<Slice> connections,
            Duration selfWarmup) {
        this(
                trial,
                scenario,
                context,
                endToEnd,
                producers,
                consumers,
                connections,
                selfWarmup,
                end(scenario.effectiveWarmup()));
    }

    private static WarmupEnd end(Warmup warmup) {
        return warmup.steady()
                ? WarmupEnd.later()
                : WarmupEnd.after(warmup.atMost().toNanos());
    }

    public TrialAssignment(String trial, Scenario scenario, LoadContext context, EndToEndSource endToEnd) {
        this(
                trial,
                scenario,
                context,
                endToEnd,
                scenario.producers().stream().map(p -> Slice.all(p.clients())).toList(),
                scenario.consumers().stream()
                        .map(c -> Slice.all(c.groups() * c.members()))
                        .toList(),
                scenario.connections().stream().map(c -> Slice.all(c.count())).toList(),
                Duration.ZERO);
    }

    /** A copy with a self warm-up. */
    public TrialAssignment withSelfWarmup(Duration limit) {
        return new TrialAssignment(trial, scenario, context, endToEnd, producers, consumers, connections, limit);
    }

    /** The trial clock for a start on which the workers agreed. */
    public TrialClock clock(WorkerBarrier.Start agreed) {
        long window =
                scenario.boundByRecords() ? Long.MAX_VALUE : scenario.window().toNanos();
        return new TrialClock(agreed.startNanos(), warmup, window, agreed.epochOffsetNanos());
    }
}
