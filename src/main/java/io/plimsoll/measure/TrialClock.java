package io.plimsoll.measure;

/**
 * The time axis of a trial on one worker. All times are of {@link System#nanoTime()}; the offset to the wall clock is
 * taken once, so that a correction of the wall clock in mid-run changes no latency.
 *
 * @param startNanos the schedule's start: the start of the warm-up
 * @param measureStartNanos the end of the warm-up and start of the measured window
 * @param measureEndNanos the end of the measured window; {@link Long#MAX_VALUE} if it ends with the last record
 * @param epochOffsetNanos to be added to a nanoTime to get nanoseconds since 1970
 */
public record TrialClock(long startNanos, long measureStartNanos, long measureEndNanos, long epochOffsetNanos) {

    /** The same clock with another end of the measured window. */
    public TrialClock withMeasureEnd(long nanoTime) {
        return new TrialClock(startNanos, measureStartNanos, nanoTime, epochOffsetNanos);
    }

    /** Warm-up or measured: the window that a record due at this time belongs to. */
    public boolean measured(long intendedNanos) {
        return intendedNanos >= measureStartNanos;
    }

    public long toEpochNanos(long nanoTime) {
        return nanoTime + epochOffsetNanos;
    }

    public Phase phaseAt(long nowNanos) {
        if (nowNanos < measureStartNanos) {
            return Phase.WARMUP;
        }
        return nowNanos < measureEndNanos ? Phase.MEASURE : Phase.DRAIN;
    }
}
