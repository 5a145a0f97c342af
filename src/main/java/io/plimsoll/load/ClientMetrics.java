package io.plimsoll.load;

import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.Incident;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/** Reads the metrics that an official client collects about itself. Used by one thread. */
public final class ClientMetrics {
    /** Key of the total number of reauthentications. */
    public static final String LOGINS = "successful-reauthentication-total";

    private final Supplier<Map<MetricName, ? extends Metric>> source;
    private final Function<MetricName, @Nullable String> keys;
    private final Map<String, List<Metric>> known = new HashMap<>();
    private final Map<String, Double> before = new HashMap<>();
    private final Map<String, Double> previous = new HashMap<>();
    private int metrics;
    private long readNanos;
    private long lastReadNanos;

    /** @param keys returns the key of a metric; metrics with the same key are summed, metrics with a null key ignored */
    public ClientMetrics(
            Supplier<Map<MetricName, ? extends Metric>> source, Function<MetricName, @Nullable String> keys) {
        this.source = source;
        this.keys = keys;
    }

    /** Finds new metrics. Returns the seconds since the last call; 0 in the first call. */
    public double look(long nowNanos) {
        Map<MetricName, ? extends Metric> all = source.get();
        if (all.size() != metrics) {
            metrics = all.size();
            Map<String, List<Metric>> there = new HashMap<>();
            all.forEach((name, metric) -> {
                String key = keys.apply(name);
                if (key != null) {
                    there.computeIfAbsent(key, k -> new ArrayList<>()).add(metric);
                }
            });
            // A client removes the metrics of closed connections. Keep them, because their totals still count.
            known.putAll(there);
        }
        double seconds = readNanos == 0 ? 0 : (nowNanos - readNanos) / 1e9;
        lastReadNanos = readNanos;
        readNanos = nowNanos;
        return seconds;
    }

    public boolean has(String key) {
        return known.containsKey(key);
    }

    /** The current value; 0 if missing. */
    public double value(String key) {
        return known.getOrDefault(key, List.of()).stream()
                .mapToDouble(metric -> metric.metricValue() instanceof Double d && Double.isFinite(d) ? d : 0)
                .sum();
    }

    /**
     * If a total grew by at least {@code least}, adds an incident at the load generator, between the last two looks.
     * This interval already contains the uncertainty of the time.
     */
    public void tell(String key, double least, Incident.Kind kind, ClientEvents events) {
        double now = value(key);
        Double last = previous.put(key, now);
        if (last != null && now - last >= least) {
            events.add(new Incident(kind, "generator", lastReadNanos, readNanos, 0, null));
        }
    }

    /** The increase since the last call. */
    public double since(String key) {
        if (!has(key)) {
            return 0;
        }
        double now = value(key);
        Double last = before.put(key, now);
        return Math.max(0, now - (last == null ? 0 : last));
    }
}
