package io.plimsoll.report.compare;

import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.result.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells what a comparison comes to, as one would say it. */
final class ComparisonSentences {
    private ComparisonSentences() {}

    static String of(List<TrialPair> trials, List<CeilingPair> ceilings) {
        List<String> sentences = new ArrayList<>();
        Map<String, List<TrialPair>> bySide = new LinkedHashMap<>();
        trials.forEach(
                t -> bySide.computeIfAbsent(t.second(), s -> new ArrayList<>()).add(t));
        bySide.forEach((side, pairs) -> sentences.add(ofSide(pairs)));
        ceilings.forEach(c -> sentences.add(ofCeiling(c)));
        return String.join(" ", sentences);
    }

    private record Found(TrialPair pair, FigureLine line) {}

    private static String ofSide(List<TrialPair> pairs) {
        List<Found> all = pairs.stream()
                .flatMap(p -> p.figures().stream().map(f -> new Found(p, f)))
                .toList();
        List<Found> worse = with(all, Outcome.WORSE);
        List<Found> better = with(all, Outcome.BETTER);
        List<Found> same = with(all, Outcome.NO_DIFFERENCE);
        String first = pairs.get(0).first();
        String second = pairs.get(0).second();
        boolean several = pairs.size() > 1;
        if (worse.isEmpty() && better.isEmpty()) {
            return same.isEmpty()
                    ? "There is too little of " + first + " and " + second + " to tell them apart."
                    : "No difference between " + first + " and " + second + " shows in " + counted(same.size()) + ": "
                            + detectable(same);
        }
        List<String> parts = new ArrayList<>();
        if (!worse.isEmpty()) {
            parts.add("worse than " + first + " in " + worse.size() + " of " + counted(all.size()) + " ("
                    + largest(worse, several) + ")");
        }
        if (!better.isEmpty()) {
            String than = worse.isEmpty() ? "better than " + first + " in " : "better in ";
            parts.add(than + better.size() + (worse.isEmpty() ? " of " + counted(all.size()) : "") + " ("
                    + largest(better, several) + ")");
        }
        return second + " is " + String.join(", and ", parts) + ".";
    }

    private static List<Found> with(List<Found> all, Outcome outcome) {
        return all.stream().filter(f -> f.line().outcome() == outcome).toList();
    }

    private static String counted(int figures) {
        return figures + (figures == 1 ? " figure" : " figures");
    }

    private static String detectable(List<Found> same) {
        double least =
                same.stream().mapToDouble(f -> f.line().detectable()).min().orElse(0);
        double most =
                same.stream().mapToDouble(f -> f.line().detectable()).max().orElse(0);
        if (most >= 1) {
            return "the figures vary so much that even twice as much of some would not.";
        }
        return same.size() == 1
                ? "one of " + Units.percent(most) + " or more would have."
                : "depending on the figure, one of " + Units.percent(least) + " to " + Units.percent(most)
                        + " or more would have.";
    }

    private static String largest(List<Found> found, boolean several) {
        Optional<Found> largest = found.stream()
                .max(Comparator.comparingDouble(
                        f -> Math.abs(Math.log(f.line().interval().ratio()))));
        Found f = largest.orElseThrow();
        return (found.size() > 1 ? "most in " : "") + f.line().figure()
                + (several ? " of " + f.pair().name() : "") + ": "
                + Ratios.change(f.line().interval());
    }

    private static String ofCeiling(CeilingPair pair) {
        String of = pair.parameters().isEmpty() ? "" : " of " + pair.parameters();
        return switch (pair.outcome()) {
            case BETTER ->
                "The ceiling" + of + " of " + pair.second() + " is higher than that of " + pair.first() + ".";
            case WORSE -> "The ceiling" + of + " of " + pair.second() + " is lower than that of " + pair.first() + ".";
            default ->
                "The bounds of the ceilings" + of + " of " + pair.first() + " and " + pair.second()
                        + " overlap: no difference shows.";
        };
    }
}
