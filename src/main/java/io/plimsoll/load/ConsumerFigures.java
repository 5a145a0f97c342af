package io.plimsoll.load;

import io.plimsoll.measure.ClientFigures;
import io.plimsoll.wire.ClientInternals;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Reads what one consumer says of itself: how long fetches take, how much of its time it waits in {@code poll}, how long its
 * commits take, and how long it waited for its group. Used by one thread.
 */
public final class ConsumerFigures {
    private static final Set<String> GROUPS = Set.of(
            "consumer-metrics",
            "consumer-fetch-manager-metrics",
            "consumer-coordinator-metrics",
            "consumer-share-metrics",
            "consumer-share-fetch-manager-metrics");

    private static final String BETWEEN_POLLS = "time-between-poll-max";

    private final ClientMetrics metrics;
    private final LongSupplier waitedNanos;
    private final LongSupplier polls;
    private long waitedBefore;
    private long pollsBefore;
    private long polled;
    private double waitedSeconds;
    private double fetches;
    private double records;
    private double seconds;
    private double commitSeconds;
    private double rebalanceSeconds;
    private double throttledMillis;

    /**
     * @param source all metrics of the consumer, of partitions or of a share group
     * @param waitedNanos the time for which its polls have waited so far
     * @param polls that brought something so far
     */
    public ConsumerFigures(
            Supplier<Map<MetricName, ? extends Metric>> source, LongSupplier waitedNanos, LongSupplier polls) {
        this.waitedNanos = waitedNanos;
        this.polls = polls;
        this.metrics = new ClientMetrics(
                source,
                name -> GROUPS.contains(name.group()) && !name.tags().containsKey("topic") ? name.name() : null);
    }

    /** The settings that make a consumer wait for records that are there. */
    public static void settings(ClientFigures figures, String part, ConsumerConfig config) {
        figures.set(part, "fetchMinBytes", config.getInt(ConsumerConfig.FETCH_MIN_BYTES_CONFIG));
        figures.set(part, "fetchMaxWaitMs", config.getInt(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG));
        figures.set(part, "fetchMaxBytes", config.getInt(ConsumerConfig.FETCH_MAX_BYTES_CONFIG));
        figures.set(part, "maxPartitionFetchBytes", config.getInt(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG));
        figures.set(part, "maxPollRecords", config.getInt(ConsumerConfig.MAX_POLL_RECORDS_CONFIG));
        figures.set(part, "maxPollIntervalMs", config.getInt(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG));
        boolean committed = "read_committed".equals(config.getString(ConsumerConfig.ISOLATION_LEVEL_CONFIG));
        figures.set(part, "readCommitted", committed ? 1 : 0);
    }

    /** Partitions that it has to read, as its group gave them out; 0 of a share group. */
    public double assigned() {
        return metrics.value("assigned-partitions");
    }

    /** @return fetch requests since the last call */
    public double read(long nowNanos) {
        seconds = metrics.look(nowNanos);
        long waited = waitedNanos.getAsLong();
        waitedSeconds = Math.min(seconds, (waited - waitedBefore) / 1e9);
        waitedBefore = waited;
        long brought = polls.getAsLong();
        polled = brought - pollsBefore;
        pollsBefore = brought;
        fetches = metrics.since("fetch-total");
        records = metrics.since("records-consumed-total");
        commitSeconds = metrics.since("commit-sync-time-ns-total") / 1e9;
        rebalanceSeconds = metrics.since("rebalance-latency-total") / 1e3;
        throttledMillis = metrics.has(ClientInternals.CONSUMER_THROTTLES)
                ? metrics.since(ClientInternals.CONSUMER_THROTTLES)
                : Double.NaN;
        return fetches;
    }

    /** Adds the figures of the time between the last two readings. */
    public void add(ClientFigures figures, String part) {
        figures.add(part, "clientSeconds", seconds);
        figures.add(part, "fetches", fetches);
        figures.add(part, "fetchMs", fetches * metrics.value("fetch-latency-avg"));
        figures.add(part, "fetchBytes", fetches * metrics.value("fetch-size-avg"));
        if (!Double.isNaN(throttledMillis)) {
            figures.add(part, "throttleMs", throttledMillis);
        }
        figures.add(part, "pollIdleSeconds", waitedSeconds);
        figures.add(part, "polls", polled);
        figures.add(part, "recordsRead", records);
        figures.least(part, "leastPollIdle", seconds > 0 ? waitedSeconds / seconds : Double.NaN);
        figures.add(part, "commitSyncSeconds", commitSeconds);
        figures.add(part, "rebalanceSeconds", rebalanceSeconds);
        if (metrics.has(BETWEEN_POLLS)) {
            figures.most(part, "betweenPollsMs", metrics.value(BETWEEN_POLLS));
        }
    }
}
