package io.plimsoll.stats;

import java.util.Arrays;
import java.util.Optional;

/**
 * Ratio of a figure between two sides with a 95 % confidence interval, computed on a log scale so that doubling and
 * halving have the same distance from 1. The interval is never narrower than the resolution of histograms with three
 * significant digits.
 *
 * @param ratio second ÷ first
 * @param low lower bound, at most {@code ratio}
 * @param high upper bound, at least {@code ratio}
 */
public record RatioInterval(double ratio, double low, double high) {
    private static final double RESOLUTION = 0.001;
    /** Distance of the ratio from 1, in half-widths, that is detected with 90 % power. */
    private static final double NINE_OF_TEN = 1 + 1.2816 / 1.96;

    /**
     * Compares one run per side. The intervals are combined with the method of variance estimates recovery (MOVER: Zou
     * and Donner 2008, Statistics in Medicine 27), which keeps their possibly asymmetric shapes: the distance of each
     * bound from the ratio is the root sum of squares of the distances of the two bounds from which it derives.
     */
    public static RatioInterval of(Estimate first, Estimate second) {
        double down = Math.hypot(log(second.value(), second.low()), log(first.high(), first.value()));
        double up = Math.hypot(log(second.high(), second.value()), log(first.value(), first.low()));
        return around(log(second.value(), first.value()), down, up);
    }

    /**
     * Compares several runs per side; the numbers of runs can differ. With two or more on both sides this is Welch's
     * interval (1947) on logarithms. If a single run is compared with three or more, the single run is assumed to have
     * the variance of the other side (the pooled variance of Student's two-sample interval).
     *
     * @return the ratio; empty with too few runs, or if any figure is not positive
     */
    public static Optional<RatioInterval> ofRuns(double[] first, double[] second) {
        if (!enough(first.length, second.length) || !Estimate.positive(first) || !Estimate.positive(second)) {
            return Optional.empty();
        }
        int fewer = Math.min(first.length, second.length);
        double[] a = Estimate.logarithms(first);
        double[] b = Estimate.logarithms(second);
        double half = fewer >= 2 ? welch(a, b) : pooled(a, b);
        return Optional.of(around(Spread.mean(b) - Spread.mean(a), half, half));
    }

    /** Whether these numbers of runs are sufficient to estimate the variance between runs. */
    public static boolean enough(int first, int second) {
        int fewer = Math.min(first, second);
        return fewer >= 2 || (fewer == 1 && Math.max(first, second) >= 3);
    }

    /**
     * Compares pairs of consecutive runs: Student's interval (1908) of the mean log ratio. Slow changes, such as a
     * filling disk or another tenant on the host, affect both runs of a pair and cancel out.
     *
     * @return the ratio; empty with fewer than three pairs, or if any figure is not positive
     * @throws IllegalArgumentException if the numbers of runs differ
     */
    public static Optional<RatioInterval> ofPairs(double[] first, double[] second) {
        if (first.length != second.length) {
            throw new IllegalArgumentException(first.length + " and " + second.length + " are no pairs");
        }
        if (first.length < 3 || !Estimate.positive(first) || !Estimate.positive(second)) {
            return Optional.empty();
        }
        double[] ratios = new double[first.length];
        Arrays.setAll(ratios, i -> log(second[i], first[i]));
        double half = Math.sqrt(variance(ratios) / ratios.length) * Estimate.quantile(ratios.length - 1.0);
        return Optional.of(around(Spread.mean(ratios), half, half));
    }

    /** Whether the interval excludes 1. */
    public boolean differs() {
        return low > 1 || high < 1;
    }

    /**
     * Smallest relative difference that is detected with 90 % power, such as 0.03 for 3 %. A difference of half the
     * interval's width is detected only half of the time.
     */
    public double detectable() {
        double half = Math.log(Math.max(high / ratio, ratio / low));
        return Math.expm1(half * NINE_OF_TEN);
    }

    static RatioInterval around(double difference, double down, double up) {
        return new RatioInterval(
                Math.exp(difference),
                Math.exp(difference - Math.max(RESOLUTION, down)),
                Math.exp(difference + Math.max(RESOLUTION, up)));
    }

    /** Welch's interval with Satterthwaite's degrees of freedom (1946). */
    private static double welch(double[] a, double[] b) {
        double first = variance(a) / a.length;
        double second = variance(b) / b.length;
        double sum = first + second;
        double parts = first * first / (a.length - 1) + second * second / (b.length - 1);
        return parts > 0 ? Math.sqrt(sum) * Estimate.quantile(sum * sum / parts) : 0;
    }

    private static double pooled(double[] a, double[] b) {
        double[] several = a.length > b.length ? a : b;
        return Math.sqrt(variance(several) * (1.0 / a.length + 1.0 / b.length))
                * Estimate.quantile(several.length - 1.0);
    }

    private static double variance(double[] values) {
        return Spread.squares(values) / (values.length - 1);
    }

    private static double log(double above, double below) {
        return Math.log(above) - Math.log(below);
    }
}
