package io.plimsoll.observe.self;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.GeneratorSample.Kept;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For how long the process could not run, and what that does to answers, in virtual time and from counters as Linux writes them. */
class KeptFromRunningTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    Path tasks;

    @Test
    void aStopOfEightyMillisecondsInAHundredDelaysAnAnswerBySixtyFourAtMost() {
        Standstills seen = new Standstills(0);
        long now = 0;
        for (int i = 0; i < 50; i++) {
            now += 85 * MILLI;
            seen.awake(now, 0);
            for (int k = 0; k < 3; k++) {
                now += 5 * MILLI;
                seen.awake(now, 0);
            }
        }
        Kept kept = seen.since(now);
        assertThat(kept.stoodShare()).isCloseTo(0.8, within(1e-9));
        assertThat(kept.answerWaitMicros()).isCloseTo(64_000, within(1e-6));
        assertThat(seen.since(now).stoodNanos()).isZero();
    }

    @Test
    void wakeUpsOfABusySystemAreNoStandstill() {
        Standstills seen = new Standstills(0);
        long now = 0;
        for (int i = 0; i < 1000; i++) {
            now += 9 * MILLI;
            seen.awake(now, 0);
        }
        assertThat(seen.since(now).stoodShare()).isZero();
    }

    /** Other programs had the cores: the rest of the process may have run. */
    @Test
    void whoWaitsForACoreDoesNotSeeTheProcessStand() {
        Standstills seen = new Standstills(0);
        seen.awake(45 * MILLI, 40 * MILLI);
        assertThat(seen.since(45 * MILLI).stoodShare()).isZero();
        seen.awake(90 * MILLI, 50 * MILLI);
        assertThat(seen.since(45 * MILLI).stoodNanos()).isEqualTo(30 * MILLI);
    }

    private void task(int id, String name, long cpuNanos, long waitedNanos, long runs) throws IOException {
        Path task = Files.createDirectories(tasks.resolve(String.valueOf(id)));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), cpuNanos + " " + waitedNanos + " " + runs + "\n");
    }

    @Test
    void waitsForACoreAreThoseOfTheLoadsThreadsAlone() throws IOException {
        task(1, "java", 0, 0, 0);
        task(2, "plimsoll-send-p", 0, 100 * MILLI, 10);
        task(3, "kafka-producer-", 0, 200 * MILLI, 20);
        task(4, "plimsoll-raw-pr", 0, 0, 0);
        CoreWaits waits = new CoreWaits(tasks);
        task(1, "java", 0, 900 * MILLI, 9);
        task(2, "plimsoll-send-p", 0, 700 * MILLI, 20);
        task(3, "kafka-producer-", 0, 400 * MILLI, 60);
        task(4, "plimsoll-raw-pr", 0, 100 * MILLI, 20);
        Kept kept = waits.since(new Kept(1000 * MILLI, 0, 0, 0, 0, 0));
        assertThat(kept.starvedShare()).isCloseTo(0.6, within(1e-9));
        // A sender takes no answers: those who do waited for 300 ms, 60 times.
        assertThat(kept.answerWaitMicros()).isCloseTo(5_000, within(1e-6));
        assertThat(waits.since(Kept.NEVER)).isEqualTo(Kept.NEVER);
    }

    @Test
    void threadsThatHaveEndedLeaveRoomForOthers() throws IOException {
        for (int id = 1; id <= 64; id++) {
            task(id, "kafka-producer-", 0, 0, 0);
        }
        CoreWaits waits = new CoreWaits(tasks);
        for (int id = 1; id <= 64; id++) {
            Files.delete(tasks.resolve(id + "/comm"));
            Files.delete(tasks.resolve(id + "/schedstat"));
            Files.delete(tasks.resolve(String.valueOf(id)));
        }
        waits.since(Kept.NEVER);
        task(65, "kafka-producer-", 0, 0, 0);
        waits.since(Kept.NEVER);
        task(65, "kafka-producer-", 0, 300 * MILLI, 60);
        assertThat(waits.since(new Kept(1000 * MILLI, 0, 0, 0, 0, 0)).answerWaitMicros())
                .isCloseTo(5_000, within(1e-6));
    }

    @Test
    void whereTheSystemDoesNotTellNobodyWaited() {
        CoreWaits waits = new CoreWaits(tasks.resolve("none"));
        assertThat(waits.since(Kept.NEVER)).isEqualTo(Kept.NEVER);
        assertThat(Kept.NEVER.stoodShare() + Kept.NEVER.starvedShare() + Kept.NEVER.answerWaitMicros())
                .isZero();
    }

    @Test
    void severalProcessesAtATimeTellTheirMean() {
        Kept stopped = new Kept(1000 * MILLI, 800 * MILLI, 64e9, 0, 0, 0);
        Kept running = new Kept(1000 * MILLI, 0, 0, 0, 0, 0);
        assertThat(stopped.plus(running).stoodShare()).isCloseTo(0.4, within(1e-9));
        assertThat(stopped.plus(running).answerWaitMicros()).isCloseTo(stopped.answerWaitMicros() / 2, within(1e-6));
    }
}
