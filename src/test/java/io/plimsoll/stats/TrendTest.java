package io.plimsoll.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Slopes and trend tests agree with worked examples, and find no trend in trendless series. */
class TrendTest {

    @Property(tries = 200)
    void findsSlopeOfLine(
            @ForAll @DoubleRange(min = -1e6, max = 1e6) double start,
            @ForAll @DoubleRange(min = -1e3, max = 1e3) double slope,
            @ForAll @IntRange(min = 2, max = 60) int length) {
        double[] line =
                IntStream.range(0, length).mapToDouble(i -> start + slope * i).toArray();
        assertThat(Trend.theilSenSlope(line)).isCloseTo(slope, within(1e-6));
    }

    @Property(tries = 200)
    void reversalFlipsTheSign(@ForAll @Size(min = 3, max = 30) double[] values) {
        double[] reversed = new double[values.length];
        Arrays.setAll(reversed, i -> values[values.length - 1 - i]);
        assertThat(Trend.mannKendallZ(reversed)).isCloseTo(-Trend.mannKendallZ(values), within(1e-9));
    }

    @Test
    void slopeIsRobustToOutliers() {
        double[] values = IntStream.range(0, 20)
                .mapToDouble(i -> i % 5 == 0 ? 1e6 : 3 * i)
                .toArray();
        assertThat(Trend.theilSenSlope(values)).isCloseTo(3, within(1.0));
    }

    /** S = 43 of 45 pairs; by hand: variance 10·9·25/18 = 125, z = 42/√125. */
    @Test
    void mannKendallMatchesWorkedExample() {
        double[] values = {1, 2, 3, 4, 5, 6, 7, 8, 10, 9};
        assertThat(Trend.mannKendallZ(values)).isCloseTo(42 / Math.sqrt(125), within(1e-12));
    }

    /** With ties 2,2 and 3,3,3: variance (6·5·17 − 2·1·9 − 3·2·11)/18. */
    @Test
    void tiesReduceTheVariance() {
        double[] values = {1, 2, 2, 3, 3, 3};
        double variance = (6 * 5 * 17 - 2 * 1 * 9 - 3 * 2 * 11) / 18.0;
        assertThat(Trend.mannKendallZ(values)).isCloseTo((11 - 1) / Math.sqrt(variance), within(1e-12));
    }

    @Test
    void equalValuesHaveNoTrend() {
        assertThat(Trend.mannKendallZ(new double[] {5, 5, 5, 5, 5, 5, 5, 5})).isZero();
        assertThat(Trend.theilSenSlope(new double[] {5})).isZero();
    }

    @Test
    void falseAlarmRateIsAboutFivePercent() {
        Random random = new Random(7);
        long alarms = IntStream.range(0, 4000)
                .filter(i -> Math.abs(Trend.mannKendallZ(random.doubles(15).toArray())) > 1.96)
                .count();
        assertThat(alarms / 4000.0).isBetween(0.03, 0.06);
    }

    @Test
    void coarseningAveragesNeighbours() {
        assertThat(Trend.coarsen(new double[] {1, 3, 5, 7, 9}, 2)).containsExactly(3);
        assertThat(Trend.coarsen(new double[] {1, 3, 5, 7}, 2)).containsExactly(2, 6);
        assertThat(Trend.coarsen(new double[] {1, 3}, 2)).containsExactly(1, 3);
        assertThat(Trend.coarsen(new double[3600], 300)).hasSize(300);
    }

    @Test
    void spreadMatchesKnownValues() {
        assertThat(Spread.median(new double[] {3, 1, 2})).isEqualTo(2);
        assertThat(Spread.median(new double[] {4, 1, 2, 3})).isEqualTo(2.5);
        assertThat(Spread.median(new double[0])).isZero();
        assertThat(Spread.mean(new double[] {1, 2, 6})).isEqualTo(3);
        // Squared deviations 4 + 1 + 9 = 14, ÷ 2 = 7.
        assertThat(Spread.coefficientOfVariation(new double[] {1, 2, 6})).isCloseTo(Math.sqrt(7) / 3, within(1e-12));
        assertThat(Spread.coefficientOfVariation(new double[] {0, 0})).isZero();
        assertThat(Spread.coefficientOfVariation(new double[] {4})).isZero();
    }

    /** U is 12 at the third value of seven: 2 exp(−6 · 144 ÷ (343 + 49)). */
    @Test
    void pettittMatchesWorkedExample() {
        Trend.ChangePoint point = Trend.pettitt(new double[] {1, 2, 3, 7, 6, 5, 4});
        assertThat(point.at()).isEqualTo(3);
        assertThat(point.chance()).isCloseTo(2 * Math.exp(-6.0 * 144 / 392), within(1e-12));
        assertThat(Trend.pettitt(new double[] {5, 5, 5})).isEqualTo(new Trend.ChangePoint(0, 1));
        assertThat(Trend.pettitt(new double[0]).at()).isZero();
    }
}
