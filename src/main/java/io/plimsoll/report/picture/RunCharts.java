package io.plimsoll.report.picture;

import io.plimsoll.report.html.Page;
import io.plimsoll.report.html.RunSeries;
import io.plimsoll.report.html.TrialSeries;
import io.plimsoll.report.picture.Chart.Line;
import io.plimsoll.report.picture.Chart.Mark;
import io.plimsoll.report.picture.Chart.Style;
import io.plimsoll.report.picture.Drawing.Anchor;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Scaling;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.text.Language;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** All charts of a run: ceilings, and for each trial time series, latencies and partitions. */
final class RunCharts {
    private final Language language;
    private final List<Chart> charts = new ArrayList<>();

    private RunCharts(Language language) {
        this.language = language;
    }

    /** @param mostOfTrial charts of each trial */
    static List<Chart> of(RunResult result, RunSeries series, Language language, int mostOfTrial) {
        RunCharts all = new RunCharts(language);
        int number = 0;
        for (Ceiling ceiling : result.ceilings()) {
            number++;
            if (!ceiling.curve().isEmpty()) {
                all.charts.add(all.curve(ceiling, "ceiling-" + number));
            }
        }
        for (Scaling scaling : Scaling.of(result)) {
            all.charts.add(all.scaling(scaling));
        }
        boolean one = result.trials().size() == 1;
        for (TrialResult trial : result.trials()) {
            TrialCharts of = new TrialCharts(trial, language, one ? "" : trial.name());
            Optional<TrialSeries> seen = Optional.ofNullable(series.trials().get(trial.name()));
            Stream.concat(seen.stream().flatMap(s -> of.ofSeries(s).stream()), of.partitions().stream())
                    .limit(mostOfTrial)
                    .forEach(all.charts::add);
        }
        return all.charts;
    }

    /** A text of the page. */
    static String text(String key, Language language) {
        return Page.catalogue(language).path(key).asText("");
    }

    private String text(String key) {
        return text(key, language);
    }

    private Chart curve(Ceiling ceiling, String file) {
        List<CurvePoint> points = ceiling.curve();
        List<Double> loads =
                points.stream().map(CurvePoint::offeredRecordsPerSecond).toList();
        List<Mark> marks = new ArrayList<>();
        Bound bound = ceiling.found().decisive();
        Double lower = bound == null ? null : bound.lowerRecordsPerSecond();
        Double upper = bound == null ? null : bound.upperRecordsPerSecond();
        if (lower != null && upper != null) {
            marks.add(Mark.band(lower, upper, Palette.of("muted"), 0.1, ""));
        }
        if (lower != null) {
            marks.add(Mark.line(lower, Palette.of("good"), text("curve.passed"), Anchor.END));
        }
        if (upper != null) {
            marks.add(Mark.line(upper, Palette.of("bad"), text("curve.failed"), Anchor.START));
        }
        String of = SettingNames.joined(ceiling.parameters());
        return new Chart(
                file,
                text("curve.title") + (of.isEmpty() ? "" : " · " + of),
                ceiling.found().slo() == null ? "" : ceiling.found().slo(),
                Axis.linear(loads.stream().mapToDouble(l -> l), false, Units::rate)
                        .called(text("curve.offered")),
                Axis.powersOfTen(
                        points.stream()
                                .flatMap(p -> Stream.of(p.p50(), p.p99()))
                                .filter(micros -> micros != null)
                                .mapToDouble(micros -> Math.max(1, micros)),
                        TrialCharts::micros),
                List.of(
                        line("p50", "q50", loads, points, CurvePoint::p50),
                        line("p99", "q99", loads, points, CurvePoint::p99)),
                marks,
                false);
    }

    /** Beside the line that as many times the number would give as many times the throughput. */
    private Chart scaling(Scaling scaling) {
        List<Integer> numbers =
                scaling.steps().stream().map(Scaling.Step::number).toList();
        List<Double> reached =
                scaling.steps().stream().map(Scaling.Step::speedUp).toList();
        double least = numbers.get(0);
        List<Double> ideal = numbers.stream().map(number -> number / least).toList();
        return new Chart(
                "scaling-" + scaling.what(),
                text("scaling.title") + " · " + scaling.what(),
                text("scaling.unit"),
                Axis.linear(numbers.stream().mapToDouble(n -> n), true, Units::rate)
                        .called(scaling.what()),
                Axis.linear(
                        Stream.concat(reached.stream(), ideal.stream()).mapToDouble(n -> n),
                        false,
                        n -> Units.rate(n) + " ×"),
                List.of(
                        new Line(text("scaling.reached"), Palette.of("c1"), Style.DOTS, numbers, reached),
                        new Line(text("scaling.ideal"), Palette.of("c0"), Style.DASHED, numbers, ideal)),
                List.of(),
                false);
    }

    private static Line line(
            String name, String color, List<Double> loads, List<CurvePoint> points, Function<CurvePoint, Long> of) {
        // Unknown values are null.
        List<Number> values = new ArrayList<>();
        points.forEach(point -> values.add(of.apply(point)));
        return new Line(name, Palette.of(color), Style.DOTS, loads, values);
    }
}
