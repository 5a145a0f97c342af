package io.plimsoll.run;

import io.plimsoll.result.Progress;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/** Searches for the ceiling of one cell of a plan after the other. Used by one thread. */
final class CeilingRun {
    /** The wait for what is late: beyond the ceiling everything is. */
    static final Duration DRAIN_LIMIT = Duration.ofSeconds(4);

    /**
     * The parts that the searches of a run share.
     *
     * @param host on which the load is made
     */
    record SearchContext(
            CeilingRequest request,
            Trials trials,
            KnownHost host,
            ClusterSession cluster,
            Consumer<TimelineEvent> timeline,
            Progress progress,
            DiskWatch disk,
            Interruption interruption) {}

    /** Makes trials, each from its topics to its clean-up. */
    interface Trials {
        /** @param faultsStay its faults stay in effect when it is over */
        TrialResult make(Plan.Trial trial, boolean faultsStay);

        default TrialResult make(Plan.Trial trial) {
            return make(trial, false);
        }
    }

    private final SearchContext context;
    private final SearchTrials.Cells found;
    private final long startNanos = System.nanoTime();

    CeilingRun(SearchContext context, Plan plan) {
        this.context = context;
        this.found = SearchTrials.cells(plan);
    }

    void execute() {
        found.leftOut().forEach(text -> context.timeline()
                .accept(new TimelineEvent.Note(Instant.now(), null, "warning", text)));
        List<Plan.Trial> cells = found.cells();
        for (int i = 0; i < cells.size() && !context.interruption().requested(); i++) {
            search(cells.get(i), cells.size() > 1, budgetSeconds() / (cells.size() - i));
        }
    }

    private void search(Plan.Trial cell, boolean named, double seconds) {
        if (context.request().extras().without().isPresent()) {
            new OutageSearch(context, cell).execute(seconds);
        } else {
            new CellSearch(context, cell, named, null, seconds).execute();
        }
    }

    private double budgetSeconds() {
        return context.request()
                .maxDuration()
                .map(d -> d.toNanos() / 1e9 - (System.nanoTime() - startNanos) / 1e9)
                .orElse(Double.POSITIVE_INFINITY);
    }
}
