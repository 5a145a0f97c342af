package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metrics of a target over about one second: {@code broker 1}, the host, or the cluster. Immutable and serializable.
 * Metrics that a source lacks are absent.
 *
 * @param source such as {@code jmx}, {@code prometheus}, {@code proc}, {@code admin}
 * @param fromNanos start of the interval, since the trial's start
 * @param toNanos end of the interval
 * @param sums counters' increase over the interval, by figure
 * @param gauges values at the end of the interval; the mean for several merged seconds
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
    /** Name prefix of a per-topic sum: followed by the figure, a colon, and the topic. */
    public static final String OF_TOPIC = "topic:";
    /** Name prefix of request counts by type and of their handler time in milliseconds. */
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
    public Double mean(String gauge) {
        return gauges.get(gauge);
    }

    @Override
    public Double most(String gauge) {
        return most.getOrDefault(gauge, gauges.get(gauge));
    }

    /** Number of merged seconds. */
    public int seconds() {
        return most.isEmpty() ? 1 : (int) Math.max(1, Math.round((toNanos - fromNanos) / 1e9));
    }
}
