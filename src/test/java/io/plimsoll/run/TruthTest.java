package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.SendLog;
import io.plimsoll.testing.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No delay between client and broker is hidden: planted delays appear in the latencies. Two sources of ground truth are
 * independent of the machine's load. Interceptors in the clients log each acknowledgment and reception, and the proxy
 * logs its stalls, during which no record can be answered.
 */
@Order(1)
class TruthTest {
    private static final int RATE = 2000;
    /** Width of a histogram bucket plus rounding to microseconds and wall-clock milliseconds. */
    private static final double WITHIN = 0.01;

    private static final long WITHIN_MICROS = 1500;
    private static final long DELAY_NANOS = 20_000_000;
    private static final long SECOND = 1_000_000_000;

    private static ProxiedLab<TcpProxy> lab;

    @TempDir
    Path out;

    @BeforeAll
    static void start() throws IOException {
        lab = new ProxiedLab<>(new TcpProxy(), Map.of());
    }

    @AfterAll
    static void stop() throws IOException {
        lab.close();
    }

    private TrialResult run(int rate, String producer) {
        return run(rate, producer, "1s");
    }

    private TrialResult run(int rate, String producer, String warmup) {
        SendLog.Interceptor.clear();
        String yaml = """
            name: truth
            topics:
              - {name: truth, partitions: 1}
            producers:
              - topic: truth
                rate: %d/s
                record: {size: 100}
                %s
                config: {linger.ms: 0, metric.reporters: %s, interceptor.classes: %s%s}
            consumers:
              - {topic: truth, config: {interceptor.classes: %s}}
            warmup: %s
            duration: 5s
            audit: true
            """;
        String[] parts = (producer + "|").split("\\|", -1);
        TrialResult trial = Runs.run(
                        yaml.formatted(
                                rate,
                                parts[0],
                                SendLog.Polls.class.getName(),
                                SendLog.Interceptor.class.getName(),
                                parts[1],
                                SendLog.Reader.class.getName(),
                                warmup),
                        lab.bootstrapServers(),
                        out)
                .trials()
                .get(0);
        assertThat(trial.audit().counts().lost()).isZero();
        assertThat(trial.produce().errors().total()).isZero();
        return trial;
    }

    /**
     * For one second in every three, no data passes. The first stall follows half a second of load: some records are
     * sent on time, which determines the origin of the schedule.
     */
    private TrialResult runWithStalls(int rate, String producer) {
        lab.proxy().stalls().clear();
        SendLog.Interceptor.clear();
        ScheduledExecutorService staller = Executors.newSingleThreadScheduledExecutor();
        try {
            var unused = staller.scheduleWithFixedDelay(
                    () -> {
                        List<SendLog.Stall> stalls = lab.proxy().stalls();
                        long now = System.nanoTime();
                        boolean due = stalls.isEmpty()
                                ? SendLog.Interceptor.acknowledged() > rate / 2
                                : now - stalls.get(stalls.size() - 1).toNanos() >= 2 * SECOND;
                        if (due) {
                            lab.proxy().stallUntil(now + SECOND);
                        }
                    },
                    0,
                    50,
                    TimeUnit.MILLISECONDS);
            return run(rate, producer);
        } finally {
            staller.shutdownNow();
        }
    }

    private static void assertSame(Latency reported, SendLog.Between witnessed) {
        assertThat(reported.count()).isEqualTo(witnessed.count());
        assertPercentile(reported.percentiles().p50(), witnessed, 50);
        assertPercentile(reported.percentiles().p75(), witnessed, 75);
        assertPercentile(reported.percentiles().p90(), witnessed, 90);
        assertPercentile(reported.max(), witnessed, 100);
        if (reported.percentiles().p99() != null) {
            assertPercentile(reported.percentiles().p99(), witnessed, 99);
        }
    }

    private static void assertPercentile(long reported, SendLog.Between witnessed, double percent) {
        assertThat(reported)
                .as("p%s", percent)
                .isBetween(
                        Math.round(witnessed.leastMicros(percent) * (1 - WITHIN)) - WITHIN_MICROS,
                        Math.round(witnessed.mostMicros(percent) * (1 + WITHIN)) + WITHIN_MICROS);
    }

