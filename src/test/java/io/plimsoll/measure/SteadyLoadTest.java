package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.SteadyLoad.Figure;
import io.plimsoll.measure.SteadyLoad.Second;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A warm-up ends when all figures are steady: not earlier, and not much later. */
class SteadyLoadTest {
    private static final int MOST = 60;

    /** Seconds until this load counts as steady; {@link #MOST} if never. */
    private static int steadyAfter(IntFunction<Second> load) {
        List<Second> seconds = new ArrayList<>();
        while (seconds.size() < MOST) {
            seconds.add(load.apply(seconds.size()));
            if (SteadyLoad.canTell(seconds) && SteadyLoad.moving(seconds).isEmpty()) {
                return seconds.size();
            }
        }
        return MOST;
    }

    private static List<Second> seconds(int count, IntFunction<Second> load) {
        return java.util.stream.IntStream.range(0, count).mapToObj(load).toList();
    }

    /**
     * Five thousand records per second, with the noise of a busy machine; a garbage collection pause every twentieth
     * second.
     */
    private static Second noisy(Random random, double slower) {
        double pause = random.nextInt(20) == 0 ? 2 + 3 * random.nextDouble() : 1;
        return new Second(
                5000,
                5000 * (1 + 0.02 * random.nextGaussian()),
                1000 * slower * Math.exp(0.1 * random.nextGaussian()),
                8000 * slower * pause * Math.exp(0.2 * random.nextGaussian()));
    }

    private static int percentile(int percent, java.util.function.ToIntFunction<Random> ofRandom) {
        int[] all = new int[200];
        for (int i = 0; i < all.length; i++) {
            all[i] = ofRandom.applyAsInt(new Random(i));
        }
        java.util.Arrays.sort(all);
        return all[all.length * percent / 100];
    }

    @Test
    void detectsSteadyLoadSoon() {
        assertThat(steadyAfter(k -> new Second(100, 100, 1000, 5000))).isEqualTo(9);
        assertThat(percentile(50, r -> steadyAfter(k -> noisy(r, 1)))).isLessThanOrEqualTo(10);
        assertThat(percentile(95, r -> steadyAfter(k -> noisy(r, 1)))).isLessThanOrEqualTo(16);
    }

    /** A cold start with an exponential decay over about this number of seconds. */
    @Test
    void waitsUntilColdStartDecays() {
        assertThat(percentile(50, r -> steadyAfter(k -> noisy(r, 1 + 4 * Math.exp(-k / 5.0)))))
                .isBetween(14, 32);
        assertThat(percentile(5, r -> steadyAfter(k -> noisy(r, 1 + 4 * Math.exp(-k / 5.0)))))
                .isGreaterThanOrEqualTo(10);
    }

    /**
     * A filling cache, a compiling JVM: each step has its own level. A single outlier among many seconds is a steady
     * load.
     */
    @Property(tries = 50)
    void waitsUntilLastStep(@ForAll @net.jqwik.api.constraints.IntRange(min = 3, max = 5) int length) {
        int steps = 4;
        int steady = steadyAfter(k -> {
            double slower = Math.pow(2, Math.max(0, steps - k / length));
            return new Second(5000, 5000, 1000 * slower, 5000 * slower);
        });
        assertThat(steady).isGreaterThan(steps * length);
    }

    @Test
    void namesMovingFigure() {
        assertThat(SteadyLoad.moving(seconds(12, k -> new Second(-1, 1000 + 100 * k, 1000, 5000))))
                .containsExactly(Figure.THROUGHPUT);
        assertThat(SteadyLoad.moving(seconds(12, k -> new Second(100, 100, 5000 - 400 * k, 9000))))
                .containsExactly(Figure.SERVICE_P50);
        assertThat(SteadyLoad.moving(seconds(12, k -> new Second(100, 100, 1000, k < 8 ? 9000 : 5000))))
                .containsExactly(Figure.SERVICE_P99);
        assertThat(SteadyLoad.moving(seconds(12, k -> new Second(100, 100, 900 - 10 * k, 990 - 10 * k))))
                .isEmpty();
    }

