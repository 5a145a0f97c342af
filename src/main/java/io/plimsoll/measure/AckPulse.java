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
}
