package io.plimsoll.report;

import io.plimsoll.report.Block.Paragraph;
import io.plimsoll.report.Block.Remarks;
import io.plimsoll.report.Block.Rows;
import io.plimsoll.report.Block.Verdict;
import io.plimsoll.report.Table.Column;
import io.plimsoll.report.Table.Judged;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.Basis;
import io.plimsoll.report.compare.Comparison.CeilingBounds;
import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.Difference;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.Side;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.report.compare.ComparisonSentences;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A comparison as a document: the result, the differences in setup, then the figures. */
public final class ComparisonText {
    private static final int MOST_DIFFERENCES = 25;

    private ComparisonText() {}

    /** @return lines that end with a line break */
    public static String terminal(Comparison comparison, Look look) {
        return TerminalText.of(document(comparison, false), look);
    }

    /** For a pull request or a wiki. */
    public static String markdown(Comparison comparison, Language language) {
        return Markdown.of(document(comparison, true), language);
    }

    /** @param full as a page, with all differences, and with the gate below the verdict instead of at the end */
    private static Document document(Comparison comparison, boolean full) {
        Document document = new Document(Sentence.of("report.title.comparison"))
                .add(new Verdict(mark(comparison), comparison.sentence()));
        Remarks gate = new Remarks(
                comparison.gate() == null
                        ? List.of()
                        : List.of(Block.Remark.of(mark(comparison.gate()), gate(comparison.gate()))));
        if (full) {
            document.add(gate);
        }
        document.add(new Rows(new Table<>(sides(), comparison.sides())));
        List<Difference> all = comparison.differences();
        int more = full ? 0 : Math.max(0, all.size() - MOST_DIFFERENCES);
        document.add(
                "whatDiffers",
                new Rows(new Table<>(differences(comparison), all.subList(0, all.size() - more))),
                new Paragraph(all.isEmpty() ? Sentence.of("report.alike") : Sentence.NONE, true),
                new Paragraph(more > 0 ? Sentence.of("report.moreDifferences", more) : Sentence.NONE, true));
        List<Sentence> remarks = new ArrayList<>(comparison.warnings());
        remarks.addAll(comparison.unpaired());
        document.add("worthKnowing", Remarks.of(Mark.NOTE, remarks));
        comparison
                .trials()
                .forEach(pair -> document.add(
                        Sentence.verbatim(pair.name()),
                        parameters(pair),
                        new Rows(new Table<>(figures(pair), pair.figures()))));
        if (!comparison.ceilings().isEmpty()) {
            document.add("ceilings", new Rows(new Table<>(ceilings(comparison), comparison.ceilings())));
        }
        document.add(new Paragraph(basis(comparison), true));
        return full ? document : document.add(gate);
    }

    private static Paragraph parameters(TrialPair pair) {
        String parameters = parameters(pair.parameters());
        return new Paragraph(Sentence.verbatim(parameters.equals(pair.name()) ? "" : parameters), true);
    }

    private static final int MOST_UNDECIDED = 4;

