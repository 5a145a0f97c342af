package io.plimsoll.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.stats.Movement.Confidence;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Drift and steps of a long series are distinguished from noise, including slow noise. */
class DriftTest {
    private static final int SERIES = 1000;
    private static final int FEW = 40;
    private static final int MINUTES = 360;
    private static final Movement ENOUGH = new Movement(0.10, 0, Confidence.P95);

    /**
     * A series with 10 % noise and a one-sided tail.
     *
     * @param alike lag-1 autocorrelation, 0 to 1
     */
    private static double[] series(int seed, double alike, IntToDoubleFunction level) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] values = new double[MINUTES];
        double noise = 0;
        for (int i = 0; i < MINUTES; i++) {
            double fresh = Math.exp(0.5 * (random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5)) - 1;
            noise = alike * noise + Math.sqrt(1 - alike * alike) * fresh;
            values[i] = level.applyAsDouble(i) * (1 + 0.4 * noise) * (random.nextInt(40) == 0 ? 5 : 1);
        }
        return values;
    }

    private static long told(int series, double alike, IntToDoubleFunction level) {
        return IntStream.range(0, series)
                .filter(seed -> Drift.of(series(seed, alike, level), ENOUGH).isPresent())
                .count();
    }

    @Test
    void noiseIsNotDrift() {
        assertThat(told(SERIES, 0, i -> 100)).isZero();
        // Waves that last for ten minutes.
        assertThat(told(SERIES, 0.9, i -> 100)).isLessThanOrEqualTo(5);
    }

    @Test
    void reportsStartAndSizeOfDrift() {
        assertThat(told(FEW, 0, i -> 100 + 20.0 * i / MINUTES)).isGreaterThanOrEqualTo(FEW * 95 / 100);
        assertThat(told(FEW, 0, i -> i < 300 ? 100 : 120)).isGreaterThanOrEqualTo(FEW * 95 / 100);
        Drift drift =
                Drift.of(series(1, 0, i -> 100 + 50.0 * i / MINUTES), ENOUGH).orElseThrow();
        assertThat(drift.at()).isZero();
        assertThat(drift.after() / drift.before()).isBetween(1.4, 1.6);
        Drift step = Drift.of(series(1, 0, i -> i < 240 ? 100 : 70), ENOUGH).orElseThrow();
        assertThat(step.at()).isBetween(0.62, 0.71);
        assertThat(step.after() / step.before()).isBetween(0.66, 0.74);
        assertThat(Drift.of(series(1, 0, i -> 100 + 6.0 * i / MINUTES), ENOUGH)).isEmpty();
    }
}
