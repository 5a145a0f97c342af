package io.plimsoll.load;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.PreciseWait.SpareCores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guards how exactly a sender waits, when it may spin, and that it spins no more than necessary, in virtual time. */
class PreciseWaitTest {
    private final VirtualTime time = new VirtualTime();
    private double busy;
    private final SpareCores cores = new SpareCores(4, () -> busy);
    private final PreciseWait wait = new PreciseWait(time, cores);

    @BeforeEach
    void begin() {
        wait.begin();
        look(2);
    }

    /** This number of CPU samples, one second apart. */
    private void look(int times) {
        for (int i = 0; i < times; i++) {
            cores.look(time.nanoTime());
            time.passTo(time.nanoTime() + SECOND);
        }
    }

    /** Waits a millisecond repeatedly; returns the worst lateness of the second half. */
    private long worst(int waits) {
        long worst = 0;
        for (int i = 0; i < waits; i++) {
            long due = time.nanoTime() + MILLI;
            long late = wait.until(due, time.nanoTime()) - due;
            worst = i < waits / 2 ? 0 : Math.max(worst, late);
        }
        return worst;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10_000, 60_000, 120_000})
    void spinsOnlyForTheWakeUpLatency(long oversleep) {
        time.oversleepNanos = oversleep;
        assertThat(worst(2_000)).isLessThanOrEqualTo(3_000);
        assertThat(wait.windowNanos()).isBetween(oversleep, oversleep + 5_000);
        long before = cores.spunNanos.get();
        worst(100);
        assertThat(cores.spunNanos.get() - before).isLessThanOrEqualTo(100 * 6_000);
    }

    @Test
    void returnsEarlyWhenWoken() {
        PreciseWait woken = new PreciseWait(
                new Waiter() {
                    @Override
                    public long nanoTime() {
                        return time.nanoTime();
                    }

                    @Override
                    public void park(long nanos) {
                        time.park(nanos / 2);
                    }
                },
                cores);
        woken.begin();
        long now = time.nanoTime();
        assertThat(woken.until(now + MILLI, now)).isLessThan(now + MILLI);
    }

    @Test
    void pausesSpinningAfterLosingItsCore() {
        time.oversleepNanos = 5 * MILLI;
        worst(15);
        assertThat(wait.spins(time.nanoTime())).isFalse();
        time.oversleepNanos = 10_000;
        long spun = cores.spunNanos.get();
        worst(100);
        assertThat(cores.spunNanos.get()).isEqualTo(spun);
        time.passTo(time.nanoTime() + SECOND);
        assertThat(wait.spins(time.nanoTime())).isTrue();
        assertThat(worst(2_000)).isLessThanOrEqualTo(3_000);
    }

    @Test
    void needsTwoCoresPerSenderToSpin() {
        SpareCores few = new SpareCores(4, () -> 0);
        few.claim(2);
        few.look(time.nanoTime());
        few.look(time.nanoTime() + SECOND);
        assertThat(few.free()).isTrue();
        SpareCores one = new SpareCores(1, () -> 0);
        one.claim(1);
        one.look(time.nanoTime());
        one.look(time.nanoTime() + SECOND);
        assertThat(one.free()).isFalse();
    }

    @Test
    void stopsSpinningOnFullHostAndResumesWithIdleCores() {
        assertThat(cores.free()).isTrue();
        busy = 0.95;
        look(1);
        assertThat(cores.free()).as("0.2 of 4 cores are idle").isFalse();
        busy = 0.5;
        look(4);
        assertThat(cores.free()).as("only a moment later").isFalse();
        look(2);
        assertThat(cores.free()).isTrue();
    }

    @Test
    void resumesOnlyWithIdleCoresForSpinningItself() {
        cores.spun(SECOND);
        busy = 0.95;
        look(1);
        busy = 0.7;
        look(7);
        assertThat(cores.free()).as("1.2 cores are idle, and spinning took one").isFalse();
        busy = 0.6;
        look(1);
        assertThat(cores.free()).isTrue();
    }

    @Test
    void assumesNoSpareCoresWithoutCpuFigures() {
        busy = -1;
        look(1);
        assertThat(cores.free()).isFalse();
    }
}