    static List<Column<Side>> sides() {
        return List.of(
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

    static List<Column<Difference>> differences(Comparison comparison) {
        List<Column<Difference>> columns = new ArrayList<>();
        columns.add(Column.text("differs", d -> (d.unfair() ? "! " : "") + d.what()));
        columns.add(Column.text("of", 1, d -> Sentence.term("report.group.", d.group())));
        for (int i = 0; i < comparison.sides().size(); i++) {
            int side = i;
            columns.add(Column.named(
                    comparison.sides().get(i).label(),
                    false,
                    0,
                    d -> d.values().get(side) == null
                            ? Sentence.of("report.compare.unset")
                            : Text.cut(d.values().get(side), 60)));
        }
        return columns;
    }

    static List<Column<FigureLine>> figures(TrialPair pair) {
        return List.of(
                Column.text("figure", FigureLine::figure),
                Column.named(pair.first(), true, 0, l -> value(l.first(), l.unit())),
                Column.named(pair.second(), true, 0, l -> value(l.second(), l.unit())),
                Column.named(pair.second() + " ÷ " + pair.first(), true, 0, ComparisonText::ratio),
                Column.text("interval", 1, ComparisonText::interval),
                Column.text("difference", l -> new Judged(mark(l.outcome()), finding(l))));
    }

    static String value(Double value, String unit) {
        return value == null ? Table.NONE : Units.figure(value, unit);
    }

    private static String ratio(FigureLine line) {
        if (line.interval() != null) {
            return ComparisonSentences.ratio(line.interval().ratio());
        }
        return line.hasRatio() ? ComparisonSentences.ratio(line.second() / line.first()) : Table.NONE;
    }

    private static String interval(FigureLine line) {
        return line.outcome() == Outcome.UNKNOWN || line.interval() == null
                ? Table.NONE
                : ComparisonSentences.ratio(line.interval().low()) + "–"
                        + ComparisonSentences.ratio(line.interval().high());
    }

    private static Mark mark(Outcome outcome) {
        return outcome == Outcome.BETTER ? Mark.GOOD : outcome == Outcome.WORSE ? Mark.BAD : Mark.NONE;
    }

    private static Sentence finding(FigureLine line) {
        return switch (line.outcome()) {
            case BETTER -> Sentence.of("report.compare.better");
            case WORSE -> Sentence.of("report.compare.worse");
            case NO_DIFFERENCE ->
                line.detectable() < Comparison.Gate.MOST_TELLING
                        ? Sentence.of("report.compare.none", detectable(line.detectable()))
                        : Sentence.of("report.compare.varies");
            case UNKNOWN -> Sentence.of(line.hasRatio() ? "report.compare.undecided" : "report.compare.notMeasured");
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
            columns.add(Column.text("setting", c -> parameters(c.parameters())));
        }
        columns.add(new Column<>(
                Sentence.of("report.compare.ceilingOf", one.first())::in, true, 0, c -> bounds(c.firstBounds())));
        columns.add(Column.number(
                "ofTheOther", c -> Sentence.of("report.compare.other", c.second(), bounds(c.secondBounds()))));
        columns.add(Column.text(
                "finding",
                c -> Sentence.of(
                        switch (c.outcome()) {
                            case BETTER -> "report.compare.higher";
                            case WORSE -> "report.compare.lower";
                            case NO_DIFFERENCE -> "report.compare.overlap";
                            case UNKNOWN -> "report.compare.undecided";
                        })));
        return columns;
    }

    record Load(String side, CurvePoint point) {}

    static List<Load> loadsOf(CeilingPair pair) {
        return pair.loads().stream()
                .flatMap(c -> c.points().stream().map(p -> new Load(c.side(), p)))
                .toList();
    }

    static List<Column<Load>> loads() {
        return List.of(
                Column.text("side", Load::side),
                Column.number("offeredRecordsPerSecond", 0, Units::rate, l -> l.point()
                        .offeredRecordsPerSecond()),
                Column.number("acknowledgedRecordsPerSecond", 0, Units::rate, l -> l.point()
                        .recordsPerSecond()),
                Column.number("megabytes", 0, Units::megabytes, l -> l.point().bytesPerSecond()),
                Column.number("p50", 0, Table::micros, l -> l.point().p50()),
                Column.number("p99", 0, Table::micros, l -> l.point().p99()),
                Column.text(
                        "verdict",
                        l -> Sentence.of(l.point().passed() ? "report.compare.passed" : "report.compare.failed")),
                Column.text("whyNot", l -> reasons(l.point())));
    }

    static Sentence reasons(CurvePoint point) {
        return point.reasons() == null ? Sentence.NONE : Sentence.of("report.compare.reasons", point.reasons());
    }

    private static Sentence bounds(CeilingBounds b) {
        String lower = b.lower() == null ? "?" : Units.rate(b.lower());
        String upper = b.upper() == null ? "?" : Units.rate(b.upper());
        return Sentence.of("report.compare.bounds", lower, upper);
    }

    static String parameters(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }

    /** The source of the intervals in one sentence; empty without intervals. */
    static Sentence basis(Comparison comparison) {
        Set<Basis> bases = comparison.trials().stream()
                .flatMap(t -> t.figures().stream())
                .filter(l -> l.basis() != null && l.outcome() != Outcome.UNKNOWN)
                .map(FigureLine::basis)
                .collect(Collectors.toSet());
        return bases.isEmpty()
                ? Sentence.NONE
                : Sentence.of("report.basis." + bases.iterator().next().text());
    }

    static Sentence gate(Comparison.Gate gate) {
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

    static Mark mark(Comparison.Gate gate) {
        return gate.passed() ? Mark.GOOD : gate.regressions().isEmpty() ? Mark.UNKNOWN : Mark.BAD;
    }

    /** The mark before the sentence of a comparison. */
    static Mark mark(Comparison comparison) {
        return anyOutcome(comparison, Outcome.WORSE)
                ? Mark.BAD
                : anyOutcome(comparison, Outcome.BETTER)
                        ? Mark.GOOD
                        : anyOutcome(comparison, Outcome.NO_DIFFERENCE) ? Mark.SAME : Mark.UNKNOWN;
    }

    static boolean anyOutcome(Comparison comparison, Outcome outcome) {
        return comparison.trials().stream().flatMap(t -> t.figures().stream()).anyMatch(l -> l.outcome() == outcome)
                || comparison.ceilings().stream().anyMatch(c -> c.outcome() == outcome);
    }
}
