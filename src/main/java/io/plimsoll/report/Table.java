package io.plimsoll.report;

import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Rows in columns. Where a terminal is too narrow, columns are left out, the least important first.
 *
 * @param columns in the order shown
 */
record Table<T>(List<Column<T>> columns, List<T> rows) {
    private static final String GAP = "   ";
    /** What is left at least of a first column that is wider. */
    private static final int LEAST = 4;
    /** What stands in cells of which nothing is known. */
    static final String NONE = "–";

    /** Words in each language. */
    interface Words {
        String in(Language language);
    }

    /** A figure as it is shown, and the number that rows are sorted by. */
    record Cell(double value, String text) {
        @Override
        public String toString() {
            return text;
        }

        private static Cell of(Number value, DoubleFunction<String> shown) {
            return value == null ? null : new Cell(value.doubleValue(), shown.apply(value.doubleValue()));
        }
    }

    /**
     * A column of rows.
     *
     * @param numeric aligned to the right
     * @param rank 0 is never left out; the column with the highest rank goes first
     * @param cell what stands there: a sentence, words, a figure, or anything as its text; null where nothing is known
     */
    record Column<T>(Words header, boolean numeric, int rank, Function<T, ?> cell) {
        static <T> Column<T> text(String key, Function<T, ?> cell) {
            return text(key, 0, cell);
        }

        static <T> Column<T> text(String key, int rank, Function<T, ?> cell) {
            return new Column<>(label(key), false, rank, cell);
        }

        static <T> Column<T> number(String key, Function<T, ?> cell) {
            return number(key, 0, cell);
        }

        static <T> Column<T> number(String key, int rank, Function<T, ?> cell) {
            return new Column<>(label(key), true, rank, cell);
        }

        /** A column of figures, none where one is not known. */
        static <T, N> Column<T> number(String key, int rank, Function<N, ?> shown, Function<T, N> figure) {
            return number(key, rank, row -> Optional.ofNullable(figure.apply(row))
                    .map(shown)
                    .orElse(null));
        }

        /** A column whose header is a name, the same in every language. */
        static <T> Column<T> named(String name, boolean numeric, int rank, Function<T, ?> cell) {
            return new Column<>(language -> name, numeric, rank, cell);
        }

        /** What a column of another table shows of a part of these rows. */
        <R> Column<R> of(Function<R, T> part) {
            return new Column<>(header, numeric, rank, part.andThen(cell));
        }

        String title() {
            return header.in(Language.EN);
        }

        boolean isIn(List<T> rows) {
            return rows.stream().anyMatch(row -> cell.apply(row) != null);
        }

        private static Words label(String key) {
            if (key.isEmpty()) {
                return language -> "";
            }
            return Sentence.of(key.contains(".") ? key : "report.label." + key)::in;
        }
    }

    static Cell rate(Double perSecond) {
        return Cell.of(perSecond, Units::rate);
    }

    static Cell megabytes(Double bytesPerSecond) {
        return Cell.of(bytesPerSecond, Units::megabytes);
    }

    static Cell micros(Number micros) {
        return Cell.of(micros, Units::micros);
    }

    /** Of microseconds, of which there may be none at all. */
    static Cell duration(Double micros) {
        return Cell.of(micros, length -> length == 0 ? "0 s" : Units.micros(length));
    }

    static Cell percent(Double share) {
        return Cell.of(share, Units::percent);
    }

    /** With two decimals, unless it is a whole number. */
    static Cell number(Double number) {
        return Cell.of(number, n -> Units.decimals(n, n == Math.rint(n) ? 0 : 2));
    }

    static Cell count(Number count) {
        return Cell.of(count, n -> Units.decimals(n, 0));
    }

    /** With two decimals below a second, otherwise one. */
    static Cell seconds(Double seconds) {
        return Cell.of(seconds, s -> Units.decimals(s, s < 1 ? 2 : 1) + " s");
    }

    /**
     * A table as lines.
     *
     * @param head empty where each row says what its values are
     */
    record Lines(String head, List<String> rows) {
        List<String> all() {
            List<String> all = new ArrayList<>(head.isEmpty() ? List.of() : List.of(head));
            all.addAll(rows);
            return all;
        }
    }

