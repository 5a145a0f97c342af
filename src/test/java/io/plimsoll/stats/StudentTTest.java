package io.plimsoll.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The quantiles of Student's t agree with published tables. */
class StudentTTest {

    /** From printed tables (Abramowitz and Stegun, table 26.10; 1 degree of freedom is tan(π(p − ½))). */
    @ParameterizedTest
    @CsvSource({
        "0.975, 1, 12.706", "0.975, 2, 4.303", "0.975, 4, 2.776", "0.975, 9, 2.262", "0.975, 30, 2.042",
        "0.975, 120, 1.980", "0.975, 1000000, 1.960", "0.95, 5, 2.015", "0.995, 10, 3.169", "0.75, 1, 1.000",
        "0.5, 7, 0"
    })
    void matchesPublishedTables(double p, double degrees, double expected) {
        assertThat(StudentT.quantile(p, degrees)).isCloseTo(expected, within(0.0006));
        assertThat(StudentT.quantile(1 - p, degrees)).isCloseTo(-expected, within(0.0006));
    }

    @Property(tries = 300)
    void invertsTheDistribution(
            @ForAll @DoubleRange(min = 0.01, max = 0.99) double p,
            @ForAll @DoubleRange(min = 1, max = 500) double degrees) {
        assertThat(StudentT.cumulative(StudentT.quantile(p, degrees), degrees)).isCloseTo(p, within(1e-9));
    }

    @Property(tries = 300)
    void narrowsWithDegreesOfFreedom(@ForAll @DoubleRange(min = 1, max = 500) double degrees) {
        assertThat(StudentT.quantile(0.975, degrees + 0.5)).isLessThan(StudentT.quantile(0.975, degrees));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -0.1, Double.NaN})
    void refusesInvalidProbabilities(double p) {
        assertThatThrownBy(() -> StudentT.quantile(p, 3)).isInstanceOf(IllegalArgumentException.class);
    }
}
