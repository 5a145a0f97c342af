package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Bounds of agent clocks contain the true offset. */
class ClockOffsetTest {
    private static final long BEAT_NANOS = 200_000_000;

    /** Two clocks, and a network that delays each direction arbitrarily. */
    private static final class World {
        private final SplittableRandom random;
        private final long offset;
        private final double drift;
        private final ClockOffset watched = new ClockOffset();

        World(long seed, long offset, double drift) {
            this.random = new SplittableRandom(seed);
            this.offset = offset;
            this.drift = drift;
        }

        long truth(long now) {
            return offset + Math.round(now * drift);
        }

        void exchange(long sent, long leastDelay, long mostDelay) {
            long there = sent + leastDelay + random.nextLong(mostDelay);
            long answered = there + random.nextLong(100_000);
            long back = answered + leastDelay + random.nextLong(mostDelay);
            watched.add(sent, there + truth(there), answered + truth(answered), back);
        }
    }

    @Property(tries = 300)
    void trueOffsetIsWithinTheError(
            @ForAll long seed,
            @ForAll @LongRange(min = -1_000_000_000_000L, max = 1_000_000_000_000L) long offset,
            @ForAll @IntRange(min = -190, max = 190) int ppm,
            @ForAll @IntRange(min = 1, max = 800) int exchanges) {
        World world = new World(seed, offset, ppm / 1e6);
        for (int i = 0; i < exchanges; i++) {
            world.exchange(i * BEAT_NANOS, 50_000, 20_000_000);
        }
        long now = exchanges * BEAT_NANOS + 3_000_000_000L;
        ClockOffset.OffsetEstimate estimate = world.watched.at(now).orElseThrow();
        assertThat(Math.abs(estimate.offsetNanos() - world.truth(now))).isLessThanOrEqualTo(estimate.errorNanos() + 2);
    }

    @Test
    void manyExchangesReachSubMillisecondError() {
        World world = new World(1, 5_000_000_000L, 20e-6);
        for (int i = 0; i < 50; i++) {
            world.exchange(i * BEAT_NANOS, 100_000, 2_000_000);
        }
        ClockOffset.OffsetEstimate estimate = world.watched.at(50 * BEAT_NANOS).orElseThrow();
        assertThat(estimate.errorNanos()).isLessThan(1_000_000);
        assertThat(estimate.toOther(50 * BEAT_NANOS))
                .isCloseTo(50 * BEAT_NANOS + world.truth(50 * BEAT_NANOS), within(estimate.errorNanos()));
    }

    @Property(tries = 50)
    void findsDrift(@ForAll long seed, @ForAll @IntRange(min = -100, max = 100) int ppm) {
        World world = new World(seed, 0, ppm / 1e6);
        for (int i = 0; i < 500; i++) {
            world.exchange(i * BEAT_NANOS, 50_000, 500_000);
        }
        assertThat(world.watched.at(500 * BEAT_NANOS).orElseThrow().driftPerMillion())
                .isCloseTo(ppm, within(3.0));
    }

    @Test
    void isUnknownWithoutAnExchange() {
        assertThat(new ClockOffset().at(0)).isEmpty();
    }
}
