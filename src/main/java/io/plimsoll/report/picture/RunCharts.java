package io.plimsoll.report.picture;

import io.plimsoll.report.html.Page;
import io.plimsoll.report.html.RunSeries;
import io.plimsoll.report.html.RunSeries.TrialSeries;
import io.plimsoll.report.html.RunSeries.TrialSeries.HeatMap;
import io.plimsoll.report.picture.Chart.Axis;
import io.plimsoll.report.picture.Chart.Line;
import io.plimsoll.report.picture.Chart.Mark;
import io.plimsoll.report.picture.Chart.Style;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.ObservedFigures;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Scaling;
import io.plimsoll.result.Statistic;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.text.Language;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The charts of a run: ceilings, and for each trial time series, latencies and partitions.
 *
 * @param name of the trial; empty if it is the only one
 */
record RunCharts(TrialResult trial, Language language, String name) {
    private static final int HEAT_COLORS = 5;

    static List<Chart> of(RunResult result, RunSeries series, Language language, int mostOfTrial) {
        List<Chart> charts = new ArrayList<>();
        int number = 0;
        for (Ceiling ceiling : result.ceilings()) {
            number++;
            if (!ceiling.curve().isEmpty()) {
                charts.add(curve(ceiling, "ceiling-" + number, language));
            }
        }
        Scaling.of(result).forEach(scaling -> charts.add(scaling(scaling, language)));
        boolean one = result.trials().size() == 1;
        for (TrialResult trial : result.trials()) {
            RunCharts of = new RunCharts(trial, language, one ? "" : trial.name());
            Optional<TrialSeries> seen = Optional.ofNullable(series.trials().get(trial.name()));
            Stream.concat(seen.stream().flatMap(s -> of.ofSeries(s).stream()), of.partitions().stream())
                    .limit(mostOfTrial)
                    .forEach(charts::add);
        }
        return charts;
    }

    static String text(String key, Language language) {
        return Page.catalogue(language).path(key).asText("");
    }

    private String text(String key) {
        return text(key, language);
    }

    private static Chart curve(Ceiling ceiling, String file, Language language) {
        List<CurvePoint> points = ceiling.curve();
        List<Double> loads =
                points.stream().map(CurvePoint::offeredRecordsPerSecond).toList();
        List<Mark> marks = new ArrayList<>();
        Ceiling.Bound bound = ceiling.found().decisive();
        Double lower = bound == null ? null : bound.lowerRecordsPerSecond();
        Double upper = bound == null ? null : bound.upperRecordsPerSecond();
        if (lower != null && upper != null) {
            marks.add(Mark.band(lower, upper, color("muted"), 0.1, ""));
        }
        if (lower != null) {
            marks.add(Mark.line(lower, color("good"), text("curve.passed", language), Drawing.Anchor.END));
        }
        if (upper != null) {
            marks.add(Mark.line(upper, color("bad"), text("curve.failed", language), Drawing.Anchor.START));
        }
        String of = SettingNames.joined(ceiling.parameters());
        return new Chart(
                file,
                text("curve.title", language) + (of.isEmpty() ? "" : " · " + of),
                ceiling.found().slo() == null ? "" : ceiling.found().slo(),
                Axis.linear(loads.stream().mapToDouble(l -> l), false, Units::rate)
                        .called(text("curve.offered", language)),
                Axis.powersOfTen(
                        points.stream()
                                .flatMap(p -> Stream.of(p.p50(), p.p99()))
                                .filter(micros -> micros != null)
                                .mapToDouble(micros -> Math.max(1, micros)),
                        RunCharts::micros),
                List.of(
                        line("p50", "q50", loads, points, CurvePoint::p50),
                        line("p99", "q99", loads, points, CurvePoint::p99)),
                marks,
                false);
    }

