package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.report.Table.Grid;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.Difference;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.LoadCurve;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.Side;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.result.Units;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A comparison as a document: the result, the differences in setup, then the figures. */
public final class ComparisonText {
    private static final int MOST_DIFFERENCES = 25;
    private static final int LONGEST_NAME = 60;
    /** Maximum number of points of a curve; no screen can show more. */
    private static final int MOST_POINTS = 600;

    public static String terminal(Comparison comparison, Look look) {
        return TerminalText.of(document(comparison, false), look);
    }

    public static String markdown(Comparison comparison, Language language) {
        return Markdown.of(document(comparison, true), language);
    }

    /** @param full whether to show all differences; also moves the gate from the end to below the verdict */
    private static Document document(Comparison comparison, boolean full) {
        Document document = new Document(Sentence.of("report.title.comparison"))
                .add(Block.verdict(mark(comparison), comparison.sentence()));
        Block gate = comparison.gate() == null
                ? Block.NONE
                : Block.remarks(mark(comparison.gate()), List.of(gate(comparison.gate())));
        if (full) {
            document.add(gate);
        }
        document.add(Block.rows(sides(comparison)));
        List<Difference> all = comparison.differences();
        int more = full ? 0 : Math.max(0, all.size() - MOST_DIFFERENCES);
        document.add(
                "whatDiffers",
                Block.rows(new Table<>(differences(comparison), all.subList(0, all.size() - more))),
                Block.aside(all.isEmpty() ? Sentence.of("report.alike") : Sentence.NONE),
                Block.aside(more > 0 ? Sentence.of("report.moreDifferences", more) : Sentence.NONE));
        document.add("worthKnowing", Block.remarks(Mark.NOTE, remarks(comparison)));
        comparison
                .trials()
                .forEach(pair ->
                        document.add(Sentence.verbatim(pair.name()), parameters(pair), Block.rows(figures(pair))));
        document.add("ceilings", Block.rows(ceilings(comparison)));
        document.add(Block.aside(basis(comparison)));
        return full ? document : document.add(gate);
    }

    private static List<Sentence> remarks(Comparison comparison) {
        List<Sentence> remarks = new ArrayList<>(comparison.warnings());
        remarks.addAll(comparison.unpaired());
        return remarks;
    }

    private static Block parameters(TrialPair pair) {
        String parameters = parameters(pair.parameters());
        return Block.aside(Sentence.verbatim(parameters.equals(pair.name()) ? "" : parameters));
    }

    private static final int MOST_UNDECIDED = 4;

    private static Table<Side> sides(Comparison comparison) {
        return Table.of(
                comparison.sides(),
                Column.text("side", Side::label),
                Column.text("what", Side::what),
                Column.text("started", 2, s -> String.valueOf(s.startedAt()).replaceAll("\\.\\d+Z", "Z")),
                Column.text("from", ComparisonText::runs));
    }

    private static Object runs(Side side) {
        int more = side.runs().size() - 1;
        return more == 0
                ? side.runs().get(0)
                : Sentence.of("report.compare.runs", side.runs().get(0), more);
    }

    private static List<Column<Difference>> differences(Comparison comparison) {
        List<Column<Difference>> columns = new ArrayList<>();
        columns.add(Column.text(
                "differs",
                d -> Sentence.of(
                        d.unfair() ? "report.compare.unfairFact" : "report.compare.fact",
                        Sentence.term("report.fact.", d.what()))));
        columns.add(Column.text("of", 1, d -> Sentence.term("report.group.", d.group())));
        for (int i = 0; i < comparison.sides().size(); i++) {
            int side = i;
            columns.add(Column.named(
                    comparison.sides().get(i).label(),
                    false,
                    0,
                    d -> d.values().get(side) == null
                            ? Table.NONE
                            : Sentence.term(
                                    "report.factValue.", Text.cut(d.values().get(side), 60))));
        }
        return columns;
    }

