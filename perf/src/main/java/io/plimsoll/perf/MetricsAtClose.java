package io.plimsoll.perf;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/**
 * Captures a client's metrics when it is closed. Set it as {@code metric.reporters}; clients are identified by {@code
 * client.id}. Thread-safe.
 */
public final class MetricsAtClose implements MetricsReporter {
    private static final Map<String, Map<String, Object>> LAST = new ConcurrentHashMap<>();

    private final Map<MetricName, KafkaMetric> metrics = new ConcurrentHashMap<>();
    private volatile String clientId = "";

    /** The constructor that Kafka calls. */
    public MetricsAtClose() {}

    /** Removes and returns the metrics of the last closed client with this id, by {@code group:name:{tags}}; empty if none. */
    public static Map<String, Object> take(String clientId) {
        Map<String, Object> taken = LAST.remove(clientId);
        return taken == null ? Map.of() : taken;
    }

    @Override
    public void configure(Map<String, ?> properties) {
        clientId = String.valueOf(properties.get("client.id"));
    }

    @Override
    public void init(List<KafkaMetric> known) {
        known.forEach(this::metricChange);
    }

    @Override
    public void metricChange(KafkaMetric metric) {
        metrics.put(metric.metricName(), metric);
    }

    @Override
    public void metricRemoval(KafkaMetric metric) {
        metrics.remove(metric.metricName());
    }

    @Override
    public void close() {
        Map<String, Object> values = new TreeMap<>();
        metrics.forEach((name, metric) ->
                values.put(name.group() + ":" + name.name() + ":" + name.tags(), metric.metricValue()));
        LAST.put(clientId, values);
    }
}
