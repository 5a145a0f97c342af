package io.plimsoll.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A straight line through points by ordinary least squares, with intervals that cover the truth in 95 of 100 cases where the
 * points lie about a line with normal noise (Draper and Smith, <i>Applied Regression Analysis</i>, chapter 1.4).
 *
 * @param slope how much y grows with x
 * @param slopeError its standard error, at least 0
 * @param noise standard deviation of the points about the line
 * @param meanX where the line is known best
 * @param meanY the line's value there
 * @param points at least three
 */
public record Regression(double slope, double slopeError, double noise, double meanX, double meanY, int points) {
    private static final int LEAST_POINTS = 3;

    /** @return empty with fewer than three points, or if all have the same x */
    public static Optional<Regression> of(double[] x, double[] y) {
        int n = x.length;
        if (n != y.length) {
            throw new IllegalArgumentException(n + " and " + y.length + " are no points");
        }
        double meanX = Spread.mean(x);
        double meanY = Spread.mean(y);
        double spread = Spread.squares(x);
        if (n < LEAST_POINTS || Arrays.stream(x).allMatch(v -> v == x[0])) {
            return Optional.empty();
        }
        double slope = IntStream.range(0, n)
                        .mapToDouble(i -> (x[i] - meanX) * (y[i] - meanY))
                        .sum()
                / spread;
        double residuals = IntStream.range(0, n)
                .mapToDouble(i -> Math.pow(y[i] - meanY - slope * (x[i] - meanX), 2))
                .sum();
        double noise = Math.sqrt(residuals / (n - 2));
        return Optional.of(new Regression(slope, noise / Math.sqrt(spread), noise, meanX, meanY, n));
    }

    public double at(double x) {
        return meanY + slope * (x - meanX);
    }

    /** Half the interval of the slope. */
    public double slopeHalf() {
        return slopeError * Estimate.quantile(points - 2.0);
    }

    /**
     * Where a rising line reaches a value, by the delta method: as far off as the line there may be, by its slope.
     *
     * @param side 0 for where the line does, 1 for the lower end of its interval, −1 for the upper one
     * @return 0 if it is above it already there; infinite if it never gets there
     */
    public double reaches(double y, int side) {
        double x = meanX + (y - meanY) / slope;
        if (slope <= 0 || (side < 0 && slope <= slopeHalf())) {
            return Double.POSITIVE_INFINITY;
        }
        double off = Math.hypot(noise / Math.sqrt(points), slopeError * (x - meanX)) * Estimate.quantile(points - 2.0);
        return Math.max(0, x - side * off / slope);
    }
}
