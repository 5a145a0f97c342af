package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** A list of similar items for a terminal. */
public final class ListText {
    /**
     * A table. On a narrow terminal, the last columns are omitted.
     *
     * @param columns key of a sentence with the column names, separated by {@code |}
     * @param rows the cells of each row: numbers, sentences or text
     * @return lines that end with a line break
     */
    public static String of(String columns, List<List<Object>> rows, Look look) {
        List<Column<List<Object>>> all = new ArrayList<>();
        for (String name : Sentence.of(columns).in(look.language()).split("\\|")) {
            int at = all.size();
            boolean numeric = rows.stream().anyMatch(row -> row.get(at) instanceof Number);
            all.add(Column.named(name, numeric, at, row -> row.get(at)));
        }
        return new Table<>(all, rows).terminal(look);
    }
}
