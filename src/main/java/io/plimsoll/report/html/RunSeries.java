package io.plimsoll.report.html;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.SnapshotSum;
import io.plimsoll.result.Statistic;
import io.plimsoll.result.Sums;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The figures of each second of a run, by trial, folded from its timeline in bounded memory. Not thread-safe. */
public final class RunSeries {
    private final Map<String, TrialSeries> trials = new LinkedHashMap<>();

    /** @throws io.plimsoll.PlimsollException as {@link RunDirectory#readTimeline()} */
    public static RunSeries of(RunDirectory directory) {
        try (Stream<TimelineEvent> timeline = directory.readTimeline()) {
            return of(timeline);
        }
    }

    public static RunSeries of(Stream<TimelineEvent> timeline) {
        RunSeries series = new RunSeries();
        timeline.forEachOrdered(series::accept);
        series.close();
        return series;
    }

    /** As {@link TrialSeries#close()}, for all trials. */
    void close() {
        trials.values().forEach(TrialSeries::close);
    }

    public void accept(TimelineEvent event) {
        if (event instanceof TimelineEvent.Measured e) {
            trial(e.snapshot().trial()).accept(e.snapshot());
        } else if (event instanceof TimelineEvent.Observed e) {
            trial(e.trial()).accept(e.observation());
        } else if (event instanceof TimelineEvent.Imported e) {
            trial(e.trial().name()).accept(e.trial());
        } else if (event instanceof TimelineEvent.TrialEnded) {
            close();
        }
    }

    private TrialSeries trial(String name) {
        return trials.computeIfAbsent(String.valueOf(name), n -> new TrialSeries());
    }

    /** Trials by name; trials without data are absent. */
    public Map<String, TrialSeries> trials() {
        return trials;
    }

    /**
     * The figures of each second of one trial, by figure id, {@code broker 1.…} or {@code stages.…}. Rates are per
     * second, latencies in microseconds, stage times in milliseconds. Not thread-safe.
     */
    public static final class TrialSeries {
        /** The stages of a produce request in a broker, in order. */
        public static final List<Stage> STAGES = List.of(
                new Stage("requestQueueMs", "c0"),
                new Stage("localMs", "c1"),
                new Stage("remoteMs", "c2"),
                new Stage("throttleMs", "c5"),
                new Stage("responseQueueMs", "c3"),
                new Stage("responseSendMs", "c4"));

        /** The statistics of a distribution that charts show. */
        public static final List<Statistic> PERCENTILES =
                List.of(Statistic.P50, Statistic.P99, Statistic.P999, Statistic.MAX);

        private static final String SERVICE = "produce.service.";
        /** The figures that charts show for each label, each with the id of the chart for all clients. */
        public static final Map<String, String> BY_LABEL = new TreeMap<>(Map.of(
                "produce.throughput", "throughput",
                "produce.response.p99", "response",
                "consume.throughput", "throughput",
                "consume.endToEnd.p99", "endToEnd",
                "consume.lag", "lag"));

        /** Prefix of the columns of labels. */
        public static final String LABEL = "label ";

        /** @param color of the stage in charts, see {@link io.plimsoll.result.ChartLine} */
        public record Stage(String name, String color) {}

        private final Points points = new Points();
        private final HeatMap heat = new HeatMap();
        private final Map<String, Spectrum> spectra = new LinkedHashMap<>();
        private @Nullable SnapshotSum open;

        void accept(Snapshot s) {
            spectrum("response", s.measured().get(Produced.RESPONSE_TIME));
            spectrum("service", s.measured().get(Produced.SERVICE_TIME));
            spectrum("endToEnd", s.measured().get(Consumed.END_TO_END));
            spectrum("endToEndFromAppend", s.measured().get(Consumed.END_TO_END_FROM_APPEND));
            if (open == null || !open.takes(s)) {
                close();
                open = new SnapshotSum(s);
            } else {
                open.add(s);
            }
        }

