package io.plimsoll.report;

import io.plimsoll.report.Block.Remark;
import io.plimsoll.report.Table.Column;
import io.plimsoll.report.Table.Grid;
import io.plimsoll.report.Table.Judged;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Sheet;
import io.plimsoll.report.compare.Sheet.Cell;
import io.plimsoll.report.compare.Sheet.Row;
import io.plimsoll.result.Units;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A release sheet as a document: the findings of each side, then one table per scenario. */
public final class SheetText {
    private static final double MOST_NOISE = 9;

    public static String terminal(Sheet sheet, Look look) {
        return TerminalText.of(document(sheet), look);
    }

    public static String markdown(Sheet sheet, Language language) {
        return Markdown.of(document(sheet), language);
    }

    private static Document document(Sheet sheet) {
        Document document = new Document(title(sheet));
        Map<String, Table<Row>> tables = tables(sheet);
        for (int side = 1; side < sheet.sides().size(); side++) {
            List<Remark> remarks = remarks(sheet, side);
            document.add(
                    Sentence.verbatim(versus(sheet, side)), Block.text(summary(sheet, side)), Block.remarks(remarks));
        }
        tables.forEach((scenario, table) ->
                document.add(Sentence.verbatim(scenario), about(table.rows().get(0)), List.of(Block.rows(table))));
        return document.add(notes(sheet).stream().map(Block::aside).toArray(Block[]::new));
    }

    /** A finding to show on the page. */
    private record Finding(Outcome outcome, Sentence text) {}

    private record Section(String name, Sentence about, Grid grid, List<List<Outcome>> outcomes) {}

    private record Versus(String name, Sentence summary, List<Finding> findings) {}

    private record PageView(Sentence title, List<Versus> versus, List<Section> sections, List<Sentence> notes) {}

    /** The sheet as data of its page. */
    public static Object page(Sheet sheet) {
        List<Section> sections = new ArrayList<>();
        tables(sheet)
                .forEach((scenario, table) -> sections.add(new Section(
                        scenario,
                        about(table.rows().get(0)),
                        table.grid(),
                        table.rows().stream()
                                .map(row ->
                                        row.cells().stream().map(Cell::outcome).toList())
                                .toList())));
        List<Versus> all = IntStream.range(1, sheet.sides().size())
                .mapToObj(side -> new Versus(
                        versus(sheet, side),
                        summary(sheet, side),
                        found(sheet, side).stream()
                                .map(row -> new Finding(row.cells().get(side).outcome(), finding(row, side)))
                                .toList()))
                .toList();
        return new PageView(title(sheet), all, sections, notes(sheet));
    }

    private static Sentence title(Sheet sheet) {
        return Sentence.of(
                "report.sheet.title",
                sheet.sides().stream().map(Sheet.Side::name).collect(Collectors.joining(", ")));
    }

    private static String versus(Sheet sheet, int side) {
        return sheet.sides().get(side).name() + " ÷ "
                + sheet.sides().get(side - 1).name();
    }

    private static Sentence about(Row row) {
        return Sentence.both(row.about().getOrDefault("en", ""), row.about().getOrDefault("zh", ""));
    }

    private static Sentence summary(Sheet sheet, int side) {
        Map<Outcome, Long> counts = sheet.rows().stream()
                .map(row -> row.cells().get(side))
                .filter(cell -> cell.p() != null)
                .collect(Collectors.groupingBy(Cell::outcome, Collectors.counting()));
        DoubleSummaryStatistics noise = sheet.rows().stream()
                .map(row -> row.cells().get(side))
                .filter(cell -> cell.outcome() == Outcome.NO_DIFFERENCE)
                .mapToDouble(cell -> Objects.requireNonNull(cell.detectable()))
                .summaryStatistics();
        long all = counts.values().stream().mapToLong(Long::longValue).sum();
        if (all == 0) {
            return Sentence.of("report.sheet.none");
        }
        return Sentence.of(
                "report.sheet.summary",
                all,
                counts.getOrDefault(Outcome.BETTER, 0L),
                counts.getOrDefault(Outcome.WORSE, 0L),
                noise.getCount() == 0
                        ? Sentence.NONE
                        : Sentence.of("report.sheet.same", noise.getCount(), Units.percent(noise.getMax())),
                counts.getOrDefault(Outcome.UNKNOWN, 0L));
    }

