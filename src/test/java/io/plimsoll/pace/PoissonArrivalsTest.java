package io.plimsoll.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.pace.Arrivals.PoissonArrivals;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** All seeds are fixed: these tests give the same answer every time. */
class PoissonArrivalsTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void gapsAreExponential() {
        double[] gaps = gaps(times(new ConstantSchedule(1_000), 1, 42, 20_000), 1_000);
        assertThat(kolmogorovSmirnov(gaps)).isLessThan(1.63 / Math.sqrt(gaps.length)); // 1 % level
    }

    @Test
    void goodnessOfFitTestDetectsUniformArrivals() {
        double[] gaps = new double[20_000];
        Arrays.fill(gaps, 1.0);
        assertThat(kolmogorovSmirnov(gaps)).isGreaterThan(0.3);
    }

    @Test
    void threadsTogetherArePoissonAtFullRate() {
        long[] merged = new long[40_000];
        for (int thread = 0; thread < 4; thread++) {
            long[] own = times(new ConstantSchedule(1_000), 4, 7 + thread, 10_000);
            System.arraycopy(own, 0, merged, thread * 10_000, 10_000);
        }
        Arrays.sort(merged);
        long[] common = Arrays.copyOf(merged, 36_000); // the threads' ends differ; their common stretch does not
        double[] gaps = gaps(common, 1_000);
        assertThat(kolmogorovSmirnov(gaps)).isLessThan(1.63 / Math.sqrt(gaps.length));
        assertThat(common[35_999] / 1e9).isCloseTo(36, within(4 * Math.sqrt(36_000) / 1_000));
    }

    @Test
    void countsPerIntervalHaveVarianceEqualToMean() {
        long[] times = times(new ConstantSchedule(10_000), 1, 3, 1_000_000);
        int[] counts = new int[9_000]; // of 10 ms
        for (long time : times) {
            int slot = (int) (time / 10_000_000);
            if (slot < counts.length) {
                counts[slot]++;
            }
        }
        double mean = Arrays.stream(counts).average().orElseThrow();
        double variance =
                Arrays.stream(counts).mapToDouble(c -> (c - mean) * (c - mean)).sum() / (counts.length - 1);
        assertThat(mean).isCloseTo(100, within(0.5));
        assertThat(variance / mean).isCloseTo(1, within(4 * Math.sqrt(2.0 / counts.length)));
    }

    @Test
    void rampRescalesTime() {
        RampSchedule ramp = new RampSchedule(0, 20_000, 10 * SECOND);
        long[] times = times(ramp, 1, 11, 100_000);
        assertThat(times[99_999] / 1e9).isCloseTo(10, within(4 * Math.sqrt(100_000) / 20_000));
        double[] gaps = new double[times.length - 1];
        for (int i = 1; i < times.length; i++) {
            gaps[i - 1] = integral(times[i]) - integral(times[i - 1]);
        }
        assertThat(kolmogorovSmirnov(gaps)).isLessThan(1.63 / Math.sqrt(gaps.length));
    }

    private static double integral(long nanos) {
        double seconds = nanos / 1e9;
        return seconds <= 10 ? 1_000 * seconds * seconds : 100_000 + 20_000 * (seconds - 10);
    }

    @Test
    void seedDeterminesArrivals() {
        Schedule schedule = new ConstantSchedule(1_000);
        assertThat(times(schedule, 2, 5, 1_000)).isEqualTo(times(schedule, 2, 5, 1_000));
        assertThat(times(schedule, 2, 6, 1_000)).isNotEqualTo(times(schedule, 2, 5, 1_000));
    }

    private static long[] times(Schedule schedule, int threads, long seed, int count) {
        Arrivals arrivals = new PoissonArrivals(schedule, threads, seed);
        long[] times = new long[count];
        Arrays.setAll(times, i -> arrivals.nextDueNanos());
        return times;
    }

    /** In units of the mean interval. */
    private static double[] gaps(long[] times, double perSecond) {
        double[] gaps = new double[times.length - 1];
        Arrays.setAll(gaps, i -> (times[i + 1] - times[i]) / 1e9 * perSecond);
        return gaps;
    }

    /** The largest distance from the exponential distribution with mean 1. */
    private static double kolmogorovSmirnov(double[] gaps) {
        double[] sorted = gaps.clone();
        Arrays.sort(sorted);
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            double expected = -Math.expm1(-sorted[i]);
            double below = Math.abs(expected - (double) i / sorted.length);
            double above = Math.abs((i + 1.0) / sorted.length - expected);
            distance = Math.max(distance, Math.max(below, above));
        }
        return distance;
    }
}
