package io.plimsoll.measure;

/**
 * The time axis of a trial on one worker. All times are of {@link System#nanoTime()}; the offset to the wall clock is
 * taken once, so that a correction of the wall clock in mid-run changes no latency. A worker of a fleet is told it again as
 * its clock drifts away from the others'.
 *
 * @param startNanos the schedule's start: the start of the warm-up
 * @param measureStartNanos the end of the warm-up and start of the measured window
 * @param measureEndNanos the end of the measured window; {@link Long#MAX_VALUE} if it ends with the last record
 * @param epoch the way to nanoseconds since 1970
 */
public record TrialClock(long startNanos, long measureStartNanos, long measureEndNanos, EpochOffset epoch) {

    /** What is to be added to a nanoTime to get nanoseconds since 1970. Any thread. */
    public static final class EpochOffset {
        private volatile long nanos;

        private EpochOffset(long nanos) {
            this.nanos = nanos;
        }

        /** The clocks of a fleet were compared again. */
        public void correct(long now) {
            nanos = now;
        }
    }

    /** @param epochOffsetNanos to be added to a nanoTime to get nanoseconds since 1970 */
    public TrialClock(long startNanos, long measureStartNanos, long measureEndNanos, long epochOffsetNanos) {
        this(startNanos, measureStartNanos, measureEndNanos, new EpochOffset(epochOffsetNanos));
    }

    /** To be added to a nanoTime to get nanoseconds since 1970. */
    public long epochOffsetNanos() {
        return epoch.nanos;
    }

    /** The same clock with another end of the measured window. */
    public TrialClock withMeasureEnd(long nanoTime) {
        return new TrialClock(startNanos, measureStartNanos, nanoTime, epoch);
    }

    /** Warm-up or measured: the window that a record due at this time belongs to. */
    public boolean measured(long intendedNanos) {
        return intendedNanos >= measureStartNanos;
    }

    public long toEpochNanos(long nanoTime) {
        return nanoTime + epoch.nanos;
    }

    public Phase phaseAt(long nowNanos) {
        if (nowNanos < measureStartNanos) {
            return Phase.WARMUP;
        }
        return nowNanos < measureEndNanos ? Phase.MEASURE : Phase.DRAIN;
    }
}
