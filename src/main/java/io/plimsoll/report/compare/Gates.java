package io.plimsoll.report.compare;

import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.Gate;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** Whether anything is worse by more than was allowed, and surely so. */
final class Gates {
    private Gates() {}

    static Gate gate(double tolerance, List<TrialPair> trials, List<CeilingPair> ceilings) {
        List<Sentence> regressions = new ArrayList<>();
        List<Sentence> undecided = new ArrayList<>();
        for (TrialPair pair : trials) {
            for (FigureLine line : pair.figures()) {
                if (line.interval() == null) {
                    boolean missing = line.first() != null && line.second() == null;
                    undecided.add(where(missing ? "report.compare.missing" : "report.compare.unsure", line, pair));
                } else if (worstCase(line, false) > tolerance) {
                    regressions.add(where("report.compare.where", line, pair));
                } else if (worstCase(line, true) > tolerance) {
                    undecided.add(where("report.compare.where", line, pair));
                }
            }
        }
        ceilings.stream()
                .filter(c -> lost(c) > tolerance)
                .forEach(c -> regressions.add(Sentence.of("report.compare.ceilingIn", c.second())));
        return new Gate(tolerance, regressions.isEmpty(), List.copyOf(regressions), List.copyOf(undecided));
    }

    private static Sentence where(String key, FigureLine line, TrialPair pair) {
        return Sentence.of(key, line.figure(), pair.name(), pair.second());
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
