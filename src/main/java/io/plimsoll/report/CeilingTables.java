package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.Units;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** One row a ceiling, and one row a load that was measured on the way. */
final class CeilingTables {
    private CeilingTables() {}

    /** Two rows for a ceiling with criteria of the user, one otherwise. */
    record Row(Ceiling ceiling, String what, Bound bound) {}

    static Table<Row> bounds(List<Ceiling> ceilings) {
        List<Row> rows = new ArrayList<>();
        Set<String> parameters = new LinkedHashSet<>();
        for (Ceiling c : ceilings) {
            if (c.found().withinSlo() != null) {
                rows.add(new Row(c, c.found().slo(), c.found().withinSlo()));
            }
            rows.add(new Row(c, "sustained", c.found().sustained()));
            parameters.addAll(c.parameters().keySet());
        }
        List<Column<Row>> columns = new ArrayList<>();
        for (String path : parameters) {
            columns.add(text(
                    TrialColumns.shortName(path, parameters),
                    r -> r.ceiling().parameters().getOrDefault(path, TrialColumns.NONE)));
        }
        columns.add(text("ceiling", Row::what));
        columns.add(number("passed", 0, r -> lower(r) + rate(r.bound().lowerRecordsPerSecond())));
        columns.add(number("failed", 0, r -> rate(r.bound().upperRecordsPerSecond())));
        columns.add(number("MB/s", 2, r -> megabytes(r.bound().lowerBytesPerSecond())));
        columns.add(number("to", 3, r -> megabytes(r.bound().upperBytesPerSecond())));
        columns.add(number("full trials", 4, r -> String.valueOf(r.bound().trials())));
        columns.add(new Column<>("found", false, 1, r -> found(r.ceiling())));
        return new Table<>(columns, rows);
    }

    private static String lower(Row row) {
        boolean least = row.ceiling().course().generatorLimited() || row.bound().upperRecordsPerSecond() == null;
        return least && row.bound().lowerRecordsPerSecond() != null ? "≥ " : "";
    }

    private static String rate(Double recordsPerSecond) {
        return recordsPerSecond == null ? TrialColumns.NONE : Units.rate(recordsPerSecond) + "/s";
    }

    private static String megabytes(Double bytesPerSecond) {
        return bytesPerSecond == null ? TrialColumns.NONE : Units.megabytes(bytesPerSecond);
    }

    private static String found(Ceiling c) {
        return switch (c.course().end()) {
            case Ceiling.FOUND ->
                c.course().irregular() ? "irregular" : c.course().confirmed() ? "confirmed" : "yes";
            case Ceiling.MOST_REACHED -> "most that was asked for";
            case Ceiling.NOTHING_PASSES -> "nothing passes";
            case Ceiling.GENERATOR_LIMITED -> "generator-limited";
            case Ceiling.OUT_OF_TIME -> "time was over";
            default -> "stopped";
        };
    }

    static Table<CurvePoint> curve(Ceiling ceiling) {
        return new Table<>(
                List.of(
                        text("", p -> p.passed() ? "✓" : "✗"),
                        number("offered/s", 0, p -> Units.rate(p.offeredRecordsPerSecond())),
                        number("records/s", 0, p -> Units.rate(p.recordsPerSecond())),
                        number("MB/s", 3, p -> Units.megabytes(p.bytesPerSecond())),
                        number("resp p50", 2, p -> TrialColumns.micros(p.p50())),
                        number("resp p99", 0, p -> TrialColumns.micros(p.p99())),
                        new Column<>(
                                "why not",
                                false,
                                1,
                                p -> p.reasons().isEmpty() || p.passed()
                                        ? ""
                                        : p.reasons().get(0).english())),
                ceiling.curve());
    }

    private static <T> Column<T> text(String header, Function<T, String> cell) {
        return new Column<>(header, false, 0, cell);
    }

    private static <T> Column<T> number(String header, int rank, Function<T, String> cell) {
        return new Column<>(header, true, rank, cell);
    }
}
