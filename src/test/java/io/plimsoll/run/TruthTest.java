package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.SendLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
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
        lab = new ProxiedLab(Map.of());
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
            duration: 10s
            audit: true
            """.formatted(producer);
    }

    private static void uniformFifth(TrialResult trial) {
        assertThat(trial.produce().volume().records()).isEqualTo(20_000);
        assertThat(trial.produce().times().responseTime().percentiles().p90()).isCloseTo(500_000L, withPercentage(3));
        assertThat(trial.produce().times().responseTime().percentiles().p99()).isCloseTo(950_000L, withPercentage(3));
        assertThat(trial.produce().times().responseTime().percentiles().p75()).isLessThan(100_000L);
        assertThat(trial.consume().times().endToEnd().percentiles().p90()).isCloseTo(500_000L, withPercentage(3));
        assertThat(trial.consume().times().endToEnd().percentiles().p99()).isCloseTo(950_000L, withPercentage(3));
        assertThat(trial.audit().counts().lost()).isZero();
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
            assertThat(trial.produce().waits().bufferWaitSeconds()).isGreaterThan(1);
        });
    }

    /**
     * Each thread works off its own backlog one by one, at a pace that depends on the machine and the moment. A witness
     * inside the client says when each record was acknowledged, and the schedule's arithmetic when it was due: that is
     * the exact distribution. It cannot be better than what the stalls alone make of it.
     */
    @Test
    void stallsAreChargedToSynchronousSends() {
        int threads = 10;
        String yaml = scenario("send: sync\n    threads: %d\n    config: {linger.ms: 0, interceptor.classes: %s}"
                .formatted(threads, SendLog.Interceptor.class.getName()));
        Supplier<RunResult> run = () -> {
            SendLog.Interceptor.clear();
            return runWithStalls(() -> Runs.run(yaml, lab.bootstrapServers(), out));
        };
        attempt(run, trial -> {
            long[] witnessed = SendLog.of(threads, 2000).responseNanos(4000, 24_000);
            assertThat(witnessed).hasSize(20_000);
            assertThat(trial.produce().times().responseTime().percentiles().p90())
                    .isCloseTo(witnessed[18_000] / 1000, withPercentage(1))
                    .isGreaterThan(500_000 * 97 / 100);
            assertThat(trial.produce().times().responseTime().percentiles().p99())
                    .isCloseTo(witnessed[19_800] / 1000, withPercentage(1))
                    .isGreaterThan(950_000 * 97 / 100);
        });
    }

    /** With room for every request that is on its way: the client's usual limit of 5 would add waits of its own. */
    @Test
    void anAddedDelayShowsAsItself() {
        String yaml = scenario(
                "config: {linger.ms: 0, enable.idempotence: false," + " max.in.flight.requests.per.connection: 1000}");
        assertDelayShows(
                yaml,
                trial -> trial.produce().times().responseTime().percentiles().p50());
    }

    /** So slow that each record finds a fetch waiting for it at the broker, and none that is still on its way back. */
    @Test
    void anAddedDelayShowsEndToEnd() {
        String yaml = scenario("config: {linger.ms: 0}").replace("2000/s", "10/s");
        assertDelayShows(
                yaml, trial -> trial.consume().times().endToEnd().percentiles().p50());
    }

    private void assertDelayShows(String yaml, ToLongFunction<TrialResult> median) {
        long[] medians = new long[2];
        Supplier<RunResult> run = () -> {
            RunResult last = null;
            for (int delayed = 0; delayed < 2; delayed++) {
                lab.proxy().delayResponses(delayed * 20_000_000L);
                last = Runs.run(yaml, lab.bootstrapServers(), out, "warmup=1s", "duration=3s");
                medians[delayed] = median.applyAsLong(last.trials().get(0));
            }
            lab.proxy().delayResponses(0);
            return last;
        };
        attempt(run, trial -> {
            assertThat(trial.produce().errors().total()).isZero();
            assertThat(medians[1] - medians[0]).isBetween(19_000L, 21_000L);
        });
    }
}
