package io.plimsoll.report;

import io.plimsoll.text.Language;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Fits a table into the width of a terminal. Columns that do not fit are shown in additional bands below, most
 * important first. Each band repeats the columns that name the rows. In long tables, the least important columns are
 * omitted, and their names are listed. For screen readers, and if names and a figure do not fit side by side, each row
 * becomes a sentence.
 */
final class TableLayout {
    private static final String GAP = "   ";
    /** Minimum width of a truncated name. */
    private static final int LEAST = 4;
    /** Maximum number of lines in all bands; beyond it, no band is added for columns that can be omitted. */
    private static final int MOST_LINES = 30;

    private record Shown(String text, @Nullable Mark mark) {
        static Shown of(@Nullable Object cell, Language language) {
            Mark mark = cell instanceof Mark m ? m : cell instanceof Table.Judged judged ? judged.mark() : null;
            return new Shown(Table.shown(cell, language), mark);
        }

        int width() {
            return Text.width(text);
        }
    }

    /** @param head empty if each row is a sentence */
    record Band(String head, List<String> rows) {}

    final List<Band> bands = new ArrayList<>();
    /** Headers of omitted columns. */
    final List<String> leftOut = new ArrayList<>();

    private final List<? extends Table.Column<?>> columns;
    private final List<String> headers;
    private final List<List<Shown>> rows;
    private final int[] widths;
    private final List<Integer> keys;
    private final boolean named;
    private final Look look;
    /** Whether the head of the first band has space for the title. */
    final boolean titled;

    /** @param title width of a title that can replace the header of the name column; 0 for none */
    TableLayout(Table<?> table, Look look, int title) {
        Language language = look.language();
        this.look = look;
        columns = table.columns();
        headers = table.headers(language);
        rows = table.cells().stream()
                .map(row -> row.stream().map(c -> Shown.of(c, language)).toList())
                .toList();
        widths = IntStream.range(0, columns.size())
                .map(c ->
                        rows.stream().mapToInt(row -> row.get(c).width()).reduce(Text.width(headers.get(c)), Math::max))
                .toArray();
        named = columns.stream().anyMatch(Table.Column::isKey);
        int first = Math.max(
                0,
                headers.indexOf(
                        headers.stream().filter(h -> !h.isBlank()).findFirst().orElse("")));
        keys = IntStream.range(0, columns.size())
                .filter(c -> named ? columns.get(c).isKey() : c <= first)
                .boxed()
                .toList();
        titled = title > 0
                && title <= IntStream.rangeClosed(0, name()).map(c -> widths[c]).sum() + name();
        List<Integer> left = IntStream.range(0, columns.size())
                .boxed()
                .filter(c -> !keys.contains(c))
                .sorted(Comparator.comparingInt(this::rank))
                .collect(Collectors.toCollection(ArrayList::new));
        if (look.plain() || (named && left.stream().anyMatch(c -> !fits(List.of(c))))) {
            bands.add(new Band("", table.spoken(language)));
        } else {
            fill(left);
        }
    }

    private int name() {
        return keys.get(keys.size() - 1);
    }

    private void fill(List<Integer> left) {
        boolean room = true;
        while (bands.isEmpty() || (room && !left.isEmpty())) {
            List<Integer> band = new ArrayList<>();
            while (!left.isEmpty() && (fits(with(band, left.get(0))) || (band.isEmpty() && rank(left.get(0)) == 0))) {
                band.add(left.remove(0));
            }
            bands.add(band(band));
            room = !left.isEmpty()
                    && (rank(left.get(0)) == 0
                            || (fits(List.of(left.get(0))) && (bands.size() + 1) * rows.size() <= MOST_LINES));
        }
        left.stream().sorted().map(headers::get).forEach(leftOut::add);
    }

    private int rank(int column) {
        return columns.get(column).rank();
    }

    private static List<Integer> with(List<Integer> band, int column) {
        List<Integer> more = new ArrayList<>(band);
        more.add(column);
        return more;
    }

    /** The key columns and the columns of this band, in the order of the table. */
    private List<Integer> shown(List<Integer> band) {
        int last = band.stream().mapToInt(c -> c).max().orElse(columns.size());
        return IntStream.range(0, columns.size())
                .filter(c -> band.contains(c) || (keys.contains(c) && c < last))
                .boxed()
                .toList();
    }

    private int excess(List<Integer> shown) {
        return shown.stream().mapToInt(c -> widths[c]).sum() + GAP.length() * (shown.size() - 1) - look.width();
    }

    /**
     * Whether the columns fit. Names can be truncated, to no less than half of the terminal's width, unless key columns
     * name the rows.
     */
    private boolean fits(List<Integer> band) {
        return excess(shown(band)) <= (named ? 0 : Math.max(0, widths[name()] - Math.max(LEAST, look.width() / 2)));
    }

    private Band band(List<Integer> band) {
        List<Integer> shown = shown(band);
        int excess = Math.max(0, excess(shown));
        boolean untitled = !titled || !bands.isEmpty();
        IntUnaryOperator width =
                c -> c == name() && !named ? Math.max(Math.min(LEAST, widths[c]), widths[c] - excess) : widths[c];
        return new Band(
                line(
                        shown,
                        IntStream.range(0, headers.size())
                                .mapToObj(c -> new Shown(untitled || c > name() ? headers.get(c) : "", null))
                                .toList(),
                        width),
                rows.stream()
                        .filter(row -> shown.stream().anyMatch(c -> row.get(c).width() > 0))
                        .map(row -> line(shown, row, width))
                        .toList());
    }

    private String line(List<Integer> shown, List<Shown> cells, IntUnaryOperator widthOf) {
        StringBuilder line = new StringBuilder();
        for (int c : shown) {
            int width = widthOf.applyAsInt(c);
            Shown cell = cells.get(c);
            String text = Text.cut(cell.text(), width);
            String painted = cell.mark() == null ? text : cell.mark().paint(text, look);
            String space = " ".repeat(width - Text.width(text));
            line.append(columns.get(c).numeric() ? space + painted : painted + space);
            // A symbol belongs to the next cell, so one space is sufficient.
            line.append(headers.get(c).isEmpty() && width == 1 ? " " : GAP);
        }
        return line.toString().stripTrailing();
    }
}
