package io.plimsoll.load.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.Exit;
import io.plimsoll.LinuxRoot;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.load.Connections;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.Slice;
import io.plimsoll.load.Waiter;
import io.plimsoll.measure.Connected;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.report.RunReport;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.run.RunRequest;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.ConnectionSpec;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.testing.Scenarios;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections without records on real brokers: the requested number is open, by the kernel's count, and each stage is
 * timed.
 */
class ConnectionsTest {
    @TempDir
    Path out;

    private RunResult run(String scenario, Lab lab, Map<String, String> login, Consumer<Snapshot> listener) {
        RunRequest request = Runs.request(scenario, lab.bootstrapServers(), out)
                .with(draft -> draft.cluster = Optional.of(new ClusterConnection(lab.bootstrapServers(), login)));
        return Runs.run(request, listener);
    }

    /** Kernel's count of connections from here to a broker. */
    private static long established(Lab lab) {
        int port = Integer.parseInt(
                lab.bootstrapServers().substring(lab.bootstrapServers().lastIndexOf(':') + 1));
        String remote = String.format(Locale.ROOT, ":%04X 01 ", port);
        return Stream.of("tcp", "tcp6")
                .flatMap(table -> lines(Path.of("/proc/net", table)))
                .filter(line -> line.contains(remote))
                .count();
    }

    private static Stream<String> lines(Path table) {
        try {
            return Files.exists(table) ? Files.readAllLines(table).stream() : Stream.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Latency time(TrialResult trial, String stage) {
        return trial.detail().distributions().get("connect." + stage);
    }

    private static double figure(TrialResult trial, String name) {
        return trial.detail().figures().get("connect." + name);
    }

    /**
     * Beside a load, some of them closed and reopened. Without a login: on a saturated machine a login may take longer
     * than the test.
     */
    @Test
    void keepsConnectionsOpenBesideALoad() {
        Lab lab = SharedLab.oneBroker();
        AtomicLong most = new AtomicLong();
        AtomicLong opened = new AtomicLong();
        RunResult result = run(
                """
                name: connections-beside
                topics: [{name: connections-beside}]
                producers: [{topic: connections-beside, rate: 100/s}]
                connections: [{count: 10, rate: 10/s, churn: 10%/s}]
                warmup: 1s
                duration: 10s
                audit: true
                checks: [connect.failures == 0, connect.time.max < 60s]
                """,
                lab, Map.of(), snapshot -> {
                    most.accumulateAndGet(established(lab), Math::max);
                    opened.addAndGet(Connected.count(snapshot.measured(), Connected.OPENED));
                });
        TrialResult trial = result.trials().get(0);
        Runs.assertSound(result);
        assertThat(trial.judgement().checks()).hasSize(2).allMatch(check -> check.passed());
        assertThat(most.get()).isGreaterThanOrEqualTo(10);
        // Ten, and one more per second; the last one can be in progress.
        assertThat(opened.get()).isBetween(10 + 1L, 10 + 11L);
        assertThat(figure(trial, "standing")).isPositive().isLessThanOrEqualTo(10);
        double stages = 0;
        for (String stage : List.of("tcp", "metadata")) {
            assertThat(time(trial, stage).count()).isGreaterThanOrEqualTo(opened.get());
            stages += time(trial, stage).mean();
        }
        assertThat(time(trial, "time").count()).isEqualTo(opened.get());
        assertThat(stages).isCloseTo(time(trial, "time").mean(), within(0.2 * stages));
        assertThat(time(trial, "back")).isNull();
        // The last of ten is due after 0.9 s.
        assertThat(time(trial, "firstOpen").count()).isEqualTo(10);
        assertThat(time(trial, "firstOpen").max()).isGreaterThanOrEqualTo(900_000);
        // The CPU time of brokers is measured on Linux only.
        OptionalDouble brokerCpu = FigureCatalogue.value(trial, "connect.brokerCpu", Dimension.MICROSECONDS);
        assertThat(brokerCpu.isPresent()).isEqualTo(LinuxRoot.isHere());
        assertThat(brokerCpu.orElse(1)).isPositive();
        assertThat(RunReport.markdown(result, Language.EN))
                .contains("connect p99")
                .contains("first metadata");
        assertThat(RunReport.markdown(result, Language.ZH)).contains("连接 p99").contains("首次元数据");
    }

    /** The stop request comes a second late. */
    @Test
    void neitherOpensNorCountsAfterTheWindow() throws InterruptedException {
        ConnectionSpec spec = ScenarioReader.read(
                        "name: s\nconnections: [{count: 4, rate: 1000/s, churn: 1000%/s}]\n", "test.yaml", List.of(), 1)
                .trials()
                .get(0)
                .scenario()
                .connections()
                .get(0);
        // On a busy host, the first connection can take a second or more.
        long windowNanos = Duration.ofSeconds(3).toNanos();
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions())) {
            String[] address = broker.bootstrapServers().split(":");
            LoadContext context =
                    new LoadContext(Map.of("bootstrap.servers", broker.bootstrapServers()), "late", 1, 1, text -> {});
            Connections connections = Connections.maker()
                    .create(
                            context,
                            spec,
                            Slice.all(spec.count()),
                            "connections-0",
                            List.of(new Node(1, address[0], Integer.parseInt(address[1]))));
            long start = System.nanoTime();
            connections.start(new TrialClock(start, start, start + windowNanos, 0));
            Waiter.SYSTEM.await(() -> System.nanoTime() > start + windowNanos + 1_000_000_000L, Duration.ofMinutes(1));
            connections.stop();
            connections.close();
            Counts counts =
                    MeterCounts.of(into -> connections.read(into.window(true))).measured();
            assertThat(Connected.count(counts, Connected.OPENED)).isPositive();
            assertThat(Connected.count(counts, Connected.STANDING_NANOS))
                    .isPositive()
                    .isLessThanOrEqualTo(4 * windowNanos);
            // Four, and forty per second again.
            assertThat(Connected.count(counts, Connected.OPENED)).isLessThanOrEqualTo(4 + 3 * 40);
        }
    }

