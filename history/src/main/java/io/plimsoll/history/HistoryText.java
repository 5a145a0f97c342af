package io.plimsoll.history;

import io.plimsoll.report.CsvReport;
import io.plimsoll.report.Look;
import io.plimsoll.report.Mark;
import io.plimsoll.report.Table;
import io.plimsoll.report.Table.Column;
import io.plimsoll.report.Text;
import io.plimsoll.result.Json;
import io.plimsoll.result.Outcome;
import io.plimsoll.result.Units;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Shows a history on a terminal: the runs as a table, and a figure as a plot with the shifts below it. */
final class HistoryText {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final int ROWS = 10;
    private static final int MOST_CHANGED = 6;
    private static final int LONGEST_NAME = 40;

    static String runs(List<HistoryRun> runs, Look look) {
        Table<HistoryRun> table = Table.of(
                runs,
                Column.text("began", r -> TIME.format(r.startedAt())),
                Column.text("scenario", r -> Text.cut(r.name(), LONGEST_NAME)),
                Column.text("passed", r -> r.outcome() == null ? Table.NONE : Mark.of(r.outcome())),
                Column.text("runDirectory", 1, r -> r.directory().getFileName()),
                Column.text("verdict", 2, HistoryRun::verdict));
        return table.terminal(look);
    }

    static List<String> series(FigureSeries series, Look look) {
        List<String> lines = new ArrayList<>();
        lines.add(title(series).in(look.language()));
        lines.addAll(look.plain() ? stretches(series, look) : plot(series, look.width()));
        sentences(series).forEach(s -> lines.add("  " + s.in(look.language())));
        return lines;
    }

    static Sentence title(FigureSeries series) {
        int runs = series.values().size();
        return Sentence.of("report.history.series", name(series), series.figure(), runs);
    }

    /** Scenario and trial of a series, such as {@code orders / acks=1}. */
    static String name(FigureSeries series) {
        boolean named = !series.trial().isEmpty() && !series.trial().equals(series.scenario());
        return series.scenario() + (named ? " / " + series.trial() : "");
    }

    /** The findings about a series: the shifts in chronological order, or the reason why none can be detected. */
    static List<Sentence> sentences(FigureSeries series) {
        List<Sentence> said = new ArrayList<>();
        if (!series.canShowChanges()) {
            said.add(Sentence.of("report.history.short", series.values().size(), History.SHORTEST));
        } else if (series.shifts().isEmpty()) {
            said.add(Sentence.of("report.history.none"));
        } else {
            series.shifts().forEach(shift -> said.add(sentence(series, shift)));
        }
        Sentence.addIf(series.leftOut() > 0, said, "report.history.leftOut", series.leftOut());
        return said;
    }

    static Sentence sentence(FigureSeries series, Shift shift) {
        HistoryRun first = series.runs().get(shift.at());
        return Sentence.of(
                "report.history." + kind(series, shift),
                TIME.format(first.startedAt()),
                first.directory().getFileName(),
                shown(series, shift.before()),
                shown(series, shift.after()),
                Double.isInfinite(shift.ratio()) ? Table.NONE : signed(shift.ratio() - 1),
                why(series, shift));
    }

    /**
     * {@code worse}, {@code better}, {@code other} for a figure without a better direction, or {@code spread} if only
     * the spread has changed.
     */
    static String kind(FigureSeries series, Shift shift) {
        return shift.ofSpread()
                ? "spread"
                : series.moreIsBetter()
                        .map(more -> shift.worse(more) < 1 ? "better" : "worse")
                        .orElse("other");
    }

    private static Sentence why(FigureSeries series, Shift shift) {
        List<String> changed = shift.changed().entrySet().stream()
                .map(e -> e.getKey() + ": " + e.getValue())
                .toList();
        Sentence host =
                shift.slowdown() == 1 ? Sentence.NONE : Sentence.of("report.history.cpu", signed(shift.slowdown() - 1));
        if (series.ofHost(shift)) {
            return Sentence.of(
                    "report.history.ofHost", changed.isEmpty() ? host : Sentence.list(changed, MOST_CHANGED));
        }
        List<Sentence> said = new ArrayList<>();
        Sentence.addIf(!changed.isEmpty(), said, "report.history.changed", Sentence.list(changed, MOST_CHANGED));
        Sentence.addIf(shift.slowdown() != 1, said, "report.history.alsoHost", host);
        return said.isEmpty() ? Sentence.of("report.history.nothingElse") : Sentence.joined(said);
    }

    private static String signed(double share) {
        return (share > 0 ? "+" : "") + Units.percent(share);
    }

    private static String shown(FigureSeries series, double value) {
        return Units.figure(value, Units.of(History.dimension(series.figure())));
    }

    /** The runs from one shift to the next, with their values in ascending order. */
    private record Level(int from, double[] sorted) {}

    /** The plot as text for screen readers: the range of values between shifts. */
    private static List<String> stretches(FigureSeries series, Look look) {
        List<Integer> begins = new ArrayList<>(List.of(0));
        series.shifts().stream().map(Shift::at).filter(at -> at > 0).forEach(begins::add);
        List<Level> all = new ArrayList<>();
        for (int i = 0; i < begins.size(); i++) {
            int to = i + 1 < begins.size() ? begins.get(i + 1) : series.values().size();
            List<Double> values = series.values().subList(begins.get(i), to);
            all.add(new Level(
                    begins.get(i), values.stream().mapToDouble(v -> v).sorted().toArray()));
        }
        List<Column<Level>> columns = List.of(
                Column.text("began", s -> TIME.format(series.runs().get(s.from).startedAt())),
                Column.number("runs", s -> s.sorted.length),
                Column.number("median", s -> shown(series, Spread.median(s.sorted))),
                Column.number("lowest", s -> shown(series, s.sorted[0])),
                Column.number("highest", s -> shown(series, s.sorted[s.sorted.length - 1])));
        return new Table<>(columns, all).spoken(look.language());
    }

