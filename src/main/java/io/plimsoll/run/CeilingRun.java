package io.plimsoll.run;

import io.plimsoll.result.Progress;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Plan;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Searches for the ceiling of each cell of a plan in turn. Confined to one thread. */
final class CeilingRun {
    /** Drain limit; beyond the ceiling every record is late. */
    static final Duration DRAIN_LIMIT = Duration.ofSeconds(4);

    /** Objects shared by the searches of a run. */
    record SearchContext(CeilingRequest request, Trials trials, RunContext run) {
        boolean interrupted() {
            return run.interruption().requested();
        }

        Progress progress() {
            return run.recording().progress();
        }

        Consumer<TimelineEvent> timeline() {
            return run.recording().timeline();
        }

        void warn(Sentence text) {
            timeline().accept(new TimelineEvent.Note(Instant.now(), null, "warning", text));
        }
    }

    /** Runs complete trials, from topic creation to clean-up. */
    interface Trials {
        /** @param faultsStay leave the trial's faults in effect at its end */
        TrialResult make(Plan.Trial trial, boolean faultsStay);
    }

    private CeilingRun() {}

    static void execute(SearchContext context, Plan plan) {
        long startNanos = System.nanoTime();
        SearchTrials.Cells found = SearchTrials.cells(plan);
        found.leftOut().forEach(context::warn);
        List<Plan.Trial> cells = found.cells();
        for (int i = 0; i < cells.size() && !context.interrupted(); i++) {
            double left = context.request()
                    .maxDuration()
                    .map(most -> (most.toNanos() - (System.nanoTime() - startNanos)) / 1e9)
                    .orElse(Double.POSITIVE_INFINITY);
            search(context, cells.get(i), cells.size() > 1, left / (cells.size() - i));
        }
    }

    private static void search(SearchContext context, Plan.Trial cell, boolean named, double seconds) {
        if (context.request().extras().without().isPresent()) {
            OutageSearch.of(context, cell).execute(seconds);
        } else {
            new CellSearch(context, cell, named, null, seconds).execute();
        }
    }
}
