package io.plimsoll.stats;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Means, medians, and deviations. */
public final class Spread {
    private static final double OF_NORMAL_NOISE = 1.4826;

    /** @return the mean; 0 without values */
    public static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    /** @return the median, which for an even number of values is the mean of the middle two; 0 without values */
    public static double median(double[] values) {
        if (values.length == 0) {
            return 0;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Sample standard deviation ÷ mean; 0 for fewer than two values or a mean of 0. */
    public static double coefficientOfVariation(double[] values) {
        double mean = mean(values);
        if (values.length < 2 || mean == 0) {
            return 0;
        }
        return Math.sqrt(squares(values) / (values.length - 1)) / Math.abs(mean);
    }

    /**
     * A robust estimate of {@link #coefficientOfVariation}: the median absolute deviation ÷ the median, scaled for
     * normal noise; 0 for a median of 0.
     */
    public static double robustVariation(double[] values) {
        double median = median(values);
        double[] distances =
                Arrays.stream(values).map(v -> Math.abs(v - median)).toArray();
        return median == 0 ? 0 : OF_NORMAL_NOISE * median(distances) / Math.abs(median);
    }

    /** Lag-1 autocorrelation; 0 if all values are equal. */
    static double autocorrelation(double[] values) {
        double mean = mean(values);
        double squares = squares(values);
        double products = IntStream.range(1, values.length)
                .mapToDouble(i -> (values[i] - mean) * (values[i - 1] - mean))
                .sum();
        return squares > 0 ? products / squares : 0;
    }

    /** Sum of the squared deviations from the mean. */
    public static double squares(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    }
}
