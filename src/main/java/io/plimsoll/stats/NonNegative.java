package io.plimsoll.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Least squares with coefficients that may not be negative, as no work has a negative cost (Lawson and Hanson, <i>Solving Least
 * Squares Problems</i>, chapter 23). Few columns: every choice of those that count is tried, and the one that lies nearest is taken.
 * Of columns that cannot be told apart only some count then.
 */
public final class NonNegative {
    private static final double SAME = 1e-10;

    private NonNegative() {}

    /**
     * @param columns a handful, each as long as {@code y}
     * @return a coefficient for each column, at least 0
     */
    public static double[] fit(double[][] columns, double[] y) {
        double[] best = new double[columns.length];
        double least = distance(columns, y, best);
        for (int set = 1; set < 1 << columns.length; set++) {
            int chosen = set;
            int[] of = IntStream.range(0, columns.length)
                    .filter(i -> (chosen >> i & 1) == 1)
                    .toArray();
            Optional<double[]> found =
                    solve(Arrays.stream(of).mapToObj(i -> columns[i]).toArray(double[][]::new), y);
            if (found.isPresent() && Arrays.stream(found.get()).allMatch(v -> v >= 0)) {
                double[] all = new double[columns.length];
                IntStream.range(0, of.length).forEach(i -> all[of[i]] = found.get()[i]);
                double distance = distance(columns, y, all);
                best = distance < least ? all : best;
                least = Math.min(least, distance);
            }
        }
        return best;
    }

    private static double distance(double[][] columns, double[] y, double[] by) {
        return IntStream.range(0, y.length)
                .mapToDouble(i -> y[i]
                        - IntStream.range(0, by.length)
                                .mapToDouble(c -> by[c] * columns[c][i])
                                .sum())
                .map(off -> off * off)
                .sum();
    }

    /** By Gram and Schmidt, each column freed of those before it; empty if nothing of one is left. */
    private static Optional<double[]> solve(double[][] columns, double[] y) {
        int n = columns.length;
        double[][] free = new double[n][];
        double[][] r = new double[n][n];
        double[] found = new double[n];
        double[] rest = y.clone();
        for (int c = 0; c < n; c++) {
            free[c] = columns[c].clone();
            for (int before = 0; before < c; before++) {
                r[before][c] = takeOut(free[before], free[c]);
            }
            r[c][c] = 1;
            if (dot(free[c], free[c]) <= SAME * dot(columns[c], columns[c])) {
                return Optional.empty();
            }
            found[c] = takeOut(free[c], rest);
        }
        for (int c = n - 1; c >= 0; c--) {
            for (int after = c + 1; after < n; after++) {
                found[c] -= r[c][after] * found[after];
            }
        }
        return Optional.of(found);
    }

    /** @return how much of {@code what} was in {@code from}, which is freed of it */
    private static double takeOut(double[] what, double[] from) {
        double share = dot(what, from) / dot(what, what);
        Arrays.setAll(from, i -> from[i] - share * what[i]);
        return share;
    }

    private static double dot(double[] a, double[] b) {
        return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
    }
}
