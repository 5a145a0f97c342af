package io.plimsoll.measure;

import java.util.List;

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
 */
public record AckPulse(long fromNanos, long bucketNanos, List<Long> acknowledged, long gapFromNanos, long gapToNanos) {
    public AckPulse {
        acknowledged = List.copyOf(acknowledged);
    }

    /** End of the last bucket. */
    public long toNanos() {
        return fromNanos + bucketNanos * acknowledged.size();
    }

    /** Makes pulses of looks at acknowledgements, which follow each other. Not thread-safe. */
    public static final class AckPulses {
        private long lastAckNanos;

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
                    gapTo);
        }
    }
}
