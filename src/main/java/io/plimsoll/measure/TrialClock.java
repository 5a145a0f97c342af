package io.plimsoll.measure;

import io.plimsoll.pace.WarmupEnd;

/**
 * The time axis of a trial on one worker. All times are of {@link System#nanoTime()}; the offset to the wall clock is
 * taken once, so that a correction of the wall clock in mid-run changes no latency. A worker of a fleet is told it again as
 * its clock drifts away from the others'.
 *
 * @param startNanos the schedule's start: the start of the warm-up
 * @param warmup its end, after the start
 * @param windowNanos length of the measured window; {@link Long#MAX_VALUE} if it ends with the last record
 * @param epoch the way to nanoseconds since 1970
 */
public record TrialClock(long startNanos, WarmupEnd warmup, long windowNanos, EpochOffset epoch) {

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
    public TrialClock(long startNanos, WarmupEnd warmup, long windowNanos, long epochOffsetNanos) {
        this(startNanos, warmup, windowNanos, new EpochOffset(epochOffsetNanos));
    }

    /** A clock whose windows are known, the last by its end; {@link Long#MAX_VALUE} if that is the last record's. */
    public TrialClock(long startNanos, long measureStartNanos, long measureEndNanos, long epochOffsetNanos) {
        this(
                startNanos,
                WarmupEnd.after(measureStartNanos - startNanos),
                measureEndNanos == Long.MAX_VALUE ? Long.MAX_VALUE : measureEndNanos - measureStartNanos,
                epochOffsetNanos);
    }

    /** To be added to a nanoTime to get nanoseconds since 1970. */
    public long epochOffsetNanos() {
        return epoch.nanos;
    }

    /** The same clock with another length of the measured window. */
    public TrialClock withWindow(long nanos) {
        return new TrialClock(startNanos, warmup, nanos, epoch);
    }

    /** The end of the warm-up and start of the measured window; {@link Long#MAX_VALUE} until it is known. */
    public long measureStartNanos() {
        long nanos = warmup.nanos();
        return nanos == WarmupEnd.UNKNOWN ? Long.MAX_VALUE : startNanos + nanos;
    }

    /**
     * The end of the measured window; {@link Long#MAX_VALUE} if it ends with the last record, or until the end of the
     * warm-up is known.
     */
    public long measureEndNanos() {
        long nanos = warmup.nanos();
        return nanos == WarmupEnd.UNKNOWN || windowNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : startNanos + nanos + windowNanos;
    }

    /** True if the measured window ends with the last record. */
    public boolean endsWithLastRecord() {
        return windowNanos == Long.MAX_VALUE;
    }

    /** How much of the measured window lies before a time; 0 as long as it is not known when it begins. */
    public long measuredBefore(long nanoTime) {
        return warmup.known() ? Math.max(0, Math.min(nanoTime, measureEndNanos()) - measureStartNanos()) : 0;
    }

    /** Warm-up or measured: the window that a record due at this time belongs to. */
    public boolean measured(long intendedNanos) {
        long nanos = warmup.nanos();
        // Without a warm-up nothing is of it, also where a fleet's clocks differ by a little.
        return nanos == 0 || (nanos != WarmupEnd.UNKNOWN && intendedNanos - startNanos >= nanos);
    }

    public long toEpochNanos(long nanoTime) {
        return nanoTime + epoch.nanos;
    }

    public Phase phaseAt(long nowNanos) {
        if (nowNanos < startNanos || !measured(nowNanos)) {
            return Phase.WARMUP;
        }
        return nowNanos < measureEndNanos() ? Phase.MEASURE : Phase.DRAIN;
    }
}
