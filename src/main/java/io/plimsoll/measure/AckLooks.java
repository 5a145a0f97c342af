package io.plimsoll.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * Acknowledgements as they were looked at again and again for about a second; those of workers that began together, seen
 * at the same looks, add up. Looks are numbered from 1 on and {@value #LOOK_NANOS} ns apart; times are nanoseconds after
 * the trial's start.
 *
 * @param first number of the first of these looks; always one more than a multiple of {@value #LOOKS}
 * @param lastAckNanos at each look: when the latest acknowledgement came; 0 if none has
 * @param acknowledged records in each {@value #LOOKS_PER_BUCKET} looks, warm-up included
 * @param quiet partitions that were acknowledged nothing meanwhile
 * @param end nothing follows
 */
public record AckLooks(long first, List<Long> lastAckNanos, List<Long> acknowledged, Quiet quiet, boolean end) {
    public static final long LOOK_NANOS = 10_000_000L;
    public static final int LOOKS_PER_BUCKET = 10;
    /** There are so many together, but at the end. */
    public static final int LOOKS = 100;

    public AckLooks {
        lastAckNanos = List.copyOf(lastAckNanos);
        acknowledged = List.copyOf(acknowledged);
        quiet = quiet == null ? Quiet.UNKNOWN : quiet;
    }

    /** Adds up what both saw: the later of two acknowledgements is the latest. */
    public AckLooks plus(AckLooks o) {
        return new AckLooks(
                first,
                merged(lastAckNanos, o.lastAckNanos, true),
                merged(acknowledged, o.acknowledged, false),
                quiet.and(o.quiet),
                end && o.end);
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
