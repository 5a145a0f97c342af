package io.plimsoll.load.client;

import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.WireCounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Reads what one producer says of the way of its batches: how long they wait, how long requests are under way, to which broker,
 * and what its buffer is like. Means of the client are over its last second or two; weighted with what was counted in this
 * one they give sums that add up. Used by one thread.
 */
final class ProducerFigures {
    private static final String NODES = "producer-node-metrics";

    /** One broker as this client sees it. */
    private static final class Node {
        private final String id;
        private Metric requests;
        private Metric bytes;
        private Metric latency;
        private double requestsBefore;
        private double bytesBefore;

        Node(String id) {
            this.id = id;
        }
    }

    private final KafkaProducer<byte[], byte[]> producer;
    private final ProducerWire wire;
    private final Map<String, Metric> own = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private int knownMetrics;
    private double ioWaitBefore;
    private long readBeforeNanos;

    ProducerFigures(KafkaProducer<byte[], byte[]> producer) {
        this.producer = producer;
        this.wire = new ProducerWire(producer);
    }

    /** The settings that limit what an entry's clients can have under way. */
    static void settings(ClientFigures figures, String part, ProducerConfig config) {
        figures.set(part, "batchSize", config.getInt(ProducerConfig.BATCH_SIZE_CONFIG));
        figures.set(part, "lingerMs", config.getLong(ProducerConfig.LINGER_MS_CONFIG));
        figures.set(part, "bufferMemory", config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG));
        figures.set(part, "maxInFlight", config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION));
        String acks = config.getString(ProducerConfig.ACKS_CONFIG);
        figures.set(part, "acks", acks.equals("all") ? -1 : Double.parseDouble(acks));
    }

    /** @return what this client has sent since the last call */
    WireCounts add(ClientFigures figures, String part, long nowNanos) {
        WireCounts sent = wire.read();
        find();
        double seconds = readBeforeNanos == 0 ? 0 : (nowNanos - readBeforeNanos) / 1e9;
        readBeforeNanos = nowNanos;
        figures.add(part, "clientSeconds", seconds);
        figures.add(part, "requests", sent.requests());
        figures.add(part, "requestMs", sent.requests() * value("request-latency-avg"));
        figures.add(part, "batches", sent.written().batches());
        figures.add(part, "queueMs", sent.written().batches() * value("record-queue-time-avg"));
        figures.add(part, "throttleMs", sent.throttledNanos() / 1e6);
        figures.add(part, "bufferWaitSeconds", sent.bufferWaitNanos() / 1e9);
        figures.least(part, "bufferAvailable", number("buffer-available-bytes"));
        double ioWait = value("io-wait-time-ns-total");
        figures.add(part, "ioIdleSeconds", Math.max(0, ioWait - ioWaitBefore) / 1e9);
        ioWaitBefore = ioWait;
        for (Node node : nodes.values()) {
            String where = part + " broker " + node.id;
            double requests = value(node.requests) - node.requestsBefore;
            figures.add(where, "clientSeconds", seconds);
            figures.add(where, "requests", requests);
            figures.add(where, "requestMs", requests * value(node.latency));
            figures.add(where, "bytesOut", value(node.bytes) - node.bytesBefore);
            node.requestsBefore = value(node.requests);
            node.bytesBefore = value(node.bytes);
        }
        return sent;
    }

    private void find() {
        Map<MetricName, ? extends Metric> metrics = producer.metrics();
        if (metrics.size() == knownMetrics) {
            return;
        }
        knownMetrics = metrics.size();
        metrics.forEach((name, metric) -> {
            if (name.group().equals("producer-metrics")) {
                own.put(name.name(), metric);
            } else if (name.group().equals(NODES)) {
                node(name, metric);
            }
        });
    }

    /** Negative numbers are bootstrap servers, and very great ones coordinators: no brokers that records go to. */
    private void node(MetricName name, Metric metric) {
        String id = name.tags().getOrDefault("node-id", "").replace("node-", "");
        List<String> wanted = List.of("request-total", "outgoing-byte-total", "request-latency-avg");
        if (!id.matches("\\d{1,9}") || !wanted.contains(name.name())) {
            return;
        }
        Node node = nodes.computeIfAbsent(id, Node::new);
        switch (name.name()) {
            case "request-total" -> node.requests = metric;
            case "outgoing-byte-total" -> node.bytes = metric;
            default -> node.latency = metric;
        }
    }

    private double value(String name) {
        return value(own.get(name));
    }

    /** Not a number if there is no such metric. */
    private double number(String name) {
        return own.containsKey(name) ? value(name) : Double.NaN;
    }

    static double value(Metric metric) {
        if (metric == null || !(metric.metricValue() instanceof Double d) || d.isNaN() || d.isInfinite()) {
            return 0;
        }
        return d;
    }
}
