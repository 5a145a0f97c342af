package io.plimsoll.web;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import java.util.Locale;

/**
 * Shows the latest second of a run as OpenMetrics, for Prometheus to scrape: counters since the trial began, and
 * percentiles, lag and CPU of its last second. Thread-safe.
 */
public final class MetricsPage implements Progress {
    private static final String TYPE = "application/openmetrics-text; version=1.0.0";

    private final WebServer server;
    private final RunTotals totals = new RunTotals();

    /** Offers it. */
    public MetricsPage(WebPlace place) {
        server = new WebServer(place);
        server.on("/metrics", exchange -> WebServer.answer(exchange, 200, TYPE, text()));
        server.start();
    }

    /** Where to scrape. */
    public String address() {
        return server.address().replaceFirst("(\\?.*)?$", "metrics$1");
    }

    @Override
    public void snapshot(Snapshot s) {
        totals.accept(s);
    }

    private String text() {
        StringBuilder out = new StringBuilder();
        RunTotals.Totals figures = totals.figures();
        if (figures != null) {
            String trial = figures.trial();
            for (RunTotals.Name counter : RunTotals.COUNTERS) {
                head(out, counter, "counter");
                line(out, counter.name() + "_total", trial, null, null, figures.count(counter));
            }
            for (RunTotals.Name gauge : RunTotals.QUANTILES) {
                head(out, gauge, "gauge");
                figures.quantiles(gauge).forEach((q, value) -> line(out, gauge.name(), trial, "quantile", q, value));
            }
            head(out, RunTotals.LAG, "gauge");
            figures.lag().forEach((group, lag) -> line(out, RunTotals.LAG.name(), trial, "group", group, lag));
            head(out, RunTotals.CORES, "gauge");
            line(out, RunTotals.CORES.name(), trial, null, null, figures.cores());
        }
        return out.append("# EOF\n").toString();
    }

    private static void head(StringBuilder out, RunTotals.Name name, String type) {
        out.append("# TYPE ").append(name.name()).append(' ').append(type).append('\n');
        out.append("# HELP ")
                .append(name.name())
                .append(' ')
                .append(name.help())
                .append('\n');
    }

    private static void line(StringBuilder out, String name, String trial, String label, String value, double number) {
        out.append(name).append("{trial=\"").append(escaped(trial)).append('"');
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
    public void close() {
        server.close();
    }
}
