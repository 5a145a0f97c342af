package io.plimsoll.stats;

import java.util.Arrays;

/**
 * Thresholds for movement in an equally spaced series. A movement counts only if it is both relevant and statistically
 * significant, so neither a tiny trend in a quiet series nor noise counts. The tests use ranks and medians: outliers
 * and recurring stalls neither cause nor hide a movement.
 *
 * @param ofMedian minimum change as a fraction of the median
 * @param atLeast minimum change in the unit of the values
 * @param confidence significance of the tests
 */
public record Movement(double ofMedian, double atLeast, Confidence confidence) {
    /** Two-sided confidence level. */
    public enum Confidence {
        P80(1.2816, 0.20),
        P95(1.96, 0.05);

        private final double z;
        private final double error;

        Confidence(double z, double error) {
            this.z = z;
            this.error = error;
        }
    }

    /** Whether a trend exists: the Theil–Sen slope over the whole length is relevant, and the Mann–Kendall test is significant. */
    public boolean drifts(double[] values) {
        double change = Trend.theilSenSlope(values) * (values.length - 1);
        return matters(change, values) && Math.abs(Trend.mannKendallZ(values)) > confidence.z;
    }

    /**
     * Whether the level shifts: the difference between the medians before and after the change point of Pettitt's test
     * is relevant, and the test is significant.
     */
    public boolean shifts(double[] values) {
        Trend.ChangePoint point = Trend.pettitt(values);
        double before = Spread.median(Arrays.copyOfRange(values, 0, point.at()));
        double after = Spread.median(Arrays.copyOfRange(values, point.at(), values.length));
        return point.at() > 0 && matters(after - before, values) && point.chance() < confidence.error;
    }

    boolean matters(double change, double[] values) {
        return Math.abs(change) > ofMedian * Math.abs(Spread.median(values)) && Math.abs(change) > atLeast;
    }
}
