package io.plimsoll.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A quantity that the load counts, declared once: the JSON path of its value, and the merge over consecutive
 * intervals and concurrent workers. A labeled metric has one value per label, such as an error kind, a consumer
 * group, or a partition. See {@link Counts}. Immutable.
 * @param <V> {@link Long}, {@link Double}, {@link Latencies}, or a map of label to {@link Long}, {@link Latencies} or
 *     {@link Counts}
 */
public final class Metric<V> {
    /** How two values of a metric are merged. */
    public enum Merge {
        SUM,
        GREATEST,
        /** Keeps the latest value of each label; not for concurrent workers. */
        LATEST
    }

    /** A value type: the zero value, the JSON decoder, and the merge functions. */
    private record Type<V>(V zero, Function<Object, V> decoder, BinaryOperator<V> sum, BinaryOperator<V> latest) {
        Type<Map<String, V>> byLabel() {
            return new Type<>(
                    Map.of(),
                    json -> decoded(object(json)),
                    (a, b) -> merged(a, b, sum),
                    (a, b) -> merged(a, b, (before, now) -> now));
        }

        private Map<String, V> decoded(Map<String, Object> json) {
            Map<String, V> values = new TreeMap<>();
            json.forEach((label, value) -> values.put(label, decoder.apply(value)));
            return values;
        }

        private Map<String, V> merged(Map<String, V> a, Map<String, V> b, BinaryOperator<V> both) {
            if (a.isEmpty() || b.isEmpty()) {
                return a.isEmpty() ? b : a;
            }
            Map<String, V> all = new TreeMap<>(a);
            b.forEach((label, value) -> all.merge(label, value, both));
            return all;
        }
    }

    private static final Type<Long> COUNT =
            new Type<>(0L, json -> ((Number) json).longValue(), Long::sum, (before, now) -> now);
    private static final Type<Double> REAL =
            new Type<>(0.0, json -> ((Number) json).doubleValue(), Double::sum, (before, now) -> now);
    private static final Type<Latencies> LATENCY =
            new Type<>(Latencies.EMPTY, json -> Latencies.decode((String) json), Latencies::plus, (before, now) -> now);

    private static final String LABEL = "*";
    private static final Map<String, Metric<?>> ALL = Collections.synchronizedMap(new LinkedHashMap<>());

    private final List<String> path;
    private final Type<V> type;
    private final Merge overTime;
    private final Merge acrossWorkers;

    private Metric(String path, Type<V> type, Merge overTime, Merge acrossWorkers) {
        this.path = List.of(path.split("\\."));
        this.type = type;
        this.overTime = overTime;
        this.acrossWorkers = acrossWorkers;
        if (ALL.put(path, this) != null) {
            throw new IllegalStateException("declared twice: " + path);
        }
    }

    /**
     * A summed counter.
     * @param path JSON keys joined by dots, such as {@code produce.due}
     */
    public static Metric<Long> count(String path) {
        return count(path, Merge.SUM, Merge.SUM);
    }

    /** An integer metric with its own merge rules. */
    public static Metric<Long> count(String path, Merge overTime, Merge acrossWorkers) {
        return new Metric<>(path, COUNT, overTime, acrossWorkers);
    }

    /** A floating-point metric; values are summed. */
    public static Metric<Double> real(String path) {
        return new Metric<>(path, REAL, Merge.SUM, Merge.SUM);
    }

    public static Metric<Latencies> latency(String path) {
        return new Metric<>(path, LATENCY, Merge.SUM, Merge.SUM);
    }

    /**
     * A counter per label.
     * @param path with {@code *} for the label, as in {@code consume.groups.*.records}
     */
    public static Metric<Map<String, Long>> counts(String path) {
        return counts(path, Merge.SUM);
    }

    /** An integer metric per label, with its own merge over time; summed across workers. */
    public static Metric<Map<String, Long>> counts(String path, Merge overTime) {
        return new Metric<>(path, COUNT.byLabel(), overTime, Merge.SUM);
    }

    public static Metric<Map<String, Latencies>> latencies(String path) {
        return new Metric<>(path, LATENCY.byLabel(), Merge.SUM, Merge.SUM);
    }

    /** All counts of the clients with a label, by label. */
    static Metric<Map<String, Counts>> byLabel(String path) {
        Type<Counts> each =
                new Type<>(Counts.NONE, json -> Counts.read(object(json)), Counts::plus, (before, now) -> now);
        return new Metric<>(path, each.byLabel(), Merge.SUM, Merge.SUM);
    }

    /** All metrics declared by the classes loaded so far, in declaration order. */
    static List<Metric<?>> all() {
        synchronized (ALL) {
            return List.copyOf(ALL.values());
        }
    }

    V zero() {
        return type.zero;
    }

    String family() {
        return path.get(0);
    }

    V merge(V before, V now, boolean ofWorkers) {
        return switch (ofWorkers ? acrossWorkers : overTime) {
            case SUM -> type.sum.apply(before, now);
            case GREATEST -> greater(before, now);
            case LATEST -> type.latest.apply(before, now);
        };
    }

    @SuppressWarnings("unchecked")
    private static <V> V greater(V a, V b) {
        return ((Comparable<V>) a).compareTo(b) >= 0 ? a : b;
    }

    void write(Map<String, Object> root, Object value) {
        int label = path.indexOf(LABEL);
        int last = path.size() - 1;
        Map<String, Object> parent = root;
        for (String key : path.subList(0, label < 0 ? last : label)) {
            parent = child(parent, key);
        }
        if (label < 0) {
            parent.put(path.get(last), value);
        } else if (label == last) {
            parent.putAll(object(value));
        } else {
            for (Map.Entry<String, Object> one : object(value).entrySet()) {
                child(parent, one.getKey()).put(path.get(last), one.getValue());
            }
        }
    }

    /** Reads the metric's value below this root object; null if absent. */
    @Nullable
    V read(Map<String, Object> root) {
        int label = path.indexOf(LABEL);
        int last = path.size() - 1;
        Object json = root;
        for (String key : path.subList(0, label < 0 ? path.size() : label)) {
            json = json == null ? null : object(json).get(key);
        }
        if (json != null && label >= 0 && label < last) {
            Map<String, Object> leaves = new TreeMap<>();
            object(json).forEach((key, leaf) -> leaves.put(key, object(leaf).get(path.get(last))));
            leaves.values().removeIf(leaf -> leaf == null);
            json = leaves;
        }
        return json == null ? null : type.decoder.apply(json);
    }

    private static Map<String, Object> child(Map<String, Object> parent, String key) {
        return object(parent.computeIfAbsent(key, k -> new LinkedHashMap<String, Object>()));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object json) {
        return (Map<String, Object>) json;
    }

    @Override
    public String toString() {
        return String.join(".", path);
    }
}