    /** The measured speed-up beside the line of proportional scaling. */
    private static Chart scaling(Scaling scaling, Language language) {
        List<Integer> numbers =
                scaling.steps().stream().map(Scaling.Step::number).toList();
        List<Double> reached =
                scaling.steps().stream().map(Scaling.Step::speedUp).toList();
        double least = numbers.get(0);
        List<Double> ideal = numbers.stream().map(number -> number / least).toList();
        return new Chart(
                "scaling-" + scaling.what(),
                text("scaling.title", language) + " · " + scaling.what(),
                text("scaling.unit", language),
                Axis.linear(numbers.stream().mapToDouble(n -> n), true, Units::rate)
                        .called(scaling.what()),
                Axis.linear(
                        Stream.concat(reached.stream(), ideal.stream()).mapToDouble(n -> n),
                        false,
                        n -> Units.rate(n) + " ×"),
                List.of(
                        new Line(text("scaling.reached", language), color("c1"), Style.DOTS, numbers, reached),
                        new Line(text("scaling.ideal", language), color("c0"), Style.DASHED, numbers, ideal)),
                List.of(),
                false);
    }

    private static Line line(
            String name, String color, List<Double> loads, List<CurvePoint> points, Function<CurvePoint, Long> of) {
        List<@Nullable Number> values = new ArrayList<>();
        points.forEach(point -> values.add(of.apply(point)));
        return new Line(name, color(color), Style.DOTS, loads, values);
    }

    private static final Map<String, String> COLORS = read();

    /** @param name as in the page's style, without the leading dashes */
    static String color(String name) {
        String color = COLORS.get(name);
        if (color == null) {
            throw new IllegalArgumentException("no such colour: " + name);
        }
        return color;
    }

    static String colorName(int number) {
        return "c" + (1 + number % 7);
    }

    private static Map<String, String> read() {
        Map<String, String> colors = new HashMap<>();
        Matcher declared = Pattern.compile("--([\\w-]+): (#[0-9a-f]{6});").matcher(Page.resource("page.css"));
        while (declared.find()) {
            // The light colors come first in the file; dark ones must not replace them.
            colors.putIfAbsent(declared.group(1), declared.group(2));
        }
        return colors;
    }

    private Chart chart(String id, String title, String unit, Axis x, Axis y, List<Line> lines, List<Mark> marks) {
        String file = name.isEmpty() ? id : name + "-" + id;
        String whole = name.isEmpty() ? title : title + " · " + name;
        return new Chart(file, whole, unit, x, y, lines, marks, id.equals("stages"));
    }

    List<Chart> ofSeries(TrialSeries series) {
        List<Chart> charts = new ArrayList<>();
        Map<String, List<@Nullable Number>> columns = series.points().values();
        List<Number> times = series.points().times();
        Map<String, List<Figure>> byChart = new LinkedHashMap<>();
        FigureCatalogue.charted().forEach(f -> byChart.computeIfAbsent(f.line().chart(), c -> new ArrayList<>())
                .add(f));
        byChart.forEach((id, figures) -> {
            LinesOverTime over = new LinesOverTime(times, columns, language);
            List<Line> lines = over.of(figures);
            over.addAll(id, lines);
            if (!lines.isEmpty()) {
                Figure first = figures.get(0);
                charts.add(overTime(id, id, first.label(language), axis(id, first, lines), lines));
            }
        });
        TrialSeries.BY_LABEL.forEach(
                (figure, like) -> byLabel(series, figure, like, Objects.requireNonNull(byChart.get(like)))
                        .ifPresent(charts::add));
        List<Line> stages = new ArrayList<>();
        for (TrialSeries.Stage stage : TrialSeries.STAGES) {
            List<@Nullable Number> values = columns.get("stages." + stage.name());
            if (values != null) {
                String called = text("stage." + stage.name());
                stages.add(new Line(called, color(stage.color()), Style.SOLID, times, values));
            }
        }
        if (!stages.isEmpty()) {
            DoubleStream sums = IntStream.range(0, times.size()).mapToDouble(i -> stages.stream()
                    .map(line -> line.y().get(i))
                    .mapToDouble(v -> v == null ? 0 : v.doubleValue())
                    .sum());
            charts.add(overTime("stages", "stages", "", Axis.linear(sums, false, ms -> micros(ms * 1000)), stages));
        }
        spectrum(series).ifPresent(charts::add);
        heat(series).ifPresent(charts::add);
        return charts;
    }

