package io.plimsoll.measure;

import io.plimsoll.pace.WarmupEnd;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * The time axis of a trial on one worker, in {@link System#nanoTime()}. The offset to the wall clock is read once, so
 * wall-clock corrections during the run do not change latencies. A fleet corrects the offset as the clocks of its hosts
 * drift apart.
 * @param startNanos start of the schedule and of the warm-up
 * @param warmup end of the warm-up, relative to the start
 * @param windowNanos length of the measured window; {@link Long#MAX_VALUE} if it ends with the last record
 * @param epoch offset to nanoseconds since 1970
 */
public record TrialClock(long startNanos, WarmupEnd warmup, long windowNanos, EpochOffset epoch) {

    /** Offset from nanoTime to nanoseconds since 1970. Thread-safe. */
    public static final class EpochOffset {
        private volatile long nanos;

        private EpochOffset(long nanos) {
            this.nanos = nanos;
        }

        /** Sets the offset after a new clock comparison in a fleet. */
        public void correct(long now) {
            nanos = now;
        }
    }

    /** @param epochOffsetNanos offset from nanoTime to nanoseconds since 1970 */
    public TrialClock(long startNanos, WarmupEnd warmup, long windowNanos, long epochOffsetNanos) {
        this(startNanos, warmup, windowNanos, new EpochOffset(epochOffsetNanos));
    }

    /**
     * Creates a clock with known windows; for a {@code measureEndNanos} of {@link Long#MAX_VALUE}, the last record ends
     * the window.
     */
    public TrialClock(long startNanos, long measureStartNanos, long measureEndNanos, long epochOffsetNanos) {
        this(
                startNanos,
                WarmupEnd.after(measureStartNanos - startNanos),
                measureEndNanos == Long.MAX_VALUE ? Long.MAX_VALUE : measureEndNanos - measureStartNanos,
                epochOffsetNanos);
    }

    /** Offset from nanoTime to nanoseconds since 1970. */
    public long epochOffsetNanos() {
        return epoch.nanos;
    }

    /** A copy with another window length. */
    public TrialClock withWindow(long nanos) {
        return new TrialClock(startNanos, warmup, nanos, epoch);
    }

    /** End of the warm-up and start of the measured window, in nanoTime; {@link Long#MAX_VALUE} until it is known. */
    public long measureStartNanos() {
        long nanos = warmup.nanos();
        return nanos == WarmupEnd.UNKNOWN ? Long.MAX_VALUE : startNanos + nanos;
    }

    /**
     * End of the measured window; {@link Long#MAX_VALUE} if it ends with the last record, or while the end of the
     * warm-up is unknown.
     */
    public long measureEndNanos() {
        long nanos = warmup.nanos();
        return nanos == WarmupEnd.UNKNOWN || windowNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : startNanos + nanos + windowNanos;
    }

    public boolean endsWithLastRecord() {
        return windowNanos == Long.MAX_VALUE;
    }

    /** Nanoseconds of the measured window before {@code nanoTime}; 0 until its start is known. */
    public long measuredBefore(long nanoTime) {
        return warmup.known() ? Math.max(0, Math.min(nanoTime, measureEndNanos()) - measureStartNanos()) : 0;
    }

    /** Whether a record due at this time belongs to the measured window. */
    public boolean measured(long intendedNanos) {
        long nanos = warmup.nanos();
        // Without a warm-up, no record belongs to the warm-up, even if fleet clocks differ slightly.
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

    /** Offset of the wall clock from {@link System#nanoTime()}. */
    public static final class WallClock {
        private static final int READINGS = 9;

        /**
         * Nanoseconds to add to {@link System#nanoTime()} to get nanoseconds since 1970. The error is well below a
         * microsecond, whereas {@link System#currentTimeMillis()} lags by up to 1 ms.
         */
        public static long epochOffsetNanos() {
            return epochOffsetNanos(System::nanoTime, () -> ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()));
        }

        /** Uses the reading with the shortest round trip, because a longer one can include a context switch. */
        static long epochOffsetNanos(LongSupplier monotonic, LongSupplier wall) {
            long least = Long.MAX_VALUE;
            long offset = 0;
            for (int i = 0; i < READINGS; i++) {
                long before = monotonic.getAsLong();
                long now = wall.getAsLong();
                long took = monotonic.getAsLong() - before;
                if (took < least) {
                    least = took;
                    offset = now - before - took / 2;
                }
            }
            return offset;
        }
    }
}
