package io.plimsoll.history;

import io.plimsoll.scenario.Figures;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The values of a figure of one trial of one scenario, over its runs.
 *
 * @param trial empty for a figure of the whole run
 * @param leftOut number of runs left out because the trial or ceiling has no valid measurement
 * @param runs runs with the figure, by start time
 * @param values their values, in the figure's own unit
 */
record FigureSeries(
        String scenario,
        String trial,
        String figure,
        int leftOut,
        List<HistoryRun> runs,
        List<Double> values,
        List<Shift> shifts) {
    /** Whether higher values are better (rates) or lower values (times); empty for counts and shares. */
    Optional<Boolean> moreIsBetter() {
        return moreIsBetter(figure);
    }

    /** Whether higher values of a figure are better; empty for counts and shares. */
    static Optional<Boolean> moreIsBetter(String figure) {
        return figure.equals(RunHistory.CEILING) ? Optional.of(true) : Figures.moreIsBetter(figure);
    }

    /** Whether the series is long enough to distinguish a change in its newest runs from chance. */
    boolean canShowChanges() {
        return values.size() >= History.SHORTEST;
    }

    /** Number of runs since the last shift; another shift is detectable only after {@link History#SHORTEST} runs. */
    int sinceLast() {
        return shifts.isEmpty()
                ? values.size()
                : values.size() - shifts.get(shifts.size() - 1).at();
    }

    boolean ofHost(Shift shift) {
        return moreIsBetter().map(shift::ofHost).orElseGet(shift::otherMachine);
    }

    List<Shift> recent(int newest) {
        return shifts.stream().filter(s -> s.at() >= values.size() - newest).toList();
    }

    /**
     * The worst shift in the newest runs that the host does not explain. Empty unless all these shifts together are a
     * deterioration of more than {@code tolerance}. A small improvement does not cancel an earlier regression.
     *
     * @return also empty for a figure without a better direction
     */
    Optional<Shift> regression(double tolerance, int newest) {
        if (moreIsBetter().isEmpty()) {
            return Optional.empty();
        }
        boolean more = moreIsBetter().get();
        List<Shift> own = recent(newest).stream().filter(s -> !s.ofHost(more)).toList();
        double worse = own.stream().mapToDouble(s -> s.worse(more)).reduce(1, (a, b) -> a * b);
        return own.stream().max(Comparator.comparingDouble(s -> s.worse(more))).filter(worst -> worse > 1 + tolerance);
    }
}
