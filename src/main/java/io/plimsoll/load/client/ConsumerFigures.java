package io.plimsoll.load.client;

import io.plimsoll.measure.ClientFigures;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Reads what one consumer says of itself: how long fetches take, how much of its time it waits in {@code poll}, and how long its
 * commits take. Used by one thread.
 */
final class ConsumerFigures {
    private final KafkaConsumer<?, ?> consumer;
    private final Map<String, Metric> known = new HashMap<>();
    private int knownMetrics;
    private double fetchesBefore;
    private double commitBefore;
    private long readBeforeNanos;
    private double fetches;
    private double seconds;
    private double commitSeconds;

    ConsumerFigures(KafkaConsumer<?, ?> consumer) {
        this.consumer = consumer;
    }

    /** @return fetch requests since the last call */
    double read(long nowNanos) {
        find();
        seconds = readBeforeNanos == 0 ? 0 : (nowNanos - readBeforeNanos) / 1e9;
        readBeforeNanos = nowNanos;
        double total = value("fetch-total");
        fetches = Math.max(0, total - fetchesBefore);
        fetchesBefore = Math.max(total, fetchesBefore);
        double commit = value("commit-sync-time-ns-total");
        commitSeconds = Math.max(0, commit - commitBefore) / 1e9;
        commitBefore = Math.max(commit, commitBefore);
        return fetches;
    }

    /** Adds the figures of the time between the last two readings. */
    void add(ClientFigures figures, String part) {
        figures.add(part, "clientSeconds", seconds);
        figures.add(part, "fetches", fetches);
        figures.add(part, "fetchMs", fetches * value("fetch-latency-avg"));
        figures.add(part, "fetchBytes", fetches * value("fetch-size-avg"));
        figures.add(part, "throttleMs", fetches * value("fetch-throttle-time-avg"));
        figures.add(part, "pollIdleSeconds", seconds * value("poll-idle-ratio-avg"));
        figures.add(part, "commitSyncSeconds", commitSeconds);
    }

    private void find() {
        Map<MetricName, ? extends Metric> metrics = consumer.metrics();
        if (metrics.size() == knownMetrics) {
            return;
        }
        knownMetrics = metrics.size();
        metrics.forEach((name, metric) -> {
            boolean ofTopic = name.tags().containsKey("topic");
            boolean wanted =
                    name.group().equals("consumer-metrics") || name.group().equals("consumer-fetch-manager-metrics");
            if (wanted && !ofTopic) {
                known.put(name.name(), metric);
            }
        });
    }

    private double value(String name) {
        return ProducerFigures.value(known.get(name));
    }
}
