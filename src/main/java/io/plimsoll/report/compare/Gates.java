package io.plimsoll.report.compare;

import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.Gate;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.stats.RatioInterval;
import java.util.ArrayList;
import java.util.List;

/** Whether anything is worse by more than was allowed, and surely so. */
final class Gates {
    private Gates() {}

    static Gate gate(double tolerance, List<TrialPair> trials, List<CeilingPair> ceilings) {
        List<String> regressions = new ArrayList<>();
        List<String> undecided = new ArrayList<>();
        for (TrialPair pair : trials) {
            for (FigureLine line : pair.figures()) {
                String where = line.figure() + " of " + pair.name() + " in " + pair.second();
                if (line.interval() == null) {
                    boolean missing = line.first() != null && line.second() == null;
                    undecided.add(where + (missing ? " (not measured)" : " (too little to tell)"));
                } else if (worstCase(line, false) > tolerance) {
                    regressions.add(where);
                } else if (worstCase(line, true) > tolerance) {
                    undecided.add(where);
                }
            }
        }
        ceilings.stream().filter(c -> lost(c) > tolerance).forEach(c -> regressions.add("ceiling in " + c.second()));
        return new Gate(tolerance, regressions.isEmpty(), List.copyOf(regressions), List.copyOf(undecided));
    }

    /** The share by which a figure is worse at one end of its interval: at the kinder one, or at the other. */
    private static double worstCase(FigureLine line, boolean worst) {
        RatioInterval i = line.interval();
        boolean time = line.unit().equals("us");
        return FigureComparison.worseBy(line, time == worst ? i.high() : i.low());
    }

    /** The least share that was lost. */
    private static double lost(CeilingPair pair) {
        Double before = pair.firstBounds().lower();
        Double after = pair.secondBounds().upper();
        return before == null || after == null || before == 0 ? 0 : 1 - after / before;
    }
}
