package io.plimsoll.load;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.scenario.WorkSpec;
import io.plimsoll.scenario.WorkSpec.Shape;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Guards the duration of a member's work, in virtual time: each shape, parallel threads, and cancellation. */
class WorkTest {
    private final VirtualTime time = new VirtualTime();
    private final long start = time.nanoTime();
    private final AtomicBoolean over = new AtomicBoolean();

    private Work work(Shape shape, long millis, int threads) {
        return new Work(new WorkSpec(shape, Duration.ofMillis(millis), threads, true, false, 0), 1, time, over::get);
    }

    /** @return completion time of each record, in milliseconds since the start */
    private List<Double> done(Work work, int records) {
        List<Double> done = new ArrayList<>();
        work.begin(records);
        for (int i = 0; i < records && work.next(); i++) {
            done.add((time.nanoTime() - start) / (double) MILLI);
        }
        return done;
    }

    @Test
    void processesRecordsOneAfterAnother() {
        assertThat(done(work(Shape.EACH, 5, 1), 4)).containsExactly(5.0, 10.0, 15.0, 20.0);
    }

    @Test
    void threadsWorkInParallelAndFinishInOrder() {
        assertThat(done(work(Shape.EACH, 10, 2), 5)).containsExactly(10.0, 10.0, 20.0, 20.0, 30.0);
    }

    @Test
    void batchTimeIsIndependentOfRecordCount() {
        Work work = work(Shape.PER_BATCH, 20, 1);
        assertThat(done(work, 3)).containsExactly(20.0, 20.0, 20.0);
        assertThat(done(work, 1)).containsExactly(40.0);
    }

    @Test
    void doesNotAccumulateOversleep() {
        time.oversleepNanos = MILLI;
        assertThat(done(work(Shape.EACH, 10, 1), 1000).get(999)).isCloseTo(10_000, within(2.0));
    }

    @Test
    void exponentialTimesHaveExpectedMeanAndSpread() {
        Work work = work(Shape.EXPONENTIAL, 10, 1);
        List<Double> done = done(work, 10_000);
        assertThat(done.get(9999) / 10_000).isCloseTo(10, within(0.5));
        double squares = 0;
        for (int i = 1; i < done.size(); i++) {
            squares += Math.pow(done.get(i) - done.get(i - 1), 2);
        }
        assertThat(squares / 9999).as("mean square").isCloseTo(200, within(30.0));
    }

    @Test
    void stopsWhenTheMemberHasToEnd() {
        time.at(start + SECOND, () -> over.set(true));
        assertThat(done(work(Shape.EACH, 300, 1), 10)).containsExactly(300.0, 600.0, 900.0);
        assertThat(time.nanoTime()).isLessThan(start + SECOND + 50 * MILLI);
    }

    @Test
    void failsAtConfiguredRatio() {
        Work work = new Work(new WorkSpec(Shape.EACH, Duration.ofNanos(1), 1, true, false, 0.1), 3, time, over::get);
        int failed = 0;
        for (int i = 0; i < 10_000; i++) {
            failed += work.failed() ? 1 : 0;
        }
        assertThat(failed).isBetween(900, 1100);
    }

    @Test
    void cpuWorkUsesConfiguredCpuTime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (Work work = new Work(
                new WorkSpec(Shape.EACH, Duration.ofMillis(5), 2, true, true, 0), 1, Waiter.SYSTEM, over::get)) {
            work.begin(20);
            for (int i = 0; i < 20; i++) {
                assertThat(work.next()).isTrue();
            }
            long cpu = Thread.getAllStackTraces().keySet().stream()
                    .filter(t -> t.getName().equals(Thread.currentThread().getName() + "-work"))
                    .mapToLong(t -> threads.getThreadCpuTime(t.getId()))
                    .sum();
            assertThat(cpu).isBetween(100 * MILLI, 300 * MILLI);
        }
    }
}
