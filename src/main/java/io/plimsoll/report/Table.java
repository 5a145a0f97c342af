package io.plimsoll.report;

import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table for any report format; {@link TableLayout} fits it into a terminal.
 * @param columns in the order shown
 */
public record Table<T>(List<Column<T>> columns, List<T> rows) {
    /** @param columns in the order shown; null for a column that does not apply */
    @SafeVarargs
    public static <T> Table<T> of(List<T> rows, @Nullable Column<T>... columns) {
        List<Column<T>> all = new ArrayList<>();
        for (Column<T> column : columns) {
            if (column != null) {
                all.add(column);
            }
        }
        return new Table<>(all, rows);
    }

    /** The text of a cell without a value. */
    public static final String NONE = "–";

    /** Words in each language. */
    public interface Label {
        String in(Language language);
    }

    /** A figure as shown, and its sort key. */
    record Cell(double value, String text) {
        @Override
        public String toString() {
            return text;
        }

        private static @Nullable Cell of(@Nullable Number value, DoubleFunction<String> shown) {
            return value == null ? null : new Cell(value.doubleValue(), shown.apply(value.doubleValue()));
        }
    }

    record Judged(Mark mark, Sentence text) {}

    /**
     * A column of a table.
     * @param numeric whether to align it to the right
     * @param rank 0 if the column is never omitted; the column with the highest rank is omitted first; below 0 if the
     *     column names the rows
     * @param cell returns the value: a sentence, a label, a figure, or any other object, which is shown as text; null
     *     for none
     */
    public record Column<T>(Label header, boolean numeric, int rank, Function<T, ?> cell) {
        public static <T> Column<T> text(String key, Function<T, ?> cell) {
            return text(key, 0, cell);
        }

        public static <T> Column<T> text(String key, int rank, Function<T, ?> cell) {
            return new Column<>(label(key), false, rank, cell);
        }

        public static <T> Column<T> number(String key, Function<T, ?> cell) {
            return number(key, 0, cell);
        }

        static <T> Column<T> number(String key, int rank, Function<T, ?> cell) {
            return new Column<>(label(key), true, rank, cell);
        }

        /** A column of figures; null figures have no cell. */
        static <T, N> Column<T> number(String key, Function<N, ?> shown, Function<T, N> figure) {
            return number(key, 0, shown, figure);
        }

        static <T, N> Column<T> number(String key, int rank, Function<N, ?> shown, Function<T, N> figure) {
            return number(key, rank, row -> Optional.ofNullable(figure.apply(row))
                    .map(shown)
                    .orElse(null));
        }

        static <T> Column<T> named(String name, boolean numeric, int rank, Function<T, ?> cell) {
            return new Column<>(language -> name, numeric, rank, cell);
        }

        boolean isKey() {
            return rank < 0;
        }

        /** This column, for rows of a type that contains this column's row type. */
        <R> Column<R> of(Function<R, T> part) {
            return new Column<>(header, numeric, rank, part.andThen(cell));
        }

        String title() {
            return header.in(Language.EN);
        }

        boolean isIn(List<T> rows) {
            return rows.stream().anyMatch(row -> cell.apply(row) != null);
        }

        /** This column, or null if no row has a value. */
        @Nullable
        Column<T> ifIn(List<T> rows) {
            return isIn(rows) ? this : null;
        }

        private static Label label(String key) {
            if (key.isEmpty()) {
                return language -> "";
            }
            return Sentence.of(key.contains(".") ? key : "report.label." + key)::in;
        }
    }

    static @Nullable Cell rate(@Nullable Double perSecond) {
        return Cell.of(perSecond, Units::rate);
    }

    static @Nullable Cell megabytes(@Nullable Double bytesPerSecond) {
        return Cell.of(bytesPerSecond, Units::megabytes);
    }

    static @Nullable Cell bytes(@Nullable Double bytes) {
        return Cell.of(bytes, Units::bytes);
    }

