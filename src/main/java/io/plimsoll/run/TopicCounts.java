package io.plimsoll.run;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.ObservedFigures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What brokers tell of topics, added up over brokers in the stretches of the one that tells first. Thread-safe. */
final class TopicCounts {
    /** Each is asked for by itself, every second, at every broker. */
    private static final int MOST = 20;
    /** After so long without a word, another broker sets the pace. */
    private static final long SILENT_NANOS = 3_000_000_000L;

    private final List<String> topics;
    private final Map<String, Map<String, Double>> counted = new TreeMap<>();
    /** Its stretches are those of topics, so that what is counted of a topic and of a broker is divided by the same time. */
    private String pace = "";

    private long toldToNanos = Long.MIN_VALUE;
    private Map<String, Long> sizes = Map.of();
    private long sizesNanos;

    /** @param topics none of which is reported where there are too many */
    TopicCounts(Collection<String> topics) {
        this.topics = topics.size() > MOST ? List.of() : List.copyOf(topics);
    }

    List<String> topics() {
        return topics;
    }

    /** Hands on what a broker tells, and of topics what all brokers have told since the last time. */
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
     * The sizes of topics, since the last look.
     *
     * @param nowNanos after the trial's start
     * @param bytes of all copies on disks, by topic; empty where nobody looked
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
