package io.plimsoll.stats;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Linear least squares without an intercept (Draper and Smith, <i>Applied Regression Analysis</i>). */
public final class LeastSquares {
    private static final double SAME = 1e-10;

    /**
     * Gram–Schmidt orthogonalization, column by column; linearly dependent columns have the coefficient 0.
     *
     * @param columns each of the length of {@code y}
     * @return the coefficients
     */
    public static double[] fit(double[][] columns, double[] y) {
        double[] counts = new double[columns.length];
        if (counts.length > 0) {
            double[] first = columns[0];
            double own = dot(first, first);
            double[][] others = Arrays.stream(columns).skip(1).toArray(double[][]::new);
            double[][] freed =
                    Arrays.stream(others).map(c -> minus(c, first, own)).toArray(double[][]::new);
            double[] rest = fit(freed, minus(y, first, own));
            double[] left = IntStream.range(0, y.length)
                    .mapToDouble(i -> y[i] - sum(others, rest, i))
                    .toArray();
            System.arraycopy(rest, 0, counts, 1, rest.length);
            counts[0] = own == 0 ? 0 : dot(first, left) / own;
        }
        return counts;
    }

    /**
     * Like {@link #fit}, with coefficients of at least 0, because costs are never negative. Tries every subset of
     * columns.
     */
    public static double[] nonNegative(double[][] columns, double[] y) {
        double[] best = fit(columns, y);
        if (Arrays.stream(best).allMatch(c -> c >= 0)) {
            return best;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int dropped = 0; dropped < columns.length; dropped++) {
            double[][] fewer = columns.clone();
            fewer[dropped] = new double[y.length];
            double[] counts = Arrays.equals(columns[dropped], fewer[dropped]) ? best : nonNegative(fewer, y);
            double off = IntStream.range(0, y.length)
                    .mapToDouble(i -> Math.pow(y[i] - sum(columns, counts, i), 2))
                    .sum();
            if (off < least && Arrays.stream(counts).allMatch(c -> c >= 0)) {
                least = off;
                best = counts;
            }
        }
        return best;
    }

    private static double sum(double[][] columns, double[] counts, int i) {
        return IntStream.range(0, counts.length)
                .mapToDouble(c -> counts[c] * columns[c][i])
                .sum();
    }

    private static double[] minus(double[] column, double[] first, double own) {
        double share = own == 0 ? 0 : dot(column, first) / own;
        double[] freed = IntStream.range(0, column.length)
                .mapToDouble(i -> column[i] - share * first[i])
                .toArray();
        return dot(freed, freed) <= SAME * dot(column, column) ? new double[column.length] : freed;
    }

    private static double dot(double[] a, double[] b) {
        return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
    }
}
