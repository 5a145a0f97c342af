package io.plimsoll.history;

import io.plimsoll.scenario.Check.Dimension;
import java.util.List;
import java.util.Optional;

/**
 * A figure of one trial of one scenario, run after run.
 *
 * @param trial empty for a figure of the whole run
 * @param leftOut runs whose trial, or ceiling, is no measure of the cluster
 * @param runs that have the figure, in the order in which they began
 * @param values theirs, in the figure's own unit
 * @param shifts in the same order
 */
public record FigureSeries(
        String scenario,
        String trial,
        String figure,
        int leftOut,
        List<HistoryRun> runs,
        List<Double> values,
        List<Shift> shifts) {
    /** Whether more of it is better, as of rates; of times less is. */
    public boolean moreIsBetter() {
        return History.dimension(figure) != Dimension.MICROSECONDS;
    }

    /** Whether it is long enough for a change of its newest runs to be told from chance. */
    public boolean tellsChanges() {
        return values.size() >= History.SHORTEST;
    }

    /**
     * The last shift, if it is one for the worse that the host does not explain and that began with one of the newest runs.
     *
     * @param tolerance by what share it may be worse
     * @param newest how many runs count
     */
    public Optional<Shift> regression(double tolerance, int newest) {
        return shifts.stream()
                .reduce((first, second) -> second)
                .filter(s -> s.at() >= values.size() - newest)
                .filter(s -> s.worse(moreIsBetter()) > 1 + tolerance)
                .filter(s -> !s.ofHost(moreIsBetter()));
    }
}
