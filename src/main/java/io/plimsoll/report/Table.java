package io.plimsoll.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Rows in columns. Where a terminal is too narrow, columns are left out, the least important first.
 *
 * @param columns in the order shown
 */
record Table<T>(List<Column<T>> columns, List<T> rows) {
    private static final String GAP = "   ";
    private static final Set<String> WORDED = Set.of(
            "",
            "latency",
            "ceiling",
            "found",
            "why not",
            "audit",
            "measured",
            "while",
            "offered/s",
            "Faults",
            "back after",
            "ISR full after",
            "difference",
            "differs",
            "of",
            "of the other",
            "finding",
            "verdict",
            "fact");

    /**
     * @param rank 0 is never left out; the column with the highest rank goes first
     * @param numeric aligned to the right
     */
    record Column<T>(String header, boolean numeric, int rank, Function<T, String> cell) {
        /** Whether its cells are words of ours; others are figures, and names that people gave. */
        boolean worded() {
            return WORDED.contains(header);
        }
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
        lines.add(line(shown, Column::header, excess));
        rows.forEach(row -> lines.add(line(shown, c -> cell(c, row), excess)));
        return lines;
    }

    private static <T> Optional<Column<T>> leastImportant(List<Column<T>> shown) {
        return shown.stream().filter(c -> c.rank() > 0).max(Comparator.comparingInt(Column::rank));
    }

    static <T> String cell(Column<T> column, T row) {
        return Text.printable(column.cell().apply(row));
    }

    private int width(List<Column<T>> shown) {
        return shown.stream().mapToInt(this::width).sum() + GAP.length() * (shown.size() - 1);
    }

    private int width(Column<T> column) {
        int cells =
                rows.stream().mapToInt(r -> Text.width(cell(column, r))).max().orElse(0);
        return Math.max(Text.width(column.header()), cells);
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
