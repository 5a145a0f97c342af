package io.plimsoll.web;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import io.plimsoll.result.Sums;
import io.plimsoll.scenario.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Metrics of a run: counters since the start of the trial, and values of the last second. Thread-safe. */
public final class RunTotals implements Progress {
    private static final List<String> QUANTILES = List.of("0.5", "0.99", "0.999", "1.0");

    private static final List<Metric<Long>> COUNTERS =
            List.of(Produced.DUE, Produced.ACKNOWLEDGED, Produced.ACKNOWLEDGED_BYTES, Consumed.RECORDS);

    /** Totals by label; the first entry, with an empty label, is for all clients. */
    private final Map<String, Totals> parts = new TreeMap<>(Map.of("", new Totals()));

    private String trial = "";

    /** Counts of the clients with a label since the start of the trial. */
    private static final class Totals {
        private final Counts.Sum sum = Counts.Sum.overTime();
        private long errors;
        private @Nullable Snapshot last;

        void add(Snapshot s) {
            last = s;
            for (Counts window : List.of(s.warmup(), s.measured())) {
                COUNTERS.forEach(metric -> sum.add(metric, window.get(metric)));
                errors += window.total(Produced.ERRORS) + window.total(Consumed.ERRORS);
            }
        }
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        if (!trial.equals(s.trial())) {
            trial = s.trial();
            parts.clear();
        }
        parts.computeIfAbsent("", l -> new Totals()).add(s);
        s.labels().forEach(label -> parts.computeIfAbsent(label, l -> new Totals())
                .add(s.of(label)));
    }

    private Totals part(String label) {
        return Objects.requireNonNull(parts.get(label));
    }

    /** The metrics, always the same set; they have no samples before the first second. */
    public synchronized List<ExportedMetric> metrics() {
        ExportedMetric lag = new ExportedMetric(
                "plimsoll_lag_records", ExportedMetric.Kind.GAUGE, "Records not yet read, by consumer group.");
        ExportedMetric cores = new ExportedMetric(
                "plimsoll_generator_cores", ExportedMetric.Kind.GAUGE, "CPU of the load generator in the last second.");
        Snapshot last = part("").last;
        if (last != null) {
            last.whole()
                    .get(Consumed.LAG)
                    .forEach((group, records) -> lag.add(records, "trial", trial, "group", group));
            double nanos = Math.max(1, last.toNanos() - last.fromNanos());
            cores.add(last.whole().get(GeneratorUse.CPU_NANOS) / nanos, "trial", trial);
        }
        List<ExportedMetric> all = new ArrayList<>(of("plimsoll_", "", Set.of("")));
        all.addAll(List.of(lag, cores));
        Set<String> labels = new TreeSet<>(parts.keySet());
        labels.remove("");
        all.addAll(of("plimsoll_labeled_", " By label; sums over different labels count clients twice.", labels));
        ExportedMetric byLabel = new ExportedMetric(
                "plimsoll_labeled_lag_records", ExportedMetric.Kind.GAUGE, "Records not yet read, by label or group.");
        labels.forEach(label -> {
            Long records = Sums.of(Objects.requireNonNull(part(label).last)).lag();
            if (records != null) {
                byLabel.add(records, labels(label));
            }
        });
        all.add(byLabel);
        return all;
    }

    /** The metrics of the clients with these labels, always the same set. */
    private List<ExportedMetric> of(String prefix, String note, Set<String> labels) {
        return List.of(
                count(prefix + "records_due", "Records that the schedule asked for." + note, labels, Produced.DUE),
                count(
                        prefix + "records_acknowledged",
                        "Records that were acknowledged." + note,
                        labels,
                        Produced.ACKNOWLEDGED),
                count(
                        prefix + "bytes_acknowledged",
                        "Their keys and values." + note,
                        labels,
                        Produced.ACKNOWLEDGED_BYTES),
                count(prefix + "records_consumed", "Records that consumers received." + note, labels, Consumed.RECORDS),
                count(prefix + "errors", "Failures of producing and consuming." + note, labels, null),
                quantiles(
                        prefix + "response_seconds",
                        "Response times of the last second." + note,
                        labels,
                        Produced.RESPONSE_TIME),
                quantiles(
                        prefix + "end_to_end_seconds",
                        "End-to-end latencies of the last second." + note,
                        labels,
                        Consumed.END_TO_END));
    }

    private String[] labels(String label, String... more) {
        List<String> all = new ArrayList<>(List.of("trial", trial));
        if (!label.isEmpty()) {
            Map.Entry<String, String> parts = Labels.parts(label);
            all.addAll(List.of(parts.getKey(), parts.getValue()));
        }
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /** @param counter counter to export; null for errors */
    private ExportedMetric count(String name, String help, Set<String> labels, @Nullable Metric<Long> counter) {
        ExportedMetric metric = new ExportedMetric(name, ExportedMetric.Kind.COUNT, help);
        labels.forEach(label -> {
            Totals of = part(label);
            if (of.last != null) {
                metric.add(counter == null ? of.errors : of.sum.get(counter), labels(label));
            }
        });
        return metric;
    }

    private ExportedMetric quantiles(String name, String help, Set<String> labels, Metric<Latencies> times) {
        ExportedMetric metric = new ExportedMetric(name, ExportedMetric.Kind.GAUGE, help);
        for (String label : labels) {
            Snapshot last = part(label).last;
            Latencies all = last == null
                    ? Latencies.EMPTY
                    : last.warmup().get(times).plus(last.measured().get(times));
            for (String q : all.isEmpty() ? List.<String>of() : QUANTILES) {
                double seconds = all.percentileMicros(Double.parseDouble(q) * 100) / 1e6;
                metric.add(seconds, labels(label, "quantile", q));
            }
        }
        return metric;
    }

    @Override
    public void close() {}

    /** Serves metrics as OpenMetrics, for Prometheus. Thread-safe. */
    public static final class MetricsPage extends WebServer implements Progress {

        /** @param figures supplies the current values for each request */
        public MetricsPage(WebPlace place, Supplier<List<ExportedMetric>> figures) {
            super(place);
            on(
                    "/metrics",
                    exchange -> answer(exchange, 200, ExportedMetric.TYPE, ExportedMetric.openMetrics(figures.get())));
            start();
        }

        @Override
        public String address() {
            return super.address().replaceFirst("(\\?.*)?$", "metrics$1");
        }
    }
}
