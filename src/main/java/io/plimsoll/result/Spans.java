package io.plimsoll.result;

import java.util.Map;
import java.util.TreeMap;

/** A union of time spans in nanoseconds. Not thread-safe. */
final class Spans {
    /** Disjoint spans: the end of each by its start. */
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    void add(long fromNanos, long toNanos) {
        long from = fromNanos;
        long to = toNanos;
        Map.Entry<Long, Long> other = ends.floorEntry(to);
        while (other != null && other.getValue() >= from) {
            from = Math.min(from, other.getKey());
            to = Math.max(to, other.getValue());
            ends.remove(other.getKey());
            other = ends.floorEntry(to);
        }
        ends.put(from, to);
    }

    long nanos() {
        return within(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Length of the part that this union and another one have in common. */
    long common(Spans other) {
        return ends.entrySet().stream()
                .mapToLong(span -> other.within(span.getKey(), span.getValue()))
                .sum();
    }

    /** Length of the part of the union between two times. */
    long within(long fromNanos, long toNanos) {
        return ends.headMap(toNanos).entrySet().stream()
                .mapToLong(span -> Math.min(toNanos, span.getValue()) - Math.max(fromNanos, span.getKey()))
                .filter(nanos -> nanos > 0)
                .sum();
    }
}
