package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of a target over about one second; the target is, for example, {@code broker 1}, the host, or the cluster.
 * Immutable. Metrics that a source lacks are absent.
 * @param source such as {@code jmx}, {@code prometheus}, {@code proc}, {@code admin}
 * @param fromNanos start of the interval, since the trial's start
 * @param sums increase of counters over the interval
 * @param gauges values at the end; the mean for several merged seconds
 * @param most maximum of each gauge over merged seconds; empty for a single second
 */
public record Observation(
        String what,
        String source,
        long fromNanos,
        long toNanos,
        Map<String, Double> sums,
        Map<String, Double> gauges,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> most)
        implements Readings {
    /** Name prefix of a per-topic sum, followed by the figure, a colon, and the topic. */
    public static final String OF_TOPIC = "topic:";
    /** Name prefix of the number of requests by type, and of their handler time in milliseconds. */
    public static final String ASKED = "asked:";

    public static final String ASKED_MS = "askedMs:";

    public Observation {
        sums = Collections.unmodifiableMap(new TreeMap<>(sums));
        gauges = Collections.unmodifiableMap(new TreeMap<>(gauges));
        most = most == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(most));
    }

    /** An observation of a single second. */
    public Observation(
            String what,
            String source,
            long fromNanos,
            long toNanos,
            Map<String, Double> sums,
            Map<String, Double> gauges) {
        this(what, source, fromNanos, toNanos, sums, gauges, Map.of());
    }

    @Override
    public @Nullable Double mean(String gauge) {
        return gauges.get(gauge);
    }

    @Override
    public @Nullable Double most(String gauge) {
        return most.getOrDefault(gauge, gauges.get(gauge));
    }

    /** Number of merged seconds. */
    public int seconds() {
        return most.isEmpty() ? 1 : (int) Math.max(1, Math.round((toNanos - fromNanos) / 1e9));
    }

    /**
     * Merges observations of one broker, host, topic, or client: sums are added, and gauges keep their time-weighted
     * mean and their maximum. Not thread-safe.
     */
    public static final class ObservationSum implements Readings {
        private final Map<String, Double> sums = new TreeMap<>();
        private final Map<String, Gauge> gauges = new TreeMap<>();
        private final Set<String> sources = new TreeSet<>();
        private final Set<String> read = new HashSet<>();
        private long fromNanos = Long.MAX_VALUE;
        private long toNanos;

        private record Gauge(double sum, double most, int seconds) {
            Gauge plus(Gauge other) {
                return new Gauge(sum + other.sum, Math.max(most, other.most), seconds + other.seconds);
            }

            double mean() {
                return sum / seconds;
            }
        }

        public void add(Observation o) {
            o.sums().forEach((name, value) -> sums.merge(name, value, Double::sum));
            o.gauges()
                    .forEach((name, value) -> gauges.merge(
                            name,
                            new Gauge(value * o.seconds(), o.most.getOrDefault(name, value), o.seconds()),
                            Gauge::plus));
            sources.add(o.source());
            fromNanos = Math.min(fromNanos, o.fromNanos());
            toNanos = Math.max(toNanos, o.toNanos());
        }

        /** All observations merged into one that covers their interval. */
        public Observation together(String what, String source) {
            Map<String, Double> means = new TreeMap<>();
            Map<String, Double> most = new TreeMap<>();
            gauges.forEach((name, gauge) -> {
                means.put(name, gauge.mean());
                most.put(name, gauge.most);
            });
            return new Observation(what, source, fromNanos, toNanos, sums, means, most);
        }

        public Set<String> sources() {
            return sources;
        }

        @Override
        public Map<String, Double> sums() {
            return Collections.unmodifiableMap(sums);
        }

        @Override
        public @Nullable Double sum(String name) {
            read.add(name);
            return sums.get(name);
        }

        @Override
        public @Nullable Double mean(String gauge) {
            read.add(gauge);
            return gauges.containsKey(gauge) ? gauges.get(gauge).mean() : null;
        }

        @Override
        public @Nullable Double most(String gauge) {
            read.add(gauge);
            return gauges.containsKey(gauge) ? gauges.get(gauge).most : null;
        }

        /**
         * Passes on the figures not yet read by name: sums divided by the sum with the name {@code seconds}, and means
         * of gauges.
         */
        public void rest(String seconds, BiConsumer<String, Double> figures) {
            Double over = sums.get(seconds);
            sums.forEach((name, sum) -> {
                if (!read.contains(name) && !name.equals(seconds) && over != null && over > 0) {
                    figures.accept(name, sum / over);
                }
            });
            gauges.forEach((name, gauge) -> {
                if (!read.contains(name)) {
                    figures.accept(name, gauge.mean());
                }
            });
        }
    }
}
