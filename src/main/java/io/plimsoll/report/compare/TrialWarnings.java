package io.plimsoll.report.compare;

import io.plimsoll.report.compare.ComparedSides.ComparedTrial;
import io.plimsoll.report.compare.ComparedSides.Side;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** Warns of what the figures of trials do not say by themselves. */
final class TrialWarnings {
    private TrialWarnings() {}

    static List<Sentence> of(List<Side> sides) {
        List<Sentence> warnings = new ArrayList<>();
        List<ComparedTrial> all = sides.stream()
                .flatMap(s -> s.groups().stream())
                .flatMap(g -> g.trials().stream())
                .toList();
        boolean closedLoop = all.stream()
                .map(m -> m.trial().produce())
                .anyMatch(p -> p != null
                        && Boolean.TRUE.equals(p.schedule().closedLoop())
                        && p.times().responseTime() != null);
        if (closedLoop) {
            warnings.add(Sentence.of("report.compare.closedLoop"));
        }
        errors(sides, warnings);
        boolean single = sides.stream()
                .allMatch(s -> !s.pairs()
                        && s.groups().stream().allMatch(g -> g.trials().size() == 1));
        if (single) {
            warnings.add(Sentence.of("report.compare.oneRun"));
        }
        return warnings;
    }

    private static void errors(List<Side> sides, List<Sentence> warnings) {
        List<String> counts = sides.stream()
                .map(s -> Units.count(s.groups().stream()
                        .flatMap(g -> g.trials().stream())
                        .mapToLong(m -> errors(m.trial()))
                        .sum()))
                .toList();
        if (counts.stream().distinct().count() > 1) {
            List<Sentence> parts = new ArrayList<>();
            for (int i = 0; i < sides.size(); i++) {
                parts.add(Sentence.of(
                        "report.compare.failedIn", counts.get(i), sides.get(i).label()));
            }
            warnings.add(Sentence.of("report.compare.failedRecords", parts));
        }
    }

    private static long errors(TrialResult t) {
        long produce = t.produce() == null || t.produce().errors() == null
                ? 0
                : t.produce().errors().total();
        long consume = t.consume() == null || t.consume().errors() == null
                ? 0
                : t.consume().errors().total();
        return produce + consume;
    }
}