    private static List<Row> found(Sheet sheet, int side) {
        return sheet.rows().stream()
                .filter(row -> List.of(Outcome.WORSE, Outcome.BETTER)
                        .contains(row.cells().get(side).outcome()))
                .toList();
    }

    private static List<Remark> remarks(Sheet sheet, int side) {
        return found(sheet, side).stream()
                .map(row -> new Remark(mark(row.cells().get(side)), finding(row, side), List.of()))
                .toList();
    }

    private static Sentence finding(Row row, int side) {
        return Sentence.of(
                "report.sheet.finding",
                row.scenario(),
                row.trial(),
                row.figure(),
                Comparer.change(Objects.requireNonNull(row.cells().get(side).change())));
    }

    private static Map<String, Table<Row>> tables(Sheet sheet) {
        Map<String, List<Row>> byScenario = sheet.rows().stream()
                .collect(Collectors.groupingBy(Row::scenario, LinkedHashMap::new, Collectors.toList()));
        Map<String, Table<Row>> tables = new LinkedHashMap<>();
        byScenario.forEach((scenario, rows) -> tables.put(scenario, new Table<>(columns(sheet), rows)));
        return tables;
    }

    private static List<Column<Row>> columns(Sheet sheet) {
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(Column.text("trial", -1, Row::trial));
        columns.add(Column.text("figure", -1, Row::figure));
        int last = sheet.sides().size() - 1;
        columns.add(value(sheet, 0, 0));
        for (int side = 1; side <= last; side++) {
            int at = side;
            columns.add(Column.named(
                    versus(sheet, side), false, 0, row -> change(row.cells().get(at))));
        }
        columns.add(value(sheet, last, 2));
        columns.add(Column.number("report.sheet.noise", 1, SheetText::noise));
        return columns;
    }

    private static Column<Row> value(Sheet sheet, int side, int rank) {
        return Column.named(sheet.sides().get(side).name(), true, rank, row -> {
            Double value = row.cells().get(side).value();
            return value == null ? null : Units.figure(value >= 1000 ? Math.rint(value) : value, row.unit());
        });
    }

    private static @Nullable Judged change(Cell cell) {
        RatioInterval change = cell.change();
        return change == null
                ? null
                : new Judged(
                        mark(cell),
                        Sentence.verbatim(mark(cell).in(Language.EN) + " " + Comparer.ratio(change.ratio())));
    }

    private static Mark mark(Cell cell) {
        return switch (cell.outcome()) {
            case BETTER -> Mark.GOOD;
            case WORSE -> Mark.BAD;
            case NO_DIFFERENCE -> Mark.SAME;
            case UNKNOWN -> Mark.UNKNOWN;
        };
    }

    /** The largest difference that noise could hide. */
    private static @Nullable String noise(Row row) {
        return row.cells().stream()
                .map(Cell::detectable)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .map(most -> most < 1 ? Units.percent(most) : most < MOST_NOISE ? "×" + Units.about(1 + most) : "> ×10")
                .orElse(null);
    }

    private static List<Sentence> notes(Sheet sheet) {
        List<Sentence> notes = new ArrayList<>();
        notes.add(Sentence.of(
                "report.sheet.method",
                sheet.rows().stream()
                        .flatMap(row -> row.cells().stream())
                        .mapToInt(Sheet.Cell::rounds)
                        .max()
                        .orElse(0),
                Units.percent(Sheet.FALSE_DISCOVERIES),
                Units.percent(Sheet.MOST_TELLING)));
        int invalid = sheet.rows().stream()
                .flatMap(row -> row.cells().stream())
                .mapToInt(Cell::invalid)
                .sum();
        Sentence.addIf(invalid > 0, notes, "report.sheet.invalid", invalid);
        return notes;
    }
}
