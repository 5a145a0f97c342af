package io.plimsoll.web;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Metrics of a run: counters since the start of the trial, and values of the last second. Thread-safe. */
public final class RunTotals implements Progress {
    private static final List<String> QUANTILES = List.of("0.5", "0.99", "0.999", "1.0");

    private static final List<Metric<Long>> COUNTERS =
            List.of(Produced.DUE, Produced.ACKNOWLEDGED, Produced.ACKNOWLEDGED_BYTES, Consumed.RECORDS);

    private @Nullable Snapshot last;

    private Counts.Sum sum = Counts.Sum.overTime();
    private long errors;

    @Override
    public synchronized void snapshot(Snapshot s) {
        if (last != null && !last.trial().equals(s.trial())) {
            sum = Counts.Sum.overTime();
            errors = 0;
        }
        last = s;
        for (Counts window : List.of(s.warmup(), s.measured())) {
            COUNTERS.forEach(metric -> sum.add(metric, window.get(metric)));
            errors += window.total(Produced.ERRORS) + window.total(Consumed.ERRORS);
        }
    }

    /** Always the same metrics; without samples before the first second. */
    public synchronized List<ExportedMetric> metrics() {
        ExportedMetric lag = new ExportedMetric(
                "plimsoll_lag_records", ExportedMetric.Kind.GAUGE, "Records not yet read, by consumer group.");
        ExportedMetric cores = new ExportedMetric(
                "plimsoll_generator_cores", ExportedMetric.Kind.GAUGE, "CPU of the load generator in the last second.");
        if (last != null) {
            last.whole()
                    .get(Consumed.LAG)
                    .forEach((group, records) -> lag.add(records, "trial", last.trial(), "group", group));
            double nanos = Math.max(1, last.toNanos() - last.fromNanos());
            cores.add(last.whole().get(GeneratorUse.CPU_NANOS) / nanos, "trial", last.trial());
        }
        return List.of(
                count("plimsoll_records_due", "Records that the schedule asked for.", sum.get(Produced.DUE)),
                count(
                        "plimsoll_records_acknowledged",
                        "Records that were acknowledged.",
                        sum.get(Produced.ACKNOWLEDGED)),
                count("plimsoll_bytes_acknowledged", "Their keys and values.", sum.get(Produced.ACKNOWLEDGED_BYTES)),
                count("plimsoll_records_consumed", "Records that consumers received.", sum.get(Consumed.RECORDS)),
                count("plimsoll_errors", "Failures of producing and consuming.", errors),
                quantiles("plimsoll_response_seconds", "Response times of the last second.", Produced.RESPONSE_TIME),
                quantiles(
                        "plimsoll_end_to_end_seconds", "End-to-end latencies of the last second.", Consumed.END_TO_END),
                lag,
                cores);
    }

    private ExportedMetric count(String name, String help, long count) {
        ExportedMetric metric = new ExportedMetric(name, ExportedMetric.Kind.COUNT, help);
        return last == null ? metric : metric.add(count, "trial", last.trial());
    }

    private ExportedMetric quantiles(String name, String help, Metric<Latencies> of) {
        ExportedMetric metric = new ExportedMetric(name, ExportedMetric.Kind.GAUGE, help);
        Latencies all = last == null
                ? Latencies.EMPTY
                : last.warmup().get(of).plus(last.measured().get(of));
        if (last != null && !all.isEmpty()) {
            for (String q : QUANTILES) {
                double seconds = all.percentileMicros(Double.parseDouble(q) * 100) / 1e6;
                metric.add(seconds, "trial", last.trial(), "quantile", q);
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