        /** Adds intervals reported by another tool: all seconds of an interval get the same values. */
        void accept(TrialResult imported) {
            List<TrialResult.Second> lines = imported.detail().seconds();
            double before = 0;
            for (TrialResult.Second line : lines) {
                // Seconds for which lines were omitted are unknown.
                double from = Math.max(before, line.at() - lines.get(0).at());
                for (int second = (int) Math.round(from); second < Math.round(line.at()); second++) {
                    if (imported.produce() != null) {
                        points.add(second, "produce.throughput", line.rates().produced());
                        var response = line.response();
                        known(second, SERVICE + Statistic.MAX.text(), response.serviceMax());
                        known(second, SERVICE + Statistic.MEAN.text(), response.serviceMean());
                    }
                    if (imported.consume() != null) {
                        points.add(second, "consume.throughput", line.rates().consumed());
                    }
                }
                before = line.at();
            }
        }

        private void known(int second, String column, @Nullable Number value) {
            if (value != null) {
                points.add(second, column, value.doubleValue());
            }
        }

        void accept(Observation o) {
            int middle = SnapshotSum.numberOf(o.fromNanos(), o.toNanos());
            for (int second = 0; second < o.seconds(); second++) {
                accept(o, Math.max(0, middle - o.seconds() / 2 + second));
            }
        }

        private void accept(Observation o, int second) {
            for (Figure figure : FigureCatalogue.charted()) {
                String column = figure.seriesOf(o);
                if (column != null) {
                    figure.seenIn(o).ifPresent(value -> points.add(second, column, value));
                }
            }
            Double requests = o.sums().get("produce.requests");
            if (requests != null) {
                for (Stage stage : STAGES) {
                    Double millis = o.sums().get("produce." + stage.name());
                    if (millis != null) {
                        points.add(second, "stages." + stage.name(), millis, requests);
                    }
                }
            }
        }

        /** Adds the last second to the data; later snapshots of that second would count as another one. */
        void close() {
            if (open != null) {
                Snapshot whole = open.snapshot();
                Sums sums = Sums.of(whole);
                Map<String, Double> parts = new LinkedHashMap<>();
                whole.labels().forEach(label -> byLabel(label, Sums.of(whole.of(label)), parts));
                // All seconds of a minute have the same values.
                int length = sums.seconds() < 2 ? 1 : (int) Math.round(sums.seconds());
                // Because of rounding, the first minute could otherwise begin before the trial.
                int from = Math.max(0, open.second() - length / 2);
                for (int second = 0; second < length; second++) {
                    int at = from + second;
                    add(at, sums, length);
                    parts.forEach((column, value) -> points.add(at, column, value));
                }
                heat.add(open.second(), sums.get(Produced.RESPONSE_TIME));
                open = null;
            }
        }

        /** Takes new values, see {@link Points#takeFresh()}, except for the current second. */
        Map<Integer, Map<String, Number>> takeFresh() {
            return points.takeFresh();
        }

        /** All complete seconds so far. */
        public Points points() {
            return points;
        }

        /** Counts of response times by time and latency, in all complete seconds so far. */
        public HeatMap heat() {
            return heat;
        }

        /**
         * Percentiles by kind of latency, as pairs of 1 ÷ (1 − quantile) and microseconds; kinds without samples are
         * absent.
         */
        public Map<String, List<List<Number>>> spectra() {
            Map<String, List<List<Number>>> curves = new LinkedHashMap<>();
            spectra.forEach((name, spectrum) -> curves.put(name, spectrum.points()));
            curves.values().removeIf(List::isEmpty);
            return curves;
        }

        private void spectrum(String name, Latencies latencies) {
            spectra.computeIfAbsent(name, n -> new Spectrum()).add(latencies);
        }

        private static void byLabel(String label, Sums sums, Map<String, Double> columns) {
            for (String figure : BY_LABEL.keySet()) {
                Double value = FigureCatalogue.ofSecond(sums, figure);
                if (value != null && sums.counts().has(figure.substring(0, figure.indexOf('.')))) {
                    columns.put(LABEL + label + " " + figure, value);
                }
            }
        }

