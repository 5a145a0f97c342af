package io.plimsoll.run;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.ObservedFigures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Per-topic metrics summed over brokers, in the intervals of the first broker that reports. Thread-safe. */
final class TopicCounts {
    /** Limit of topics: each one is a separate request to every broker every second. */
    private static final int MOST = 20;
    /** Another broker sets the intervals after this silence. */
    private static final long SILENT_NANOS = 3_000_000_000L;

    private final List<String> topics;
    private final Map<String, Map<String, Double>> counted = new TreeMap<>();
    /** The broker that sets the intervals, so that topic and broker metrics share the same time base. */
    private String pace = "";

    private long toldToNanos = Long.MIN_VALUE;
    private Map<String, Long> sizes = Map.of();
    private long sizesNanos;

    /** @param topics with too many, none is reported */
    TopicCounts(Collection<String> topics) {
        this.topics = topics.size() > MOST ? List.of() : List.copyOf(topics);
    }

    List<String> topics() {
        return topics;
    }

    /** Passes on a broker's observation, and the sums of topics since the last one. */
    synchronized void take(Observation o, Consumer<Observation> sink) {
        Map<String, Double> others = new TreeMap<>();
        o.sums().forEach((name, sum) -> {
            if (name.startsWith(Observation.OF_TOPIC)) {
                String[] words = name.split(":", 3);
                counted.computeIfAbsent(words[2], t -> new TreeMap<>()).merge(words[1], sum, Double::sum);
            } else {
                others.put(name, sum);
            }
        });
        sink.accept(new Observation(o.what(), o.source(), o.fromNanos(), o.toNanos(), others, o.gauges()));
        if (others.size() == o.sums().size()) {
            return;
        }
        boolean silent = !o.what().equals(pace) && o.toNanos() - toldToNanos > SILENT_NANOS;
        if (pace.isEmpty() || silent) {
            pace = o.what();
        }
        if (o.what().equals(pace)) {
            long from = silent && toldToNanos != Long.MIN_VALUE ? toldToNanos : o.fromNanos();
            counted.forEach((topic, sums) -> {
                sums.put("seconds", (o.toNanos() - from) / 1e9);
                sink.accept(new Observation(named(topic), "brokers", from, o.toNanos(), sums, Map.of()));
            });
            counted.clear();
            toldToNanos = o.toNanos();
        }
    }

    /**
     * Topic sizes since the last poll.
     *
     * @param nowNanos since the trial's start
     * @param bytes of all replicas on disk, by topic; empty if not read
     */
    synchronized List<Observation> look(long nowNanos, Map<String, Long> bytes) {
        List<Observation> all = new ArrayList<>();
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
        return ObservedFigures.TOPIC + topic;
    }
}
