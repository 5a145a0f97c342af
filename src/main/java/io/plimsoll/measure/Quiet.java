package io.plimsoll.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stretches of time without an acknowledgement, by partition. Those of several workers have in common when nobody was
 * acknowledged anything. Times are nanoseconds after the trial's start.
 *
 * @param partitions to which records go, by {@code topic-partition}, with the stretches in their order; one that begins or
 *     ends with what was looked at may be longer
 */
public record Quiet(Map<String, List<Span>> partitions) {
    public static final Quiet UNKNOWN = new Quiet(Map.of());
    /** Shorter ones are not told, but where they may be part of a longer one. */
    static final long LEAST_NANOS = 100_000_000L;

    public Quiet {
        partitions = partitions == null ? Map.of() : Map.copyOf(partitions);
    }

    /** A stretch of time. */
    public record Span(long fromNanos, long toNanos) {}

    /** What is common to both; to a partition that one of them does not know it sends nothing. */
    Quiet and(Quiet other) {
        Map<String, List<Span>> common = new TreeMap<>(partitions);
        other.partitions.forEach((partition, spans) -> common.merge(partition, spans, Quiet::common));
        return new Quiet(common);
    }

    private static List<Span> common(List<Span> a, List<Span> b) {
        List<Span> common = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < a.size() && j < b.size()) {
            long from = Math.max(a.get(i).fromNanos, b.get(j).fromNanos);
            long to = Math.min(a.get(i).toNanos, b.get(j).toNanos);
            if (from < to) {
                common.add(new Span(from, to));
            }
            if (a.get(i).toNanos < b.get(j).toNanos) {
                i++;
            } else {
                j++;
            }
        }
        return common;
    }

    /** Finds the stretches of one worker in what it looks at again and again. Not thread-safe. */
    public static final class Looking {
        private final Map<String, Long> lastAcks = new HashMap<>();
        private final Map<String, List<Span>> found = new TreeMap<>();
        private long fromNanos;

        /** @param last when the latest acknowledgement of each partition came; 0 if none has */
        public void look(Map<String, Long> last) {
            last.forEach((partition, to) -> {
                long from = lastAcks.getOrDefault(partition, 0L);
                List<Span> spans = found.computeIfAbsent(partition, p -> new ArrayList<>());
                if (to > from && (from < fromNanos || to - from >= LEAST_NANOS)) {
                    spans.add(new Span(Math.max(from, fromNanos), to));
                }
                lastAcks.put(partition, Math.max(from, to));
            });
        }

        /** Those since the last call, with the one that goes on in each partition. */
        public Quiet until(long toNanos) {
            found.forEach((partition, spans) -> {
                long from = Math.max(fromNanos, lastAcks.get(partition));
                if (from < toNanos) {
                    spans.add(new Span(from, toNanos));
                }
            });
            Map<String, List<Span>> told = new TreeMap<>();
            found.forEach((partition, spans) -> told.put(partition, List.copyOf(spans)));
            found.values().forEach(List::clear);
            fromNanos = toNanos;
            return new Quiet(told);
        }
    }
}
