package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Values of all metrics for one interval. A metric that was not counted is 0 or empty. The JSON object follows the
 * paths of the metrics. Immutable.
 */
public final class Counts {
    public static final Counts NONE = new Counts(Map.of());

    static final String LABELS = "labels";

    /** Counts of the clients with a label, by label such as {@code team=payments}; these counts have no labels of their own. */
    public static final Metric<Map<String, Counts>> BY_LABEL = Metric.byLabel(LABELS + ".*");

    /** Families omitted by loads without connections, replies, or labels. */
    private static final Set<String> OPTIONAL = Set.of(Connected.FAMILY, Replied.FAMILY, LABELS);

    static {
        // Loading these classes declares all metrics.
        Objects.requireNonNull(List.of(
                Produced.DUE,
                Consumed.RECORDS,
                Connected.COUNTS,
                Replied.COUNTS,
                WireUse.REQUESTS,
                GeneratorUse.CPU_NANOS));
    }

    private final Map<Metric<?>, Object> values;

    private Counts(Map<Metric<?>, Object> values) {
        this.values = values;
    }

    /** The value of a metric; 0 or empty if it was not counted. */
    @SuppressWarnings("unchecked")
    public <V> V get(Metric<V> metric) {
        Object value = values.get(metric);
        return value == null ? metric.zero() : (V) value;
    }

    /** Sum of a counter over all labels. */
    public long total(Metric<Map<String, Long>> metric) {
        return total(get(metric));
    }

    public static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The counts of the clients with this label. */
    Counts of(String label) {
        return get(BY_LABEL).getOrDefault(label, NONE);
    }

    /** Whether any metric of a family was counted, even as 0. */
    public boolean has(String family) {
        return values.keySet().stream().anyMatch(m -> m.family().equals(family));
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    public <V> Counts with(Metric<V> metric, V value) {
        Map<Metric<?>, Object> changed = new HashMap<>(values);
        changed.put(metric, value);
        return new Counts(changed);
    }

    public Counts plus(Counts next) {
        if (isEmpty() || next.isEmpty()) {
            return isEmpty() ? next : this;
        }
        return Sum.overTime().add(this).add(next).total();
    }

    /** The families with all of their metrics; missing values are 0. */
    @JsonValue
    Map<String, Object> json() {
        return json(List.of(Produced.FAMILY, Consumed.FAMILY, Connected.FAMILY, Replied.FAMILY, LABELS));
    }

    Map<String, Object> json(Collection<String> families) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (Metric<?> metric : Metric.all()) {
            String family = metric.family();
            if (families.contains(family) && (!OPTIONAL.contains(family) || has(family))) {
                metric.write(json, metric == BY_LABEL ? parts() : get(metric));
            }
        }
        return json;
    }

    /** The counts of each label, only with families that were counted. */
    private Map<String, Object> parts() {
        Map<String, Object> parts = new TreeMap<>();
        get(BY_LABEL)
                .forEach((label, part) -> parts.put(
                        label,
                        part.json(part.values.keySet().stream()
                                .map(Metric::family)
                                .collect(Collectors.toSet()))));
        return parts;
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Counts read(Map<String, Object> json) {
        Map<Metric<?>, Object> values = new HashMap<>();
        for (Metric<?> metric : Metric.all()) {
            Object value = metric.read(json);
            if (value != null && (!value.equals(metric.zero()) || OPTIONAL.contains(metric.family()))) {
                values.put(metric, value);
            }
        }
        Counts read = new Counts(values);
        return Consumed.completed(read, json);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Counts that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }

    /** Merges counts in place. Unlike {@link Counts#plus}, it does not copy every distribution. Not thread-safe. */
    public static final class Sum {
        private final boolean ofWorkers;
        private final Map<Metric<?>, Object> values = new HashMap<>();

        private final Map<String, Sum> parts = new TreeMap<>();

        private Sum(boolean ofWorkers) {
            this.ofWorkers = ofWorkers;
        }

        /** Creates a sum that merges consecutive intervals. */
        public static Sum overTime() {
            return new Sum(false);
        }

        public static Sum acrossWorkers() {
            return new Sum(true);
        }

        public Sum add(Counts counts) {
            counts.values.forEach(this::addUnchecked);
            return this;
        }

        /** Merges counts, also into the parts of these labels. */
        Sum add(Counts counts, Collection<String> labels) {
            labels.forEach(label -> counts.values.forEach((metric, value) -> {
                if (metric != BY_LABEL) {
                    part(label).addUnchecked(metric, value);
                }
            }));
            return add(counts);
        }

        private Sum part(String label) {
            return parts.computeIfAbsent(label, l -> new Sum(ofWorkers));
        }

        @SuppressWarnings("unchecked")
        private <V> void addUnchecked(Metric<V> metric, Object value) {
            add(metric, (V) value);
        }

        /** Merges one value. */
        @SuppressWarnings("unchecked")
        public <V> Sum add(Metric<V> metric, V value) {
            if (metric == (Object) BY_LABEL) {
                ((Map<String, Counts>) value)
                        .forEach((label, counts) -> part(label).add(counts));
                return this;
            }
            values.merge(metric, value, (before, now) -> metric.merge((V) before, (V) now, ofWorkers));
            return this;
        }

        /** Adds to a counter; 0 is ignored. */
        public Sum add(Metric<Long> metric, long value) {
            return value == 0 ? this : add(metric, Long.valueOf(value));
        }

        public Sum add(Metric<Map<String, Long>> metric, String label, long value) {
            return add(metric, Map.of(label, value));
        }

        public long get(Metric<Long> metric) {
            return (Long) values.getOrDefault(metric, 0L);
        }

        /** A copy of the current values; adding can continue. */
        public Counts total() {
            Map<Metric<?>, Object> total = new HashMap<>();
            values.forEach((metric, value) -> {
                if (!value.equals(metric.zero()) || OPTIONAL.contains(metric.family())) {
                    total.put(metric, value);
                }
            });
            if (!parts.isEmpty()) {
                Map<String, Counts> known = new TreeMap<>();
                parts.forEach((label, sum) -> known.put(label, sum.total()));
                total.put(BY_LABEL, known);
            }
            return new Counts(total);
        }
    }
}