    private static List<String> plot(FigureSeries series, int width) {
        double[] values =
                series.values().stream().mapToDouble(Double::doubleValue).toArray();
        double low = Arrays.stream(values).min().orElse(0);
        double high = Arrays.stream(values).max().orElse(0);
        int margin = Math.max(shown(series, low).length(), shown(series, high).length()) + 2;
        int columns = Math.max(10, Math.min(values.length, width - margin - 3));
        char[][] cells = new char[ROWS][columns];
        for (char[] row : cells) {
            Arrays.fill(row, ' ');
        }
        for (int column = 0; column < columns; column++) {
            double level = level(series, (int) ((long) column * values.length / columns));
            if (!Double.isNaN(level)) {
                cells[row(level, low, high)][column] = '─';
            }
        }
        for (int i = 0; i < values.length; i++) {
            cells[row(values[i], low, high)][(int) ((long) i * columns / values.length)] = '•';
        }
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            String label = row == 0 ? shown(series, high) : row == ROWS - 1 ? shown(series, low) : "";
            lines.add(Text.right(label, margin) + " │" + new String(cells[row]).stripTrailing());
        }
        return lines;
    }

    private static int row(double value, double low, double high) {
        return high == low ? ROWS / 2 : (int) Math.round((high - value) / (high - low) * (ROWS - 1));
    }

    /**
     * Median of the values from the last shift at or before an index to the next shift; NaN if the series has no
     * shifts.
     */
    private static double level(FigureSeries series, int at) {
        double level =
                series.shifts().isEmpty() ? Double.NaN : series.shifts().get(0).before();
        for (Shift shift : series.shifts()) {
            level = at >= shift.at() ? shift.after() : level;
        }
        return level;
    }

    /**
     * CSV (RFC 4180) with a row for each run and a column for each series, for the CSV importer of Apache Otava with
     * the time column {@code time} and the attribute {@code run}.
     */
    static String csv(List<FigureSeries> all) {
        Map<HistoryRun, Double[]> rows = new LinkedHashMap<>();
        for (int i = 0; i < all.size(); i++) {
            for (int r = 0; r < all.get(i).runs().size(); r++) {
                rows.computeIfAbsent(all.get(i).runs().get(r), run -> new Double[all.size()])[i] =
                        all.get(i).values().get(r);
            }
        }
        StringBuilder text = new StringBuilder("time,run,scenario");
        all.forEach(series -> text.append(',').append(quoted(unique(series))));
        rows.entrySet().stream()
                .sorted(Comparator.comparing(e -> e.getKey().startedAt()))
                .forEach(e -> {
                    HistoryRun run = e.getKey();
                    text.append('\n').append(run.startedAt());
                    text.append(',').append(quoted(directory(run)));
                    text.append(',').append(quoted(run.name()));
                    for (Double value : e.getValue()) {
                        text.append(',').append(value == null ? "" : value.toString());
                    }
                });
        return text.append('\n').toString();
    }

    /**
     * The newest value of each series in which higher values are better or, if {@code moreIsBetter} is false, lower
     * values, in the format of github-action-benchmark.
     */
    static String benchmark(List<FigureSeries> all, boolean moreIsBetter) {
        return Json.pretty(all.stream()
                .filter(s -> s.moreIsBetter().equals(Optional.of(moreIsBetter)))
                .map(s -> Json.object(
                        "name", unique(s),
                        "unit", Units.of(History.dimension(s.figure())),
                        "value", s.values().get(s.values().size() - 1),
                        "extra", directory(s.runs().get(s.runs().size() - 1))))
                .toList());
    }

    private static String directory(HistoryRun run) {
        return run.directory().getFileName().toString();
    }

    /** The complete history, schema {@code plimsoll.history/1}. */
    static String json(List<HistoryRun> runs, List<FigureSeries> all) {
        return Json.pretty(Json.object(
                "schema", "plimsoll.history/1",
                "runs", runs.stream().map(HistoryText::of).toList(),
                "series", all.stream().map(HistoryText::of).toList()));
    }

    private static Map<String, Object> of(FigureSeries s) {
        return Json.object(
                "scenario", s.scenario(),
                "trial", s.trial(),
                "figure", s.figure(),
                "unit", Units.of(History.dimension(s.figure())),
                "runs", s.runs().stream().map(r -> r.directory().toString()).toList(),
                "leftOut", s.leftOut(),
                "values", s.values(),
                "shifts", s.shifts());
    }

    private static Map<String, Object> of(HistoryRun run) {
        return Json.object(
                "directory", run.directory().toString(),
                "name", run.name(),
                "startedAt", run.startedAt().toString(),
                "passed", run.outcome() == null ? null : run.outcome() == Outcome.USABLE,
                "outcome", run.outcome(),
                "verdict", run.verdict());
    }

    private static String unique(FigureSeries series) {
        return series.scenario() + (series.trial().isEmpty() ? "" : "/" + series.trial()) + "/" + series.figure();
    }

    private static String quoted(String text) {
        String plain = CsvReport.harmless(text);
        return plain.matches("[\\w ./:=+-]*") ? plain : '"' + plain.replace("\"", "\"\"") + '"';
    }
}
