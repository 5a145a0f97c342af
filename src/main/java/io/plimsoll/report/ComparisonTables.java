package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.Basis;
import io.plimsoll.report.compare.Comparison.CeilingBounds;
import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.Difference;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.Side;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.report.compare.Ratios;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What the terminal, Markdown and HTML show of a comparison in the same words. */
final class ComparisonTables {
    static final String MISSING = "(none)";
    /** Of what would show only if it were ten times as much nothing is known. */
    private static final double MOST_TELLING = 9;

    private ComparisonTables() {}

    static List<Column<Side>> sides() {
        return List.of(
                new Column<>("side", false, 0, Side::label),
                new Column<>("what", false, 0, Side::what),
                new Column<>(
                        "started", false, 2, s -> String.valueOf(s.startedAt()).replaceAll("\\.\\d+Z", "Z")),
                new Column<>("from", false, 0, ComparisonTables::runs));
    }

    private static String runs(Side side) {
        int more = side.runs().size() - 1;
        return side.runs().get(0) + (more == 0 ? "" : " and " + more + " more");
    }

    static List<Column<Difference>> differences(Comparison comparison) {
        List<Column<Difference>> columns = new ArrayList<>();
        columns.add(new Column<>("differs", false, 0, d -> (d.unfair() ? "! " : "") + d.what()));
        columns.add(new Column<>("of", false, 1, Difference::group));
        for (int i = 0; i < comparison.sides().size(); i++) {
            int side = i;
            columns.add(new Column<>(
                    comparison.sides().get(i).label(),
                    false,
                    0,
                    d -> d.values().get(side) == null
                            ? MISSING
                            : Text.cut(d.values().get(side), 60)));
        }
        return columns;
    }

    static List<Column<FigureLine>> figures(TrialPair pair) {
        return List.of(
                new Column<>("figure", false, 0, FigureLine::figure),
                new Column<>(pair.first(), true, 0, l -> value(l.first(), l.unit())),
                new Column<>(pair.second(), true, 0, l -> value(l.second(), l.unit())),
                new Column<>(pair.second() + " ÷ " + pair.first(), true, 0, ComparisonTables::ratio),
                new Column<>("95 % interval", false, 1, ComparisonTables::interval),
                new Column<>("difference", false, 0, ComparisonTables::finding));
    }

    static String value(Double value, String unit) {
        return value == null ? TrialColumns.NONE : Units.figure(value, unit);
    }

    private static String ratio(FigureLine line) {
        if (line.interval() != null) {
            return Ratios.ratio(line.interval().ratio());
        }
        boolean both = line.first() != null && line.second() != null && line.first() > 0;
        return both ? Ratios.ratio(line.second() / line.first()) : TrialColumns.NONE;
    }

    private static String interval(FigureLine line) {
        return line.interval() == null
                ? TrialColumns.NONE
                : Ratios.ratio(line.interval().low()) + "–"
                        + Ratios.ratio(line.interval().high());
    }

    static String finding(FigureLine line) {
        return switch (line.outcome()) {
            case BETTER -> "✓ better";
            case WORSE -> "✗ worse";
            case NO_DIFFERENCE ->
                line.detectable() < MOST_TELLING
                        ? "= none detectable below " + detectable(line.detectable())
                        : "= varies too much to tell";
            case UNKNOWN ->
                line.first() == null || line.second() == null ? "? not measured on both sides" : "? too little to tell";
        };
    }

    private static String detectable(double share) {
        return share < 1 ? Units.percent(share) : "×" + Units.about(1 + share);
    }

    static List<Column<CeilingPair>> ceilings(Comparison comparison) {
        CeilingPair one = comparison.ceilings().get(0);
        boolean several =
                comparison.ceilings().stream().anyMatch(c -> !c.parameters().isEmpty());
        List<Column<CeilingPair>> columns = new ArrayList<>();
        if (several) {
            columns.add(new Column<>("setting", false, 0, c -> parameters(c.parameters())));
        }
        columns.add(new Column<>("ceiling of " + one.first(), true, 0, c -> bounds(c.firstBounds())));
        columns.add(new Column<>("of the other", true, 0, c -> c.second() + " " + bounds(c.secondBounds())));
        columns.add(new Column<>("finding", false, 0, c -> switch (c.outcome()) {
            case BETTER -> "✓ higher";
            case WORSE -> "✗ lower";
            default -> "= the bounds overlap";
        }));
        return columns;
    }

    /** A load that a search of one side tried. */
    record Load(String side, CurvePoint point) {}

    static List<Load> loadsOf(CeilingPair pair) {
        return pair.loads().stream()
                .flatMap(c -> c.points().stream().map(p -> new Load(c.side(), p)))
                .toList();
    }

    static List<Column<Load>> loads() {
        return List.of(
                new Column<>("side", false, 0, Load::side),
                new Column<>(
                        "offered records/s", true, 0, l -> Units.rate(l.point().offeredRecordsPerSecond())),
                new Column<>(
                        "acknowledged records/s",
                        true,
                        0,
                        l -> Units.rate(l.point().recordsPerSecond())),
                new Column<>("MB/s", true, 0, l -> Units.megabytes(l.point().bytesPerSecond())),
                new Column<>("p50", true, 0, l -> micros(l.point().p50())),
                new Column<>("p99", true, 0, l -> micros(l.point().p99())),
                new Column<>("verdict", false, 0, l -> l.point().passed() ? "✓ passed" : "✗ failed"),
                new Column<>("why not", false, 0, l -> reasons(l.point())));
    }

    private static String micros(Long micros) {
        return micros == null ? TrialColumns.NONE : Units.micros(micros);
    }

    static String reasons(CurvePoint point) {
        return point.reasons() == null
                ? ""
                : point.reasons().stream().map(Sentence::english).collect(Collectors.joining("; "));
    }

    private static String bounds(CeilingBounds b) {
        String lower = b.lower() == null ? "?" : Units.rate(b.lower());
        String upper = b.upper() == null ? "?" : Units.rate(b.upper());
        return lower + " to " + upper + " records/s";
    }

    static String parameters(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }

    /** What the intervals of a comparison rest on, in a sentence; empty without intervals. */
    static String basis(Comparison comparison) {
        Set<Basis> bases = comparison.trials().stream()
                .flatMap(t -> t.figures().stream())
                .filter(l -> l.basis() != null)
                .map(FigureLine::basis)
                .collect(Collectors.toSet());
        if (bases.isEmpty()) {
            return "";
        }
        String from = bases.size() > 1
                ? "from runs where a side has several, else from the seconds within each run"
                : switch (bases.iterator().next()) {
                    case SECONDS -> "from the seconds within each run";
                    case RUNS -> "from several runs";
                    case PAIRS -> "from runs made in turns, pair by pair";
                };
        return "Intervals are " + from + "; in 95 of 100 cases they hold the true ratio.";
    }

    static String gate(Comparison.Gate gate) {
        String allowed = Units.percent(gate.tolerance());
        if (!gate.passed()) {
            return "Regression: worse by more than " + allowed + " for sure: " + String.join(", ", gate.regressions())
                    + ".";
        }
        return "No regression: nothing is worse by more than " + allowed + " for sure."
                + (gate.undecided().isEmpty()
                        ? ""
                        : " Not excluded either: " + String.join(", ", gate.undecided()) + ".");
    }

    static boolean anyOutcome(Comparison comparison, Outcome outcome) {
        return comparison.trials().stream().flatMap(t -> t.figures().stream()).anyMatch(l -> l.outcome() == outcome)
                || comparison.ceilings().stream().anyMatch(c -> c.outcome() == outcome);
    }
}
