package io.plimsoll.web;

import io.plimsoll.result.Progress;
import java.util.List;
import java.util.function.Supplier;

/** Shows figures as OpenMetrics, for Prometheus to scrape. Thread-safe. */
public final class MetricsPage implements Progress {
    private final WebServer server;

    /** @param figures are asked for at each request */
    public MetricsPage(WebPlace place, Supplier<List<ExportedMetric>> figures) {
        server = new WebServer(place);
        server.on(
                "/metrics",
                exchange -> WebServer.answer(exchange, 200, OpenMetrics.TYPE, OpenMetrics.text(figures.get())));
        server.start();
    }

    /** Where to scrape. */
    public String address() {
        return server.address().replaceFirst("(\\?.*)?$", "metrics$1");
    }

    @Override
    public void close() {
        server.close();
    }
}
