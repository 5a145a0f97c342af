package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Observation.ObservationSum;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Derives figures of brokers, cluster, clients and host in the measured window; null without a source. */
final class ObservationFold {
    private static final String BROKER = ObservedFigures.BROKER;
    /** Prefix of the host name of one of several workers. */
    private static final String HOST_OF = "host ";

    private final double plannedSeconds;
    private double fromNanos;
    private double toNanos;
    private final Map<String, ObservationSum> seen = new TreeMap<>();
    private final GroupsFold groups = new GroupsFold();

    /**
     * Creates the fold; an infinite warm-up has no known end yet, and with 0 planned seconds, the window lasts until
     * the end of the trial.
     */
    ObservationFold(double warmupSeconds, double plannedSeconds) {
        this.plannedSeconds = plannedSeconds;
        warmup(warmupSeconds);
    }

    void warmup(double seconds) {
        fromNanos = seconds * 1e9;
        toNanos = plannedSeconds > 0 ? fromNanos + plannedSeconds * 1e9 : Double.POSITIVE_INFINITY;
    }

    void accept(Observation o) {
        double middle = (o.fromNanos() + o.toNanos()) / 2.0;
        if (middle >= fromNanos && middle <= toNanos) {
            seen.computeIfAbsent(o.what(), w -> new ObservationSum()).add(o);
            groups.accept(o);
        }
    }

    List<Map<String, Object>> groups() {
        return groups.groups();
    }

    List<Map<String, Object>> brokers() {
        return seen.entrySet().stream()
                .filter(e -> e.getKey().startsWith(BROKER))
                .map(e -> broker(Integer.parseInt(e.getKey().substring(BROKER.length())), e.getValue()))
                .sorted(Comparator.comparing(b -> (Integer) b.get("id")))
                .toList();
    }

    private static Map<String, Object> broker(int id, ObservationSum s) {
        Map<String, Object> broker =
                Json.object("id", id, "sources", List.copyOf(s.sources()), "seconds", s.sum("seconds"));
        broker.putAll(ObservedMetric.values(ObservedMetric.BROKER, s));
        Map<String, Object> host = ObservedMetric.values(ObservedMetric.BROKER_HOST, s);
        if (host.values().stream().anyMatch(Objects::nonNull)) {
            broker.put("host", host);
        }
        s.rest("seconds", broker::put);
        return broker;
    }

    /** The figures reported by clients, by scenario entry, or by entry and broker. */
    Map<String, Map<String, Double>> clients() {
        Map<String, Map<String, Double>> clients = new TreeMap<>();
        seen.forEach((what, s) -> {
            if (s.sources().contains("client")) {
                Map<String, Double> client = new LinkedHashMap<>();
                ObservedMetric.values(ObservedMetric.CLIENT, s).forEach((key, value) -> {
                    if (value != null) {
                        client.put(key, (Double) value);
                    }
                });
                s.rest("clientSeconds", client::put);
                clients.put(what, client);
            }
        });
        return clients;
    }

    /** The load generator's host; of several hosts, the one with the highest CPU use. Empty if not observed. */
    Map<String, Object> host() {
        return seen.entrySet().stream()
                .filter(e -> e.getKey().equals("host") || e.getKey().startsWith(HOST_OF))
                .max(Comparator.comparingDouble(e -> cpuShare(e.getValue())))
                .map(e -> host(e.getKey(), e.getValue()))
                .orElse(Map.of());
    }

    private static double cpuShare(ObservationSum host) {
        Double share = Sums.ratio(host.rate("cpuSeconds"), host.most("cores"));
        return share == null ? 0 : share;
    }

    private static Map<String, Object> host(String what, ObservationSum s) {
        Map<String, Object> host = new LinkedHashMap<>();
        if (what.startsWith(HOST_OF)) {
            host.put("worker", what.substring(HOST_OF.length()));
        }
        host.putAll(ObservedMetric.values(ObservedMetric.HOST, s));
        s.rest("seconds", host::put);
        return host;
    }

    /** The figures of the trial's topics from the Admin client; empty if it was not queried. */
    Map<String, Object> cluster() {
        ObservationSum s = seen.get("cluster");
        if (s == null) {
            return Map.of();
        }
        Map<String, Object> cluster = ObservedMetric.values(ObservedMetric.CLUSTER, s);
        List<Map<String, Object>> topics = new ArrayList<>();
        seen.forEach((what, of) -> {
            if (what.startsWith(ObservedFigures.TOPIC)) {
                Map<String, Object> topic = Json.object("id", what.substring(ObservedFigures.TOPIC.length()));
                topic.putAll(ObservedMetric.values(ObservedMetric.TOPIC, of));
                topics.add(topic);
            }
        });
        if (!topics.isEmpty()) {
            cluster.put("topics", topics);
        }
        return cluster;
    }
}
