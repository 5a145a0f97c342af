package io.plimsoll.measure;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The account of what a broker, a host or the cluster was seen to do in about one second: an immutable value that can be serialised. What
 * a source does not offer is absent.
 *
 * @param what such as {@code broker 1}, {@code host} or {@code cluster}
 * @param source such as {@code jmx}, {@code prometheus}, {@code proc}, {@code admin}
 * @param fromNanos start of the stretch, after the trial's start
 * @param toNanos end of the stretch
 * @param sums what was counted in the stretch, by figure; adds up over stretches
 * @param gauges what was there at its end
 */
public record Observation(
        String what,
        String source,
        long fromNanos,
        long toNanos,
        Map<String, Double> sums,
        Map<String, Double> gauges) {
    /** Begins what a broker has counted of a topic: the figure follows, a colon, and the topic. */
    public static final String OF_TOPIC = "topic:";

    public Observation {
        sums = Collections.unmodifiableMap(new TreeMap<>(sums));
        gauges = Collections.unmodifiableMap(new TreeMap<>(gauges));
    }
}
