package io.plimsoll.measure;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Intervals without an acknowledgment by {@code topic-partition}, in nanoseconds since the trial's start; with several
 * workers, the intersection. An interval at either end of the polled time can continue beyond it.
 */
public record Quiet(@JsonSetter(nulls = AS_EMPTY) Map<String, List<Span>> partitions) {
    public static final Quiet UNKNOWN = new Quiet(Map.of());
    /** Minimum length in ns; shorter intervals are omitted unless they can be part of a longer one. */
    static final long LEAST_NANOS = 100_000_000L;

    /** A time interval. */
    public record Span(long fromNanos, long toNanos) {}

    /** The intersection of two workers. A worker that does not know a partition sends nothing to it. */
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

    /** Finds the intervals of one worker by polling. Not thread-safe. */
    public static final class Looking {
        private final Map<String, Long> lastAcks = new HashMap<>();
        private final Map<String, List<Span>> found = new TreeMap<>();
        private long fromNanos;

        /** @param last time of the latest acknowledgment by partition; 0 if none */
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

        /** The intervals since the last call, including open intervals. */
        public Quiet until(long toNanos) {
            found.forEach((partition, spans) -> {
                long from = Math.max(fromNanos, lastAcks.getOrDefault(partition, 0L));
                if (from < toNanos) {
                    spans.add(new Span(from, toNanos));
                }
            });
            Map<String, List<Span>> copies = new TreeMap<>();
            found.forEach((partition, spans) -> copies.put(partition, List.copyOf(spans)));
            found.values().forEach(List::clear);
            fromNanos = toNanos;
            return new Quiet(copies);
        }
    }
}
