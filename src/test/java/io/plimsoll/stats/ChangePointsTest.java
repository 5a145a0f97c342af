package io.plimsoll.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Planted shifts are found at their places, and none is found in noise. */
class ChangePointsTest {
    /** Consecutive runs on one machine differ by about this amount. */
    private static final double NOISE = 0.01;

    private final SplittableRandom random = new SplittableRandom(7);

    /** Latencies have a one-sided tail: noise that is not normal. */
    private double noise() {
        return 1 + NOISE * (-Math.log(1 - random.nextDouble()) - 1);
    }

    private double[] series(int length, IntToDoubleFunction level) {
        double[] values = new double[length];
        for (int i = 0; i < length; i++) {
            values[i] = level.applyAsDouble(i) * noise();
        }
        return values;
    }

    private double found(int series, double shift, int since) {
        int found = 0;
        for (int i = 0; i < series; i++) {
            double[] values = series(80, at -> at < 80 - since ? 100 : 100 * (1 + shift));
            found += ChangePoints.of(values, i).stream().anyMatch(at -> Math.abs(at - (80 - since)) <= 1) ? 1 : 0;
        }
        return (double) found / series;
    }

    @Test
    void findsFivePercentShiftWithinThreeRuns() {
        assertThat(found(40, 0.05, 3)).isGreaterThanOrEqualTo(0.95);
        assertThat(found(40, -0.05, 3)).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void noiseCausesAtMostOneFalseAlarm() {
        int found = 0;
        for (int i = 0; i < 60; i++) {
            found += ChangePoints.of(series(100, at -> 100), i).size();
        }
        assertThat(found).isLessThanOrEqualTo(1);
    }

    @Test
    void locatesEachOfSeveralShifts() {
        double[] values = series(500, at -> at < 90 ? 100 : at < 210 ? 110 : at < 400 ? 104 : 130);
        assertThat(ChangePoints.of(values, 1)).hasSize(3).satisfies(found -> {
            assertThat(found.get(0)).isBetween(88, 92);
            assertThat(found.get(1)).isBetween(208, 212);
            assertThat(found.get(2)).isBetween(398, 402);
        });
    }

    @Test
    void findsChangeOfSpread() {
        double[] values = new double[160];
        for (int i = 0; i < values.length; i++) {
            values[i] = 100 + (i < 80 ? 1 : 6) * (random.nextDouble() - 0.5);
        }
        assertThat(ChangePoints.of(values, 1)).hasSize(1).first().satisfies(at -> assertThat(at)
                .isBetween(74, 86));
    }

    @Test
    void findsDriftAsStepsInItsDirection() {
        double[] values = series(160, at -> 100 * (1 + at * 0.001));
        List<Integer> found = ChangePoints.of(values, 1);
        assertThat(found).isNotEmpty();
        assertThat(Spread.median(java.util.Arrays.copyOfRange(values, found.get(0), values.length)))
                .isGreaterThan(Spread.median(java.util.Arrays.copyOfRange(values, 0, found.get(0))));
    }

    @Test
    void findsNothingInTooFewValues() {
        assertThat(ChangePoints.of(new double[] {1, 1, 1, 9, 9}, 1)).isEmpty();
        assertThat(ChangePoints.of(new double[0], 1)).isEmpty();
        assertThat(ChangePoints.of(new double[] {5, 5, 5, 5, 5, 5, 5, 5}, 1)).isEmpty();
    }

    /** A gate tests after each run: a false alarm costs its users' trust. */
    @Test
    @Tag("nightly")
    @Timeout(1200)
    void gateRaisesAtMostOneFalseAlarmInThousandRuns() {
        double[] all = series(1000, at -> 100);
        int alarms = 0;
        boolean before = false;
        for (int runs = ChangePoints.SHORTEST; runs <= all.length; runs++) {
            double[] newest = java.util.Arrays.copyOfRange(all, Math.max(0, runs - 200), runs);
            boolean alarm = ChangePoints.of(newest, 1).stream().anyMatch(at -> at >= newest.length - 20);
            alarms += alarm && !before ? 1 : 0;
            before = alarm;
        }
        assertThat(alarms).isLessThanOrEqualTo(1);
    }
}
