package io.plimsoll.run;

import io.plimsoll.result.Progress;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Searches for the ceiling of one cell of a plan after the other. Used by one thread. */
final class CeilingRun {
    /** The wait for what is late: beyond the ceiling everything is. */
    static final Duration DRAIN_LIMIT = Duration.ofSeconds(4);

    /**
     * The parts that the searches of a run share.
     *
     * @param trials makes a trial from its topics to its clean-up
     * @param host on which the load is made
     * @param brokers ids of all
     */
    record SearchContext(
            CeilingRequest request,
            Function<Plan.Trial, TrialResult> trials,
            KnownHost host,
            List<Integer> brokers,
            Consumer<TimelineEvent> timeline,
            Progress progress,
            DiskWatch disk,
            Interruption interruption) {}

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
            new CellSearch(context, cells.get(i), cells.size() > 1, budgetSeconds() / (cells.size() - i)).execute();
        }
    }

    private double budgetSeconds() {
        return context.request()
                .maxDuration()
                .map(d -> d.toNanos() / 1e9 - (System.nanoTime() - startNanos) / 1e9)
                .orElse(Double.POSITIVE_INFINITY);
    }
}
