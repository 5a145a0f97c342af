package io.plimsoll.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** Coefficients are found as they are where none is negative, and none is made so. */
class NonNegativeTest {
    private static final double[] ONES = {1, 1, 1, 1, 1};
    private static final double[] X = {1, 2, 3, 4, 5};
    private static final double[] Z = {1000, 200, 700, 100, 300};

    private static double[] sum(double a, double b, double c) {
        double[] y = new double[X.length];
        Arrays.setAll(y, i -> a + b * X[i] + c * Z[i]);
        return y;
    }

    @Property(tries = 200)
    void whatWasPlantedIsFound(
            @ForAll @DoubleRange(max = 10) double a,
            @ForAll @DoubleRange(max = 10) double b,
            @ForAll @DoubleRange(max = 0.1) double c) {
        double[] found = NonNegative.fit(new double[][] {ONES, X, Z}, sum(a, b, c));
        assertThat(found).containsExactly(new double[] {a, b, c}, within(1e-9));
    }

    @Test
    void whatWouldBeNegativeIsNone() {
        double[] found = NonNegative.fit(new double[][] {ONES, X}, sum(-1, 2, 0));
        assertThat(found[0]).isZero();
        assertThat(found[1]).isCloseTo((55 * 2 - 15) / 55.0, within(1e-9));
        assertThat(NonNegative.fit(new double[][] {X}, sum(0, -1, 0))).containsExactly(0);
    }

    @Test
    void ofColumnsThatAreAlikeOneCounts() {
        double[] twice = Arrays.stream(X).map(x -> 2 * x).toArray();
        double[] found = NonNegative.fit(new double[][] {X, twice, new double[X.length]}, sum(0, 3, 0));
        assertThat(found[0] + 2 * found[1]).isCloseTo(3, within(1e-9));
        assertThat(found[2]).isZero();
    }
}