    /** In the width that there is, or, for those who listen, each row as a sentence of what its columns are called. */
    Lines lines(Look look) {
        Language language = look.language();
        if (look.plain()) {
            return new Lines("", spoken(language));
        }
        int width = look.width();
        List<Column<T>> shown = new ArrayList<>(columns);
        Optional<Column<T>> victim = leastImportant(shown);
        while (width(shown, language) > width && victim.isPresent()) {
            shown.remove(victim.get());
            victim = leastImportant(shown);
        }
        int excess = width(shown, language) - width;
        return new Lines(
                line(shown, c -> c.header().in(language), excess, language),
                rows.stream()
                        .map(row -> line(shown, c -> cell(c, row, language), excess, language))
                        .toList());
    }

    /**
     * All columns in as many tables as it takes to show them whole, each with the first ones.
     *
     * @param repeated how many columns each of them begins with
     * @return empty where even one column has no room beside those
     */
    List<Table<T>> split(int repeated, Look look) {
        List<Table<T>> parts = new ArrayList<>();
        List<Column<T>> part = new ArrayList<>(columns.subList(0, repeated));
        for (Column<T> column : columns.subList(repeated, columns.size())) {
            part.add(column);
            if (width(part, look.language()) > look.width()) {
                part.remove(column);
                parts.add(new Table<>(List.copyOf(part), rows));
                part = new ArrayList<>(columns.subList(0, repeated));
                part.add(column);
            }
        }
        parts.add(new Table<>(List.copyOf(part), rows));
        boolean fits =
                parts.stream().allMatch(p -> p.fits(look) && p.columns.size() > Math.min(repeated, columns.size() - 1));
        return fits ? parts : List.of();
    }

    boolean fits(Look look) {
        return width(columns, look.language()) <= look.width();
    }

    /** Each row as a sentence of what its columns are called. */
    List<String> spoken(Language language) {
        return rows.stream().map(row -> spoken(row, language)).toList();
    }

    private String spoken(T row, Language language) {
        List<String> told = new ArrayList<>();
        for (Column<T> column : columns) {
            String cell = cell(column, row, language).strip();
            String header = column.header().in(language).strip();
            if (column.cell().apply(row) instanceof Mark mark) {
                told.add(mark.word(language));
            } else if (!cell.isEmpty() && !cell.equals(NONE)) {
                told.add(
                        header.isEmpty()
                                ? cell
                                : Sentence.of("text.at", header, cell).in(language));
            }
        }
        return Sentence.of("report.spoken", told).in(language);
    }

    private static <T> Optional<Column<T>> leastImportant(List<Column<T>> shown) {
        return shown.stream().filter(c -> c.rank() > 0).max(Comparator.comparingInt(Column::rank));
    }

    static <T> String cell(Column<T> column, T row) {
        return cell(column, row, Language.EN);
    }

    static <T> String cell(Column<T> column, T row, Language language) {
        Object cell = column.cell().apply(row);
        if (cell == null) {
            return NONE;
        }
        if (cell instanceof Words words) {
            return words.in(language);
        }
        return Text.printable(cell instanceof Sentence sentence ? sentence.in(language) : cell.toString());
    }

    private int width(List<Column<T>> shown, Language language) {
        return shown.stream().mapToInt(c -> width(c, language)).sum() + GAP.length() * (shown.size() - 1);
    }

    private int width(Column<T> column, Language language) {
        int cells = rows.stream()
                .mapToInt(r -> Text.width(cell(column, r, language)))
                .max()
                .orElse(0);
        return Math.max(Text.width(column.header().in(language)), cells);
    }

    /** @param excess what the first column must give up */
    private String line(List<Column<T>> shown, Function<Column<T>, String> content, int excess, Language language) {
        String line = shown.stream()
                .map(c -> {
                    int all = width(c, language);
                    int width =
                            c.equals(shown.get(0)) ? Math.max(Math.min(LEAST, all), all - Math.max(0, excess)) : all;
                    String text = Text.cut(content.apply(c), width);
                    return c.numeric() ? Text.right(text, width) : Text.left(text, width);
                })
                .collect(Collectors.joining(GAP));
        return line.stripTrailing();
    }
}
