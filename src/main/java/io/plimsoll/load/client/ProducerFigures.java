package io.plimsoll.load.client;

import io.plimsoll.load.ClientMetrics;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.WireUse;
import io.plimsoll.wire.ClientInternals;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.MetricName;

/**
 * Reads the metrics of one producer: wire bytes, batch wait, request latency per broker, and buffer. The client keeps
 * totals of records and bytes, but only averages of the rest, over a window that {@link ClientProperties} sets to a
 * second. Read once a second, total ÷ average is the number of batches, and averages weighted by counts are additive.
 * {@link ClientInternals} counts throttle times. Used by one thread.
 */
final class ProducerFigures {
    private static final Set<String> OF_NODES = Set.of("request-total", "outgoing-byte-total", "request-latency-avg");
    private static final String BYTES = "topics";

    /** Blocking times of callers without a figure of their own. */
    private static final List<String> HELD = List.of("metadata-wait-time-ns-total", "txn-abort-time-ns-total");

    private static final String COMMITS = "txn-commit-time-ns-total";
    private static final String FLUSHES = "flush-time-ns-total";

    private final ClientMetrics metrics;
    private final Set<String> nodes = new TreeSet<>();
    private double commitNanos;

    private double flushNanos;
    private volatile boolean ending;
    /** Current wait, not yet counted by the client. */
    private double waitingSeconds;

    ProducerFigures(KafkaProducer<byte[], byte[]> producer) {
        this.metrics = new ClientMetrics(producer::metrics, this::key);
    }

    /** Later flush times do not belong to the senders. Any thread. */
    void ending() {
        ending = true;
    }

    private String key(MetricName name) {
        return switch (name.group()) {
            case "producer-metrics" -> name.name();
            case "producer-topic-metrics" -> name.name().equals("byte-total") ? BYTES : null;
            case "producer-node-metrics" -> keyOfNode(name);
            default -> null;
        };
    }

    /** Negative node IDs are bootstrap servers and very large ones coordinators, not leaders. */
    private String keyOfNode(MetricName name) {
        String id = name.tags().getOrDefault("node-id", "").replace("node-", "");
        if (!id.matches("\\d{1,9}") || !OF_NODES.contains(name.name())) {
            return null;
        }
        nodes.add(id);
        return name.name() + " " + id;
    }

    /** The settings that limit the in-flight data of an entry's clients. */
    static void settings(ClientFigures figures, String part, ProducerConfig config) {
        figures.set(part, "batchSize", config.getInt(ProducerConfig.BATCH_SIZE_CONFIG));
        figures.set(part, "lingerMs", config.getLong(ProducerConfig.LINGER_MS_CONFIG));
        figures.set(part, "bufferMemory", config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG));
        figures.set(part, "maxInFlight", config.getInt(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION));
        String acks = config.getString(ProducerConfig.ACKS_CONFIG);
        figures.set(part, "acks", acks.equals("all") ? -1 : Double.parseDouble(acks));
    }

    /** Adds the metrics since the last call. */
    void read(MeterReading into, String part, long nowNanos) {
        ClientFigures figures = into.clients();
        double seconds = metrics.look(nowNanos);
        Counts sent = sent(toNodes(figures, part, seconds));
        into.whole().add(sent);
        long requests = sent.get(WireUse.REQUESTS);
        long batches = sent.get(WireUse.BATCHES);
        figures.add(part, "clientSeconds", seconds);
        figures.add(part, "requests", requests);
        figures.add(part, "requestMs", requests * metrics.value("request-latency-avg"));
        figures.add(part, "batches", batches);
        figures.add(part, "queueMs", batches * metrics.value("record-queue-time-avg"));
        if (sent.get(WireUse.THROTTLES_UNTOLD) == 0) {
            figures.add(part, "throttleMs", sent.get(WireUse.THROTTLED_NANOS) / 1e6);
        }
        figures.add(part, "bufferWaitSeconds", sent.get(WireUse.BUFFER_WAIT_NANOS) / 1e9);
        String available = "buffer-available-bytes";
        figures.least(part, "bufferAvailable", metrics.has(available) ? metrics.value(available) : Double.NaN);
        if (commitNanos > 0) {
            figures.add(part, "inCommits", commitNanos / 1e9);
        }
        figures.add(part, "inFlush", flushNanos / 1e9);
        figures.add(part, "connects", metrics.since("connection-creation-total"));
        figures.add(part, "ioIdleSeconds", idle(seconds));
    }

    /** Idle time of its network thread. The client counts a wait when it ends; an idle client waits all the time. */
    private double idle(double seconds) {
        double waited = metrics.since("io-wait-time-ns-total") / 1e9;
        if (metrics.since("select-total") == 0) {
            waitingSeconds += seconds;
            return seconds;
        }
        double idle = Math.max(0, waited - waitingSeconds);
        waitingSeconds = Math.max(0, waitingSeconds - waited);
        return idle;
    }

    /** @return all requests to brokers that receive records, including handshakes */
    private double toNodes(ClientFigures figures, String part, double seconds) {
        double sum = 0;
        for (String node : nodes) {
            String where = part + " broker " + node;
            double requests = metrics.since("request-total " + node);
            figures.add(where, "clientSeconds", seconds);
            figures.add(where, "requests", requests);
            figures.add(where, "requestMs", requests * metrics.value("request-latency-avg " + node));
            figures.add(where, "bytesOut", metrics.since("outgoing-byte-total " + node));
            sum += requests;
        }
        return sum;
    }

    private Counts sent(double toNodes) {
        double records = metrics.since("record-send-total");
        double bytes = metrics.since(BYTES);
        // The averages cover the last second: a late reading at a changing rate would apply them to all records sent.
        // Requests are counted; every request and every batch has at least one record.
        double retries = metrics.since("record-retry-total");
        double sent = records + retries;
        double filled = divide(records, metrics.value("records-per-request-avg"));
        // A client that was closed before the first reading has no connection metrics.
        double requests = Math.min(sent, toNodes > 0 ? toNodes : filled);
        double batches = Math.min(sent, Math.max(divide(bytes, metrics.value("batch-size-avg")), filled));
        double rate = metrics.value("compression-rate-avg");
        double bufferWait = metrics.since("bufferpool-wait-time-ns-total");
        commitNanos = metrics.since(COMMITS);
        double flushed = metrics.since(FLUSHES);
        flushNanos = ending ? 0 : flushed;
        double held = bufferWait
                + commitNanos
                + flushNanos
                + HELD.stream().mapToDouble(metrics::since).sum();
        return Counts.Sum.overTime()
                .add(WireUse.REQUESTS, Math.round(requests))
                .add(WireUse.BATCHES, Math.round(batches))
                .add(WireUse.BATCHED_RECORDS, Math.round(records))
                .add(WireUse.BATCH_BYTES, Math.round(bytes))
                .add(WireUse.UNCOMPRESSED_BYTES, Math.round(rate > 0 ? bytes / rate : bytes))
                .add(WireUse.RETRIES, Math.round(retries))
                .add(WireUse.THROTTLED_NANOS, Math.round(metrics.since(ClientInternals.PRODUCER_THROTTLES) * 1e6))
                .add(WireUse.BUFFER_WAIT_NANOS, Math.round(bufferWait))
                .add(WireUse.HELD_NANOS, Math.round(held))
                .add(WireUse.THROTTLES_UNTOLD, metrics.has(ClientInternals.PRODUCER_THROTTLES) ? 0 : 1)
                .take();
    }

    private static double divide(double total, double average) {
        return total > 0 && average > 0 ? total / average : 0;
    }
}