    private static Table<FigureLine> figures(TrialPair pair) {
        return Table.of(
                pair.figures(),
                Column.text("figure", FigureLine::figure),
                Column.named(pair.first(), true, 0, l -> value(l.first(), l.unit())),
                Column.named(pair.second(), true, 0, l -> value(l.second(), l.unit())),
                Column.named(pair.second() + " ÷ " + pair.first(), true, 0, ComparisonText::ratio),
                Column.text("interval", 1, ComparisonText::interval).ifIn(pair.figures()),
                Column.text("difference", l -> new Table.Judged(mark(l.outcome()), finding(l))));
    }

    private static String value(@Nullable Double value, String unit) {
        return value == null ? Table.NONE : Units.figure(value, unit);
    }

    private static String ratio(FigureLine line) {
        if (line.interval() != null) {
            return Comparer.ratio(line.interval().ratio());
        }
        OptionalDouble ratio = line.ratio();
        return ratio.isPresent() ? Comparer.ratio(ratio.getAsDouble()) : Table.NONE;
    }

    private static @Nullable String interval(FigureLine line) {
        RatioInterval i = line.interval();
        return line.outcome() == Outcome.UNKNOWN || i == null
                ? null
                : Comparer.ratio(i.low()) + "–" + Comparer.ratio(i.high());
    }

    private static Mark mark(Outcome outcome) {
        return outcome == Outcome.BETTER ? Mark.GOOD : outcome == Outcome.WORSE ? Mark.BAD : Mark.NONE;
    }

    private static Sentence finding(FigureLine line) {
        return switch (line.outcome()) {
            case BETTER -> Sentence.of("report.compare.better");
            case WORSE -> Sentence.of("report.compare.worse");
            case NO_DIFFERENCE -> {
                // This outcome requires an interval that covers the variation between runs, so a detectable difference
                // is known.
                double detectable = Objects.requireNonNull(line.detectable());
                yield detectable < Comparison.Gate.MOST_TELLING
                        ? Sentence.of("report.compare.none", detectable(detectable))
                        : Sentence.of("report.compare.varies");
            }
            case UNKNOWN ->
                Sentence.of(line.ratio().isPresent() ? "report.compare.undecided" : "report.compare.notMeasured");
        };
    }

    private static String detectable(double share) {
        return share < 1 ? Units.percent(share) : "×" + Units.about(1 + share);
    }

    private static Table<CeilingPair> ceilings(Comparison comparison) {
        List<CeilingPair> pairs = comparison.ceilings();
        boolean several = pairs.stream().anyMatch(c -> !c.parameters().isEmpty());
        Sentence first = Sentence.of(
                "report.compare.ceilingOf", pairs.isEmpty() ? "" : pairs.get(0).first());
        return Table.of(
                pairs,
                several ? Column.text("setting", c -> parameters(c.parameters())) : null,
                new Column<>(first::in, true, 0, c -> bounds(c.firstBounds())),
                Column.number(
                        "ofTheOther", c -> Sentence.of("report.compare.other", c.second(), bounds(c.secondBounds()))),
                Column.text(
                        "finding",
                        c -> Sentence.of(
                                switch (c.outcome()) {
                                    case BETTER -> "report.compare.higher";
                                    case WORSE -> "report.compare.lower";
                                    case NO_DIFFERENCE -> "report.compare.overlap";
                                    case UNKNOWN -> "report.compare.undecided";
                                })));
    }

    private record Load(String side, CurvePoint point) {}

    private static Table<Load> loads(CeilingPair pair) {
        return Table.of(
                pair.loads().stream()
                        .flatMap(c -> c.points().stream().map(p -> new Load(c.side(), p)))
                        .toList(),
                Column.text("side", Load::side),
                Column.number("offeredRecordsPerSecond", Units::rate, l -> l.point.offeredRecordsPerSecond()),
                Column.number("acknowledgedRecordsPerSecond", Units::rate, l -> l.point.recordsPerSecond()),
                Column.number("megabytes", Units::megabytes, l -> l.point.bytesPerSecond()),
                Column.number("p50", Table::micros, l -> l.point.p50()),
                Column.number("p99", Table::micros, l -> l.point.p99()),
                Column.text(
                        "verdict",
                        l -> Sentence.of(l.point.passed() ? "report.compare.passed" : "report.compare.failed")),
                Column.text("whyNot", l -> reasons(l.point)));
    }

