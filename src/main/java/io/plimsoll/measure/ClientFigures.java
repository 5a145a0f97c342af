package io.plimsoll.measure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/**
 * Collects what the clients of one entry of a scenario say of themselves since they were last asked: see {@link Observation} for
 * sums and gauges. Collected by one thread.
 */
public final class ClientFigures {
    /** How gauges of several workers become one. Of all others, which are mostly settings and the same, the greatest. */
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
     * Adds to a sum.
     *
     * @param where such as {@code producers-0} or {@code producers-0 broker 1}
     */
    public void add(String where, String figure, double value) {
        merge(sums, where, figure, value, Double::sum);
    }

    /** Sets what is there now; of several clients' values the least or the greatest is for the caller to choose. */
    public void set(String where, String figure, double value) {
        merge(gauges, where, figure, value, (before, now) -> now);
    }

    /** Keeps the least of all values. */
    public void least(String where, String figure, double value) {
        merge(gauges, where, figure, value, Math::min);
    }

    /** Keeps the greatest of all values. */
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

    /** Takes over what another has collected. */
    public void add(ClientFigures other) {
        other.sums.forEach((where, figures) -> figures.forEach((figure, value) -> add(where, figure, value)));
        other.gauges.forEach((where, figures) -> figures.forEach((figure, value) -> set(where, figure, value)));
    }

    /** Takes over what another worker's clients of the same entry say: their numbers add up. */
    public void addWorker(Observation other) {
        other.sums().forEach((figure, value) -> add(other.what(), figure, value));
        other.gauges()
                .forEach((figure, value) ->
                        merge(gauges, other.what(), figure, value, ACROSS_WORKERS.getOrDefault(figure, Math::max)));
    }

    /** Hands out what was collected, as observations from and to so many nanoseconds after the trial's start. */
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
