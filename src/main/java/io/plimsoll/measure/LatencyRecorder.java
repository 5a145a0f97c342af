package io.plimsoll.measure;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Takes latencies from one writing thread while another reads them off in intervals; nothing is lost or counted twice
 * between two intervals, and the writer never waits.
 */
public final class LatencyRecorder {
    private final SingleWriterRecorder recorder =
            new SingleWriterRecorder(1, Latencies.HIGHEST_MICROS, Latencies.DIGITS);
    private Histogram spare;

    /**
     * Only the owning thread calls this.
     *
     * @param nanos less than a microsecond counts as one microsecond, the smallest value kept
     */
    public void recordNanos(long nanos) {
        recorder.recordValue(Math.max(1, (nanos + 500) / 1000));
    }

    /** As {@link #recordNanos(long)}, for several records with the same latency. */
    public void recordNanos(long nanos, long count) {
        recorder.recordValueWithCount(Math.max(1, (nanos + 500) / 1000), count);
    }

    /** Adds what was recorded since the last call to a sum. Only the reading thread calls this. */
    public void drainInto(Histogram sum) {
        spare = recorder.getIntervalHistogram(spare);
        if (spare.getTotalCount() > 0) {
            sum.add(spare);
        }
    }
}
