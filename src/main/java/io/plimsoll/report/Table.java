package io.plimsoll.report;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Rows in columns. Where a terminal is too narrow, columns are left out, the least important first.
 *
 * @param columns in the order shown
 */
record Table<T>(List<Column<T>> columns, List<T> rows) {
    private static final String GAP = "   ";
    /**
     * A column of rows.
     *
     * @param rank 0 is never left out; the column with the highest rank goes first
     * @param numeric aligned to the right
     * @param cell what stands there: a sentence, or a figure or name as text
     */
    record Column<T>(Sentence header, boolean numeric, int rank, Function<T, ?> cell) {}

    /** The header of a key; nothing for an empty one. */
    static Sentence label(String key) {
        return key.isEmpty() ? Sentence.NONE : Sentence.of(key);
    }
    /** @return the header line, then one line a row */
    List<String> lines(int width) {
        List<Column<T>> shown = new ArrayList<>(columns);
        Optional<Column<T>> victim = leastImportant(shown);
        while (width(shown) > width && victim.isPresent()) {
            shown.remove(victim.get());
            victim = leastImportant(shown);
        }
        int excess = width(shown) - width;
        List<String> lines = new ArrayList<>();
        lines.add(line(shown, c -> c.header().english(), excess));
        rows.forEach(row -> lines.add(line(shown, c -> cell(c, row), excess)));
        return lines;
    }

    private static <T> Optional<Column<T>> leastImportant(List<Column<T>> shown) {
        return shown.stream().filter(c -> c.rank() > 0).max(Comparator.comparingInt(Column::rank));
    }

    static <T> String cell(Column<T> column, T row) {
        return cell(column, row, Language.EN);
    }

    static <T> String cell(Column<T> column, T row, Language language) {
        Object cell = column.cell().apply(row);
        return Text.printable(
                cell instanceof Sentence sentence ? sentence.in(language) : cell == null ? null : cell.toString());
    }

    private int width(List<Column<T>> shown) {
        return shown.stream().mapToInt(this::width).sum() + GAP.length() * (shown.size() - 1);
    }

    private int width(Column<T> column) {
        int cells =
                rows.stream().mapToInt(r -> Text.width(cell(column, r))).max().orElse(0);
        return Math.max(Text.width(column.header().english()), cells);
    }

    /** @param excess what the first column must give up */
    private String line(List<Column<T>> shown, Function<Column<T>, String> content, int excess) {
        String line = shown.stream()
                .map(c -> {
                    int width = width(c) - (c.equals(shown.get(0)) ? Math.max(0, excess) : 0);
                    String text = Text.cut(content.apply(c), Math.max(4, width));
                    return c.numeric() ? Text.right(text, width) : Text.left(text, width);
                })
                .collect(Collectors.joining(GAP));
        return line.stripTrailing();
    }
}