    private static Sentence reasons(CurvePoint point) {
        return point.reasons() == null ? Sentence.NONE : Sentence.of("report.compare.reasons", point.reasons());
    }

    private static Sentence bounds(Comparison.CeilingBounds b) {
        String lower = b.lower() == null ? "?" : Units.rate(b.lower());
        String upper = b.upper() == null ? "?" : Units.rate(b.upper());
        return Sentence.of("report.compare.bounds", lower, upper);
    }

    private static String parameters(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }

    /** The source of the intervals in one sentence; empty without intervals. */
    private static Sentence basis(Comparison comparison) {
        Set<Comparison.Basis> bases = comparison.trials().stream()
                .flatMap(t -> t.figures().stream())
                .filter(l -> l.basis() != null && l.outcome() != Outcome.UNKNOWN)
                .map(FigureLine::basis)
                .collect(Collectors.toSet());
        return bases.isEmpty()
                ? Sentence.NONE
                : Sentence.of("report.basis." + bases.iterator().next().text());
    }

    private static Sentence gate(Comparison.Gate gate) {
        String allowed = Units.percent(gate.tolerance());
        if (!gate.regressions().isEmpty()) {
            return Sentence.of("report.gate.regression", allowed, gate.regressions());
        }
        if (!gate.unmeasured().isEmpty()) {
            return Sentence.of("report.gate.unmeasured", allowed, gate.unmeasured());
        }
        if (!gate.undecided().isEmpty()) {
            return Sentence.of("report.gate.undecided", allowed, Sentence.list(gate.undecided(), MOST_UNDECIDED));
        }
        Sentence passed = Sentence.of("report.gate.passed", allowed);
        return gate.notExcluded().isEmpty()
                ? passed
                : Sentence.joined(List.of(passed, Sentence.of("report.gate.notExcluded", gate.notExcluded())));
    }

    private static Mark mark(Comparison.Gate gate) {
        return gate.passed() ? Mark.GOOD : gate.regressions().isEmpty() ? Mark.UNKNOWN : Mark.BAD;
    }

    private static Mark mark(Comparison comparison) {
        return anyOutcome(comparison, Outcome.WORSE)
                ? Mark.BAD
                : anyOutcome(comparison, Outcome.BETTER)
                        ? Mark.GOOD
                        : anyOutcome(comparison, Outcome.NO_DIFFERENCE) ? Mark.SAME : Mark.UNKNOWN;
    }

    private static boolean anyOutcome(Comparison comparison, Outcome outcome) {
        return comparison.trials().stream().flatMap(t -> t.figures().stream()).anyMatch(l -> l.outcome() == outcome)
                || comparison.ceilings().stream().anyMatch(c -> c.outcome() == outcome);
    }

    /** {@code passed}, {@code failed} or {@code unknown}. */
    private static String state(Comparison.Gate gate) {
        return gate.passed() ? "passed" : gate.regressions().isEmpty() ? "unknown" : "failed";
    }

    /** {@code worse}, {@code better}, {@code both}, {@code same} or {@code unknown}. */
    private static String state(Comparison comparison) {
        boolean worse = anyOutcome(comparison, Outcome.WORSE);
        boolean better = anyOutcome(comparison, Outcome.BETTER);
        if (worse || better) {
            return worse && better ? "both" : worse ? "worse" : "better";
        }
        return anyOutcome(comparison, Outcome.NO_DIFFERENCE) ? "same" : "unknown";
    }

    public static Object page(Comparison c) {
        Comparison.Gate gate = c.gate();
        return new PageView(
                c.sides().stream()
                        .map(s -> s.label() + " " + Text.cut(s.what(), LONGEST_NAME))
                        .collect(Collectors.joining(", ")),
                c.sentence(),
                state(c),
                gate == null ? null : new GateView(state(gate), gate(gate)),
                remarks(c),
                sides(c).grid(),
                new Table<>(differences(c), c.differences()).grid(),
                c.trials().stream().map(ComparisonText::view).toList(),
                c.ceilings().isEmpty() ? null : ceilings(c).grid(),
                c.ceilings().stream()
                        .filter(p ->
                                p.loads().stream().anyMatch(l -> !l.points().isEmpty()))
                        .map(p -> new CeilingView(
                                parameters(p.parameters()), p.first(), p.second(), p.loads(), loads(p).grid()))
                        .toList(),
                basis(c));
    }

