package io.plimsoll.history;

import io.plimsoll.scenario.Figures;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A figure of one trial of one scenario, run after run.
 *
 * @param trial empty for a figure of the whole run
 * @param leftOut runs whose trial, or ceiling, is not usable
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
    /** Whether more of it is better, as of rates, or less, as of times; empty for counts and shares. */
    public Optional<Boolean> moreIsBetter() {
        return moreIsBetter(figure);
    }

    /** The same of any figure. */
    public static Optional<Boolean> moreIsBetter(String figure) {
        return figure.equals(HistoryFigures.CEILING) ? Optional.of(true) : Figures.moreIsBetter(figure);
    }

    /** Whether it is long enough for a change of its newest runs to be told from chance. */
    public boolean tellsChanges() {
        return values.size() >= History.SHORTEST;
    }

    /** Runs since the last shift; only as many as {@link History#SHORTEST} tell a further one from chance. */
    public int sinceLast() {
        return shifts.isEmpty()
                ? values.size()
                : values.size() - shifts.get(shifts.size() - 1).at();
    }

    /** Whether the host explains a shift. */
    public boolean ofHost(Shift shift) {
        return moreIsBetter().map(shift::ofHost).orElseGet(shift::otherMachine);
    }

    /** Shifts that began with one of the newest runs. */
    public List<Shift> recent(int newest) {
        return shifts.stream().filter(s -> s.at() >= values.size() - newest).toList();
    }

    /**
     * The worst shift that began with one of the newest runs, if all of those that the host does not explain come to a change for the
     * worse: a small one for the better does not undo what went before it.
     *
     * @param tolerance by what share it may be worse
     * @param newest how many runs count
     * @return empty also for a figure without a better side
     */
    public Optional<Shift> regression(double tolerance, int newest) {
        if (moreIsBetter().isEmpty()) {
            return Optional.empty();
        }
        boolean more = moreIsBetter().get();
        List<Shift> own = recent(newest).stream().filter(s -> !s.ofHost(more)).toList();
        double worse = own.stream().mapToDouble(s -> s.worse(more)).reduce(1, (a, b) -> a * b);
        return own.stream().max(Comparator.comparingDouble(s -> s.worse(more))).filter(worst -> worse > 1 + tolerance);
    }
}
