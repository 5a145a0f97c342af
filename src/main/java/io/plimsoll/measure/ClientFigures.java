package io.plimsoll.measure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/**
 * Collects metrics of the Kafka clients of one scenario entry since the last reading; see {@link Observation}. Used by
 * one thread.
 */
public final class ClientFigures {
    /** How gauges of several workers are merged. The default is the maximum, since most gauges are identical settings. */
    private static final Map<String, BinaryOperator<Double>> ACROSS_WORKERS = Map.of(
            "clients", Double::sum,
            "members", Double::sum,
            "assigned", Double::sum,
            "noneAssigned", Math::min,
            "bufferAvailable", Math::min,
            "leastPollIdle", Math::min,
            "spinning", Math::min);

    private final Map<String, Map<String, Double>> sums = new HashMap<>();
    private final Map<String, Map<String, Double>> gauges = new HashMap<>();

    /**
     * Adds a value to a sum.
     * @param where such as {@code producers-0} or {@code producers-0 broker 1}
     */
    public void add(String where, String figure, double value) {
        merge(sums, where, figure, value, Double::sum);
    }

    /** Sets a gauge; the caller chooses the minimum or maximum of several clients. */
    public void set(String where, String figure, double value) {
        merge(gauges, where, figure, value, (before, now) -> now);
    }

    /** Sets a gauge to the minimum of its values. */
    public void least(String where, String figure, double value) {
        merge(gauges, where, figure, value, Math::min);
    }

    /** Sets a gauge to the maximum of its values. */
    public void most(String where, String figure, double value) {
        merge(gauges, where, figure, value, Math::max);
    }

    private static void merge(
            Map<String, Map<String, Double>> into,
            String where,
            String figure,
            double value,
            BinaryOperator<Double> merging) {
        if (!Double.isNaN(value)) {
            into.computeIfAbsent(where, w -> new HashMap<>()).merge(figure, value, merging);
        }
    }

    public void addWorker(Observation other) {
        other.sums().forEach((figure, value) -> add(other.what(), figure, value));
        other.gauges()
                .forEach((figure, value) ->
                        merge(gauges, other.what(), figure, value, ACROSS_WORKERS.getOrDefault(figure, Math::max)));
    }

    /** The collected figures of this interval, in nanoseconds since the trial's start. */
    public List<Observation> observations(long fromNanos, long toNanos) {
        TreeSet<String> all = new TreeSet<>(sums.keySet());
        all.addAll(gauges.keySet());
        return all.stream()
                .map(where -> new Observation(
                        where,
                        "client",
                        fromNanos,
                        toNanos,
                        sums.getOrDefault(where, Map.of()),
                        gauges.getOrDefault(where, Map.of())))
                .toList();
    }
}
