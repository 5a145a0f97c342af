package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The account of what a broker, a host or the cluster was seen to do in about one second: an immutable value that can be serialised. What
 * a source does not offer is absent.
 *
 * @param what such as {@code broker 1}, the host or the cluster
 * @param source such as {@code jmx}, {@code prometheus}, {@code proc}, {@code admin}
 * @param fromNanos start of the stretch, after the trial's start
 * @param toNanos end of the stretch
 * @param sums what was counted in the stretch, by figure; adds up over stretches
 * @param gauges what was there at its end; of several seconds that were folded into one stretch their mean
 * @param most of such seconds the greatest of each gauge; empty of a single one
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
    /** Begins what a broker has counted of a topic: the figure follows, a colon, and the topic. */
    public static final String OF_TOPIC = "topic:";
    /** Begins how many requests of a kind a broker was asked, and what its handlers took for them, in milliseconds. */
    public static final String ASKED = "asked:";

    public static final String ASKED_MS = "askedMs:";

    public Observation {
        sums = Collections.unmodifiableMap(new TreeMap<>(sums));
        gauges = Collections.unmodifiableMap(new TreeMap<>(gauges));
        most = most == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(most));
    }

    /** Of a single second. */
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

    /** How many seconds it tells of together. */
    public int seconds() {
        return most.isEmpty() ? 1 : (int) Math.max(1, Math.round((toNanos - fromNanos) / 1e9));
    }
}
