package io.plimsoll.report.compare;

import io.plimsoll.report.compare.ComparedSides.ComparedTrial;
import io.plimsoll.report.compare.ComparedSides.Side;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import java.util.ArrayList;
import java.util.List;

/** Warns of what the figures of trials do not say by themselves. */
final class TrialWarnings {
    private TrialWarnings() {}

    static List<String> of(List<Side> sides) {
        List<String> warnings = new ArrayList<>();
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
            warnings.add("Without a rate, response times are mostly those of waiting in the producer's own buffer: they"
                    + " follow the throughput, and say little about the cluster.");
        }
        errors(sides, warnings);
        boolean single = sides.stream()
                .allMatch(s -> !s.pairs()
                        && s.groups().stream().allMatch(g -> g.trials().size() == 1));
        if (single) {
            warnings.add("One run a side: the intervals cover what varies within a run, and not what varies from run to"
                    + " run. Several runs a side, or 'run --ab', cover both.");
        }
        return warnings;
    }

    private static void errors(List<Side> sides, List<String> warnings) {
        List<String> counts = sides.stream()
                .map(s -> Units.count(s.groups().stream()
                        .flatMap(g -> g.trials().stream())
                        .mapToLong(m -> errors(m.trial()))
                        .sum()))
                .toList();
        if (counts.stream().distinct().count() > 1) {
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < sides.size(); i++) {
                parts.add(counts.get(i) + " in " + sides.get(i).label());
            }
            warnings.add("Failed records and requests are not in the figures: " + String.join(", ", parts) + ".");
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
