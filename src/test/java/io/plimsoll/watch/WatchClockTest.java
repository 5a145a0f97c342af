package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Guards that a suspension of the watch itself is not an outage. */
class WatchClockTest {
    private static final long MS = 1_000_000;

    private long now;
    private final WatchClock clock = new WatchClock(20 * MS, () -> now, () -> 0);

    @Test
    void runningTimeExcludesSuspensionOfTheProcess() {
        for (int i = 0; i < 50; i++) {
            now += 20 * MS;
            clock.tick();
        }
        long before = clock.runningNanos();
        assertThat(before).isEqualTo(1000 * MS);
        now += 5000 * MS;
        long stood = clock.runningNanos();
        assertThat(stood - before).as("seen before the tick that is late").isEqualTo(70 * MS);
        clock.tick();
        assertThat(clock.runningNanos()).isEqualTo(stood);
        assertThat(clock.stoodNanos()).isEqualTo(4930 * MS);
        now += 20 * MS;
        clock.tick();
        assertThat(clock.runningNanos()).isEqualTo(stood + 20 * MS);
        assertThat(clock.instant(clock.runningNanos())).isEqualTo(clock.now());
    }

    @Test
    void doesNotMistakeABusySystemForSuspension() {
        for (int i = 0; i < 100; i++) {
            now += 60 * MS;
            clock.tick();
        }
        assertThat(clock.stoodNanos()).isZero();
        assertThat(clock.runningNanos()).isEqualTo(now);
    }
}
