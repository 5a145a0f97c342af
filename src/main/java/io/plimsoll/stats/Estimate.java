package io.plimsoll.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * A figure of one run with a 95 % confidence interval for its long-run value, from consecutive intervals of equal
 * length. Adjacent intervals are correlated, so each adds only part of the information; see {@link #standardError}.
 *
 * @param value positive
 * @param low lower bound, above 0 and at most {@code value}
 * @param high upper bound, at least {@code value}
 */
public record Estimate(double value, double low, double high) {
    /** Minimum number of intervals to estimate the noise. */
    public static final int LEAST_STRETCHES = 10;

    static final double CONFIDENCE = 0.95;

    private static final double MOST_AUTOCORRELATION = 0.95;
    private static final double MOST_UNKNOWN = 0.9;
    /** Maximum half width in log odds, which is a factor of about 4.5 in each direction. */
    private static final double MOST_UNSURE = 1.5;

    /**
     * Estimate of a mean, such as a throughput, on a log scale, because noise is usually proportional. If an interval
     * is 0, the linear scale is used instead.
     * @param value value of the whole run
     * @param stretches values of the intervals
     * @return the estimate; empty with fewer than {@value #LEAST_STRETCHES} intervals, or if the value is not positive
     */
    public static Optional<Estimate> ofMean(double value, double[] stretches) {
        if (stretches.length < LEAST_STRETCHES || !(value > 0)) {
            return Optional.empty();
        }
        if (!positive(stretches)) {
            double around = halfWidth(stretches);
            return Optional.of(new Estimate(value, Math.max(value - around, Double.MIN_NORMAL), value + around));
        }
        double half = halfWidth(logarithms(stretches));
        return Optional.of(new Estimate(value, value * Math.exp(-half), value * Math.exp(half)));
    }

    /**
     * Estimate of a percentile over all records by the method of Woodruff (1952, Journal of the American Statistical
     * Association 47). The fraction of records above the percentile is a ratio of sums over intervals; its standard
     * error is the error of the mean of {@code above − share × records} (Cochran, <i>Sampling Techniques</i>, chapter
     * 2.11). A bound of this fraction gives a bound of the percentile: the value that this fraction of the records
     * exceeds. The interval of the fraction is computed in log odds to stay between 0 and 1 (Korn and Graubard 1998,
     * Survey Methodology 24). Unlike the mean of per-interval percentiles, the estimate also holds for clustered slow
     * records, as in a pause.
     *
     * @param above number of records above the percentile, by interval
     * @param records number of records, by interval
     * @param valueAbove the value exceeded by a given fraction of all records; decreasing
     * @param share fraction of records above the percentile, such as 0.01 for p99
     * @return the estimate; empty with fewer than {@value #LEAST_STRETCHES} intervals, without records, if the figure
     *     is 0, or if the fraction is too uncertain
     */
    public static Optional<Estimate> ofPercentile(
            double share, long[] above, long[] records, DoubleUnaryOperator valueAbove) {
        int n = records.length;
        long all = Arrays.stream(records).sum();
        double value = valueAbove.applyAsDouble(share);
        if (n < LEAST_STRETCHES || all == 0 || !(value > 0)) {
            return Optional.empty();
        }
        double found = (double) Arrays.stream(above).sum() / all;
        double[] residuals = new double[n];
        Arrays.setAll(residuals, i -> above[i] - found * records[i]);
        double half = halfWidth(residuals) * n / all / (share * (1 - share));
        if (half > MOST_UNSURE) {
            // A single pause can account for all of these records, so the upper bound is unknown.
            return Optional.empty();
        }
        double odds = share / (1 - share);
        double low = valueAbove.applyAsDouble(shareOf(odds * Math.exp(half)));
        double high = valueAbove.applyAsDouble(shareOf(odds * Math.exp(-half)));
        double least = Math.min(value, Math.max(low, Double.MIN_NORMAL));
        return Optional.of(new Estimate(value, least, Math.max(value, high)));
    }

    private static double shareOf(double odds) {
        return odds / (1 + odds);
    }

    private static double halfWidth(double[] values) {
        double[] error = standardError(values);
        return error[0] > 0 ? error[0] * quantile(error[1]) : 0;
    }

    /** 97.5 % quantile of Student's t distribution by degrees of freedom. */
    static double quantile(double degrees) {
        return StudentT.quantile(1 - (1 - CONFIDENCE) / 2, degrees);
    }

    /**
     * Standard error of the mean of values with first-order autoregressive noise. With lag-1 autocorrelation ρ, n
     * values are worth n/τ independent ones, τ = (1 + ρ)/(1 − ρ) (Bartlett 1946; Law, <i>Simulation Modeling and
     * Analysis</i>, chapter 4.4). Small samples underestimate ρ by (1 + 4ρ)/n (Marriott and Pope 1954) and the variance
     * by τ/n (Anderson, <i>The Statistical Analysis of Time Series</i>, chapter 8.2); both are corrected. A negative ρ
     * counts as 0.
     *
     * @return the error and its degrees of freedom, n/τ − 1 but at least 2
     */
    private static double[] standardError(double[] values) {
        int n = values.length;
        double squares = Spread.squares(values);
        double rho = Spread.autocorrelation(values);
        double corrected = Math.min(MOST_AUTOCORRELATION, Math.max(0, rho + (1 + 4 * rho) / n));
        double tau = (1 + corrected) / (1 - corrected);
        double variance = squares / n / (1 - Math.min(MOST_UNKNOWN, tau / n));
        return new double[] {Math.sqrt(variance * tau / n), Math.max(2, n / tau - 1)};
    }

    static boolean positive(double[] values) {
        return Arrays.stream(values).allMatch(v -> v > 0 && v < Double.POSITIVE_INFINITY);
    }

    static double[] logarithms(double[] values) {
        return Arrays.stream(values).map(Math::log).toArray();
    }
}
