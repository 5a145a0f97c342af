package io.plimsoll.web;

import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.observe.host.NodeFigures;
import io.plimsoll.result.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Serves this host's hardware ({@code /inventory}, JSON) and activity ({@code /metrics}, with the metrics of
 * node_exporter). Thread-safe.
 */
public final class ObservedHostPage extends WebServer {
    public ObservedHostPage(WebPlace place, Path directory) {
        super(place);
        String inventory = Json.line(HostInventory.read(directory).toMap());
        on("/", exchange -> answer(exchange, 200, "application/json", inventory));
        on("/inventory", exchange -> answer(exchange, 200, "application/json", inventory));
        on("/metrics", exchange -> answer(exchange, 200, ExportedMetric.TYPE, metrics()));
        start();
    }

    /** The URL for {@code --observer}; beyond the loopback interface, it contains the token and the certificate fingerprint. */
    @Override
    public String address() {
        return super.address() + pin;
    }

    private static String metrics() {
        Map<String, ExportedMetric> families = new LinkedHashMap<>();
        for (NodeFigures.Sample sample : NodeFigures.read()) {
            ExportedMetric.Kind kind = sample.counter() ? ExportedMetric.Kind.SUM : ExportedMetric.Kind.GAUGE;
            families.computeIfAbsent(sample.name(), name -> new ExportedMetric(name, kind, "As node_exporter has it."))
                    .samples()
                    .add(new ExportedMetric.Sample(sample.labels(), sample.value()));
        }
        return ExportedMetric.openMetrics(List.copyOf(families.values()));
    }
}
