package io.plimsoll.stats;

import java.util.Arrays;
import java.util.Optional;

/**
 * The number of times that a figure is larger on one side than on the other, with an interval that covers the truth in 95 of 100
 * cases. All of it is reckoned with logarithms: a figure that doubles and one that halves are then equally far from no
 * change. No interval is narrower than what histograms with three significant digits resolve.
 *
 * @param ratio second ÷ first
 * @param low end of the interval, at most {@code ratio}
 * @param high end of the interval, at least {@code ratio}
 */
public record RatioInterval(double ratio, double low, double high) {
    private static final double RESOLUTION = 0.001;
    /** The distance of the middle of an interval from no change, in halves of it, at which nine of ten leave that out. */
    private static final double NINE_OF_TEN = 1 + 1.2816 / 1.96;

    /**
     * Compares one run a side. The intervals of the two are put together by the method of variance estimates recovery
     * (MOVER: Zou and Donner 2008, Statistics in Medicine 27), which leaves each its own, perhaps lopsided, shape: each
     * end of the result is as far away as the two ends that it comes from, added up as squares.
     */
    public static RatioInterval of(Estimate first, Estimate second) {
        double down = Math.hypot(log(second.value(), second.low()), log(first.high(), first.value()));
        double up = Math.hypot(log(second.high(), second.value()), log(first.value(), first.low()));
        return around(log(second.value(), first.value()), down, up);
    }

    /**
     * Compares several runs a side, which need not be equally many. With two or more on both sides this is Welch's interval
     * (1947) on logarithms; where one side has a single run and the other three or more, that one run's noise is taken
     * to be as large as the others' (the pooled variance of Student's two-sample interval).
     *
     * @return empty if there are too few runs, or any figure is not positive
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

    /** Whether so many runs a side show how much a figure varies from run to run. */
    public static boolean enough(int first, int second) {
        int fewer = Math.min(first, second);
        return fewer >= 2 || (fewer == 1 && Math.max(first, second) >= 3);
    }

    /**
     * Compares pairs of runs made one right after the other: Student's interval (1908) of the mean of the pairs' log ratios.
     * What changes slowly, such as a disk that fills or a neighbour on the same host, is much the same for both runs
     * of a pair, and cancels out.
     *
     * @return empty if there are fewer than three pairs, or any figure is not positive
     * @throws IllegalArgumentException if there are not equally many
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

    /** Whether the interval leaves no room for equality. */
    public boolean differs() {
        return low > 1 || high < 1;
    }

    /**
     * The smallest difference that would have shown nine times of ten, as a share: 0.03 for a change by 3 %. One as large as
     * half the interval would show every other time only.
     */
    public double detectable() {
        double half = Math.log(Math.max(high / ratio, ratio / low));
        return Math.expm1(half * NINE_OF_TEN);
    }

    private static RatioInterval around(double difference, double down, double up) {
        return new RatioInterval(
                Math.exp(difference),
                Math.exp(difference - Math.max(RESOLUTION, down)),
                Math.exp(difference + Math.max(RESOLUTION, up)));
    }

    /** Welch's interval has the degrees of freedom of Satterthwaite (1946). */
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