    /** @param bounds of the ceilings; null without a search */
    private record PageView(
            String names,
            Sentence sentence,
            String state,
            @Nullable GateView gate,
            List<Sentence> remarks,
            Grid sides,
            Grid differences,
            List<TrialView> trials,
            @Nullable Grid bounds,
            List<CeilingView> ceilings,
            Sentence basis) {}

    private record GateView(String state, Sentence text) {}

    /**
     * @param intervals for each row, low end, ratio and high end as factors (above 1: worse); an element is null
     *     without an interval
     */
    private record TrialView(
            String name,
            String parameters,
            String first,
            String second,
            Grid figures,
            List<String> outcomes,
            List<double @Nullable []> intervals,
            List<CurveView> curves) {}

    /** @param t seconds since the start */
    private record CurveView(String side, List<Long> t, Map<String, List<Double>> columns) {}

    private record CeilingView(String parameters, String first, String second, List<LoadCurve> loads, Grid table) {}

    private static TrialView view(TrialPair pair) {
        long end = pair.curves().stream()
                .flatMap(curve -> curve.seconds().stream())
                .mapToLong(second -> Math.round(second.at()))
                .max()
                .orElse(0);
        long step = Math.max(1, (end + MOST_POINTS - 1) / MOST_POINTS);
        return new TrialView(
                pair.name(),
                parameters(pair.parameters()),
                pair.first(),
                pair.second(),
                figures(pair).grid(),
                pair.figures().stream().map(l -> l.outcome().text()).toList(),
                pair.figures().stream().map(ComparisonText::worse).toList(),
                pair.curves().stream().map(curve -> view(curve, step)).toList());
    }

    /** Converts an interval to factors; a factor above 1 means worse: more time or less throughput. */
    private static double @Nullable [] worse(FigureLine line) {
        RatioInterval i = line.interval();
        if (i == null || line.outcome() == Outcome.UNKNOWN) {
            return null;
        }
        return line.moreIsBetter()
                ? new double[] {1 / i.high(), 1 / i.ratio(), 1 / i.low()}
                : new double[] {i.low(), i.ratio(), i.high()};
    }

    /** @param step seconds per point, equal for all curves of a chart, so that their points have the same times */
    private static CurveView view(Comparison.Curve curve, long step) {
        Map<Long, List<Second>> stretches = new TreeMap<>();
        for (Second second : curve.seconds()) {
            // An entry of a minute can cover several stretches.
            long from = Math.max(0, Math.round(second.at() - second.length()));
            long last = Math.max(from, Math.round(second.at()) - 1);
            for (long stretch = from / step; stretch <= last / step; stretch++) {
                stretches.computeIfAbsent(stretch, s -> new ArrayList<>()).add(second);
            }
        }
        Map<String, List<Double>> columns = new LinkedHashMap<>();
        columns.put("bytes", highest(stretches.values(), s -> s.rates().producedBytes()));
        columns.put("p99", highest(stretches.values(), s -> s.response().responseP99()));
        columns.put("consumed", highest(stretches.values(), s -> s.rates().consumed()));
        return new CurveView(
                curve.side(),
                stretches.keySet().stream().map(stretch -> stretch * step + 1).toList(),
                columns);
    }

    /** Reduces the points of a curve but keeps its peaks. */
    private static List<Double> highest(Collection<List<Second>> stretches, Function<Second, Number> value) {
        return stretches.stream()
                .map(stretch -> stretch.stream()
                        .map(value)
                        .filter(Objects::nonNull)
                        .map(Number::doubleValue)
                        .max(Comparator.naturalOrder())
                        .orElse(null))
                .toList();
    }
}
