package io.plimsoll.web;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Shows the latest second of a run as OpenMetrics, for Prometheus to scrape: counters since the trial began, and
 * percentiles, lag and CPU of its last second. Thread-safe.
 */
public final class MetricsPage implements Progress {
    private final WebServer server;
    private final RunTotals totals = new RunTotals();

    public MetricsPage(WebPlace place) {
        server = new WebServer(place);
        server.on("/metrics", exchange -> WebServer.answer(exchange, 200, OpenMetrics.TYPE, text()));
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
        OpenMetrics out = new OpenMetrics();
        RunTotals.Totals figures = totals.figures();
        if (figures != null) {
            String trial = figures.trial();
            for (RunTotals.Name counter : RunTotals.COUNTERS) {
                out.family(counter.name(), "counter", counter.help());
                out.sample(counter.name() + "_total", labels(trial, null, null), figures.count(counter));
            }
            for (RunTotals.Name gauge : RunTotals.QUANTILES) {
                out.family(gauge.name(), "gauge", gauge.help());
                figures.quantiles(gauge)
                        .forEach((q, value) -> out.sample(gauge.name(), labels(trial, "quantile", q), value));
            }
            out.family(RunTotals.LAG.name(), "gauge", RunTotals.LAG.help());
            figures.lag().forEach((group, lag) -> out.sample(RunTotals.LAG.name(), labels(trial, "group", group), lag));
            out.family(RunTotals.CORES.name(), "gauge", RunTotals.CORES.help());
            out.sample(RunTotals.CORES.name(), labels(trial, null, null), figures.cores());
        }
        return out.text();
    }

    private static Map<String, String> labels(String trial, String label, String value) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("trial", trial);
        if (label != null) {
            labels.put(label, value);
        }
        return labels;
    }

    @Override
    public void close() {
        server.close();
    }
}
