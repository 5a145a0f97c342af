package io.plimsoll.stats;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether a series of equally spaced values rises or falls. Both methods look at the order of pairs only, so a few
 * outliers (a pause of the garbage collector) neither make nor hide a trend. Time and memory grow with the square of
 * the length: {@linkplain #coarsen coarsen} long series first.
 */
public final class Trend {
    /** Values below which nothing is said of growth. */
    public static final int LEAST = 4;

    private static final double SIGNIFICANT = 1.96;
    private static final int MOST_BUCKETS = 100;

    private Trend() {}

    /**
     * The Theil–Sen estimate: the median of the slopes of all pairs of values.
     *
     * @return change per step; 0 for fewer than two values
     */
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
     * The Mann–Kendall test with correction for ties: how many standard deviations the surplus of rising over falling
     * pairs is away from that of a series in random order. Beyond ±1.96 a trend is real with 95 % confidence; the
     * normal approximation holds from 8 values on.
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
        // The continuity correction: surplus moves in steps of two.
        return (surplus - Long.signum(surplus)) / Math.sqrt(variance);
    }

    /**
     * The place at which a series may have changed its level.
     *
     * @param at index of the first value behind it; 0 if there is none
     * @param chance that so large a difference comes about in a series in random order
     */
    public record ChangePoint(int at, double chance) {}

    /**
     * Pettitt's test: the split of the series at which most values behind it are on the same side of those before it.
     * With {@code U} the surplus of larger over smaller ones among all such pairs, its chance is
     * {@code 2 exp(−6 U² ÷ (n³ + n²))}.
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
     * Whether what waits grows: by the Theil–Sen slope more than a share of all that comes, and more than so many seconds of
     * it, and in order by the test of Mann and Kendall, with 95 % confidence.
     *
     * @param series one value a second
     * @param rate of what comes, per second
     * @param share growth per second that is none, as a part of the rate
     * @param seconds of what comes that may wait by chance
     * @return false if there are fewer than {@value #LEAST} values
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
     * Averages neighbours so that at most {@code most} values are left, each the mean of equally many; a rest at the
     * end that does not fill a group is left out.
     *
     * @param most 1 or more
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
