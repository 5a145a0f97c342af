package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.run.SelfWarming.Rest;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The load generator's code runs before the first trial, for a limited time, without leftovers and without records on a
 * cluster.
 */
class SelfWarmingTest {
    /** Enough for cold code on a busy machine; usually two seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(40);

    /** Upper bound for closing clients without waiting. */
    private static final Duration CLOSING = Duration.ofSeconds(20);

    @TempDir
    Path out;

    @Test
    void isSteadyOnceThroughputAndCpuAreSteady() {
        Rest rest = new Rest();
        for (int i = 1; i <= 6; i++) {
            rest.add(10_000 * i, 60.0 / i, 0);
            assertThat(rest.reached()).isFalse();
        }
        // Two outliers, as caused by other programs, do not count as unsteady.
        double[] rates = {60_000, 61_000, 9_000, 60_500, 59_000, 60_000, 90_000, 60_000};
        for (double rate : rates) {
            rest.add(rate, 10, 0.1);
        }
        assertThat(rest.reached()).isTrue();
    }

    @Test
    void fallingCpuAtAFixedRateIsUnsteady() {
        Rest rest = new Rest();
        for (int i = 0; i < 20; i++) {
            rest.add(5000, 100 - 4 * i, 0);
            assertThat(rest.reached()).isFalse();
        }
    }

    /** The compiler's queue can outlast the visible change. */
    @Test
    void activeCompilerIsUnsteady() {
        Rest rest = new Rest();
        for (int i = 0; i < 20; i++) {
            rest.add(5000, 10, 0.8);
            assertThat(rest.reached()).isFalse();
        }
        for (int i = 0; i < 8; i++) {
            rest.add(5000, 10, 0);
        }
        assertThat(rest.reached()).isTrue();
    }

    /** A cluster without permitted connections. */
    private static final class Witness implements AutoCloseable {
        private final ServerSocket socket;
        private final AtomicInteger calls = new AtomicInteger();

        Witness() throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(this::accept, "witness");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            while (!socket.isClosed()) {
                try (Socket caller = socket.accept()) {
                    calls.incrementAndGet();
                } catch (IOException e) {
                    // closed, or the caller has gone
                }
            }
        }

        Map<String, Object> properties() {
            return Map.of(
                    "bootstrap.servers", "127.0.0.1:" + socket.getLocalPort(),
                    "security.protocol", "SASL_PLAINTEXT",
                    "sasl.mechanism", "PLAIN",
                    "sasl.jaas.config",
                            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"p\";");
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static SelfWarmup warm(String yaml, Duration limit) throws IOException {
        Scenario scenario = ScenarioReader.read(yaml, "test.yaml", List.of(), 1)
                .trials()
                .get(0)
                .scenario();
        try (Witness cluster = new Witness()) {
            AuditTrail trail = new AuditTrail(4711);
            LoadContext context = new LoadContext(cluster.properties(), "trial", 4711, 1, n -> {}).with(trail);
            TrialAssignment trial =
                    new TrialAssignment("t", scenario, context, EndToEndSource.STAMP).withSelfWarmup(limit);
            List<SelfWarmup> done = SelfWarming.of("here", trial, () -> false);
            assertThat(cluster.calls).hasValue(0);
            assertThat(trail.profiles()).isEmpty();
            assertThat(done).hasSize(1);
            return done.get(0);
        }
    }

    private static void assertNothingIsLeft() throws Exception {
        Set<String> threads = Set.of("plimsoll-warm-trial", "plimsoll-self-warmup");
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (threads.stream().anyMatch(thread.getName()::contains)) {
                thread.join(CLOSING.toMillis());
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
        // Clients are closed by separate threads, together with their meters.
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Semaphore changes = new Semaphore(0);
        NotificationListener listener = (notification, handback) -> changes.release();
        beans.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
        try {
            long deadline = System.nanoTime() + CLOSING.toNanos();
            while (!ofTheTrial(beans).isEmpty()
                    && changes.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                changes.drainPermits();
            }
        } finally {
            beans.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
        }
        assertThat(ofTheTrial(beans)).isEmpty();
    }

    private static List<ObjectName> ofTheTrial(MBeanServer beans) {
        return beans.queryNames(null, null).stream()
                .filter(name -> name.toString().contains("plimsoll-warm-trial"))
                .toList();
    }

    @Test
    void warmsOfficialClientsWithoutACluster() throws Exception {
        SelfWarmup done = warm("""
            topics: [{name: t, partitions: 3, existing: true}]
            producers:
              - topic: t
                clients: 40
                rate: 1000/s
                record: {size: 200}
                transactions: {every: 1s}
                config: {acks: all, compression.type: lz4, interceptor.classes: no.such.Interceptor}
            consumers: [{topic: t, members: 3, groups: 2, commit: {sync: {every: 100}}}]
            audit: true
            """, LIMIT);
        assertThat(done.worker()).isEqualTo("here");
        assertThat(done.end()).isIn(SelfWarmup.STEADY, SelfWarmup.LIMIT);
        assertThat(done.records()).isPositive();
        assertThat(done.without().stream().map(s -> s.english())).containsExactly("transactions", "TLS and SASL");
        assertNothingIsLeft();
    }

    @Test
    void warmsRawClientsWithoutACluster() throws Exception {
        SelfWarmup done = warm("""
            topics: [{name: t, partitions: 3}]
            producers:
              - topic: t
                engine: raw
                connections: 50
                rate: unlimited
                record: {size: 100, key: {sequential: true, type: bytes}}
                config: {compression.type: zstd}
            consumers: [{topic: t, engine: raw}]
            audit: true
            """, LIMIT);
        assertThat(done.end()).isIn(SelfWarmup.STEADY, SelfWarmup.LIMIT);
        assertThat(done.records()).isPositive();
        assertNothingIsLeft();
    }

    @Test
    void warmsConsumersWithoutProducers() throws Exception {
        SelfWarmup done = warm("{topics: [{name: t, existing: true}], consumers: [{topic: t, records: 10}]}", LIMIT);
        assertThat(done.end()).isIn(SelfWarmup.STEADY, SelfWarmup.LIMIT);
        assertThat(done.records()).isGreaterThan(10_000);
    }

    @Test
    void stopsAtItsTimeLimit() throws Exception {
        SelfWarmup done = warm("{topics: [{name: t}], producers: [{topic: t, rate: 10/s}]}", Duration.ofMillis(100));
        assertThat(done.end()).isEqualTo(SelfWarmup.LIMIT);
        assertThat(done.seconds()).isLessThan(CLOSING.toSeconds());
        assertNothingIsLeft();
    }

    @Test
    void runReportsWarmUpThatWritesNoRecords() {
        String yaml = """
            name: warmed
            topics: [{name: warmed, keep: true}]
            producers: [{topic: warmed, records: 1000, record: {size: 40}}]
            trials: [{name: a}, {name: b}]
            audit: true
            """;
        RunResult result = Runs.run(Runs.request(yaml, SharedLab.oneBroker().bootstrapServers(), out)
                .with(draft -> draft.selfWarmup = LIMIT));
        Runs.assertSound(result);
        assertThat(result.environment().selfWarmups()).singleElement().satisfies(done -> {
            assertThat(done.worker()).isEqualTo("local");
            assertThat(done.records()).isPositive();
        });
        assertThat(result.trials())
                .allSatisfy(trial -> assertThat(trial.audit().counts().read()).isEqualTo(1000));
    }
}
