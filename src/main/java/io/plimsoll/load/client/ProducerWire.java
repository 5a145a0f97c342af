package io.plimsoll.load.client;

import io.plimsoll.load.ClientProperties;
import io.plimsoll.measure.WireCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Reads what a producer put on the wire from its own metrics. The client keeps totals of records and bytes but only
 * averages of batch size and records per request, over {@code metrics.num.samples × metrics.sample.window.ms}; read once
 * a second with a window that short (see {@link ClientProperties}), total ÷ average gives the number of batches and
 * requests of that second.
 */
public final class ProducerWire {
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Metric> topicBytes = new ArrayList<>();
    private Metric records;
    private Metric recordsPerRequest;
    private Metric batchBytes;
    private Metric compressionRate;
    private Metric retries;
    private Metric bufferWait;
    private Metric throttleMillis;
    private int knownMetrics;

    private double recordsBefore;
    private double bytesBefore;
    private double retriesBefore;
    private double bufferWaitBefore;

    ProducerWire(KafkaProducer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    /** Says what was sent since the last call. Called by one thread. */
    WireCounts read() {
        Map<MetricName, ? extends Metric> metrics = producer.metrics();
        if (metrics.size() != knownMetrics) {
            find(metrics);
        }
        double recordsNow = value(records);
        double bytesNow = topicBytes.stream().mapToDouble(ProducerWire::value).sum();
        double retriesNow = value(retries);
        double waitNow = value(bufferWait);
        double sentRecords = recordsNow - recordsBefore;
        double sentBytes = bytesNow - bytesBefore;
        double requests = divide(sentRecords, value(recordsPerRequest));
        double batches = divide(sentBytes, value(batchBytes));
        double rate = value(compressionRate);
        WireCounts counts = new WireCounts(
                Math.round(requests),
                new WireCounts.Written(
                        Math.round(Math.max(batches, requests)),
                        Math.round(sentRecords),
                        Math.round(sentBytes),
                        Math.round(rate > 0 ? sentBytes / rate : sentBytes)),
                Math.round(retriesNow - retriesBefore),
                Math.round(value(throttleMillis) * 1e6 * requests),
                Math.round(waitNow - bufferWaitBefore),
                0);
        recordsBefore = recordsNow;
        bytesBefore = bytesNow;
        retriesBefore = retriesNow;
        bufferWaitBefore = waitNow;
        return counts;
    }

    private void find(Map<MetricName, ? extends Metric> metrics) {
        knownMetrics = metrics.size();
        topicBytes.clear();
        metrics.forEach((name, metric) -> {
            if (name.group().equals("producer-topic-metrics") && name.name().equals("byte-total")) {
                topicBytes.add(metric);
            } else if (name.group().equals("producer-metrics")) {
                switch (name.name()) {
                    case "record-send-total" -> records = metric;
                    case "records-per-request-avg" -> recordsPerRequest = metric;
                    case "batch-size-avg" -> batchBytes = metric;
                    case "compression-rate-avg" -> compressionRate = metric;
                    case "record-retry-total" -> retries = metric;
                    case "bufferpool-wait-time-ns-total" -> bufferWait = metric;
                    case "produce-throttle-time-avg" -> throttleMillis = metric;
                    default -> {}
                }
            }
        });
    }

    private static double divide(double total, double average) {
        return total > 0 && average > 0 ? total / average : 0;
    }

    private static double value(Metric metric) {
        if (metric == null || !(metric.metricValue() instanceof Double d) || d.isNaN() || d.isInfinite()) {
            return 0;
        }
        return d;
    }
}
