package io.plimsoll.report.picture;

import io.plimsoll.report.html.TrialSeries;
import io.plimsoll.report.picture.Chart.Line;
import io.plimsoll.report.picture.Chart.Style;
import io.plimsoll.result.Figure;
import io.plimsoll.result.Statistic;
import io.plimsoll.result.TopicFigures;
import io.plimsoll.text.Language;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The lines of figures: of a distribution its percentiles, of brokers and groups of others one each.
 *
 * @param columns of the trial's series, by name
 */
record LinesOverTime(List<Number> times, Map<String, List<Number>> columns, Language language) {
    private static final Set<String> SUMMED = Set.of("bytesIn", "bytesOut", "messagesIn", "rejected");

    /** Of the figures of one chart; those of which nothing is known have none. */
    List<Line> of(List<Figure> figures) {
        List<Line> lines = new ArrayList<>();
        for (Figure figure : figures) {
            if (figure.isLatency()) {
                TrialSeries.PERCENTILES.forEach(statistic -> percentile(lines, figure, statistic));
                percentile(lines, figure, Statistic.MEAN);
            } else if (figure.ofEach() != null) {
                each(lines, figure);
            } else {
                add(
                        lines,
                        figure,
                        figure.id(),
                        figure.label(language),
                        Palette.of(figure.line().color()));
            }
        }
        return lines;
    }

    /** The sum over brokers beside each of them, of what adds up and where all are known. */
    void addAll(String chart, List<Line> lines) {
        if (lines.size() < 2 || !SUMMED.contains(chart)) {
            return;
        }
        List<Number> sums = new ArrayList<>();
        for (int i = 0; i < times.size(); i++) {
            int at = i;
            boolean known = lines.stream().allMatch(line -> line.y().get(at) != null);
            sums.add(
                    known
                            ? Double.valueOf(lines.stream()
                                    .mapToDouble(line -> line.y().get(at).doubleValue())
                                    .sum())
                            : null);
        }
        lines.add(new Line(RunCharts.text("time.allBrokers", language), Palette.of("c0"), Style.DASHED, times, sums));
    }

    private void percentile(List<Line> lines, Figure figure, Statistic statistic) {
        String color =
                statistic == Statistic.MEAN ? "q50" : "q" + statistic.text().replaceAll("[p.]", "");
        boolean most = statistic == Statistic.MAX;
        String called = RunCharts.text("stat." + statistic.text(), language);
        String name = called.isEmpty() ? statistic.text() : called;
        List<Number> values = columns.get(figure.id() + "." + statistic.text());
        if (values != null) {
            lines.add(new Line(name, Palette.of(color), most ? Style.DASHED : Style.SOLID, times, values));
        }
    }

    private void each(List<Line> lines, Figure figure) {
        String what = figure.ofEach();
        String ending = figure.id().substring(figure.id().indexOf('.'));
        List<String> all = columns.keySet().stream()
                .filter(column -> column.startsWith(what) && column.endsWith(ending))
                .map(column -> column.substring(what.length(), column.length() - ending.length()))
                .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
                .toList();
        if (what.equals(TopicFigures.TOPIC) && all.size() < 2) {
            // It would be the line of all brokers again.
            return;
        }
        for (String one : all) {
            String ofBroker = ending.startsWith(".host")
                    ? figure.label(language) + " " + one
                    : RunCharts.text("time.broker", language).replace("{0}", one);
            String called = figure.isOfBrokers() ? ofBroker : one;
            add(lines, figure, what + one + ending, called, Palette.ofNumber(lines.size()));
        }
    }

    private void add(List<Line> lines, Figure figure, String column, String name, String color) {
        List<Number> values = columns.get(column);
        boolean any = values != null
                && values.stream()
                        .filter(Objects::nonNull)
                        .anyMatch(value -> !figure.line().quiet() || value.doubleValue() > 0);
        if (any) {
            Style style = Style.valueOf(figure.line().style().toUpperCase(Locale.ROOT));
            lines.add(new Line(name, color, style, times, values));
        }
    }
}
