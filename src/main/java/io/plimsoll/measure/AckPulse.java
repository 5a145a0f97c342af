package io.plimsoll.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * When acknowledgements came within about a second, finer than a {@link Snapshot} tells. Pulses of a trial follow each
 * other without gap. Times are nanoseconds after the trial's start, good to about 10 ms.
 *
 * @param fromNanos start of the first bucket
 * @param bucketNanos length of each bucket
 * @param acknowledged records in each bucket, warm-up included
 * @param gapFromNanos the acknowledgement (or the start) after which none came for longest; that may be long before
 *     {@code fromNanos}
 * @param gapToNanos the next acknowledgement, or the end of this pulse if none has come yet
 * @param silences of single partitions, of at least {@value #SILENCE_NANOS} ns, that ended or go on; null in earlier versions
 * @param appendSilences likewise, between two appends by the broker's clock, that ended; null if no broker says when it appends
 */
public record AckPulse(
        long fromNanos,
        long bucketNanos,
        List<Long> acknowledged,
        long gapFromNanos,
        long gapToNanos,
        List<Silence> silences,
        List<Silence> appendSilences) {
    static final long SILENCE_NANOS = 200_000_000L;

    public AckPulse {
        acknowledged = List.copyOf(acknowledged);
        silences = silences == null ? null : List.copyOf(silences);
        appendSilences = appendSilences == null ? null : List.copyOf(appendSilences);
    }

    /**
     * A partition without an acknowledgement, or an append.
     *
     * @param partition such as {@code orders-3}
     * @param fromNanos its last acknowledgement before
     * @param toNanos its first one after, or the end of the pulse: it is told again with a later end then
     */
    public record Silence(String partition, long fromNanos, long toNanos) {}

    /** End of the last bucket. */
    public long toNanos() {
        return fromNanos + bucketNanos * acknowledged.size();
    }

    /** Makes pulses of looks at acknowledgements, which follow each other. Not thread-safe. */
    public static final class AckPulses {
        private long lastAckNanos;
        /** Since when a partition has been silent that was so when the last looks ended. */
        private final Map<String, Long> silentFrom = new HashMap<>();
        /** Of each partition that is told of: its last stretches of appends, the end of each by its beginning. */
        private final Map<String, NavigableMap<Long, Long>> appended = new TreeMap<>();

        /** Tells what came between two looks from the last of it alone: the gap before is longer by less than a look. */
        public AckPulse of(AckLooks looks) {
            long gapFrom = 0;
            long gapTo = 0;
            for (int i = 0; i < looks.lastAckNanos().size(); i++) {
                long last = looks.lastAckNanos().get(i);
                boolean came = last > lastAckNanos;
                long to = came ? last : (looks.first() + i) * AckLooks.LOOK_NANOS;
                if (to - lastAckNanos > gapTo - gapFrom) {
                    gapFrom = lastAckNanos;
                    gapTo = to;
                }
                lastAckNanos = Math.max(lastAckNanos, last);
            }
            return new AckPulse(
                    (looks.first() - 1) * AckLooks.LOOK_NANOS,
                    AckLooks.LOOKS_PER_BUCKET * AckLooks.LOOK_NANOS,
                    looks.acknowledged(),
                    gapFrom,
                    gapTo,
                    silences(looks),
                    appendSilences(looks));
        }

        /**
         * Tells a pause a second late: what one client was acknowledged by then may fill that of another one.
         */
        private List<Silence> appendSilences(AckLooks looks) {
            looks.appended().forEach((partition, spans) -> {
                NavigableMap<Long, Long> stretches = appended.computeIfAbsent(partition, p -> new TreeMap<>());
                spans.forEach(span -> join(stretches, span));
            });
            long settled = looks.end() ? Long.MAX_VALUE : (looks.first() - 1) * AckLooks.LOOK_NANOS;
            List<Silence> silences = new ArrayList<>();
            appended.forEach((partition, stretches) -> {
                while (stretches.size() > 1 && stretches.higherKey(stretches.firstKey()) <= settled) {
                    long from = stretches.pollFirstEntry().getValue();
                    if (stretches.firstKey() - from >= SILENCE_NANOS) {
                        silences.add(new Silence(partition, from, stretches.firstKey()));
                    }
                }
            });
            return appended.isEmpty() ? null : silences;
        }

        private static void join(NavigableMap<Long, Long> stretches, Quiet.Span span) {
            long from = span.fromNanos();
            long to = span.toNanos();
            Map.Entry<Long, Long> before = stretches.floorEntry(from);
            if (before != null && before.getValue() >= from) {
                from = before.getKey();
                to = Math.max(to, before.getValue());
            }
            Map.Entry<Long, Long> last = stretches.floorEntry(to);
            if (last != null && last.getKey() >= from) {
                to = Math.max(to, last.getValue());
            }
            stretches.subMap(from, true, to, true).clear();
            stretches.put(from, to);
        }

        private List<Silence> silences(AckLooks looks) {
            long begin = (looks.first() - 1) * AckLooks.LOOK_NANOS;
            long end = begin + looks.lastAckNanos().size() * AckLooks.LOOK_NANOS;
            List<Silence> silences = new ArrayList<>();
            looks.quiet().partitions().forEach((partition, spans) -> {
                Long before = silentFrom.remove(partition);
                for (Quiet.Span span : spans) {
                    boolean goesOn = span.fromNanos() == begin && before != null;
                    long from = goesOn ? before : span.fromNanos();
                    if (span.toNanos() >= end) {
                        silentFrom.put(partition, from);
                    }
                    if (span.toNanos() - from >= SILENCE_NANOS) {
                        silences.add(new Silence(partition, from, span.toNanos()));
                    }
                }
            });
            return silences;
        }
    }
}
