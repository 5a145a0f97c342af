package io.plimsoll.measure;

import org.HdrHistogram.Histogram;

/** Sums distributions at two significant digits, at low cost in memory and CPU. Not thread-safe. */
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
