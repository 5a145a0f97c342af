package io.plimsoll.measure;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts rare events by kind. Thread-safe. */
public final class ErrorCounts {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    public void add(String kind, long n) {
        counts.computeIfAbsent(kind, k -> new LongAdder()).add(n);
    }

    /** Takes the counts since the last call. Only one thread at a time calls this method. */
    public Map<String, Long> drain() {
        if (counts.isEmpty()) {
            return Map.of();
        }
        Map<String, Long> drained = new TreeMap<>();
        counts.forEach((kind, count) -> {
            long n = count.sumThenReset();
            if (n > 0) {
                drained.put(kind, n);
            }
        });
        return drained;
    }
}
