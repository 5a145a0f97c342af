package io.plimsoll.web;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window;
import io.plimsoll.result.Progress;
import java.util.List;
import java.util.Locale;

/**
 * What the latest second of a run did, as OpenMetrics, for Prometheus to scrape: counters since the trial began, and
 * percentiles, lag and CPU of its last second. Thread-safe.
 */
public final class MetricsPage implements Progress {
    private static final String TYPE = "application/openmetrics-text; version=1.0.0";

    private final WebServer server;
    private Snapshot last;
    private long due;
    private long acknowledged;
    private long acknowledgedBytes;
    private long consumed;
    private long errors;

    /** @param port 0 for any that is free */
    public MetricsPage(String host, int port) {
        server = new WebServer(host, port);
        server.on("/metrics", exchange -> WebServer.answer(exchange, 200, TYPE, text()));
        server.start();
    }

    /** Where to scrape. */
    public String address() {
        String first = server.address();
        int query = first.indexOf('?');
        return query < 0 ? first + "metrics" : first.substring(0, query) + "metrics" + first.substring(query);
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        if (last == null || !last.trial().equals(s.trial())) {
            due = 0;
            acknowledged = 0;
            acknowledgedBytes = 0;
            consumed = 0;
            errors = 0;
        }
        last = s;
        for (Window window : List.of(s.warmup(), s.measured())) {
            due += window.produce().due();
            acknowledged += window.produce().acknowledged();
            acknowledgedBytes += window.produce().acknowledgedBytes();
            consumed += window.consume().records();
            errors += window.produce().errorTotal()
                    + window.consume().errors().values().stream()
                            .mapToLong(Long::longValue)
                            .sum();
        }
    }

    private synchronized String text() {
        StringBuilder out = new StringBuilder();
        if (last != null) {
            counter(out, "plimsoll_records_due", "Records that the schedule asked for.", due);
            counter(out, "plimsoll_records_acknowledged", "Records that were acknowledged.", acknowledged);
            counter(out, "plimsoll_bytes_acknowledged", "Their keys and values.", acknowledgedBytes);
            counter(out, "plimsoll_records_consumed", "Records that consumers received.", consumed);
            counter(out, "plimsoll_errors", "Failures of producing and consuming.", errors);
            quantiles(
                    out,
                    "plimsoll_response_seconds",
                    "Response times of the last second.",
                    last.warmup()
                            .produce()
                            .responseTime()
                            .plus(last.measured().produce().responseTime()));
            quantiles(
                    out,
                    "plimsoll_end_to_end_seconds",
                    "End-to-end latencies of the last second.",
                    last.warmup()
                            .consume()
                            .endToEnd()
                            .plus(last.measured().consume().endToEnd()));
            head(out, "plimsoll_lag_records", "gauge", "Records not yet read, by consumer group.");
            last.lag().forEach((group, lag) -> line(out, "plimsoll_lag_records", "group", group, lag));
            head(out, "plimsoll_generator_cores", "gauge", "CPU of the load generator in the last second.");
            double seconds = Math.max(1, last.toNanos() - last.fromNanos());
            line(out, "plimsoll_generator_cores", null, null, last.generator().cpuNanos() / seconds);
        }
        return out.append("# EOF\n").toString();
    }

    private void counter(StringBuilder out, String name, String help, long value) {
        head(out, name, "counter", help);
        line(out, name + "_total", null, null, value);
    }

    private void quantiles(StringBuilder out, String name, String help, Latencies latencies) {
        head(out, name, "gauge", help);
        if (!latencies.isEmpty()) {
            for (String quantile : List.of("0.5", "0.99", "0.999", "1.0")) {
                double micros = latencies.percentileMicros(Double.parseDouble(quantile) * 100);
                line(out, name, "quantile", quantile, micros / 1e6);
            }
        }
    }

    private static void head(StringBuilder out, String name, String type, String help) {
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    }

    private void line(StringBuilder out, String name, String label, String value, double number) {
        out.append(name).append("{trial=\"").append(escaped(last.trial())).append('"');
        if (label != null) {
            out.append(',').append(label).append("=\"").append(escaped(value)).append('"');
        }
        String digits = number == Math.rint(number)
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%.6f", number);
        out.append("} ").append(digits).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public void phase(String trial, String phase, double fraction, double etaSeconds) {}

    @Override
    public void note(String text) {}

    @Override
    public void close() {
        server.close();
    }
}