    static @Nullable Cell micros(@Nullable Number micros) {
        return Cell.of(micros, Units::micros);
    }

    /** A duration from microseconds; zero is shown as 0 s. */
    static @Nullable Cell duration(@Nullable Double micros) {
        return Cell.of(micros, length -> length == 0 ? "0 s" : Units.micros(length));
    }

    static @Nullable Cell percent(@Nullable Double share) {
        return Cell.of(share, Units::percent);
    }

    /** A number with two decimals, unless it is a whole number. */
    static @Nullable Cell number(@Nullable Double number) {
        return Cell.of(number, n -> Units.decimals(n, n == Math.rint(n) ? 0 : 2));
    }

    static @Nullable Cell count(@Nullable Number count) {
        return Cell.of(count, n -> Units.decimals(n, 0));
    }

    /** A time in seconds with two decimals below a second, otherwise with one. */
    static @Nullable Cell seconds(@Nullable Double seconds) {
        return Cell.of(seconds, s -> Units.decimals(s, s < 1 ? 2 : 1) + " s");
    }

    List<String> headers(Language language) {
        return columns.stream().map(c -> c.header().in(language)).toList();
    }

    List<List<@Nullable Object>> cells() {
        return rows.stream()
                .map(row -> columns.stream()
                        .<@Nullable Object>map(c -> c.cell().apply(row))
                        .toList())
                .toList();
    }

    /** This table on a terminal, without a title. */
    public String terminal(Look look) {
        return TerminalText.of(new Document().add(Block.rows(this)), look);
    }

    /** Each row as a sentence, for screen readers. */
    public List<String> spoken(Language language) {
        List<String> headers = headers(language);
        return cells().stream().map(cells -> spoken(headers, cells, language)).toList();
    }

    private static String spoken(List<String> headers, List<@Nullable Object> cells, Language language) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            String cell = shown(cells.get(i), language).strip();
            String header = headers.get(i).strip();
            if (cells.get(i) instanceof Mark mark) {
                words.add(mark.word(language));
            } else if (!cell.isEmpty() && !cell.equals(NONE)) {
                words.add(
                        header.isEmpty()
                                ? cell
                                : Sentence.of("text.at", header, cell).in(language));
            }
        }
        return Sentence.of("report.spoken", words).in(language);
    }

    static String shown(@Nullable Object cell, Language language) {
        if (cell == null) {
            return NONE;
        }
        if (cell instanceof Label words) {
            return words.in(language);
        }
        if (cell instanceof Judged judged) {
            return judged.text().in(language);
        }
        return Text.printable(cell instanceof Sentence sentence ? sentence.in(language) : cell.toString());
    }

    Grid grid() {
        return new Grid(
                columns.stream().map(Grid.Head::of).toList(),
                cells().stream().map(Grid.Row::of).toList());
    }

    /** A table as data of a page. */
    record Grid(List<Head> columns, List<Row> rows) {
        record Head(Map<String, String> label, boolean number) {
            private static Head of(Column<?> column) {
                Map<String, String> label = new LinkedHashMap<>();
                for (Language language : Language.values()) {
                    label.put(language.code(), column.header().in(language));
                }
                return new Head(label, column.numeric());
            }
        }

        /** @param values sort keys; null for cells that are sorted by their text */
        record Row(List<Sentence> cells, List<@Nullable Double> values) {
            private static Row of(List<@Nullable Object> cells) {
                return new Row(
                        cells.stream().map(Row::sentence).toList(),
                        cells.stream()
                                .map(c -> c instanceof Cell cell ? (Double) cell.value() : null)
                                .toList());
            }

            private static Sentence sentence(@Nullable Object cell) {
                return cell instanceof Sentence sentence
                        ? sentence
                        : cell instanceof Judged judged ? judged.text() : Sentence.verbatim(shown(cell, Language.EN));
            }
        }
    }
}
