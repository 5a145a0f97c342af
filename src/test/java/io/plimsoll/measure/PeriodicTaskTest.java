package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Periodic work runs on whole seconds, skips missed runs, and honors longer intervals. */
class PeriodicTaskTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = -77 * SECOND;

    private final List<Long> looks = new ArrayList<>();
    private long now = START;

    /** Repeats until this number of seconds has passed, in virtual time. */
    private void repeat(long seconds, long first, PeriodicTask.Work work) {
        PeriodicTask.Waiting time = new PeriodicTask.Waiting() {
            @Override
            public long nanoTime() {
                return now;
            }

            @Override
            public boolean endedWithin(long nanos) {
                assertThat(nanos).isNotNegative();
                now += nanos;
                return now > START + seconds * SECOND;
            }
        };
        PeriodicTask.repeat(time, START, SECOND, first, () -> {
            looks.add((now - START) / 1_000_000);
            return work.run();
        });
    }

    @Test
    void runsOnWholeSecondsRegardlessOfDuration() {
        repeat(5, 1, () -> {
            now += SECOND / 3;
            return 1;
        });
        assertThat(looks).containsExactly(1000L, 2000L, 3000L, 4000L, 5000L);
    }

    @Test
    void skipsSecondsMissedDuringARun() {
        repeat(7, 0, () -> {
            now += looks.size() == 2 ? 5 * SECOND / 2 : 0;
            return 1;
        });
        assertThat(looks).containsExactly(0L, 1000L, 4000L, 5000L, 6000L, 7000L);
    }

    @Test
    void honorsLongerIntervals() {
        repeat(8, 0, () -> looks.size() == 2 ? 3 : 1);
        assertThat(looks).containsExactly(0L, 1000L, 4000L, 5000L, 6000L, 7000L, 8000L);
    }
}
