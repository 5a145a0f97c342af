package io.plimsoll.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.stats.RoundDesign.Contrast;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ratios from rounds: exact effects, coverage of the intervals, missing values, and the rate of false discoveries. */
class RoundDesignTest {
    /** Worked example: the differences of two sides in three rounds are a paired t test. */
    @Test
    void twoSidesMatchPairedTest() {
        double[][] values = {{100, 110, 130}, {120, 140, 150}};
        Contrast contrast = RoundDesign.of(values).orElseThrow().contrast(0, 1);
        RatioInterval paired = RatioInterval.ofPairs(values[0], values[1]).orElseThrow();
        assertThat(contrast.interval().ratio()).isCloseTo(paired.ratio(), within(1e-9));
        assertThat(contrast.interval().low()).isCloseTo(paired.low(), within(1e-9));
        assertThat(contrast.interval().high()).isCloseTo(paired.high(), within(1e-9));
    }

    /** A host that becomes slower from round to round does not matter; neither does a missing value. */
    @Test
    void roundEffectCancelsOut() {
        double[][] values = new double[3][4];
        for (int side = 0; side < 3; side++) {
            for (int round = 0; round < 4; round++) {
                values[side][round] = 1000 * Math.pow(0.8, round) * Math.pow(1.25, side);
            }
        }
        values[1][2] = Double.NaN;
        Contrast contrast = RoundDesign.of(values).orElseThrow().contrast(0, 1);
        assertThat(contrast.interval().ratio()).isCloseTo(1.25, within(1e-9));
        assertThat(contrast.p()).isLessThan(1e-6);
    }

    @Test
    void intervalCoversTruthInNineteenOfTwentyRuns() {
        Random random = new Random(7);
        int covered = 0;
        int significant = 0;
        for (int run = 0; run < 2000; run++) {
            double[][] values = new double[5][3];
            for (double[] side : values) {
                Arrays.setAll(side, i -> Math.exp(0.1 * random.nextGaussian()));
            }
            Contrast contrast = RoundDesign.of(values).orElseThrow().contrast(1, 2);
            covered += contrast.interval().low() <= 1 && contrast.interval().high() >= 1 ? 1 : 0;
            significant += contrast.p() < 0.05 ? 1 : 0;
        }
        assertThat(covered / 2000.0).isCloseTo(0.95, within(0.015));
        assertThat(significant / 2000.0).isCloseTo(0.05, within(0.015));
    }

    @Test
    void tooFewRoundsGiveNoAnswer() {
        assertThat(RoundDesign.of(new double[0][])).isEmpty();
        assertThat(RoundDesign.of(new double[][] {{}})).isEmpty();
        assertThat(RoundDesign.of(new double[][] {{1}, {2}})).isEmpty();
        assertThat(RoundDesign.of(new double[][] {{1, 2}, {Double.NaN, Double.NaN}}))
                .isEmpty();
        assertThat(RoundDesign.of(new double[][] {{1, 0}, {2, 3}})).isEmpty();
        assertThat(RoundDesign.of(new double[][] {{1, 2}, {2, 3}})).isPresent();
    }

    /** Example of Benjamini and Hochberg (1995), section 4: of 15 hypotheses, the four smallest are rejected. */
    @Test
    void discoveriesMatchPublishedExample() {
        double[] p = {
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.0
        };
        boolean[] found = RoundDesign.discoveries(p, 0.05);
        for (int i = 0; i < p.length; i++) {
            assertThat(found[i]).as("p = " + p[i]).isEqualTo(i < 4);
        }
        assertThat(RoundDesign.discoveries(new double[0], 0.05)).isEmpty();
    }
}
