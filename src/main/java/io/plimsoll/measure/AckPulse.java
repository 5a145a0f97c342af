package io.plimsoll.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledgments within about a second, at a finer resolution than a {@link Snapshot}. Pulses of a trial are
 * contiguous. Times are nanoseconds since the trial's start, accurate to about 10 ms.
 * @param fromNanos start of the first bucket
 * @param bucketNanos length of each bucket
 * @param acknowledged records per bucket, including the warm-up
 * @param gapFromNanos start of the longest gap between acknowledgments; can precede {@code fromNanos}
 * @param gapToNanos next acknowledgment, or the end of this pulse
 * @param silences gaps of at least {@value #SILENCE_NANOS} ns in a partition's acknowledgments, ended or in progress;
 *     null in results of earlier versions
 * @param appendSilences finished gaps between appends by the broker's clock; null without append times
 */
public record AckPulse(
        long fromNanos,
        long bucketNanos,
        List<Long> acknowledged,
        long gapFromNanos,
        long gapToNanos,
        @Nullable List<Silence> silences,
        @Nullable List<Silence> appendSilences) {
    static final long SILENCE_NANOS = 200_000_000L;

    public AckPulse {
        acknowledged = List.copyOf(acknowledged);
        silences = silences == null ? null : List.copyOf(silences);
        appendSilences = appendSilences == null ? null : List.copyOf(appendSilences);
    }

    /**
     * A time in which a partition had no acknowledgment or no append.
     * @param partition name of the partition, such as {@code orders-3}
     * @param fromNanos last acknowledgment before the gap
     * @param toNanos next acknowledgment, or the end of the pulse; an open gap is reported again with a later end
     */
    public record Silence(String partition, long fromNanos, long toNanos) {}

    public long toNanos() {
        return fromNanos + bucketNanos * acknowledged.size();
    }

    /** Converts consecutive {@link AckLooks} to pulses. Not thread-safe. */
    public static final class AckPulses {
        private long lastAckNanos;
        /** Start of the current gap of each partition at the end of the last polls. */
        private final Map<String, Long> silentFrom = new HashMap<>();
        /** Recent append intervals of each partition: start to end. */
        private final Map<String, NavigableMap<Long, Long>> appended = new TreeMap<>();

        /** Only the last acknowledgment of each poll is known, so a gap can be too long by up to one poll interval. */
        public AckPulse of(AckLooks looks) {
            long gapFrom = 0;
            long gapTo = 0;
            for (int i = 0; i < looks.lastAckNanos().size(); i++) {
                long last = looks.lastAckNanos().get(i);
                boolean acknowledged = last > lastAckNanos;
                long to = acknowledged ? last : (looks.first() + i) * AckLooks.LOOK_NANOS;
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

        /** Reports a gap one second late, because acknowledgments to other clients can still fill it. */
        private @Nullable List<Silence> appendSilences(AckLooks looks) {
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
                    boolean continues = span.fromNanos() == begin && before != null;
                    long from = continues ? before : span.fromNanos();
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
