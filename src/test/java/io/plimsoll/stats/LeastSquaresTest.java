package io.plimsoll.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** Planted coefficients are found, and costs are not negative. */
class LeastSquaresTest {
    private static final double[] ONES = {1, 1, 1, 1, 1};
    private static final double[] X = {1, 2, 3, 4, 5};
    private static final double[] Z = {1000, 200, 700, 100, 300};

    private static double[] sum(double a, double b, double c) {
        double[] y = new double[X.length];
        Arrays.setAll(y, i -> a + b * X[i] + c * Z[i]);
        return y;
    }

    @Property(tries = 200)
    void findsPlantedCoefficients(
            @ForAll @DoubleRange(max = 10) double a,
            @ForAll @DoubleRange(min = -10, max = 10) double b,
            @ForAll @DoubleRange(max = 10) double c) {
        double[][] columns = {ONES, X, Z};
        assertThat(LeastSquares.fit(columns, sum(a, b, c))).containsExactly(new double[] {a, b, c}, within(1e-9));
        assertThat(Arrays.stream(LeastSquares.nonNegative(columns, sum(a, -b, c)))
                        .boxed())
                .allMatch(found -> found >= 0);
        assertThat(LeastSquares.nonNegative(columns, sum(a, Math.abs(b), c)))
                .containsExactly(new double[] {a, Math.abs(b), c}, within(1e-9));
    }

    /** A worked example: Anscombe (1973), first quartet. */
    @Test
    void matchesWorkedExample() {
        double[] x = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
        double[] y = {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
        double[] ones = Arrays.stream(x).map(v -> 1).toArray();
        assertThat(LeastSquares.fit(new double[][] {ones, x}, y))
                .containsExactly(new double[] {3.0001, 0.5001}, within(1e-4));
    }

    @Test
    void clampsNegativeCostsAndToleratesCollinearColumns() {
        double[] through = LeastSquares.nonNegative(new double[][] {ONES, X}, sum(-1, 2, 0));
        assertThat(through).containsExactly(new double[] {0, (55 * 2 - 15) / 55.0}, within(1e-9));
        assertThat(LeastSquares.nonNegative(new double[][] {X}, sum(0, -1, 0))).containsExactly(0);
        double[] twice = Arrays.stream(X).map(x -> 2 * x).toArray();
        double[] found = LeastSquares.nonNegative(new double[][] {X, twice, new double[X.length]}, sum(0, 3, 0));
        assertThat(found[0] + 2 * found[1]).isCloseTo(3, within(1e-9));
        assertThat(found[2]).isZero();
    }
}
