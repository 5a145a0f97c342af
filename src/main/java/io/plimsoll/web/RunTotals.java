package io.plimsoll.web;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window;
import io.plimsoll.result.Progress;
import java.util.List;
import java.util.function.Function;

/** Figures of a run for others: counters since the trial began, and more of its last second. Thread-safe. */
public final class RunTotals implements Progress {
    private static final List<String> QUANTILES = List.of("0.5", "0.99", "0.999", "1.0");

    /** Null before the first second. */
    private Snapshot last;

    private long due;
    private long acknowledged;
    private long bytes;
    private long consumed;
    private long errors;

    @Override
    public synchronized void snapshot(Snapshot s) {
        if (last != null && !last.trial().equals(s.trial())) {
            due = acknowledged = bytes = consumed = errors = 0;
        }
        last = s;
        for (Window window : List.of(s.warmup(), s.measured())) {
            due += window.produce().due();
            acknowledged += window.produce().volume().acknowledged();
            bytes += window.produce().volume().acknowledgedBytes();
            consumed += window.consume().records();
            errors += window.produce().errorTotal();
            errors += window.consume().errors().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    /** The same metrics each time; without samples before the first second. */
    public synchronized List<Metric> metrics() {
        Metric lag = new Metric("plimsoll_lag_records", Metric.Kind.GAUGE, "Records not yet read, by consumer group.");
        Metric cores = new Metric(
                "plimsoll_generator_cores", Metric.Kind.GAUGE, "CPU of the load generator in the last second.");
        if (last != null) {
            last.lag().forEach((group, records) -> lag.add(records, "trial", last.trial(), "group", group));
            double nanos = Math.max(1, last.toNanos() - last.fromNanos());
            cores.add(last.generator().cpuNanos() / nanos, "trial", last.trial());
        }
        return List.of(
                count("plimsoll_records_due", "Records that the schedule asked for.", due),
                count("plimsoll_records_acknowledged", "Records that were acknowledged.", acknowledged),
                count("plimsoll_bytes_acknowledged", "Their keys and values.", bytes),
                count("plimsoll_records_consumed", "Records that consumers received.", consumed),
                count("plimsoll_errors", "Failures of producing and consuming.", errors),
                quantiles("plimsoll_response_seconds", "Response times of the last second.", window -> window.produce()
                        .times()
                        .responseTime()),
                quantiles(
                        "plimsoll_end_to_end_seconds",
                        "End-to-end latencies of the last second.",
                        window -> window.consume().endToEnd()),
                lag,
                cores);
    }

    private Metric count(String name, String help, long count) {
        Metric metric = new Metric(name, Metric.Kind.COUNT, help);
        return last == null ? metric : metric.add(count, "trial", last.trial());
    }

    private Metric quantiles(String name, String help, Function<Window, Latencies> of) {
        Metric metric = new Metric(name, Metric.Kind.GAUGE, help);
        Latencies all = last == null ? Latencies.EMPTY : of.apply(last.warmup()).plus(of.apply(last.measured()));
        if (!all.isEmpty()) {
            for (String q : QUANTILES) {
                double seconds = all.percentileMicros(Double.parseDouble(q) * 100) / 1e6;
                metric.add(seconds, "trial", last.trial(), "quantile", q);
            }
        }
        return metric;
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
