package io.plimsoll.observe.broker;

import io.plimsoll.measure.Observation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The figures of one broker at one point in time ({@link System#nanoTime}): counters (which only grow while the broker
 * runs), gauges, and the naming schemes of the metrics (empty over JMX).
 */
record Reading(long atNanos, Map<String, Double> counters, Map<String, Double> gauges, Set<String> names) {
    /** Prefix of the figures of a broker's host. */
    static final String HOST = "host.";
    /** Prefix of the seconds in which a disk of the host was busy; an observation contains only the busiest disk. */
    static final String DISK = HOST + "disk.";

    private static final String BUSIEST_DISK = HOST + "busiestDisk";

    static final class Builder {
        private final Map<String, Double> counters = new HashMap<>();
        private final Map<String, Double> gauges = new HashMap<>();
        private final Set<String> names = new TreeSet<>();

        void counter(String figure, double value) {
            if (!Double.isNaN(value)) {
                counters.merge(figure, value, Double::sum);
            }
        }

        void gauge(String figure, double value) {
            if (!Double.isNaN(value)) {
                gauges.put(figure, value);
            }
        }

        void names(Set<String> found) {
            names.addAll(found);
        }

        Reading at(long nanos) {
            return new Reading(nanos, counters, gauges, names);
        }
    }

    /**
     * The differences from an earlier reading. If most counters decreased, the broker was restarted, and all of its
     * counters started at 0. A single counter can also decrease because its inputs change, such as a mean and its
     * count. A new counter of the broker started at 0 after the earlier reading. A new counter of the host did not, so
     * its increase is 0.
     */
    Observation since(Reading before, String what, String source, long startNanos) {
        boolean restarted = isRestarted(before);
        Map<String, Double> sums = new TreeMap<>();
        counters.forEach((figure, value) -> {
            double began = ofHost(figure) ? value : 0;
            double from = restarted && !ofHost(figure) ? 0 : before.counters.getOrDefault(figure, began);
            sums.put(figure, Math.max(0, value - from));
        });
        // Two sources can report the same broker and host; their seconds must not be added.
        double seconds = (atNanos - before.atNanos) / 1e9;
        Map<String, Double> levels = new HashMap<>(gauges);
        sums.entrySet().stream()
                .filter(sum -> seconds > 0 && sum.getKey().startsWith(DISK))
                .mapToDouble(sum -> sum.getValue() / seconds)
                .max()
                .ifPresent(busy -> levels.put(BUSIEST_DISK, Math.min(1, busy)));
        sums.keySet().removeIf(figure -> figure.startsWith(DISK));
        long ofHost = counters.keySet().stream().filter(Reading::ofHost).count();
        if (ofHost > 0) {
            sums.put(HOST + BrokerFigures.SECONDS, seconds);
        }
        if (ofHost == 0 || ofHost < counters.size()) {
            sums.put(BrokerFigures.SECONDS, seconds);
        }
        return new Observation(what, source, before.atNanos - startNanos, atNanos - startNanos, sums, levels);
    }

    /** Whether most counters decreased, as after a restart of the broker. */
    boolean isRestarted(Reading before) {
        // A topic may have been deleted and created again without a restart.
        List<Map.Entry<String, Double>> counted = before.counters.entrySet().stream()
                .filter(c -> c.getValue() > 0 && counters.containsKey(c.getKey()))
                .filter(c -> !c.getKey().startsWith(Observation.OF_TOPIC) && !ofHost(c.getKey()))
                .toList();
        long fell = counted.stream()
                .filter(c -> counters.getOrDefault(c.getKey(), 0.0) < c.getValue())
                .count();
        return 2 * fell > counted.size();
    }

    /** Whether there are figures of the broker, not only of its host. */
    boolean isOfBroker() {
        return !counters.keySet().stream().allMatch(Reading::ofHost);
    }

    /** The figures of the broker's host only. */
    Reading ofHost() {
        Map<String, Double> counted = new HashMap<>(counters);
        counted.keySet().removeIf(figure -> !ofHost(figure));
        Map<String, Double> measured = new HashMap<>(gauges);
        measured.keySet().removeIf(figure -> !ofHost(figure));
        return new Reading(atNanos, counted, measured, names);
    }

    private static boolean ofHost(String figure) {
        return figure.startsWith(HOST);
    }
}
