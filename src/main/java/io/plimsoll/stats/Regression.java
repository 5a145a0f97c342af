package io.plimsoll.stats;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A straight line through points by ordinary least squares.
 *
 * @param slope how much y grows with x
 * @param meanX of the points
 * @param meanY the line's value there
 */
public record Regression(double slope, double meanX, double meanY) {
    private static final int LEAST_POINTS = 3;

    /** @return empty with fewer than three points, or if all have the same x */
    public static Optional<Regression> of(double[] x, double[] y) {
        int n = x.length;
        if (n != y.length) {
            throw new IllegalArgumentException(n + " and " + y.length + " are no points");
        }
        double meanX = Spread.mean(x);
        double meanY = Spread.mean(y);
        if (n < LEAST_POINTS || Arrays.stream(x).allMatch(v -> v == x[0])) {
            return Optional.empty();
        }
        double products = IntStream.range(0, n)
                .mapToDouble(i -> (x[i] - meanX) * (y[i] - meanY))
                .sum();
        return Optional.of(new Regression(products / Spread.squares(x), meanX, meanY));
    }

    public double at(double x) {
        return meanY + slope * (x - meanX);
    }
}
