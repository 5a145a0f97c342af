package io.plimsoll.observe.self;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.observe.self.SelfObserver.CoreWaits;
import io.plimsoll.observe.self.SelfObserver.Standstills;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pauses of the process and their effect on responses, in virtual time and from counters in Linux format. */
class KeptFromRunningTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    Path tasks;

    private static Counts read(Standstills seen, long elapsedNanos) {
        return MeterCounts.of(into -> seen.read(elapsedNanos, into.whole())).whole();
    }

    /** With pause monitoring for this time and without a pause. */
    private static Counts read(CoreWaits waits, long watchedNanos) {
        return MeterCounts.of(into -> {
                    into.whole().add(GeneratorUse.WATCHED_NANOS, watchedNanos);
                    waits.read(into.whole());
                })
                .whole();
    }

    @Test
    void boundsResponseDelayCausedByStops() {
        Standstills seen = new Standstills(0, Standstills.EVERY_NANOS, new SelfObserver.Pauses());
        long now = 0;
        for (int i = 0; i < 50; i++) {
            now += 85 * MILLI;
            seen.awake(now, 0);
            for (int k = 0; k < 3; k++) {
                now += 5 * MILLI;
                seen.awake(now, 0);
            }
        }
        Counts kept = read(seen, now);
        assertThat(GeneratorUse.stoodShare(kept)).isCloseTo(0.8, within(1e-9));
        assertThat(GeneratorUse.answerWaitMicros(kept)).isCloseTo(64_000, within(1e-6));
        assertThat(read(seen, now).get(GeneratorUse.STOOD_NANOS)).isZero();
    }

    @Test
    void lateWakeUpsOnBusyHostAreNotPauses() {
        Standstills seen = new Standstills(0, Standstills.EVERY_NANOS, new SelfObserver.Pauses());
        long now = 0;
        for (int i = 0; i < 1000; i++) {
            now += 9 * MILLI;
            seen.awake(now, 0);
        }
        assertThat(GeneratorUse.stoodShare(read(seen, now))).isZero();
    }

    /** Other programs had the cores: the rest of the process may have run. */
    @Test
    void excludesCoreWaitsFromPauses() {
        Standstills seen = new Standstills(0, Standstills.EVERY_NANOS, new SelfObserver.Pauses());
        seen.awake(45 * MILLI, 40 * MILLI);
        assertThat(GeneratorUse.stoodShare(read(seen, 45 * MILLI))).isZero();
        seen.awake(90 * MILLI, 50 * MILLI);
        assertThat(read(seen, 45 * MILLI).get(GeneratorUse.STOOD_NANOS)).isEqualTo(30 * MILLI);
    }

    private void task(int id, String name, long cpuNanos, long waitedNanos, long runs) throws IOException {
        Path task = Files.createDirectories(tasks.resolve(String.valueOf(id)));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), cpuNanos + " " + waitedNanos + " " + runs + "\n");
    }

    @Test
    void countsCoreWaitsOfLoadThreadsOnly() throws IOException {
        task(1, "java", 0, 0, 0);
        task(2, "plimsoll-send-p", 0, 100 * MILLI, 10);
        task(3, "kafka-producer-", 0, 200 * MILLI, 20);
        task(4, "plimsoll-raw-pr", 0, 0, 0);
        CoreWaits waits = new CoreWaits(tasks);
        task(1, "java", 0, 900 * MILLI, 9);
        task(2, "plimsoll-send-p", 0, 700 * MILLI, 20);
        task(3, "kafka-producer-", 0, 400 * MILLI, 60);
        task(4, "plimsoll-raw-pr", 0, 100 * MILLI, 20);
        Counts kept = read(waits, 1000 * MILLI);
        assertThat(GeneratorUse.starvedShare(kept)).isCloseTo(0.6, within(1e-9));
        // A sender handles no responses: the threads that do waited for 300 ms, 60 times.
        assertThat(GeneratorUse.answerWaitMicros(kept)).isCloseTo(5_000, within(1e-6));
        assertThat(read(waits, 0).isEmpty()).isTrue();
    }

    @Test
    void replacesEndedThreads() throws IOException {
        for (int id = 1; id <= 64; id++) {
            task(id, "kafka-producer-", 0, 0, 0);
        }
        CoreWaits waits = new CoreWaits(tasks);
        for (int id = 1; id <= 64; id++) {
            Files.delete(tasks.resolve(id + "/comm"));
            Files.delete(tasks.resolve(id + "/schedstat"));
            Files.delete(tasks.resolve(String.valueOf(id)));
        }
        read(waits, 0);
        task(65, "kafka-producer-", 0, 0, 0);
        read(waits, 0);
        task(65, "kafka-producer-", 0, 300 * MILLI, 60);
        assertThat(GeneratorUse.answerWaitMicros(read(waits, 1000 * MILLI))).isCloseTo(5_000, within(1e-6));
    }

    @Test
    void reportsNoWaitsWithoutSchedstat() {
        CoreWaits waits = new CoreWaits(tasks.resolve("none"));
        assertThat(read(waits, 0).isEmpty()).isTrue();
        assertThat(GeneratorUse.stoodShare(Counts.NONE)
                        + GeneratorUse.starvedShare(Counts.NONE)
                        + GeneratorUse.answerWaitMicros(Counts.NONE))
                .isZero();
    }

    @Test
    void averagesConcurrentProcesses() {
        Counts running = watched(0, 0);
        Counts stopped = watched(800 * MILLI, 64e9);
        Counts both = Counts.Sum.acrossWorkers().add(stopped).add(running).total();
        assertThat(GeneratorUse.stoodShare(both)).isCloseTo(0.4, within(1e-9));
        assertThat(GeneratorUse.answerWaitMicros(both))
                .isCloseTo(GeneratorUse.answerWaitMicros(stopped) / 2, within(1e-6));
    }

    private static Counts watched(long stoodNanos, double squares) {
        return Counts.Sum.overTime()
                .add(GeneratorUse.WATCHED_NANOS, 1000 * MILLI)
                .add(GeneratorUse.STOOD_NANOS, stoodNanos)
                .add(GeneratorUse.STOOD_SQUARES, Double.valueOf(squares))
                .total();
    }
}
