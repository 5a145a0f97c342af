package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.cli.RunsInTurns.TurnProcess;
import io.plimsoll.cli.RunsInTurns.TurnSide;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.testing.FrameProxy;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.RunningCommand.Ended;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** Alternating runs, on two real clusters and with two client builds: the worse side, and rejected combinations. */
@Order(1)
class RunsOnTwoSidesTest {
    private static final long HELD_MILLIS = 300;

    /** The nightly build copies the other versions to this directory. */
    private static final Path OTHERS = Path.of("target", "kafka-clients");

    private final String topic = "two-sides-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private String scenario(String producer) throws IOException {
        String yaml =
                "name: orders\ntopics: [{name: %s}]\nproducers: [{topic: %s, %s}]\n".formatted(topic, topic, producer);
        return Files.writeString(directory.resolve("orders.yaml"), yaml).toString();
    }

    private InProcess run(String producer, String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of("run", scenario(producer), "--quiet", "--out", out().toString()));
        all.addAll(List.of(args));
        return InProcess.run(all.toArray(String[]::new));
    }

    private Path out() {
        return directory.resolve("runs");
    }

    private Path place() throws IOException {
        try (Stream<Path> made = Files.list(out())) {
            return made.findFirst().orElseThrow();
        }
    }

    private static String shared() {
        return SharedLab.oneBroker().bootstrapServers();
    }

    private static Path jarOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** The results of each side, in the order used by the comparison. */
    private List<List<JsonNode>> results() throws IOException {
        List<List<JsonNode>> sides = new ArrayList<>();
        for (JsonNode side :
                Json.MAPPER.readTree(place().resolve("turns.json").toFile()).get("runs")) {
            List<JsonNode> results = new ArrayList<>();
            for (JsonNode run : side) {
                Path result = place().resolve(run.asText()).resolve("result.json");
                ResultSchema.assertValid(result);
                assertThat(result.resolveSibling("report.html")).exists();
                results.add(Json.MAPPER.readTree(result.toFile()));
            }
            sides.add(results);
        }
        return sides;
    }

    /** A run that is too short for a busy machine to be valid (exit code 5) takes precedence over the comparison. */
    private static int exit(List<List<JsonNode>> results, int otherwise) {
        boolean valid = results.stream()
                .flatMap(List::stream)
                .allMatch(r -> r.get("exitCode").asInt() == 0);
        return valid ? otherwise : 5;
    }

    @Test
    void dryRunDescribesBothSidesAndRunsNothing() throws Exception {
        try (NullBroker other = NullBroker.start(new NullBrokerOptions())) {
            String sides = "cluster=" + shared() + "|" + other.bootstrapServers();
            InProcess run = run("rate: 100/s, records: 200", "--ab", sides, "--pairs", "4", "--dry-run");
            assertThat(run.exit()).as(run.err()).isZero();
            String[] eachSide = Stream.of(shared(), other.bootstrapServers())
                    .flatMap(side -> Stream.of(
                            Sentence.of("cli.runsOfSide", "cluster=" + side, 4).english(), "nothing was started."))
                    .toArray(String[]::new);
            assertThat(run.out()).containsSubsequence(eachSide);
            assertThat(out()).doesNotExist();
        }
    }

    /** Six runs, each in its own process. */
    @Test
    @Tag("nightly")
    void identifiesSlowCluster() throws Exception {
        AtomicInteger held = new AtomicInteger();
        FrameProxy.Tamper late = new FrameProxy.Tamper() {
            @Override
            public boolean answer() {
                held.incrementAndGet();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(HELD_MILLIS));
                return true;
            }
        };
        InProcess run;
        String slow;
        try (ProxiedLab<FrameProxy> lab = new ProxiedLab<>(new FrameProxy(), Map.of())) {
            lab.proxy().tamper(late);
            slow = lab.bootstrapServers();
            Path config = Files.writeString(directory.resolve("b.properties"), "bootstrap.servers=" + slow + "\n");
            String sides = "cluster=" + shared() + "|" + config;
            run = run("rate: 100/s, records: 200", "--ab", sides, "--pairs", "3", "--fail-on-regression=1%");
        }
        List<List<JsonNode>> results = results();
        assertThat(run.exit()).as(run.err()).isEqualTo(exit(results, 7));
        assertThat(run.out())
                .startsWith("✗ B is worse than A")
                .contains("cluster=" + shared(), "produce.response.p50", "✗ Regression")
                .containsPattern(Said.en("report.basis.pairs"))
                .doesNotContain("Unfair")
                .endsWith(place().resolve("comparison.html") + System.lineSeparator());
        // Each response of B to records was delayed, so none of its response times is shorter.
        assertThat(held.get()).isPositive();
        List<JsonNode> a = results.get(0);
        List<JsonNode> b = results.get(1);
        assertThat(b).hasSize(3).allSatisfy(r -> {
            JsonNode times = r.at("/trials/0/produce/responseTime");
            assertThat(times.get("min").asDouble()).as(times.toString()).isGreaterThan(HELD_MILLIS * 999.0);
        });
        assertThat(Stream.of(a.get(0), b.get(0), b.get(1), a.get(1), a.get(2), b.get(2))
                        .map(r -> r.get("startedAt").asText()))
                .isSorted();
        assertThat(a.get(0).at("/environment/cluster/id"))
                .isEqualTo(a.get(2).at("/environment/cluster/id"))
                .isNotEqualTo(b.get(0).at("/environment/cluster/id"));
        assertThat(place().resolve("comparison.md")).content().contains("| produce.response.p50 |");
        InProcess again =
                InProcess.run("compare", place().toString(), "--figure", "produce.response.p50", "--format", "json");
        JsonNode line = Json.MAPPER.readTree(again.out()).at("/trials/0/figures/0");
        assertThat(line.get("outcome").asText()).isEqualTo("worse");
        assertThat(line.get("basis").asText()).isEqualTo("pairs");
    }

    @Test
    void refusesInvalidSidesBeforeRunning() throws Exception {
        String records = "records: 1";
        String jar = jarOf(Logger.class).toString();
        String client = jarOf(KafkaProducer.class).toString();
        try (Socket closed = new Socket()) {
            closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String refused = "127.0.0.1:" + closed.getLocalPort();
            assertRefused(
                    run(records, "--ab", "cluster=" + shared() + "|" + refused),
                    6,
                    Said.text("«cluster.nothingListens¦" + refused + "»"));
        }
        assertRefused(run(records, "--ab", "cluster=a:1|b:2|c:3"), 2, "compare exactly two clusters or clients, not 3");
        assertRefused(run(records, "--ab", "cluster=a:1"), 2, Said.text("«scenario.notTwoValues»"));
        assertRefused(run(records, "--ab", "cluster=a:1|b"), 2, "must have the form host:port");
        assertRefused(run(records, "--ab", "cluster=no/a|no/b"), 2, "no/a");
        assertRefused(run(records, "--ab", "cluster=a:1|b:2", "--pairs", "0"), 2, Said.text("«scenario.pairs»"));
        assertRefused(run(records, "--ab", "cluster=a:1|b:2", "--bootstrap-server", shared()), 2, "«cli.clusterTwice»");
        assertRefused(run(records, "--ab", "cluster=a:1|b:2", "--brokers", "1"), 2, "lab");
        assertRefused(run(records, "--ab", "cluster=a:1|b:2", "--jmx", "1=a:9"), 2, "«cli.brokersOfOneSide»");
        assertRefused(run(records, "--ab", "cluster=a:1|b:2", "--out-stream", "jsonl"), 2, "«cli.streamOfRuns»");
        String two = "client=" + client + "|" + jar;
        assertRefused(run(records, "--ab", two), 2, "«cli.noClientBuild¦" + jar + "»");
        assertRefused(run(records, "--ab", "client=no.jar|" + client), 2, "«cli.noClientBuild¦no.jar»");
        assertRefused(run("engine: raw, records: 1", "--ab", two), 2, "«cli.clientOfEngine¦raw»");
        assertRefused(run(records, "--ab", two, "--fleet", "127.0.0.1:1"), 2, "«cli.clientOfFleet»");
        assertRefused(run("recods: 1", "--ab", two), 2, "did you mean");
    }

    private void assertRefused(InProcess run, int exit, String message) throws IOException {
        assertThat(run.err())
                .startsWith("plimsoll: ")
                .containsPattern(Said.pattern(message))
                .doesNotContain("internal error");
        assertThat(run.exit()).as(run.err()).isEqualTo(exit);
        assertThat(run.out()).isEmpty();
        assertThat(out()).doesNotExist();
    }

    @Test
    void passesArgumentsToEachRunExceptComparisonOptions() throws Exception {
        List<String> typed = List.of(
                "--lang=en",
                "run",
                "--ab",
                "x",
                "o.yaml",
                "--pairs=3",
                "--json",
                "--out",
                "r",
                "--quiet",
                "--yes",
                "--out=q");
        assertThat(TurnProcess.arguments(typed, "run", TurnSide.of("cluster=h:1"), Path.of("q", "A")))
                .containsExactly(
                        "--lang=en", "run", "--quiet", "--out", "q/A", "--bootstrap-server", "h:1", "o.yaml", "--yes");
        TurnSide client = TurnSide.of("client=x.jar");
        assertThat(TurnProcess.arguments(List.of("run"), "run", client, Path.of("q")))
                .containsExactly("run", "--out", "q", "--self-warmup", "0s");
        assertThat(TurnProcess.arguments(List.of("run", "--self-warmup=1s"), "run", client, Path.of("q")))
                .containsExactly("run", "--out", "q", "--self-warmup=1s");
    }

    @Test
    void signalStopsCurrentRunAndSkipsTheRest() throws Exception {
        String port = shared().substring(shared().indexOf(':'));
        String sides = "cluster=127.0.0.1" + port + "|localhost" + port;
        String[] words = {"run", scenario("rate: 100/s, duration: 100s"), "--out", out().toString(), "--ab", sides};
        try (RunningCommand command = new RunningCommand(directory, (Object[]) words)) {
            command.awaitProgress("phase=measuring");
            List<ProcessHandle> runs = command.process().descendants().toList();
            assertThat(runs).as("the run that goes on").isNotEmpty();
            Ended ended = command.signal("TERM");
            assertThat(ended.exit()).as(ended.err()).isEqualTo(143);
            assertThat(ended.err())
                    .contains("the same cluster", "run 1 of 10: ")
                    .containsPattern(Said.en("cli.turnFailed"))
                    .doesNotContain("run 2 of");
            assertThat(runs).noneMatch(ProcessHandle::isAlive);
        }
        try (Stream<Path> runs = Files.list(place().resolve("A"))) {
            Path result = runs.findFirst().orElseThrow().resolve("result.json");
            assertThat(Json.MAPPER.readTree(result.toFile()).get("exitCode").asInt())
                    .isEqualTo(130);
        }
        try (Admin admin = new ClusterConnection(shared(), Map.of()).admin()) {
            assertThat(new Topics(admin).names(false)).doesNotContain(topic);
        }
    }

    @Test
    @Tag("nightly")
    void comparesTwoClientBuilds() throws Exception {
        Path older = OTHERS.resolve("kafka-clients-4.1.1.jar");
        String sides = "client=" + older + "|" + jarOf(KafkaProducer.class);
        InProcess run = run(
                "rate: 100/s, records: 200", "--ab", sides, "--pairs", "3", "--bootstrap-server", shared(), "--json");
        List<List<JsonNode>> results = results();
        assertThat(run.exit()).as(run.err()).isEqualTo(exit(results, 0));
        JsonNode comparison = Json.MAPPER.readTree(run.out());
        List<String> versions = List.of("4.1.1", ToolInfo.kafka());
        for (int side = 0; side < 2; side++) {
            String version = versions.get(side);
            assertThat(results.get(side)).hasSize(3).allSatisfy(r -> {
                assertThat(r.at("/tool/kafkaClientVersion").asText()).isEqualTo(version);
                assertThat(r.at("/trials/0/produce/records").asInt()).isEqualTo(200);
            });
        }
        JsonNode client = comparison.at("/differences/1");
        assertThat(client.get("what").asText()).isEqualTo("Kafka client");
        assertThat(client.get("unfair").asBoolean()).isFalse();
        assertThat(comparison.at("/sides/0/what").asText()).isEqualTo("client=kafka-clients-4.1.1.jar");
        assertThat(comparison.at("/trials/0/figures/0/figure").asText()).isEqualTo("produce.throughput");
        // Releases before 4.1 lack methods that a run calls.
        for (String version : List.of("3.9.1", "4.0.0")) {
            String old = OTHERS.resolve("kafka-clients-" + version + ".jar").toString();
            InProcess refused = run("records: 1", "--ab", "client=" + old + "|" + older);
            assertThat(refused.err()).containsPattern(Said.en("cli.olderClientBuild", old));
            assertThat(refused.exit()).isEqualTo(2);
        }
    }
}
