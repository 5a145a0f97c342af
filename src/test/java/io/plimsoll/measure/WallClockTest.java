package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.TrialClock.WallClock;
import java.util.PrimitiveIterator;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Record timestamps follow the wall clock without truncation to milliseconds. */
class WallClockTest {
    @Test
    void takesLeastDisturbedReading() {
        // Durations of wall-clock readings: a context switch takes milliseconds.
        PrimitiveIterator.OfLong takes = LongStream.of(5_000_000, 3_000, 400, 90_000, 2_000, 700, 900, 800, 600)
                .iterator();
        AtomicLong time = new AtomicLong(1_000);
        long ahead = 1_700_000_000_123_456_789L;
        long offset = WallClock.epochOffsetNanos(time::get, () -> {
            long half = takes.nextLong() / 2;
            long read = time.addAndGet(half) + ahead;
            // Not in the middle: the core was lost before the clock reading.
            time.addAndGet(half / 2);
            return read;
        });
        assertThat(offset - ahead).isBetween(-200L, 200L);
    }

    @Test
    void isNotTruncatedToMilliseconds() {
        long before = System.currentTimeMillis();
        long now = System.nanoTime() + WallClock.epochOffsetNanos();
        long after = System.currentTimeMillis();
        assertThat(now).isBetween(before * 1_000_000, (after + 1) * 1_000_000);
        long inMilliseconds = LongStream.range(0, 50)
                .map(i -> WallClock.epochOffsetNanos() + System.nanoTime())
                .filter(nanos -> nanos % 1_000_000 == 0)
                .count();
        assertThat(inMilliseconds).isLessThan(5);
    }
}
