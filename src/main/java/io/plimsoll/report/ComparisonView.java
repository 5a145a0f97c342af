package io.plimsoll.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.Curve;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.LoadCurve;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The data of a comparison page: the tables of terminal and Markdown, and the points of its charts.
 *
 * @param bounds of the ceilings; null without a search
 * @param basis source of the intervals
 */
public record ComparisonView(
        @JsonUnwrapped Heading heading,
        Grid sides,
        Grid differences,
        List<TrialView> trials,
        Grid bounds,
        List<CeilingView> ceilings,
        Sentence basis) {
    private static final int LONGEST_NAME = 60;
    /** More points than this no screen shows apart. */
    private static final int MOST_POINTS = 600;

    /**
     * The part above the tables.
     *
     * @param names of the sides, each with its label
     * @param state {@code worse}, {@code better}, {@code both}, {@code same} or {@code unknown}
     * @param gate null without a gate
     */
    public record Heading(String names, Sentence sentence, String state, GateView gate, List<Sentence> remarks) {}

    /** @param state {@code passed}, {@code failed} or {@code unknown} */
    public record GateView(String state, Sentence text) {}

    /**
     * @param outcomes of each row of the table
     * @param intervals of each row: low, ratio, high, as how many times worse; null without
     */
    public record TrialView(
            String name,
            String parameters,
            String first,
            String second,
            Grid figures,
            List<String> outcomes,
            List<double[]> intervals,
            List<CurveView> curves) {}

    /**
     * @param t seconds since the start
     * @param columns values or nulls by name, one for each second
     */
    public record CurveView(String side, List<Long> t, Map<String, List<Double>> columns) {}

    public record CeilingView(String parameters, String first, String second, List<LoadCurve> loads, Grid table) {}

    public static ComparisonView of(Comparison comparison) {
        return new ComparisonView(
                heading(comparison),
                Grid.of(new Table<>(ComparisonText.sides(), comparison.sides())),
                Grid.of(new Table<>(ComparisonText.differences(comparison), comparison.differences())),
                comparison.trials().stream().map(ComparisonView::trial).toList(),
                comparison.ceilings().isEmpty()
                        ? null
                        : Grid.of(new Table<>(ComparisonText.ceilings(comparison), comparison.ceilings())),
                comparison.ceilings().stream()
                        .filter(c ->
                                c.loads().stream().anyMatch(l -> !l.points().isEmpty()))
                        .map(ComparisonView::ceiling)
                        .toList(),
                ComparisonText.basis(comparison));
    }

    private static Heading heading(Comparison comparison) {
        List<Sentence> remarks = new ArrayList<>(comparison.warnings());
        remarks.addAll(comparison.unpaired());
        return new Heading(
                String.join(
                        ", ",
                        comparison.sides().stream()
                                .map(s -> s.label() + " " + Text.cut(s.what(), LONGEST_NAME))
                                .toList()),
                comparison.sentence(),
                state(comparison),
                comparison.gate() == null
                        ? null
                        : new GateView(gate(comparison.gate()), ComparisonText.gate(comparison.gate())),
                remarks);
    }

    private static String gate(Comparison.Gate gate) {
        return gate.passed() ? "passed" : gate.regressions().isEmpty() ? "unknown" : "failed";
    }

    private static String state(Comparison comparison) {
        boolean worse = ComparisonText.anyOutcome(comparison, Outcome.WORSE);
        boolean better = ComparisonText.anyOutcome(comparison, Outcome.BETTER);
        if (worse || better) {
            return worse && better ? "both" : worse ? "worse" : "better";
        }
        return ComparisonText.anyOutcome(comparison, Outcome.NO_DIFFERENCE) ? "same" : "unknown";
    }

    private static TrialView trial(TrialPair pair) {
        return new TrialView(
                pair.name(),
                ComparisonText.parameters(pair.parameters()),
                pair.first(),
                pair.second(),
                Grid.of(new Table<>(ComparisonText.figures(pair), pair.figures())),
                pair.figures().stream().map(l -> l.outcome().text()).toList(),
                pair.figures().stream().map(ComparisonView::worse).toList(),
                pair.curves().stream().map(ComparisonView::curve).toList());
    }

    /** More time is worse, and so is less throughput. */
    private static double[] worse(FigureLine line) {
        RatioInterval i = line.interval();
        if (i == null || line.outcome() == Outcome.UNKNOWN) {
            return null;
        }
        return line.unit().equals("us")
                ? new double[] {i.low(), i.ratio(), i.high()}
                : new double[] {1 / i.high(), 1 / i.ratio(), 1 / i.low()};
    }

    private static CurveView curve(Curve curve) {
        List<Second> seconds = curve.seconds();
        int step = Math.max(1, (seconds.size() + MOST_POINTS - 1) / MOST_POINTS);
        List<List<Second>> stretches = new ArrayList<>();
        for (int i = 0; i < seconds.size(); i += step) {
            stretches.add(seconds.subList(i, Math.min(seconds.size(), i + step)));
        }
        Map<String, List<Double>> columns = new LinkedHashMap<>();
        columns.put("bytes", highest(stretches, s -> s.rates().producedBytes()));
        columns.put("p99", highest(stretches, s -> asDouble(s.response().responseP99())));
        columns.put("consumed", highest(stretches, s -> s.rates().consumed()));
        return new CurveView(
                curve.side(),
                stretches.stream().map(s -> Math.round(s.get(0).at())).toList(),
                columns);
    }

    private static Double asDouble(Long value) {
        return value == null ? null : Double.valueOf(value);
    }

    /** Thinning keeps the peaks. */
    private static List<Double> highest(List<List<Second>> stretches, Function<Second, Double> value) {
        List<Double> all = new ArrayList<>();
        for (List<Second> stretch : stretches) {
            Double highest = null;
            for (Second second : stretch) {
                Double v = value.apply(second);
                highest = highest == null || (v != null && v > highest) ? v : highest;
            }
            all.add(highest);
        }
        return all;
    }

    private static CeilingView ceiling(CeilingPair pair) {
        return new CeilingView(
                ComparisonText.parameters(pair.parameters()),
                pair.first(),
                pair.second(),
                pair.loads(),
                Grid.of(new Table<>(ComparisonText.loads(), ComparisonText.loadsOf(pair))));
    }
}