    /** A line for each label and group, with the unit and axis of another chart. */
    private Optional<Chart> byLabel(TrialSeries series, String figure, String like, List<Figure> ofLike) {
        List<Number> times = series.points().times();
        List<Line> lines = new ArrayList<>();
        series.points().values().forEach((column, values) -> {
            if (column.startsWith(TrialSeries.LABEL) && column.endsWith(" " + figure)) {
                String label = column.substring(TrialSeries.LABEL.length(), column.lastIndexOf(' '));
                lines.add(new Line(label, color(colorName(lines.size())), Style.SOLID, times, values));
            }
        });
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        String id = "label-" + figure.replace('.', '-');
        String title = text("time.label." + figure);
        // A chart with one line has no legend.
        String whole = lines.size() == 1 ? title + " · " + lines.get(0).name() : title;
        return Optional.of(overTime(id, like, whole, axis(like, ofLike.get(0), lines), lines));
    }

    private static Axis axis(String id, Figure figure, List<Line> lines) {
        DoubleStream values = values(lines);
        DoubleFunction<String> format = format(figure.shownDimension());
        boolean whole = figure.shownDimension() == Dimension.COUNT && id.matches("lag|replicas");
        return figure.isLatency() ? Axis.powersOfTen(values, format) : Axis.linear(values, whole, format);
    }

    /** @param like id of a chart with the same unit */
    private Chart overTime(String id, String like, String label, Axis y, List<Line> lines) {
        List<? extends Number> times = lines.get(0).x();
        double end = times.get(times.size() - 1).doubleValue();
        String title = text("time." + id + ".title");
        String unit = text("time." + like + ".unit");
        return chart(id, title.isEmpty() ? label : title, unit, Axis.time(end), y, lines, marks(end));
    }

    private static DoubleStream values(List<Line> lines) {
        return lines.stream()
                .flatMapToDouble(
                        line -> line.y().stream().filter(value -> value != null).mapToDouble(Number::doubleValue));
    }

    /** Marks as on the HTML page: warm-up and drain are shaded, and a fault has a line at its start and shading until its end. */
    private List<Mark> marks(double end) {
        List<Mark> marks = new ArrayList<>();
        TrialResult.Course course = trial.course();
        double warmup = course.warmupSeconds() == null ? 0 : course.warmupSeconds();
        if (warmup > 0) {
            marks.add(shade(0, Math.min(warmup, end), text("time.warmup")));
        }
        double drain = warmup + course.measuredSeconds();
        if (course.complete() && end - drain > 0.4) {
            marks.add(shade(drain, end, end - drain > 0.09 * end ? text("time.drain") : ""));
        }
        int number = 0;
        for (FaultResult fault : trial.detail().faults()) {
            number++;
            FaultResult.Span span = fault.span();
            double from = span.inEffect() == null ? span.asked() : span.inEffect();
            if (span.over() != null && span.over() > from) {
                marks.add(Mark.band(from, span.over(), color("bad"), 0.09, ""));
            }
            marks.add(Mark.band(from, from, color("bad"), 1, String.valueOf(number)));
        }
        return marks;
    }

    private static Mark shade(double from, double to, String label) {
        return Mark.band(from, to, color("muted"), 0.1, label);
    }

    static String micros(double micros) {
        return micros == 0 ? "0" : Units.micros(micros).replaceFirst("\\.0+(?= )", "");
    }

