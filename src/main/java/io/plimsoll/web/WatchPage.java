package io.plimsoll.web;

import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Json;
import io.plimsoll.watch.WatchStatus;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Serves a watch: its page, JSON and Prometheus metrics. Thread-safe. */
public final class WatchPage extends WebServer {
    private static final String NAME = "plimsoll_watch_";

    public WatchPage(WebPlace place, Supplier<WatchStatus> status) {
        super(place);
        on("/", exchange -> page(exchange, language -> HtmlReport.render(status.get(), language)));
        on("/status.json", exchange -> answer(exchange, 200, "application/json", Json.pretty(status.get())));
        on(
                "/metrics",
                exchange ->
                        answer(exchange, 200, ExportedMetric.TYPE, ExportedMetric.openMetrics(metrics(status.get()))));
        start();
    }

    /** Metrics for Prometheus and OTLP, always the same set. The broker {@code all} is the whole cluster. */
    public static List<ExportedMetric> metrics(WatchStatus now) {
        ExportedMetric attempts = new ExportedMetric(
                NAME + "attempts", ExportedMetric.Kind.COUNT, "Attempts by signal, broker and result.");
        ExportedMetric burning = gauge("burn_rate", "Rate of failures ÷ the rate that the objective allows.");
        ExportedMetric availability = gauge("availability", "Share of good attempts.");
        ExportedMetric latency = gauge("latency_seconds", "Latencies of the last five to ten minutes.");
        ExportedMetric outage = gauge("outage", "1 during an outage of a signal at a broker, otherwise 0.");
        for (WatchStatus.SignalStatus s : now.signals()) {
            String signal = s.signal().id();
            String broker = s.broker() == WatchStatus.ALL ? "all" : Integer.toString(s.broker());
            attempts.add(s.good(), "signal", signal, "broker", broker, "result", "good");
            attempts.add(s.bad(), "signal", signal, "broker", broker, "result", "bad");
            s.windows().forEach((window, w) -> {
                burning.add(w.burnRate(), "signal", signal, "broker", broker, "window", window);
                availability.add(w.availability(), "signal", signal, "broker", broker, "window", window);
            });
            WatchStatus.Latency recent = s.recent();
            if (recent.p50() != null && recent.p99() != null && recent.p999() != null) {
                latency.add(recent.p50() / 1e3, "signal", signal, "broker", broker, "quantile", "0.5");
                latency.add(recent.p99() / 1e3, "signal", signal, "broker", broker, "quantile", "0.99");
                latency.add(recent.p999() / 1e3, "signal", signal, "broker", broker, "quantile", "0.999");
            }
            boolean down = now.outages().stream()
                    .anyMatch(o -> o.ongoing() && o.signal() == s.signal() && o.broker() == s.broker());
            outage.add(down ? 1 : 0, "signal", signal, "broker", broker);
        }
        WatchStatus.Audit audit = now.place().audit();
        ExportedMetric records = new ExportedMetric(
                        NAME + "records", ExportedMetric.Kind.COUNT, "Records by outcome of the audit.")
                .add(audit.acknowledged(), "fate", "acknowledged")
                .add(audit.confirmed(), "fate", "confirmed")
                .add(audit.lost(), "fate", "lost")
                .add(audit.duplicated(), "fate", "duplicated")
                .add(audit.disordered(), "fate", "disordered")
                .add(audit.unknown(), "fate", "unknown");
        ExportedMetric stood = new ExportedMetric(
                        NAME + "stood_seconds",
                        ExportedMetric.Kind.SUM,
                        "Seconds in which the watch itself was unresponsive.")
                .add(now.place().stoodSeconds());
        ExportedMetric unsaved = gauge("unsaved_seconds", "Seconds since the state was last written to its directory.")
                .add(now.place().unsavedSeconds());
        // One Prometheus server can scrape watches of several clusters.
        return Stream.of(attempts, burning, availability, latency, outage, records, stood, unsaved)
                .map(metric -> metric.with("kafka_cluster", now.place().clusterId()))
                .toList();
    }

    private static ExportedMetric gauge(String name, String help) {
        return new ExportedMetric(NAME + name, ExportedMetric.Kind.GAUGE, help);
    }
}
