package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run as comma-separated values (RFC 4180), in tables separated by blank lines: published and measured figures,
 * trials, checks, warnings.
 */
public final class CsvReport {
    private static final Pattern FORMULA = Pattern.compile("[=+\\-@\t\r]");
    private static final Pattern NUMBER = Pattern.compile("[-+]?\\d[\\d.,]*([eE][-+]?\\d+)?( ?[%\\p{L}/]+)?|-");

    public static String render(RunResult result) {
        StringBuilder out = new StringBuilder();
        for (ReferenceTable table : result.published().tables()) {
            Table<ReferenceText.Line> lines = ReferenceText.table(table, false);
            List<Column<ReferenceText.Line>> columns = new ArrayList<>();
            columns.add(Column.named("table", false, 0, l -> table.title().english()));
            columns.add(Column.named("trial", false, 0, l -> l.row().trial()));
            lines.columns()
                    .forEach(c -> columns.add(c.title().isEmpty() ? Column.named("figures", false, 0, c.cell()) : c));
            out.append(out.isEmpty() ? "" : "\r\n").append(csv(new Table<>(columns, lines.rows())));
        }
        List<TrialResult> trials = result.trials();
        if (!trials.isEmpty() || result.published().tables().isEmpty()) {
            section(out, new Table<>(TrialDetails.of(trials), trials));
        }
        section(
                out,
                Table.of(
                        CheckRow.of(trials, Integer.MAX_VALUE),
                        Column.named("check", false, 0, CheckRow::check),
                        Column.named("passed", false, 0, r -> r.passed() ? "yes" : "no"),
                        Column.named("measured", true, 0, CheckRow::measured),
                        Column.named("trial", false, 0, CheckRow::trial)));
        section(
                out,
                Table.of(
                        CheckRow.Between.of(result),
                        Column.named("conclusion", false, 0, r -> r.conclusion().english()),
                        Column.named("between trials", false, 0, CheckRow.Between::check),
                        Column.named("holds", false, 0, r -> r.holds() == null ? "unknown" : r.holds() ? "yes" : "no"),
                        Column.named("measured", false, 0, r -> r.said().english())));
        section(out, Table.of(result.verdict().warnings(), Column.named("warning", false, 0, Sentence::english)));
        return out.toString();
    }

    /** Writes a table. An empty table is written only if it is the first. */
    private static <T> void section(StringBuilder out, Table<T> table) {
        if (!table.rows().isEmpty() || out.isEmpty()) {
            out.append(out.isEmpty() ? "" : "\r\n").append(csv(table));
        }
    }

    private static <T> String csv(Table<T> table) {
        Stream<Stream<String>> rows =
                table.cells().stream().map(row -> row.stream().map(cell -> Table.shown(cell, Language.EN)));
        return Stream.concat(Stream.of(table.headers(Language.EN).stream()), rows)
                .map(cells -> cells.map(CsvReport::cell).collect(Collectors.joining(",", "", "\r\n")))
                .collect(Collectors.joining());
    }

    private static String cell(String text) {
        return text.equals(Table.NONE) ? "" : quoted(text);
    }

    /** Prefixes an apostrophe to text that a spreadsheet would treat as a formula: names can be untrusted. */
    public static String harmless(String text) {
        return FORMULA.matcher(text).lookingAt() && !NUMBER.matcher(text).matches() ? "'" + text : text;
    }

    private static String quoted(String text) {
        String plain = harmless(text);
        return plain.matches("(?s).*[\",\r\n].*") ? '"' + plain.replace("\"", "\"\"") + '"' : plain;
    }
}
