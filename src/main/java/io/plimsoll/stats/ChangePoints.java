package io.plimsoll.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.DoubleStream;

/**
 * Detects changes in the distribution of a series: its level or its spread. E-divisive (Matteson and James, <em>A
 * nonparametric approach for multiple change point analysis</em>, JASA 109, 2014) with the energy distance of exponent
 * 1 and a permutation test. No distribution is assumed; values must be independent of earlier ones. The result is
 * deterministic for a series and seed.
 */
public final class ChangePoints {
    /** Minimum number of values on each side of a change. */
    public static final int LEAST = 3;
    /**
     * Minimum length at which a permutation test can detect a change of the last three values at level {@link
     * #SIGNIFICANT}.
     */
    public static final int SHORTEST = 24;
    /** Significance level: false positive rate on a series without a change. */
    public static final double SIGNIFICANT = 0.001;

    private static final int PERMUTATIONS = 1999;
    /** Window length: the running time is quadratic in it, and distant values do not affect a change. */
    private static final int WINDOW = 200;

    private final double[] values;
    private final SplittableRandom random;

    private ChangePoints(double[] values, long seed) {
        this.values = values;
        this.random = new SplittableRandom(seed);
    }

    /** The changes of a series in order: the index of the first value after each change. */
    public static List<Integer> of(double[] values, long seed) {
        return new ChangePoints(values.clone(), seed).find();
    }

    /** p-value of a permutation test of whether two samples have the same distribution, by energy distance. */
    public static double chance(double[] before, double[] after, long seed) {
        double[] all = Arrays.copyOf(before, before.length + after.length);
        System.arraycopy(after, 0, all, before.length, after.length);
        Stretch stretch = new Stretch(all);
        SplittableRandom random = new SplittableRandom(seed);
        double seen = stretch.scan(before.length, before.length).distance;
        int beyond = 0;
        for (int i = 0; i < PERMUTATIONS; i++) {
            stretch.shuffle(random);
            beyond += stretch.scan(before.length, before.length).distance >= seen ? 1 : 0;
        }
        return (beyond + 1.0) / (PERMUTATIONS + 1);
    }

    private List<Integer> find() {
        Set<Integer> found = new TreeSet<>();
        int step = WINDOW / 2;
        for (int from = 0; from == 0 || from + step < values.length; from += step) {
            divide(from, Math.min(values.length, from + WINDOW), found);
        }
        return confirm(new ArrayList<>(found));
    }

    private void divide(int from, int to, Set<Integer> found) {
        int change = change(from, to);
        if (change >= 0) {
            found.add(change);
            divide(from, change, found);
            divide(change, to, found);
        }
    }

    /**
     * Estimates each change again in a window around it, up to the neighboring changes, and drops insignificant
     * changes.
     */
    private List<Integer> confirm(List<Integer> found) {
        int at = 0;
        while (at < found.size()) {
            int from = Math.max(at == 0 ? 0 : found.get(at - 1), found.get(at) - WINDOW / 2);
            int to = Math.min(at + 1 == found.size() ? values.length : found.get(at + 1), found.get(at) + WINDOW / 2);
            int change = change(from, to);
            if (change < 0) {
                found.remove(at);
            } else {
                found.set(at++, change);
            }
        }
        return List.copyOf(found);
    }

    /** The most likely change in a range; negative if it is not significant. */
    private int change(int from, int to) {
        if (to - from < 2 * LEAST) {
            return -1;
        }
        Stretch stretch = new Stretch(Arrays.copyOfRange(values, from, to));
        int most = to - from - LEAST;
        Split best = stretch.scan(LEAST, most);
        int beyond = 0;
        for (int i = 0; i < PERMUTATIONS; i++) {
            stretch.shuffle(random);
            beyond += stretch.scan(LEAST, most).distance >= best.distance ? 1 : 0;
            if (beyond + 1 > SIGNIFICANT * (PERMUTATIONS + 1)) {
                return -1;
            }
        }
        return from + best.at;
    }

    private record Split(int at, double distance) {}

    /** Values that can be shuffled, each with the sum of its distances to all values. */
    private static final class Stretch {
        private final double[] values;
        private final double[] toAll;

        Stretch(double[] values) {
            this.values = values;
            this.toAll = DoubleStream.of(values)
                    .map(value -> sumOfDistances(value, values.length))
                    .toArray();
        }

        /** Sum of the distances of a value to the first {@code number} values. */
        private double sumOfDistances(double value, int number) {
            double sum = 0;
            for (int i = 0; i < number; i++) {
                sum += Math.abs(value - values[i]);
            }
            return sum;
        }

        /** The split with the greatest distance between its parts, by the number of values in the first part. */
        Split scan(int least, int most) {
            int n = values.length;
            double first = 0;
            double second = DoubleStream.of(toAll).sum() / 2;
            double between = 0;
            Split best = new Split(least, Double.NEGATIVE_INFINITY);
            for (int i = 0; i < most; i++) {
                double toFirst = sumOfDistances(values[i], i);
                double toSecond = toAll[i] - toFirst;
                first += toFirst;
                second -= toSecond;
                between += toSecond - toFirst;
                int a = i + 1;
                int b = n - a;
                if (a >= least && b > 0) {
                    double distance =
                            (double) a * b / n * (2 * between / ((double) a * b) - mean(first, a) - mean(second, b));
                    best = distance > best.distance ? new Split(a, distance) : best;
                }
            }
            return best;
        }

        void shuffle(SplittableRandom random) {
            for (int i = values.length - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                swap(values, i, other);
                swap(toAll, i, other);
            }
        }

        private static void swap(double[] of, int a, int b) {
            double kept = of[a];
            of[a] = of[b];
            of[b] = kept;
        }
    }

    /** Mean distance of a pair, from the sum over all pairs of {@code values} values. */
    private static double mean(double sum, int values) {
        return values < 2 ? 0 : sum / (values * (values - 1) / 2.0);
    }
}
