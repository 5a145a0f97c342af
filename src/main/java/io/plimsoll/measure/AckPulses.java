package io.plimsoll.measure;

/** Makes pulses of looks at acknowledgements, which follow each other. Not thread-safe. */
public final class AckPulses {
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
