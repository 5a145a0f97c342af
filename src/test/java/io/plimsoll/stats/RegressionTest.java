package io.plimsoll.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** Lines go through their points. */
class RegressionTest {
    private static final double[] LOADS = {40, 20, 60, 30, 50, 25, 55};

    @Property(tries = 200)
    void aLineIsFoundAsItIs(
            @ForAll @DoubleRange(min = -10, max = 10) double fixed,
            @ForAll @DoubleRange(min = 0.01, max = 10) double slope) {
        Regression line = Regression.of(
                        LOADS, Arrays.stream(LOADS).map(x -> fixed + slope * x).toArray())
                .orElseThrow();
        assertThat(line.slope()).isCloseTo(slope, within(1e-9));
        assertThat(line.at(0)).isCloseTo(fixed, within(1e-6));
    }

    /** A worked example: Anscombe (1973), first quartet. */
    @Test
    void agreesWithAWorkedExample() {
        double[] x = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
        double[] y = {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
        Regression line = Regression.of(x, y).orElseThrow();
        assertThat(line.slope()).isCloseTo(0.5001, within(1e-4));
        assertThat(line.at(0)).isCloseTo(3.0001, within(1e-4));
    }

    @Test
    void tooFewPointsAreNoLine() {
        assertThat(Regression.of(new double[] {1, 2}, new double[] {1, 2})).isEmpty();
        assertThat(Regression.of(new double[] {5, 5, 5}, new double[] {1, 2, 3}))
                .isEmpty();
    }
}
