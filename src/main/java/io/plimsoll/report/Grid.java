package io.plimsoll.report;

import io.plimsoll.report.Table.Cell;
import io.plimsoll.report.Table.Column;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A table as pages show it, in the words that terminal and Markdown have. */
public record Grid(List<Head> columns, List<Row> rows) {

    /** The header of a column, by language. */
    public record Head(Map<String, String> label, boolean number) {
        private static Head of(Column<?> column) {
            Map<String, String> label = new LinkedHashMap<>();
            for (Language language : Language.values()) {
                label.put(language.code(), column.header().in(language));
            }
            return new Head(label, column.numeric());
        }
    }

    /**
     * The cells of a row, in the order of the columns.
     *
     * @param values sort keys; null for cells that are sorted by text
     */
    public record Row(List<Sentence> cells, List<Double> values) {}

    static <T> Grid of(Table<T> table) {
        return new Grid(
                table.columns().stream().map(Head::of).toList(),
                table.rows().stream().map(row -> row(table.columns(), row)).toList());
    }

    private static <T> Row row(List<Column<T>> columns, T row) {
        return new Row(
                columns.stream().map(c -> cell(c, row)).toList(),
                columns.stream()
                        .map(c -> c.cell().apply(row) instanceof Cell cell ? (Double) cell.value() : null)
                        .toList());
    }

    private static <T> Sentence cell(Column<T> column, T row) {
        Object cell = column.cell().apply(row);
        return cell instanceof Sentence sentence
                ? sentence
                : cell instanceof Table.Judged judged ? judged.text() : Sentence.verbatim(Table.cell(column, row));
    }
}