    /** A broker that stalls one second in five and catches up in the next is in its steady state. */
    @Test
    void recurringStallsArePartOfSteadyLoad() {
        for (int phase = 0; phase < 5; phase++) {
            int from = phase;
            assertThat(steadyAfter(k -> switch ((k + from) % 5) {
                        case 0 -> new Second(1000, 0, Double.NaN, Double.NaN);
                        case 1 -> new Second(1000, 2000, 300_000, 1_000_000);
                        default -> new Second(1000, 1000, 1000, 3000);
                    }))
                    .as("phase %s", from)
                    .isLessThanOrEqualTo(16);
        }
    }

    private static List<Second> closedLoop(double... thousands) {
        return java.util.Arrays.stream(thousands)
                .mapToObj(k -> new Second(-1, 1000 * k, 800_000, 1_100_000))
                .toList();
    }

    /**
     * First runs on two cores: brokers become faster for 25 s, and in the middle other programs hide this for eight
     * seconds.
     */
    @Test
    void doesNotMistakeNoiseForSteadyLoad() {
        assertThat(SteadyLoad.moving(closedLoop(2, 2, 6, 4, 13, 22, 33, 38, 24, 8, 21, 14, 43)))
                .containsExactly(Figure.THROUGHPUT);
        assertThat(SteadyLoad.moving(closedLoop(9, 100, 110, 90, 105, 95, 108, 93, 102)))
                .as("a broker that is warm")
                .isEmpty();
        assertThat(SteadyLoad.moving(closedLoop(9, 100, 100, 0, 105, 100, 95, 0, 100)))
                .as("stalls are no noise")
                .isEmpty();
    }

    /** Broker and load generator on two cores, recorded: brokers compile for 26 and 30 s, with a plateau in between. */
    @Test
    void doesNotMistakePlateauForSteadyLoad() {
        double[] first = {
            5, 8, 17, 17, 19, 22, 29, 57, 58, 52, 48, 67, 90, 98, 104, 74, 83, 109, 90, 104, 124, 114, 110, 96, 89, 122,
            180, 198, 143, 147, 149, 175, 169, 150, 126, 203, 183, 141, 140, 100
        };
        double[] second = {
            11, 15, 13, 24, 24, 30, 27, 37, 74, 76, 72, 104, 79, 110, 89, 24, 80, 95, 100, 123, 139, 147, 102, 94, 143,
            173, 116, 144, 153, 150, 171, 181, 169, 144, 159, 173, 171, 178, 141, 166
        };
        assertThat(steadyAfter(k -> closedLoop(first).get(Math.min(k, first.length - 1))))
                .isBetween(34, 37);
        assertThat(steadyAfter(k -> closedLoop(second).get(Math.min(k, second.length - 1))))
                .isBetween(33, 37);
    }

    @Test
    void waitsUntilBacklogIsDrained() {
        assertThat(SteadyLoad.moving(seconds(12, k -> new Second(1000, 1100, 1000, 5000))))
                .containsExactly(Figure.THROUGHPUT);
        assertThat(SteadyLoad.moving(seconds(12, k -> new Second(1000, 900, 1000, 5000))))
                .isEmpty();
        assertThat(SteadyLoad.moving(seconds(12, k -> new Second(1000, 0, Double.NaN, Double.NaN))))
                .containsExactly(Figure.THROUGHPUT);
    }

    @Test
    void needsAtLeastNineSeconds() {
        assertThat(SteadyLoad.canTell(seconds(8, k -> new Second(1, 1, 1, 1)))).isFalse();
        assertThat(SteadyLoad.canTell(seconds(9, k -> new Second(1, 1, 1, 1)))).isTrue();
    }
}
