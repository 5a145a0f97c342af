package io.plimsoll.measure;

import org.HdrHistogram.Histogram;

/**
 * Adds up distributions to two significant digits: a thousand of them fit into memory, and adding costs next to
 * nothing. Not thread-safe.
 */
public final class LatencySum {
    private static final int DIGITS = 2;

    private final Histogram sum;

    public LatencySum() {
        sum = new Histogram(1, Latencies.HIGHEST_MICROS, DIGITS);
        sum.setAutoResize(true);
    }

    public void add(Latencies more) {
        more.addTo(sum);
    }

    /** The sum, to two digits. */
    public Latencies total() {
        return Latencies.of(sum);
    }

    /**
     * @param percentile 0 to 100
     * @return microseconds; 0 when empty
     */
    public long percentileMicros(double percentile) {
        return sum.getTotalCount() == 0 ? 0 : sum.getValueAtPercentile(percentile);
    }
}
