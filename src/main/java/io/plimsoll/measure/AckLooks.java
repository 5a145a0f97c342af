package io.plimsoll.measure;

import io.plimsoll.measure.Quiet.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Acknowledgment progress, polled over about one second. Polls of workers that start together are aligned, so their
 * values can be added. Polls are numbered from 1 and {@value #LOOK_NANOS} ns apart. Times are nanoseconds since the
 * trial's start.
 * @param first number of the first poll; one more than a multiple of {@value #LOOKS}
 * @param lastAckNanos time of the latest acknowledgment at each poll; 0 if none
 * @param acknowledged records per {@value #LOOKS_PER_BUCKET} polls, warm-up included
 * @param quiet intervals without an acknowledgment, by partition
 * @param appended intervals of continuous appends by partition, by the brokers' clocks, unordered
 * @param end whether this is the trial's last value
 */
public record AckLooks(
        long first,
        List<Long> lastAckNanos,
        List<Long> acknowledged,
        Quiet quiet,
        Map<String, List<Span>> appended,
        boolean end) {
    public static final long LOOK_NANOS = 10_000_000L;
    public static final int LOOKS_PER_BUCKET = 10;
    /** Number of polls per value; the last value can have fewer. */
    public static final int LOOKS = 100;

    public AckLooks {
        lastAckNanos = List.copyOf(lastAckNanos);
        acknowledged = List.copyOf(acknowledged);
        quiet = quiet == null ? Quiet.UNKNOWN : quiet;
        appended = appended == null ? Map.of() : Map.copyOf(appended);
    }

    /** Merges the values of two workers; the later last acknowledgment applies. */
    public AckLooks plus(AckLooks o) {
        return new AckLooks(
                first,
                merged(lastAckNanos, o.lastAckNanos, true),
                merged(acknowledged, o.acknowledged, false),
                quiet.and(o.quiet),
                both(appended, o.appended),
                end && o.end);
    }

    private static Map<String, List<Span>> both(Map<String, List<Span>> a, Map<String, List<Span>> b) {
        Map<String, List<Span>> both = new TreeMap<>(a);
        b.forEach((partition, spans) -> both.merge(partition, spans, (x, y) -> Stream.concat(x.stream(), y.stream())
                .toList()));
        return both;
    }

    private static List<Long> merged(List<Long> a, List<Long> b, boolean latest) {
        List<Long> merged = new ArrayList<>();
        for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
            long x = i < a.size() ? a.get(i) : 0;
            long y = i < b.size() ? b.get(i) : 0;
            merged.add(latest ? Math.max(x, y) : x + y);
        }
        return merged;
    }
}
