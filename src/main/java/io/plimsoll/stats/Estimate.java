package io.plimsoll.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * A figure of one run with an interval that covers its long-run value in 95 of 100 cases, made from what the figure was
 * in equally long stretches of the run, one after the other. Stretches that follow each other are alike, so each tells
 * only in part what the one before has not told: see {@link #standardError}.
 *
 * @param value positive
 * @param low end of the interval, above 0 and at most {@code value}
 * @param high end of the interval, at least {@code value}
 */
public record Estimate(double value, double low, double high) {
    /** Fewer stretches say too little about their own noise. */
    public static final int LEAST_STRETCHES = 10;

    static final double CONFIDENCE = 0.95;

    private static final double MOST_AUTOCORRELATION = 0.95;
    private static final double MOST_UNKNOWN = 0.9;
    /** Half an interval of log odds: the share may be four and a half times as large, or as small. */
    private static final double MOST_UNSURE = 1.5;

    /**
     * The estimate of a mean, such as a throughput, reckoned with logarithms: noise that is a share of the figure is then of
     * constant size. Where it stood still for a stretch there is no logarithm, and the noise is taken as it is.
     *
     * @param value of the whole run
     * @param stretches the figure's value in each
     * @return empty if there are fewer than {@value #LEAST_STRETCHES}, or the value is not positive
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
     * The estimate of a percentile of all records, by the method of Woodruff (1952, Journal of the American Statistical
     * Association 47): the share of records above the percentile is a ratio of sums over stretches, whose standard
     * error is that of the mean of {@code above − share × records} (Cochran, <i>Sampling Techniques</i>, chapter 2.11);
     * the ends of the interval are the values that the ends of this share's own interval leave above. That interval is
     * made of log odds, so that it stays between 0 and 1 (Korn and Graubard 1998, Survey Methodology 24). Unlike the mean of the
     * stretches' percentiles this holds for records that are slow together, as in a pause, too.
     *
     * @param above how many records of each stretch are above the percentile
     * @param records how many there are
     * @param valueAbove the value that a share of all records exceeds; falls with its argument
     * @param share of records that the percentile leaves above, such as 0.01 for p99
     * @return empty if there are fewer than {@value #LEAST_STRETCHES} stretches, no records, the figure is 0, or
     *     the share is known too badly
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
            // A single pause may account for all of them: nothing says how high the percentile could be.
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

    /** Standard errors from the middle of an interval to either end, by degrees of freedom. */
    static double quantile(double degrees) {
        return StudentT.quantile(1 - (1 - CONFIDENCE) / 2, degrees);
    }

    /**
     * The standard error of the mean of values whose noise is first-order autoregressive. With the autocorrelation ρ of neighbours, n
     * values are worth n/τ independent ones, τ = (1 + ρ)/(1 − ρ) (Bartlett 1946; Law, <i>Simulation Modeling and
     * Analysis</i>, chapter 4.4). From few values ρ is estimated too low, by (1 + 4ρ)/n (Marriott and Pope 1954), and so
     * is their variance, by the share τ/n (Anderson, <i>The Statistical Analysis of Time Series</i>, chapter 8.2); both
     * are made up for. A negative ρ, which would make the error smaller, counts as 0.
     *
     * @return the error and its degrees of freedom, n/τ − 1 but at least 2
     */
    private static double[] standardError(double[] values) {
        int n = values.length;
        double squares = Spread.squares(values);
        double rho = squares > 0 ? products(values) / squares : 0;
        double corrected = Math.min(MOST_AUTOCORRELATION, Math.max(0, rho + (1 + 4 * rho) / n));
        double tau = (1 + corrected) / (1 - corrected);
        double variance = squares / n / (1 - Math.min(MOST_UNKNOWN, tau / n));
        return new double[] {Math.sqrt(variance * tau / n), Math.max(2, n / tau - 1)};
    }

    /** The sum of the products of neighbours' distances from the mean. */
    private static double products(double[] values) {
        double mean = Spread.mean(values);
        return IntStream.range(1, values.length)
                .mapToDouble(i -> (values[i] - mean) * (values[i - 1] - mean))
                .sum();
    }

    static boolean positive(double[] values) {
        return Arrays.stream(values).allMatch(v -> v > 0 && v < Double.POSITIVE_INFINITY);
    }

    static double[] logarithms(double[] values) {
        return Arrays.stream(values).map(Math::log).toArray();
    }
}
