package io.plimsoll.measure;

import io.plimsoll.measure.Quiet.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Acknowledgements as they were looked at again and again for about a second; those of workers that began together, seen
 * at the same looks, add up. Looks are numbered from 1 on and {@value #LOOK_NANOS} ns apart; times are nanoseconds after
 * the trial's start.
 *
 * @param first number of the first of these looks; always one more than a multiple of {@value #LOOKS}
 * @param lastAckNanos at each look: when the latest acknowledgement came; 0 if none has
 * @param acknowledged records in each {@value #LOOKS_PER_BUCKET} looks, warm-up included
 * @param quiet partitions that were acknowledged nothing meanwhile
 * @param appended from when to when partitions were appended to without a pause, by their brokers' clocks, in any order; those of
 *     which brokers do not say it are missing
 * @param end nothing follows
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
    /** There are so many together, but at the end. */
    public static final int LOOKS = 100;

    public AckLooks {
        lastAckNanos = List.copyOf(lastAckNanos);
        acknowledged = List.copyOf(acknowledged);
        quiet = quiet == null ? Quiet.UNKNOWN : quiet;
        appended = appended == null ? Map.of() : Map.copyOf(appended);
    }

    /** Adds up what both saw: the later of two acknowledgements is the latest. */
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
