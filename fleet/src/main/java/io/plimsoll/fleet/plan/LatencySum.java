package io.plimsoll.fleet.plan;

import io.plimsoll.measure.Latencies;
import org.HdrHistogram.Histogram;

/** Sums distributions at two significant digits, in bounded memory. Not thread-safe. */
public final class LatencySum {
    private static final int DIGITS = 2;

    private final Histogram sum;

    public LatencySum() {
        sum = new Histogram(DIGITS);
    }

    public void add(Latencies more) {
        more.forEach(sum::recordValueWithCount);
    }

    public Latencies total() {
        return Latencies.of(sum);
    }

    /**
     * @param percentile 0 to 100
     * @return the value in microseconds; 0 without values
     */
    public long percentileMicros(double percentile) {
        return sum.getTotalCount() == 0 ? 0 : sum.getValueAtPercentile(percentile);
    }
}
