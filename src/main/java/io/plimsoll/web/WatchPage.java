package io.plimsoll.web;

import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Json;
import io.plimsoll.watch.WatchStatus;
import io.plimsoll.watch.WatchStatus.SignalStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Shows a watch: its page, the same as JSON, and its metrics for Prometheus. Thread-safe. */
public final class WatchPage implements AutoCloseable {
    private static final String NAME = "plimsoll_watch_";

    private final Supplier<WatchStatus> status;
    private final WebServer server;

    /**
     * Offers it.
     *
     * @param status is asked for what is known at each request
     */
    public WatchPage(WebPlace place, Supplier<WatchStatus> status) {
        this.status = status;
        server = new WebServer(place);
        server.on("/", exchange -> WebServer.page(exchange, language -> HtmlReport.render(status.get(), language)));
        server.on(
                "/status.json",
                exchange -> WebServer.answer(exchange, 200, "application/json", Json.pretty(status.get())));
        server.on("/metrics", exchange -> WebServer.answer(exchange, 200, OpenMetrics.TYPE, metrics()));
        server.start();
    }

    public String address() {
        return server.address();
    }

    private String metrics() {
        WatchStatus now = status.get();
        OpenMetrics out = new OpenMetrics();
        out.family(NAME + "attempts", "counter", "What was tried, by broker and by whether it was good.");
        for (SignalStatus s : now.signals()) {
            out.sample(NAME + "attempts_total", labels(s, "result", "good"), s.good());
            out.sample(NAME + "attempts_total", labels(s, "result", "bad"), s.bad());
        }
        out.family(NAME + "burn_rate", "gauge", "How many times as fast as the objective allows failures come.");
        now.signals().forEach(s -> s.windows()
                .forEach((window, w) -> out.sample(NAME + "burn_rate", labels(s, "window", window), w.burnRate())));
        out.family(NAME + "availability", "gauge", "The share of attempts that were good.");
        now.signals().forEach(s -> s.windows()
                .forEach((window, w) ->
                        out.sample(NAME + "availability", labels(s, "window", window), w.availability())));
        out.family(NAME + "latency_seconds", "gauge", "Latencies of the last five to ten minutes.");
        for (SignalStatus s : now.signals()) {
            if (s.recent().p50() != null) {
                out.sample(
                        NAME + "latency_seconds",
                        labels(s, "quantile", "0.5"),
                        s.recent().p50() / 1e3);
                out.sample(
                        NAME + "latency_seconds",
                        labels(s, "quantile", "0.99"),
                        s.recent().p99() / 1e3);
                out.sample(
                        NAME + "latency_seconds",
                        labels(s, "quantile", "0.999"),
                        s.recent().p999() / 1e3);
            }
        }
        out.family(NAME + "outage", "gauge", "1 while nothing of a signal succeeds at a broker.");
        for (SignalStatus s : now.signals()) {
            boolean down = now.outages().stream()
                    .anyMatch(o -> o.goesOn() && o.signal() == s.signal() && o.broker() == s.broker());
            out.sample(NAME + "outage", labels(s, null, null), down ? 1 : 0);
        }
        audit(out, now.place());
        return out.text();
    }

    private static void audit(OpenMetrics out, WatchStatus.Place place) {
        WatchStatus.Audit audit = place.audit();
        Map<String, Long> fates = new LinkedHashMap<>();
        fates.put("acknowledged", audit.acknowledged());
        fates.put("confirmed", audit.confirmed());
        fates.put("lost", audit.lost());
        fates.put("duplicated", audit.duplicated());
        fates.put("disordered", audit.disordered());
        fates.put("unknown", audit.unknown());
        out.family(NAME + "records", "counter", "Records by what the audit found of them.");
        fates.forEach((fate, count) -> out.sample(NAME + "records_total", Map.of("fate", fate), count));
        out.family(NAME + "stood_seconds", "counter", "For how long the watch itself stood still.");
        out.sample(NAME + "stood_seconds_total", Map.of(), place.stoodSeconds());
    }

    /** All brokers together are the broker {@code all}, which sums by signal have to leave out. */
    private static Map<String, String> labels(SignalStatus s, String label, String value) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("signal", s.signal().id());
        labels.put("broker", s.broker() == WatchStatus.ALL ? "all" : Integer.toString(s.broker()));
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
