package io.plimsoll.report;

import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A run's figures as comma-separated values (RFC 4180): the tables of published figures that the scenario repeats, each
 * with a header line of its own and an empty line between, or else one line a trial.
 */
public final class CsvReport {
    private CsvReport() {}

    public static String render(RunResult result) {
        StringBuilder out = new StringBuilder();
        for (ReferenceTable table : result.tables()) {
            Table<ReferenceText.Line> lines = ReferenceText.table(table, false);
            List<Table.Column<ReferenceText.Line>> columns = new ArrayList<>();
            columns.add(new Table.Column<>("table", false, 0, l -> table.title()));
            columns.add(new Table.Column<>("trial", false, 0, l -> l.row().trial()));
            lines.columns()
                    .forEach(c ->
                            columns.add(c.header().isEmpty() ? new Table.Column<>("figures", false, 0, c.cell()) : c));
            out.append(out.isEmpty() ? "" : "\r\n").append(csv(new Table<>(columns, lines.rows())));
        }
        if (result.tables().isEmpty()) {
            List<TrialResult> trials = result.trials();
            out.append(csv(new Table<>(TrialColumns.of(trials), trials)));
        }
        return out.toString();
    }

    private static <T> String csv(Table<T> table) {
        StringBuilder out = new StringBuilder();
        out.append(row(table.columns().stream().map(Table.Column::header).toList()));
        for (T row : table.rows()) {
            out.append(row(table.columns().stream().map(c -> Table.cell(c, row)).toList()));
        }
        return out.toString();
    }

    private static String row(List<String> cells) {
        return cells.stream().map(CsvReport::cell).collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String cell(String text) {
        String plain = text.equals(TrialColumns.NONE) ? "" : text;
        return plain.matches("(?s).*[\",\r\n].*") ? '"' + plain.replace("\"", "\"\"") + '"' : plain;
    }
}
