package io.plimsoll.stats;

import java.util.Arrays;

/**
 * Whether a series of equally spaced values moves. A movement counts only if it is both larger than what matters and
 * unlikely to be chance, so that neither a tiny trend of a quiet series nor the noise of a loud one is taken for one.
 * Ranks and medians decide: a few outliers, or stalls that come again and again, neither make nor hide a movement.
 *
 * @param ofMedian a change must be more than this share of the median
 * @param atLeast and more than this, in the unit of the values
 * @param confidence that it is no chance
 */
public record Movement(double ofMedian, double atLeast, Confidence confidence) {
    /** How unlikely chance must be, on both sides. */
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

    /** A trend: the Theil–Sen slope over the whole length matters, and the Mann–Kendall test finds it significant. */
    public boolean drifts(double[] values) {
        double change = Trend.theilSenSlope(values) * (values.length - 1);
        return matters(change, values) && Math.abs(Trend.mannKendallZ(values)) > confidence.z;
    }

    /** A shift: the medians before and after the change point of Pettitt's test matter, and the test finds it significant. */
    public boolean shifts(double[] values) {
        Trend.ChangePoint point = Trend.pettitt(values);
        double before = Spread.median(Arrays.copyOfRange(values, 0, point.at()));
        double after = Spread.median(Arrays.copyOfRange(values, point.at(), values.length));
        return point.at() > 0 && matters(after - before, values) && point.chance() < confidence.error;
    }

    /** Whether a change of a series is large enough. */
    boolean matters(double change, double[] values) {
        return Math.abs(change) > ofMedian * Math.abs(Spread.median(values)) && Math.abs(change) > atLeast;
    }
}