    private static void assertStallsAreCharged(TrialResult trial, int threads, int rate) {
        SendLog log = SendLog.of(threads, rate);
        assertSame(trial.produce().times().responseTime(), log.response(rate, 6L * rate));
        assertSame(trial.consume().times().endToEnd(), log.endToEnd(rate, 6L * rate));
        long[] least = log.leastResponseNanos(lab.proxy().stalls(), rate, 6L * rate);
        for (Latency latency : List.of(
                trial.produce().times().responseTime(), trial.consume().times().endToEnd())) {
            assertThat(latency.percentiles().p90())
                    .isGreaterThan(Math.round((1 - WITHIN) * SendLog.percentileMicros(least, 90)));
            // It exists only with enough records.
            if (latency.percentiles().p99() != null) {
                assertThat(latency.percentiles().p99())
                        .isGreaterThan(Math.round((1 - WITHIN) * SendLog.percentileMicros(least, 99)));
            }
        }
        assertThat(SendLog.percentileMicros(least, 90)).as("planted").isGreaterThan(100_000);
    }

    @Test
    void chargesStallsToEveryDueRecord() {
        assertStallsAreCharged(runWithStalls(RATE, ""), 1, RATE);
    }

    @Test
    void chargesStallsToRecordsBlockedInSend() {
        TrialResult trial = runWithStalls(RATE, "|, buffer.memory: 49152");
        assertStallsAreCharged(trial, 1, RATE);
        assertThat(trial.produce().waits().bufferWaitSeconds()).isGreaterThan(0.3);
    }

    /** Each thread works off its own backlog in sequence: few enough records for the slowest machine. */
    @Test
    void chargesStallsToSynchronousSends() {
        int rate = RATE / 5;
        TrialResult trial = runWithStalls(rate, "send: sync\n    threads: 10");
        Assumptions.assumeTrue(SendLog.of(10, rate).wasOnTime(), "This host sends no record on time.");
        assertStallsAreCharged(trial, 10, rate);
    }

    /** Each thread needs twice as long for a record as it has, so it never sends the last ones. */
    @Test
    void chargesUnsentRecordsOfLaggingThreads() {
        int rate = RATE / 10;
        lab.proxy().delayResponses(2 * DELAY_NANOS);
        try {
            TrialResult trial = run(rate, "send: sync\n    threads: 4");
            SendLog log = SendLog.of(4, rate);
            assertThat(trial.produce().schedule().unsent()).isPositive();
            assertSame(trial.produce().times().responseTime(), log.response(rate, 6L * rate));
        } finally {
            lab.proxy().delayResponses(0);
        }
    }

    /** Broker responses to producers and consumers are delayed by 20 ms. */
    @Test
    void addedDelayAppearsInLatencies() {
        lab.proxy().delayResponses(DELAY_NANOS);
        try {
            // A low rate: no record waits for a request in flight.
            int rate = 20;
            TrialResult trial = run(rate, "");
            SendLog log = SendLog.of(1, rate);
            assertSame(trial.produce().times().responseTime(), log.response(rate, 6L * rate));
            assertSame(trial.consume().times().endToEnd(), log.endToEnd(rate, 6L * rate));
            assertThat(trial.produce().times().responseTime().min()).isGreaterThanOrEqualTo(19_900);
            assertThat(trial.consume().times().endToEnd().min()).isGreaterThanOrEqualTo(19_900);
        } finally {
            lab.proxy().delayResponses(0);
        }
    }

    /** Each response is 20 ms late: three of them until a client is connected, one until its first record arrives. */
    @Test
    void measuresColdStartSeparately() {
        lab.proxy().delayResponses(DELAY_NANOS);
        try {
            TrialResult trial = run(RATE, "", "none");
            SendLog log = SendLog.of(1, RATE);
            SendLog.Entry first = log.threads()[0][0];
            assertThat(first.batch()).as("the witness knows of batches").isPositive();
            assertThat(cold(trial, "metadata")).isGreaterThan(2 * DELAY_NANOS / 1e3);
            assertThat(cold(trial, "connected")).isGreaterThan(3 * DELAY_NANOS / 1e3);
            assertThat(cold(trial, "firstRecord"))
                    .isGreaterThan(DELAY_NANOS / 1e3)
                    .isBetween(
                            (first.ackedNanos() - first.sentNanos()) / 1e3 - WITHIN_MICROS,
                            (first.toldNanos() - log.dueNanos(first)) / 1e3 + WITHIN_MICROS);
            assertThat(cold(trial, "firstSecond.p99"))
                    .isBetween(DELAY_NANOS / 1e3, log.response(0, RATE).mostMicros(100) * (1 + WITHIN) + WITHIN_MICROS);
            // The second itself is not part of the measured window.
            assertSame(trial.produce().times().responseTime(), log.response(RATE, 6L * RATE));
            assertThat(trial.produce().schedule().warmupRecords()).isEqualTo(RATE);
        } finally {
            lab.proxy().delayResponses(0);
        }
    }

    private static double cold(TrialResult trial, String figure) {
        return FigureCatalogue.value(trial, "cold." + figure, Dimension.MICROSECONDS)
                .orElseThrow();
    }
}
