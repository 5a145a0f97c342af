package io.plimsoll.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.stats.Movement.Confidence;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A movement is found if it is relevant and significant, and only then. */
class MovementTest {
    private static final Movement TENTH = new Movement(0.10, 0, Confidence.P95);

    private static double[] values(int length, java.util.function.IntToDoubleFunction value) {
        return IntStream.range(0, length).mapToDouble(value).toArray();
    }

    @Property(tries = 100)
    void findsRelevantTrendInSmallerNoise(
            @ForAll @IntRange(min = 10, max = 60) int length,
            @ForAll @DoubleRange(min = 0.3, max = 3) double change,
            @ForAll long seed) {
        Random random = new Random(seed);
        double[] rising = values(length, i -> 100 * (1 + change * i / length) + random.nextGaussian());
        assertThat(TENTH.drifts(rising)).isTrue();
    }

    @Property(tries = 100)
    void ignoresIrrelevantChange(@ForAll @IntRange(min = 8, max = 60) int length) {
        assertThat(TENTH.drifts(values(length, i -> 1000 + 99.0 * i / length))).isFalse();
        assertThat(TENTH.shifts(values(length, i -> i < length / 2 ? 1000 : 1099)))
                .isFalse();
    }

    @Property(tries = 100)
    void findsShiftAwayFromTheEdges(
            @ForAll @IntRange(min = 20, max = 60) int length, @ForAll @DoubleRange(min = 0.3, max = 0.7) double where) {
        double[] shifted = values(length, i -> (i < where * length ? 100 : 80) + i % 3);
        assertThat(TENTH.shifts(shifted)).isTrue();
    }

    @Test
    void ignoresChangeBelowResolution() {
        Movement milli = new Movement(0.10, 1000, Confidence.P95);
        double[] rising = values(20, i -> 100 + 40 * i);
        assertThat(TENTH.drifts(rising)).isTrue();
        assertThat(milli.drifts(rising)).isFalse();
        assertThat(milli.drifts(values(20, i -> 100 + 60 * i))).isTrue();
    }

    @Test
    void rarelyMistakesNoiseForMovement() {
        Random random = new Random(1);
        int found = 0;
        for (int i = 0; i < 1000; i++) {
            double[] noise = values(20, k -> 100 * Math.exp(0.3 * random.nextGaussian()));
            found += TENTH.drifts(noise) ? 1 : 0;
        }
        assertThat(found).isLessThan(70);
    }
}
