package io.plimsoll.stats;

import java.util.Arrays;
import java.util.Optional;

/**
 * Ratios between sides that were measured in rounds, each side at most once per round: a randomized block design
 * (Fisher, <i>The Design of Experiments</i>, 1935) on a log scale. The logarithm of a figure is the effect of its
 * round, plus the effect of its side, plus noise of equal variance. A slow change of the host therefore cancels out,
 * and all sides contribute to the estimate of the noise, so few rounds suffice. Effects are least-squares estimates,
 * which permits missing values. Immutable.
 */
public final class RoundDesign {
    private static final double SINGULAR = 1e-9;

    private final int sides;
    /**
     * Inverse matrix of the normal equations for the effects of sides and rounds, with the first round as the
     * reference.
     */
    private final double[][] inverse;

    private final double[] effects;
    private final double variance;
    private final double degrees;

    /**
     * Two sides of a design.
     *
     * @param interval second ÷ first, 95 %
     * @param p probability of a difference this large without an effect (two-sided); 0 to 1
     */
    public record Contrast(RatioInterval interval, double p) {}

    private RoundDesign(int sides, double[][] inverse, double[] effects, double variance, double degrees) {
        this.sides = sides;
        this.inverse = inverse;
        this.effects = effects;
        this.variance = variance;
        this.degrees = degrees;
    }

    /**
     * @param values figures by side and round; NaN for a missing figure
     * @return the design; empty if a figure is not positive, a side has no figure, or too few remain to estimate the
     *     noise
     */
    public static Optional<RoundDesign> of(double[][] values) {
        int sides = values.length;
        int rounds = Arrays.stream(values).mapToInt(v -> v.length).max().orElse(0);
        if (sides == 0 || rounds == 0) {
            return Optional.empty();
        }
        int unknowns = sides + rounds - 1;
        double[][] normal = new double[unknowns][unknowns];
        double[] right = new double[unknowns];
        int count = 0;
        for (int side = 0; side < sides; side++) {
            for (int round = 0; round < values[side].length; round++) {
                double value = values[side][round];
                if (Double.isNaN(value)) {
                    continue;
                }
                if (!(value > 0) || Double.isInfinite(value)) {
                    return Optional.empty();
                }
                count++;
                int[] terms = round == 0 ? new int[] {side} : new int[] {side, sides + round - 1};
                for (int a : terms) {
                    right[a] += Math.log(value);
                    for (int b : terms) {
                        normal[a][b]++;
                    }
                }
            }
        }
        Optional<double[][]> inverse = inverse(normal);
        if (count <= unknowns || inverse.isEmpty()) {
            return Optional.empty();
        }
        double[] effects = new double[unknowns];
        Arrays.setAll(effects, i -> dot(inverse.get()[i], right));
        double squares = 0;
        for (int side = 0; side < sides; side++) {
            for (int round = 0; round < values[side].length; round++) {
                double fitted = effects[side] + (round == 0 ? 0 : effects[sides + round - 1]);
                double residual = Double.isNaN(values[side][round]) ? 0 : Math.log(values[side][round]) - fitted;
                squares += residual * residual;
            }
        }
        double degrees = count - unknowns;
        return Optional.of(new RoundDesign(sides, inverse.get(), effects, squares / degrees, degrees));
    }

    /** Compares two sides, given by their positions. */
    public Contrast contrast(int first, int second) {
        if (Math.max(first, second) >= sides) {
            throw new IndexOutOfBoundsException("side " + Math.max(first, second) + " of " + sides);
        }
        double difference = effects[second] - effects[first];
        double error =
                Math.sqrt(variance * (inverse[first][first] + inverse[second][second] - 2 * inverse[first][second]));
        double half = error * Estimate.quantile(degrees);
        double p =
                error > 0 ? 2 * StudentT.cumulative(-Math.abs(difference) / error, degrees) : difference == 0 ? 1 : 0;
        return new Contrast(RatioInterval.around(difference, half, half), p);
    }

    /**
     * The differences that remain significant among many comparisons; at most this share of them is expected to be
     * false (Benjamini and Hochberg 1995, Journal of the Royal Statistical Society B 57).
     *
     * @param p p-values of all comparisons
     * @param share maximum expected share of false discoveries, such as 0.05
     * @return for each comparison in order, whether it is significant
     */
    public static boolean[] discoveries(double[] p, double share) {
        double[] sorted = p.clone();
        Arrays.sort(sorted);
        double limit = -1;
        for (int i = 0; i < sorted.length; i++) {
            limit = sorted[i] <= share * (i + 1) / sorted.length ? sorted[i] : limit;
        }
        boolean[] found = new boolean[p.length];
        for (int i = 0; i < p.length; i++) {
            found[i] = p[i] <= limit;
        }
        return found;
    }

    /** Inverse by Gauss–Jordan elimination with pivoting; empty if the matrix is singular, because an effect has no data. */
    private static Optional<double[][]> inverse(double[][] matrix) {
        int n = matrix.length;
        double[][] rows = new double[n][];
        Arrays.setAll(rows, i -> Arrays.copyOf(matrix[i], 2 * n));
        for (int i = 0; i < n; i++) {
            rows[i][n + i] = 1;
        }
        for (int column = 0; column < n; column++) {
            int pivot = column;
            for (int i = column + 1; i < n; i++) {
                pivot = Math.abs(rows[i][column]) > Math.abs(rows[pivot][column]) ? i : pivot;
            }
            double[] row = rows[pivot];
            rows[pivot] = rows[column];
            rows[column] = row;
            double scale = row[column];
            if (Math.abs(scale) < SINGULAR) {
                return Optional.empty();
            }
            Arrays.setAll(row, j -> row[j] / scale);
            for (int i = 0; i < n; i++) {
                double factor = i == column ? 0 : rows[i][column];
                double[] other = rows[i];
                Arrays.setAll(other, j -> other[j] - factor * row[j]);
            }
        }
        double[][] inverse = new double[n][];
        Arrays.setAll(inverse, i -> Arrays.copyOfRange(rows[i], n, 2 * n));
        return Optional.of(inverse);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
