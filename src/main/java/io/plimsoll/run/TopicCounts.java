package io.plimsoll.run;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.TopicFigures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What brokers tell of topics, added up over brokers from one look to the next. Thread-safe. */
final class TopicCounts {
    /** Each is asked for by itself, every second, at every broker. */
    private static final int MOST = 20;

    private final List<String> topics;
    private final Map<String, Map<String, Double>> counted = new TreeMap<>();
    /** The stretch in which {@link #counted} was counted, by the brokers' own times: what they tell may come late. */
    private long countedFromNanos = Long.MAX_VALUE;

    private long countedToNanos;
    private long toldToNanos;
    private Map<String, Long> sizes = Map.of();
    private long sizesNanos;

    /** @param topics none of which is reported where there are too many */
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
        if (others.size() < o.sums().size()) {
            countedFromNanos = Math.min(countedFromNanos, o.fromNanos());
            countedToNanos = Math.max(countedToNanos, o.toNanos());
        }
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
        if (countedToNanos > toldToNanos) {
            long from = Math.max(toldToNanos, countedFromNanos);
            counted.forEach((topic, sums) -> {
                sums.put("seconds", (countedToNanos - from) / 1e9);
                all.add(new Observation(named(topic), "brokers", from, countedToNanos, sums, Map.of()));
            });
            counted.clear();
            toldToNanos = countedToNanos;
            countedFromNanos = Long.MAX_VALUE;
        }
        for (String topic : topics) {
            Long size = bytes.get(topic);
            if (size != null) {
                Map<String, Double> grown = sizes.containsKey(topic)
                        ? Map.of(
                                "logGrowth",
                                (double) (size - sizes.get(topic)),
                                "logSeconds",
                                (nowNanos - sizesNanos) / 1e9)
                        : Map.of();
                Map<String, Double> gauges = Map.of("logBytes", size.doubleValue());
                all.add(new Observation(named(topic), "brokers", sizesNanos, nowNanos, grown, gauges));
            }
        }
        if (!bytes.isEmpty()) {
            sizes = bytes;
            sizesNanos = nowNanos;
        }
        return all;
    }

    private static String named(String topic) {
        return TopicFigures.TOPIC + topic;
    }
}