    static DoubleFunction<String> format(Dimension dimension) {
        return switch (dimension) {
            case MICROSECONDS -> RunCharts::micros;
            case BYTES_PER_SECOND -> Units::byteRate;
            case RECORDS_PER_SECOND -> Units::rate;
            case RATIO -> Units::percent;
            case BYTES -> Units::bytes;
            // Values of a million or more have a unit letter.
            case COUNT ->
                count -> count < 1e6
                        ? Units.figure(count, "ratio")
                        : Units.bytes(count).replace("B", "");
        };
    }

    private Optional<Chart> spectrum(TrialSeries series) {
        List<Line> lines = new ArrayList<>();
        series.spectra().forEach((kind, points) -> {
            String color = Map.of("response", "q99", "service", "qmax", "endToEnd", "c3")
                    .getOrDefault(kind, "c4");
            boolean dashed = kind.equals("service") || kind.equals("endToEndFromAppend");
            lines.add(new Line(
                    text("spectrum." + kind),
                    color(color),
                    dashed ? Style.DASHED : Style.SOLID,
                    points.stream().map(p -> p.get(0)).toList(),
                    points.stream()
                            .map(p -> Math.max(1, p.get(1).doubleValue()))
                            .toList()));
        });
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        DoubleStream beyond = lines.stream().flatMap(l -> l.x().stream()).mapToDouble(Number::doubleValue);
        Axis x = Axis.powersOfTen(beyond, RunCharts::quantile).called(text("spectrum.percentile"));
        Axis y = Axis.powersOfTen(values(lines), RunCharts::micros);
        return Optional.of(chart("spectrum", text("spectrum.title"), "", x, y, lines, List.of()));
    }

    /** Labels for 1 ÷ (1 − quantile): 1 is 0 %, 1,000 is 99.9 %. */
    private static String quantile(double beyond) {
        int digits = (int) Math.max(0, Math.ceil(Math.log10(beyond) - 1e-9) - 2);
        return Units.decimals(100 * (1 - 1 / beyond), digits) + " %";
    }

    private Optional<Chart> heat(TrialSeries series) {
        List<int[]> cells = series.heat().cells();
        if (cells.isEmpty()) {
            return Optional.empty();
        }
        double wide = series.heat().secondsPerColumn();
        List<Mark> marks = new ArrayList<>();
        for (int[] cell : cells) {
            int color = (int) Math.min(HEAT_COLORS - 1, Math.log10(cell[2]) / 4 * HEAT_COLORS);
            marks.add(new Mark(
                    cell[0] * wide,
                    (cell[0] + 1) * wide,
                    HeatMap.from(cell[1]),
                    HeatMap.from(cell[1] + 1),
                    color("h" + color),
                    1,
                    "",
                    Drawing.Anchor.MIDDLE));
        }
        Axis x = Axis.time(marks.stream().mapToDouble(Mark::right).max().orElse(1));
        Axis y = Axis.powersOfTen(
                marks.stream().flatMapToDouble(m -> DoubleStream.of(m.low(), m.high())), RunCharts::micros);
        return Optional.of(chart("heat", text("heat.title"), text("heat.unit"), x, y, List.of(), marks));
    }

    Optional<Chart> partitions() {
        List<PartitionResult> all = trial.detail().partitions();
        boolean topics = all.stream().map(PartitionResult::topic).distinct().count() > 1;
        List<Line> lines = new ArrayList<>();
        bars(lines, text("skew.produced"), "c1", PartitionResult::produced);
        bars(lines, text("skew.consumed"), "c4", PartitionResult::consumed);
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        Axis x = Axis.names(all.stream()
                .map(p -> (topics ? p.topic() + "-" : "") + p.partition())
                .toList());
        Axis y = Axis.linear(values(lines), true, format(Dimension.COUNT));
        return Optional.of(chart("partitions", text("skew.partitions"), text("skew.records"), x, y, lines, List.of()));
    }

