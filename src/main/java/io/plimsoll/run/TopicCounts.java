package io.plimsoll.run;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.TopicFigures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What brokers tell of topics, added up over brokers from one look to the next. Thread-safe. */
final class TopicCounts {
    /** Each is asked for by itself, every second, at every broker. */
    private static final int MOST = 20;

    private final List<String> topics;
    private final Map<String, Map<String, Double>> counted = new HashMap<>();
    private Map<String, Long> sizes = Map.of();
    private long sizesNanos;
    private long lastNanos;

    /** @param topics none of which is told of where there are too many */
    TopicCounts(Collection<String> topics) {
        this.topics = topics.size() > MOST ? List.of() : List.copyOf(topics);
    }

    List<String> topics() {
        return topics;
    }

    /** Keeps what a broker tells of topics. @return the rest */
    synchronized Observation take(Observation o) {
        Map<String, Double> others = new TreeMap<>();
        o.sums().forEach((name, sum) -> {
            if (name.startsWith(Observation.OF_TOPIC)) {
                String[] words = name.split(":", 3);
                counted.computeIfAbsent(words[2], t -> new TreeMap<>()).merge(words[1], sum, Double::sum);
            } else {
                others.put(name, sum);
            }
        });
        return new Observation(o.what(), o.source(), o.fromNanos(), o.toNanos(), others, o.gauges());
    }

    /**
     * Since the last look.
     *
     * @param nowNanos after the trial's start
     * @param bytes of all copies on disks, by topic; empty where nobody looked
     */
    synchronized List<Observation> look(long nowNanos, Map<String, Long> bytes) {
        List<Observation> all = new ArrayList<>();
        for (String topic : topics) {
            Map<String, Double> sums = new TreeMap<>(counted.getOrDefault(topic, Map.of()));
            Map<String, Double> gauges = new TreeMap<>();
            if (!sums.isEmpty()) {
                sums.put("seconds", (nowNanos - lastNanos) / 1e9);
            }
            Long size = bytes.get(topic);
            if (size != null) {
                gauges.put("logBytes", size.doubleValue());
            }
            if (size != null && sizes.containsKey(topic)) {
                sums.put("logGrowth", (double) (size - sizes.get(topic)));
                sums.put("logSeconds", (nowNanos - sizesNanos) / 1e9);
            }
            if (!sums.isEmpty() || !gauges.isEmpty()) {
                all.add(new Observation(TopicFigures.TOPIC + topic, "brokers", lastNanos, nowNanos, sums, gauges));
            }
        }
        counted.clear();
        lastNanos = nowNanos;
        if (!bytes.isEmpty()) {
            sizes = bytes;
            sizesNanos = nowNanos;
        }
        return all;
    }
}
