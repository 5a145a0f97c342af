package io.plimsoll.history;

import io.plimsoll.scenario.Figures;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A figure of one trial of one scenario over its runs.
 *
 * @param trial empty for a figure of the whole run
 * @param leftOut number of runs with an invalid trial or ceiling
 * @param runs with the figure, by start time
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

    /** Whether it is long enough to detect a change of its newest runs. */
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
     * The worst shift that began with one of the newest runs, if the shifts that the host does not explain add up to a
     * regression: a small improvement does not cancel an earlier regression.
     *
     * @param tolerance accepted relative regression
     * @param newest number of newest runs to check
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
