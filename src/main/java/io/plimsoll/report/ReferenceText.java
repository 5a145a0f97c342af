package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Shows published figures with the measured figures below each row, in the columns and order of the original. */
final class ReferenceText {
    static String title(RunResult result) {
        return quotes(result) ? "publishedAndMeasured" : "measured";
    }

    private static boolean quotes(RunResult result) {
        return result.published().tables().stream().anyMatch(ReferenceTable::quotes);
    }

    record Line(ReferenceTable.Row row, boolean measured) {}

    /** The caption of the table; empty if the scenario has no published figures. */
    static Sentence caption(RunResult result) {
        if (!quotes(result)) {
            return Sentence.NONE;
        }
        List<Sentence> said = new ArrayList<>();
        Sentence source = result.published().source();
        Sentence.addIf(source != null && !source.english().isBlank(), said, "report.published", source);
        said.add(
                result.head().scale() == 1
                        ? Sentence.of("report.atScaleOne")
                        : Sentence.of("report.atScale", scale(result.head().scale())));
        boolean binary = result.published().tables().stream()
                .flatMap(t -> t.columns().stream())
                .anyMatch(c -> "MiB/s".equals(c.unit()));
        Sentence.addIf(binary, said, "report.binary");
        return Sentence.joined(said);
    }

    static String scale(double scale) {
        int decimals = 0;
        while (decimals < 9
                && Math.abs(scale * Math.pow(10, decimals) - Math.rint(scale * Math.pow(10, decimals))) > 1e-9) {
            decimals++;
        }
        return Units.decimals(scale, decimals);
    }

    /** The number of columns before the first figure; these columns identify the rows. */
    private static int about(ReferenceTable table) {
        return (int) table.columns().stream().takeWhile(c -> c.figure() == null).count();
    }

    /** The number of leading columns needed to distinguish all rows. */
    private static int keys(ReferenceTable table, int about) {
        int keys = Math.min(1, about);
        while (keys < about && !distinct(table, keys)) {
            keys++;
        }
        return keys;
    }

    private static boolean distinct(ReferenceTable table, int keys) {
        return table.rows().stream()
                        .map(row -> row.published().subList(0, keys))
                        .distinct()
                        .count()
                == table.rows().size();
    }

    /** @param thousands whether to group digits, for readers rather than programs */
    static Table<Line> table(ReferenceTable table, boolean thousands) {
        List<Column<Line>> columns = new ArrayList<>();
        boolean labelled = !table.quotes();
        int keys = keys(table, about(table));
        for (int i = 0; i < table.columns().size(); i++) {
            ReferenceTable.Column column = table.columns().get(i);
            int index = i;
            if (column.figure() != null && !labelled) {
                columns.add(label());
                labelled = true;
            }
            String unit = column.unit();
            if (unit == null) {
                columns.add(new Column<>(
                        column.name()::in,
                        false,
                        i < keys ? -1 : 0,
                        l -> quoted(l, index, index > about(table), !thousands || !table.quotes())));
            } else {
                columns.add(new Column<>(column.name()::in, true, 0, l -> cell(l, index, unit, thousands)));
            }
        }
        List<Line> lines = table.rows().stream()
                .flatMap(row -> table.quotes()
                        ? Stream.of(new Line(row, false), new Line(row, true))
                        : Stream.of(new Line(row, true)))
                .toList();
        return new Table<>(columns, lines);
    }

    private static Column<Line> label() {
        return Column.text("", -1, l -> Sentence.of(l.measured() ? "report.row.measured" : "report.row.published"));
    }

    private static Object quoted(Line line, int index, boolean aboutFigures, boolean repeated) {
        Sentence value = line.row().published().get(index);
        if (line.measured() && !aboutFigures && !repeated) {
            return "";
        }
        return value == null || (line.measured() && aboutFigures) ? Table.NONE : value;
    }

    private static Object cell(Line line, int index, String unit, boolean thousands) {
        if (!line.measured()) {
            Sentence value = line.row().published().get(index);
            return value == null ? Table.NONE : value;
        }
        Double value = line.row().measured().get(index);
        return value == null ? Table.NONE : number(value, unit, thousands);
    }

    private static String number(double value, String unit, boolean thousands) {
        int decimals =
                switch (unit) {
                    case "MB/s", "MiB/s" -> 2;
                    case "records/s" -> value < 100 ? 1 : 0;
                    case "ms", "s", "min" -> value >= 100 ? 0 : value >= 10 ? 1 : 2;
                    case "%" -> 1;
                    default -> value < 10 && value != Math.rint(value) ? 1 : 0;
                };
        return thousands ? Units.decimals(value, decimals) : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
