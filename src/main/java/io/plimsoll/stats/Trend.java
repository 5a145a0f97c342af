package io.plimsoll.stats;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Trend tests for equally spaced series. They use ranks and medians, so a few outliers (for example because of garbage
 * collection) neither cause nor hide a trend. Time and memory are quadratic in the length: {@linkplain #coarsen
 * coarsen} long series first.
 */
public final class Trend {
    /** Minimum number of values to detect growth. */
    public static final int LEAST = 4;

    private static final double SIGNIFICANT = 1.96;
    private static final int MOST_BUCKETS = 100;

    /** Theil–Sen estimator: the median change per step over all pairs; 0 for fewer than two values. */
    public static double theilSenSlope(double[] values) {
        int n = values.length;
        if (n < 2) {
            return 0;
        }
        double[] slopes = new double[n * (n - 1) / 2];
        int next = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                slopes[next++] = (values[j] - values[i]) / (j - i);
            }
        }
        return Spread.median(slopes);
    }

    /**
     * Mann–Kendall test with tie correction: the standard score of the number of rising pairs minus falling pairs.
     * Beyond ±1.96, a trend is significant at 95 %; the normal approximation holds for 8 or more values.
     *
     * @return positive for a rising series; 0 for fewer than three values or if all are equal
     */
    public static double mannKendallZ(double[] values) {
        int n = values.length;
        if (n < 3) {
            return 0;
        }
        long surplus = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                surplus += Double.compare(values[j], values[i]);
            }
        }
        double variance = (pairTerm(n) - ties(values)) / 18;
        if (variance <= 0 || surplus == 0) {
            return 0;
        }
        // Continuity correction: the surplus changes in steps of two.
        return (surplus - Long.signum(surplus)) / Math.sqrt(variance);
    }

    /** A possible level shift after {@code at} values (0 if none), and its p-value. */
    public record ChangePoint(int at, double chance) {}

    /**
     * Pettitt's test: the split with the largest surplus {@code U} of larger over smaller values across it. The p-value
     * is {@code 2 exp(−6 U² ÷ (n³ + n²))}.
     */
    public static ChangePoint pettitt(double[] values) {
        double n = values.length;
        long most = 0;
        int at = 0;
        for (int split = 1; split < values.length; split++) {
            long surplus = 0;
            for (int i = 0; i < split; i++) {
                for (int j = split; j < values.length; j++) {
                    surplus += Double.compare(values[j], values[i]);
                }
            }
            if (Math.abs(surplus) > most) {
                most = Math.abs(surplus);
                at = split;
            }
        }
        return new ChangePoint(at, Math.min(1, 2 * Math.exp(-6.0 * most * most / (n * n * n + n * n))));
    }

    /**
     * Whether a backlog grows: its Theil–Sen slope exceeds both a fraction of the arrival rate and a tolerated backlog,
     * and the Mann–Kendall test is significant at 95 %.
     *
     * @param series one value a second
     * @param rate arrivals per second
     * @param share tolerated growth per second as a fraction of the rate
     * @param seconds tolerated growth in seconds of arrivals
     * @return false with fewer than {@value #LEAST} values
     */
    public static boolean grows(double[] series, double rate, double share, double seconds) {
        if (series.length < LEAST) {
            return false;
        }
        double[] buckets = coarsen(series, MOST_BUCKETS);
        double growth = theilSenSlope(buckets) * (buckets.length - 1);
        return growth > share * rate * series.length && growth > seconds * rate && mannKendallZ(buckets) > SIGNIFICANT;
    }

    private static double pairTerm(double n) {
        return n * (n - 1) * (2 * n + 5);
    }

    private static double ties(double[] values) {
        Map<Double, Integer> counts = new HashMap<>();
        for (double value : values) {
            counts.merge(value, 1, Integer::sum);
        }
        return counts.values().stream().mapToDouble(c -> pairTerm(c)).sum();
    }

    /**
     * Averages equally large groups of adjacent values, so that at least 1 and at most {@code most} values remain; an
     * incomplete last group is dropped.
     */
    public static double[] coarsen(double[] values, int most) {
        if (values.length <= most) {
            return values.clone();
        }
        int group = (values.length + most - 1) / most;
        double[] means = new double[values.length / group];
        for (int i = 0; i < means.length; i++) {
            means[i] = Spread.mean(Arrays.copyOfRange(values, i * group, (i + 1) * group));
        }
        return means;
    }
}