        /** @param length of the interval in seconds */
        private void add(int second, Sums sums, int length) {
            for (Figure figure : FigureCatalogue.charted()) {
                if (SERVICE.startsWith(figure.id() + ".")) {
                    // Redundant if response times exist; other tools report only service times.
                    continue;
                }
                if (figure.isLatency()) {
                    for (Statistic statistic : PERCENTILES) {
                        String column = figure.id() + "." + statistic.text();
                        known(second, column, figure.ofSecond(sums, statistic, figure.shownDimension()));
                    }
                } else {
                    Double value = figure.ofSecond(sums, null, figure.shownDimension());
                    if (value != null) {
                        points.add(second, figure.id(), figure.countsEvents() ? value / length : value);
                    }
                }
            }
        }

        /** All percentiles of the samples, up to the last one with enough samples above it. */
        private static final class Spectrum {
            private static final int STEPS_PER_DECADE = 10;
            private static final int DECADES = 5;
            private static final int LEAST_SAMPLES_BEYOND = 10;

            private Latencies all = Latencies.EMPTY;

            void add(Latencies latencies) {
                all = all.plus(latencies);
            }

            /** Pairs of 1 ÷ (1 − quantile) and microseconds: 1 is the minimum, 100,000 is 99.999 %. */
            List<List<Number>> points() {
                List<List<Number>> points = new ArrayList<>();
                long count = all.count();
                for (int i = 0; i <= STEPS_PER_DECADE * DECADES; i++) {
                    double beyond = Math.pow(10, (double) -i / STEPS_PER_DECADE);
                    // A small tolerance, so that exactly ten samples are sufficient.
                    if (count * beyond < LEAST_SAMPLES_BEYOND - 1e-6) {
                        break;
                    }
                    long micros = i == 0 ? all.minMicros() : all.percentileMicros(100 * (1 - beyond));
                    points.add(List.of(Points.compact(1 / beyond), Points.compact(micros)));
                }
                return points;
            }
        }

        /** Counts of response times by time and latency: eight rows per decade, a bounded number of columns. Not thread-safe. */
        public static final class HeatMap {
            static final int MOST_COLUMNS = 128;
            static final int ROWS_PER_DECADE = 8;
            private static final int ROWS = 9 * ROWS_PER_DECADE;

            private final List<long[]> columns = new ArrayList<>();
            private int secondsPerColumn = 1;

            void add(int second, Latencies latencies) {
                if (latencies.isEmpty()) {
                    return;
                }
                while (second / secondsPerColumn >= MOST_COLUMNS) {
                    coarsen();
                }
                int column = second / secondsPerColumn;
                while (columns.size() <= column) {
                    columns.add(new long[ROWS]);
                }
                long[] counts = columns.get(column);
                latencies.forEach((micros, count) -> counts[row(micros)] += count);
            }

            static int row(long micros) {
                int row = (int) Math.floor(Math.log10(Math.max(1, micros)) * ROWS_PER_DECADE);
                return Math.min(ROWS - 1, row);
            }

            void coarsen() {
                secondsPerColumn *= 2;
                List<long[]> merged = new ArrayList<>();
                for (int i = 0; i < columns.size(); i += 2) {
                    long[] counts = columns.get(i);
                    if (i + 1 < columns.size()) {
                        long[] next = columns.get(i + 1);
                        Arrays.setAll(counts, row -> counts[row] + next[row]);
                    }
                    merged.add(counts);
                }
                columns.clear();
                columns.addAll(merged);
            }

            /** The microseconds at which a row begins. */
            public static double from(int row) {
                return Math.pow(10, (double) row / ROWS_PER_DECADE);
            }

            public int secondsPerColumn() {
                return secondsPerColumn;
            }

            /** For each cell with records: column, row, and share of the column's records in ten-thousandths, at least 1. */
            public List<int[]> cells() {
                List<int[]> cells = new ArrayList<>();
                for (int column = 0; column < columns.size(); column++) {
                    long[] counts = columns.get(column);
                    long all = Arrays.stream(counts).sum();
                    for (int row = 0; row < ROWS; row++) {
                        if (counts[row] > 0) {
                            int share = (int) Math.max(1, Math.round(10_000.0 * counts[row] / all));
                            cells.add(new int[] {column, row, share});
                        }
                    }
                }
                return cells;
            }
        }
    }
}
