package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.ProduceFigures;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One row a ceiling, and one row a load that was measured on the way. */
final class CeilingTables {
    private CeilingTables() {}

    /** Two rows for a ceiling with criteria of the user, one otherwise. */
    record Row(Ceiling ceiling, Object what, Bound bound) {}

    static Table<Row> bounds(List<Ceiling> ceilings) {
        List<Row> rows = new ArrayList<>();
        Set<String> parameters = new LinkedHashSet<>();
        for (Ceiling c : ceilings) {
            if (c.found().withinSlo() != null) {
                rows.add(new Row(c, c.found().slo(), c.found().withinSlo()));
            }
            rows.add(new Row(c, Sentence.of("report.sustained"), c.found().sustained()));
            parameters.addAll(c.parameters().keySet());
        }
        List<Column<Row>> columns = new ArrayList<>();
        for (String path : parameters) {
            columns.add(Column.named(TrialColumns.shortName(path, parameters), false, 0, r -> r.ceiling()
                    .parameters()
                    .getOrDefault(path, Table.NONE)));
        }
        columns.add(Column.text("ceiling", Row::what));
        columns.add(
                Column.number("passed", 0, r -> lower(r) + perSecond(r.bound().lowerRecordsPerSecond())));
        columns.add(Column.number("failed", 0, r -> perSecond(r.bound().upperRecordsPerSecond())));
        columns.add(
                Column.number("megabytes", 2, Table::megabytes, r -> r.bound().lowerBytesPerSecond()));
        columns.add(Column.number("to", 3, Table::megabytes, r -> r.bound().upperBytesPerSecond()));
        columns.add(Column.number("fullTrials", 4, r -> String.valueOf(r.bound().trials())));
        columns.add(Column.text("found", 1, r -> found(r.ceiling())));
        return new Table<>(columns, rows);
    }

    private static String lower(Row row) {
        boolean least = row.ceiling().course().generatorLimited() || row.bound().upperRecordsPerSecond() == null;
        return least && row.bound().lowerRecordsPerSecond() != null ? "≥ " : "";
    }

    private static String perSecond(Double recordsPerSecond) {
        return recordsPerSecond == null ? Table.NONE : Units.rate(recordsPerSecond) + "/s";
    }

    private static Sentence found(Ceiling c) {
        return Sentence.of(
                switch (c.course().end()) {
                    case Ceiling.FOUND ->
                        c.course().irregular()
                                ? "report.found.irregular"
                                : c.course().confirmed() ? "report.found.confirmed" : "report.found.yes";
                    case Ceiling.MOST_REACHED -> "report.found.most";
                    case Ceiling.NOTHING_PASSES -> "report.found.nothing";
                    case Ceiling.GENERATOR_LIMITED -> "report.found.generator";
                    case Ceiling.OUT_OF_TIME -> "report.found.outOfTime";
                    default -> "report.found.stopped";
                });
    }

    private static Object acknowledged(CurvePoint p) {
        String rate = Units.rate(p.recordsPerSecond());
        return ProduceFigures.aboveOffered(p.recordsPerSecond(), p.offeredRecordsPerSecond())
                ? Sentence.of("report.withBacklog", rate)
                : rate;
    }

    static Table<CurvePoint> curve(Ceiling ceiling) {
        return new Table<>(
                List.of(
                        Column.text("", p -> Mark.of(p.passed())),
                        Column.number("offeredPerSecond", 0, Units::rate, p -> p.offeredRecordsPerSecond()),
                        Column.number("recordsPerSecond", 0, CeilingTables::acknowledged),
                        Column.number("megabytes", 3, Units::megabytes, p -> p.bytesPerSecond()),
                        Column.number("respP50", 2, Table::micros, p -> p.p50()),
                        Column.number("respP99", 0, Table::micros, p -> p.p99()),
                        Column.text(
                                "whyNot",
                                1,
                                p -> p.reasons().isEmpty() || p.passed()
                                        ? ""
                                        : p.reasons().get(0))),
                ceiling.curve());
    }
}
