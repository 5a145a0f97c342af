package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.ReferenceTable.Row;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Published figures and, below each line of them, what was measured: the original's columns in the original's order. */
final class ReferenceText {
    private static final String PUBLISHED = "published";
    private static final String MEASURED = "measured";

    private ReferenceText() {}

    /** Half a row of a table. */
    record Line(Row row, boolean measured) {}

    /** Where the figures are from, and at which scale ours were taken. */
    static String caption(RunResult result) {
        String source = result.published().source() == null
                        || result.published().source().isBlank()
                ? ""
                : "Published: " + result.published().source();
        String scale = result.head().scale() == 1
                ? "Measured: at scale 1, the original's."
                : "Measured: at scale " + scale(result.head().scale())
                        + " of the original's numbers of records and lengths of time.";
        boolean binary = result.published().tables().stream()
                .flatMap(t -> t.columns().stream())
                .anyMatch(c -> "MiB/s".equals(c.unit()));
        scale += binary ? " MB are 2^20 bytes here, as Kafka's own tools print them." : "";
        return (source.isEmpty() || source.endsWith(".") ? source : source + ".")
                + (source.isEmpty() ? "" : " ")
                + scale;
    }

    /** With as many decimals as it has. */
    static String scale(double scale) {
        int decimals = 0;
        while (decimals < 9
                && Math.abs(scale * Math.pow(10, decimals) - Math.rint(scale * Math.pow(10, decimals))) > 1e-9) {
            decimals++;
        }
        return Units.decimals(scale, decimals);
    }

    /** @param thousands group digits, as people read numbers and machines do not */
    static Table<Line> table(ReferenceTable table, boolean thousands) {
        return table(table, thousands, !thousands);
    }

    /** @param repeated say what a row is about in its second line, too */
    private static Table<Line> table(ReferenceTable table, boolean thousands, boolean repeated) {
        List<Column<Line>> columns = new ArrayList<>();
        int rank = 0;
        boolean labelled = false;
        for (int i = 0; i < table.columns().size(); i++) {
            ReferenceTable.Column column = table.columns().get(i);
            int index = i;
            if (column.figure() != null && !labelled) {
                columns.add(label());
                labelled = true;
            }
            if (column.figure() == null) {
                columns.add(new Column<>(
                        column.name(),
                        false,
                        labelled ? ++rank : 0,
                        l -> quoted(l, index, labelledBefore(table, index), repeated)));
            } else {
                columns.add(new Column<>(column.name(), true, ++rank, l -> cell(l, index, column.unit(), thousands)));
            }
        }
        if (!labelled) {
            columns.add(label());
        }
        List<Line> lines = new ArrayList<>();
        for (Row row : table.rows()) {
            lines.add(new Line(row, false));
            lines.add(new Line(row, true));
        }
        return new Table<>(columns, lines);
    }

    private static Column<Line> label() {
        return new Column<>("", false, 0, l -> l.measured() ? MEASURED : PUBLISHED);
    }

    /** A column after the first figure says something about the figures, one before says what the row is about. */
    private static boolean labelledBefore(ReferenceTable table, int index) {
        return table.columns().subList(0, index).stream().anyMatch(c -> c.figure() != null);
    }

    private static String quoted(Line line, int index, boolean aboutFigures, boolean repeated) {
        String value = line.row().published().get(index);
        if (line.measured() && !aboutFigures && !repeated) {
            return "";
        }
        return value == null || (line.measured() && aboutFigures) ? TrialColumns.NONE : value;
    }

    private static String cell(Line line, int index, String unit, boolean thousands) {
        if (!line.measured()) {
            String value = line.row().published().get(index);
            return value == null ? TrialColumns.NONE : value;
        }
        Double value = line.row().measured().get(index);
        return value == null ? TrialColumns.NONE : number(value, unit, thousands);
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