    private void bars(List<Line> lines, String called, String color, ToLongFunction<PartitionResult> of) {
        List<Long> values =
                trial.detail().partitions().stream().map(of::applyAsLong).toList();
        if (values.stream().anyMatch(value -> value > 0)) {
            List<Integer> places = IntStream.range(0, values.size()).boxed().toList();
            lines.add(new Line(called, color(color), Style.BARS, places, values));
        }
    }

    /** Lines over time: percentiles, one line for each broker, topic or observed group, or a single line. */
    record LinesOverTime(List<Number> times, Map<String, List<@Nullable Number>> columns, Language language) {
        private static final Set<String> SUMMED = Set.of("bytesIn", "bytesOut", "messagesIn", "rejected");

        List<Line> of(List<Figure> figures) {
            List<Line> lines = new ArrayList<>();
            for (Figure figure : figures) {
                String each = figure.ofEach();
                if (figure.isLatency()) {
                    TrialSeries.PERCENTILES.forEach(statistic -> percentile(lines, figure, statistic));
                    percentile(lines, figure, Statistic.MEAN);
                } else if (each != null) {
                    each(lines, figure, each);
                } else {
                    String label = figure.label(language);
                    add(
                            lines,
                            figure,
                            figure.id(),
                            label,
                            Objects.requireNonNullElse(figure.line().color(), "c0"));
                }
            }
            return lines;
        }

        /**
         * Adds a line with the sum over brokers, for additive figures; it has a gap where a broker's value is unknown.
         */
        void addAll(String chart, List<Line> lines) {
            if (lines.size() < 2 || !SUMMED.contains(chart)) {
                return;
            }
            List<@Nullable Number> sums = new ArrayList<>();
            for (int i = 0; i < times.size(); i++) {
                int at = i;
                boolean known = lines.stream().allMatch(line -> line.y().get(at) != null);
                DoubleStream values =
                        lines.stream().mapToDouble(line -> line.y().get(at).doubleValue());
                sums.add(known ? Double.valueOf(values.sum()) : null);
            }
            lines.add(new Line(text("time.allBrokers", language), color("c0"), Style.DASHED, times, sums));
        }

        private void percentile(List<Line> lines, Figure figure, Statistic statistic) {
            String color =
                    statistic == Statistic.MEAN ? "q50" : "q" + statistic.text().replaceAll("[p.]", "");
            boolean most = statistic == Statistic.MAX;
            String called = text("stat." + statistic.text(), language);
            String name = called.isEmpty() ? statistic.text() : called;
            List<@Nullable Number> values = columns.get(figure.id() + "." + statistic.text());
            if (values != null) {
                lines.add(new Line(name, color(color), most ? Style.DASHED : Style.SOLID, times, values));
            }
        }

        private void each(List<Line> lines, Figure figure, String what) {
            String ending = figure.id().substring(figure.id().indexOf('.'));
            List<String> all = columns.keySet().stream()
                    .filter(column -> column.startsWith(what) && column.endsWith(ending))
                    .map(column -> column.substring(what.length(), column.length() - ending.length()))
                    .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
                    .toList();
            if (what.equals(ObservedFigures.TOPIC) && all.size() < 2) {
                // The line of the only topic would equal the line of all brokers.
                return;
            }
            for (String one : all) {
                String ofBroker = ending.startsWith(".host")
                        ? figure.label(language) + " " + one
                        : text("time.broker", language).replace("{0}", one);
                String called = figure.isOfBrokers() ? ofBroker : one;
                add(lines, figure, what + one + ending, called, colorName(lines.size()));
            }
        }

        private void add(List<Line> lines, Figure figure, String column, String name, String color) {
            List<@Nullable Number> values = columns.getOrDefault(column, List.of());
            boolean any = values.stream()
                    .filter(Objects::nonNull)
                    .anyMatch(value -> !figure.line().quiet() || value.doubleValue() > 0);
            if (any) {
                Style style = Style.valueOf(figure.line().style().toUpperCase(Locale.ROOT));
                lines.add(new Line(name, color(color), style, times, values));
            }
        }
    }
}