    /** Only one of two brokers refuses connections, and each thread has one. */
    @Test
    void notesErrorOfAnyThread() throws InterruptedException {
        List<Sentence> notes = new CopyOnWriteArrayList<>();
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions())) {
            String[] address = broker.bootstrapServers().split(":");
            LoadContext context = new LoadContext(
                    Map.of("bootstrap.servers", broker.bootstrapServers()), "refused", 1, 1, notes::add);
            Connections connections = Connections.maker()
                    .create(
                            context,
                            Scenarios.scenario("name: s\nconnections: [{count: 2, rate: 1000/s}]\n")
                                    .connections()
                                    .get(0),
                            Slice.all(2),
                            "connections-0",
                            List.of(
                                    new Node(1, address[0], Integer.parseInt(address[1])),
                                    new Node(2, "127.0.0.1", 1)));
            long start = System.nanoTime();
            connections.start(new TrialClock(start, start, Long.MAX_VALUE, 0));
            assertThat(Waiter.SYSTEM.await(
                            () -> MeterCounts.of(into -> connections.read(into.window(true)))
                                    .measured()
                                    .get(Connected.COUNTS)
                                    .keySet()
                                    .stream()
                                    .anyMatch(name -> name.startsWith(Connected.FAILED)),
                            Duration.ofMinutes(1)))
                    .isTrue();
            connections.close();
        }
        assertThat(notes)
                .filteredOn(note -> note.key().equals("load.connectionsFailed"))
                .singleElement()
                .satisfies(note -> assertThat(note.arguments().get(3)).isNotEqualTo(Connected.TIMEOUT));
    }

    @Test
    void refusesMoreConnectionsThanTheFileLimit() {
        String servers = SharedLab.oneBroker().bootstrapServers();
        assertThatThrownBy(() -> Runs.run("name: s\nconnections: [{count: 200000, rate: 1000/s}]\n", servers, out))
                .hasMessageContaining(Said.text("«load.tooFewFiles¦200000»"))
                .hasMessageContaining("ulimit -n 200300")
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE));
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSL",
                "SSL,mutual,acls",
                "SASL_PLAINTEXT,PLAIN",
                "SASL_SSL,SCRAM-SHA-256,reauth=2s",
                "SASL_SSL,OAUTHBEARER,acls"
            })
    void supportsEveryLogin(String security) {
        try (Lab lab = SecuredLab.start(security)) {
            RunResult result = run(
                    "name: s\nconnections: [{count: 40, rate: 40/s}]\nduration: 5s\nchecks: [connect.missing == 0]\n",
                    lab,
                    lab.logins().orElseThrow().client(),
                    s -> {});
            TrialResult trial = result.trials().get(0);
            assertThat(result.head().exitCode()).isZero();
            assertThat(time(trial, "time").count()).isEqualTo(40);
            assertThat(figure(trial, "dropped")).isZero();
            assertThat(time(trial, "tls") == null).isEqualTo(!security.contains("SSL"));
            assertThat(time(trial, "login") == null).isEqualTo(!security.startsWith("SASL"));
        }
    }

    @Test
    void countsOnlyConnectionsDueInTheWindow() {
        RunRequest request = Runs.request(
                        "name: s\nconnections: [{count: 30, rate: 20/s}]\nduration: 1s\n",
                        SharedLab.oneBroker().bootstrapServers(),
                        out)
                .with(draft -> draft.selfWarmup = Duration.ofSeconds(2));
        RunResult result = Runs.run(request);
        TrialResult trial = result.trials().get(0);
        assertThat(time(trial, "firstOpen").count()).isBetween(1L, 20L);
        Sentence said = result.verdict().sentence();
        assertThat(said.key()).isEqualTo("result.connectedAll");
        assertThat(said.arguments().get(3))
                .isEqualTo(String.valueOf(time(trial, "firstOpen").count()));
        // Only producers and consumers have code to warm up.
        assertThat(result.environment().selfWarmups()).isEmpty();
    }

    /** All connections are lost with the broker and return; only the clients know when. */
    @Tag("nightly")
    @Test
    void reopensAllConnectionsAfterARestart() {
        RunResult result = Runs.run(Runs.request(ScenarioReader.read("""
                        name: s
                        connections: [{count: 200, rate: 200/s}]
                        duration: 25s
                        faults: [{at: 4s, stop: any, restartAfter: 1s}]
                        checks: [connect.missing == 0]
                        """, "test.yaml", List.of(), 1), out));
        TrialResult trial = result.trials().get(0);
        assertThat(trial.judgement().checks()).allMatch(check -> check.passed());
        assertThat(figure(trial, "dropped")).isEqualTo(200);
        assertThat(figure(trial, "failures")).isPositive();
        assertThat(time(trial, "back").count()).isEqualTo(200);
        assertThat(time(trial, "back").max()).isBetween(1_000_000L, 21_000_000L);
        assertThat(trial.judgement().warnings())
                .anySatisfy(text -> assertThat(text.english()).contains("connection attempts failed, by stage: tcp"));
    }

    /** A broker that accepts 20 connections per address and closes further ones immediately. */
    @Tag("nightly")
    @Test
    void reportsConnectionsRefusedByABroker() {
        try (Lab lab = SecuredLab.start("PLAINTEXT", Map.of("max.connections.per.ip", "20"), Map.of())) {
            AtomicLong most = new AtomicLong();
            RunResult result = run(
                    "name: s\nconnections: [{count: 50, rate: 100/s}]\nduration: 4s\nchecks: [connect.missing == 0]\n",
                    lab,
                    Map.of(),
                    s -> most.accumulateAndGet(established(lab), Math::max));
            TrialResult trial = result.trials().get(0);
            assertThat(result.head().exitCode()).isEqualTo(Exit.CHECK_FAILED.code());
            assertThat(figure(trial, "standing")).isBetween(8.0, 20.0);
            assertThat(figure(trial, "missing")).isBetween(30.0, 45.0);
            assertThat(result.verdict().sentence().english()).containsPattern(Said.en("result.connectedSome"));
            // Those that were never open count until the end.
            assertThat(time(trial, "firstOpen").count()).isEqualTo(50);
            assertThat(time(trial, "firstOpen").max()).isGreaterThan(3_000_000);
            assertThat(figure(trial, "failures.metadata")).isGreaterThan(30);
        }
    }
}
