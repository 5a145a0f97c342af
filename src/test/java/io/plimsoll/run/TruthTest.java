package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.Runs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Plants delays of known size between client and broker, and holds what is reported against the truth. A machine that
 * is busy with other things adds delays of its own, so that each measurement has three chances; a tool that measures
 * wrongly fails them all.
 */
@Isolated
class TruthTest {
    private static final int ATTEMPTS = 3;
    private static final long SECOND = 1_000_000_000L;

    private static ProxiedLab lab;

    @TempDir
    Path out;

    @BeforeAll
    static void start() throws IOException {
        lab = new ProxiedLab(java.util.Map.of());
    }

    @AfterAll
    static void stop() throws IOException {
        lab.close();
    }

    /** Stalls for 1 s in every 5 s: 80 % of the records see nothing of it, 20 % wait evenly between 0 and 1 s. */
    private static RunResult runWithStalls(Supplier<RunResult> run) {
        Thread staller = new Thread(
                () -> {
                    try {
                        while (true) {
                            Thread.sleep(4000);
                            lab.proxy().stallUntil(System.nanoTime() + SECOND);
                            Thread.sleep(1000);
                        }
                    } catch (InterruptedException e) {
                        // the run is over
                    }
                },
                "staller");
        staller.start();
        try {
            return run.get();
        } finally {
            staller.interrupt();
        }
    }

    private static void attempt(Supplier<RunResult> run, Consumer<TrialResult> truth) {
        AssertionError last = null;
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                truth.accept(run.get().trials().get(0));
                return;
            } catch (AssertionError e) {
                last = e;
            }
        }
        throw last;
    }

    private static String scenario(String producer) {
        return """
                name: truth
                topics:
                  - {name: truth, partitions: 1}
                producers:
                  - topic: truth
                    rate: 2000/s
                    record: {size: 100}
                    %s
                consumers:
                  - {topic: truth}
                warmup: 2s
                duration: 20s
                audit: true
                """.formatted(producer);
    }

    private static void uniformFifth(TrialResult trial) {
        assertThat(trial.produce().records()).isEqualTo(40_000);
        assertThat(trial.produce().responseTime().p90()).isCloseTo(500_000L, Percentage.withPercentage(3));
        assertThat(trial.produce().responseTime().p99()).isCloseTo(950_000L, Percentage.withPercentage(3));
        assertThat(trial.produce().responseTime().p75()).isLessThan(100_000L);
        assertThat(trial.consume().endToEnd().p90()).isCloseTo(500_000L, Percentage.withPercentage(3));
        assertThat(trial.consume().endToEnd().p99()).isCloseTo(950_000L, Percentage.withPercentage(3));
        assertThat(trial.audit().lost()).isZero();
    }

    @Test
    void stallsAreChargedToEveryRecordThatWasDue() {
        String yaml = scenario("config: {linger.ms: 0}");
        attempt(() -> runWithStalls(() -> Runs.run(yaml, lab.bootstrapServers(), out)), TruthTest::uniformFifth);
    }

    @Test
    void stallsAreChargedToRecordsThatSendHeldUp() {
        String yaml = scenario("config: {linger.ms: 0, buffer.memory: 49152}");
        attempt(() -> runWithStalls(() -> Runs.run(yaml, lab.bootstrapServers(), out)), trial -> {
            uniformFifth(trial);
            assertThat(trial.produce().bufferWaitSeconds()).isGreaterThan(1);
        });
    }

    /** Each thread works off its own backlog one by one, which the expectation follows step by step. */
    @Test
    void stallsAreChargedToSynchronousSends() {
        // So many that each has a short backlog: how fast it is worked off is not what is planted here.
        int threads = 50;
        String yaml = scenario("send: sync\n    threads: " + threads + "\n    config: {linger.ms: 0}");
        attempt(() -> runWithStalls(() -> Runs.run(yaml, lab.bootstrapServers(), out)), trial -> {
            long service = trial.produce().serviceTime().p50() * 1000;
            long[] expected = SyncBacklog.responseTimes(threads, 2000, service, 5 * SECOND, SECOND, 20 * SECOND);
            assertThat(trial.produce().responseTime().p90())
                    .isCloseTo(SyncBacklog.percentile(expected, 0.90) / 1000, Percentage.withPercentage(5));
            assertThat(trial.produce().responseTime().p99())
                    .isCloseTo(SyncBacklog.percentile(expected, 0.99) / 1000, Percentage.withPercentage(5));
        });
    }

    @Test
    void anAddedDelayShowsAsItself() {
        // So slow that no request and no fetch waits behind one that is still on its way.
        String yaml = scenario("config: {linger.ms: 0}").replace("2000/s", "10/s");
        attempt(
                () -> {
                    lab.proxy().delayResponses(0);
                    RunResult bare = Runs.run(yaml, lab.bootstrapServers(), out, "duration=10s");
                    lab.proxy().delayResponses(20_000_000);
                    RunResult delayed = Runs.run(yaml, lab.bootstrapServers(), out, "duration=10s");
                    lab.proxy().delayResponses(0);
                    TrialResult without = bare.trials().get(0);
                    TrialResult with = delayed.trials().get(0);
                    assertThat(with.produce().responseTime().p50()
                                    - without.produce().responseTime().p50())
                            .isBetween(19_000L, 21_000L);
                    assertThat(with.consume().endToEnd().p50()
                                    - without.consume().endToEnd().p50())
                            .isBetween(19_000L, 21_000L);
                    return delayed;
                },
                trial -> assertThat(trial.produce().errors().total()).isZero());
    }
}
