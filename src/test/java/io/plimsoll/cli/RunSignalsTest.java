package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.RunningCommand.Ended;
import io.plimsoll.testing.Said;
import io.plimsoll.testing.TcpProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However a run ends, its measurements can be read, and it leaves no resources. */
class RunSignalsTest {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final String topic = "signals-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private RunningCommand start(String yaml, Object... more) throws IOException {
        Path file = Files.writeString(directory.resolve("s.yaml"), "name: s\n" + yaml.replace("TOPIC", topic));
        Object[] all = Stream.concat(
                        Stream.of("run", file, "--self-warmup", "0s", "--out", directory.resolve("runs")),
                        Stream.of(more))
                .toArray();
        return new RunningCommand(directory, all);
    }

    private RunningCommand onSharedLab(String yaml) throws IOException {
        return start(yaml, "--bootstrap-server", SharedLab.oneBroker().bootstrapServers());
    }

    private Path runDirectory() throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
            return runs.toList().get(0);
        }
    }

    /** A report written by the interrupted process itself, and its last output. */
    private JsonNode assertInterrupted(Ended ended, int exit) throws IOException {
        assertThat(ended.exit()).as(ended.err()).isEqualTo(exit);
        Path report = runDirectory().resolve("report.html");
        assertThat(ended.lastLine()).isEqualTo(report.toString());
        assertThat(report).content().contains("Interrupted").endsWith("</html>\n");
        assertThat(report.resolveSibling("report.md")).content().contains("Interrupted", "exit code 130");
        assertThat(ended.out()).startsWith("! Interrupted").doesNotContain("\u001b");
        ResultSchema.assertValid(runDirectory().resolve("result.json"));
        JsonNode result =
                Json.MAPPER.readTree(runDirectory().resolve("result.json").toFile());
        assertThat(result.at("/verdict/sentence").asText()).startsWith("Interrupted");
        assertThat(result.at("/exitCode").asInt()).isEqualTo(130);
        return result;
    }

    private void assertNothingLeftOnSharedLab() throws Exception {
        try (Admin admin = new ClusterConnection(SharedLab.oneBroker().bootstrapServers(), Map.of()).admin()) {
            assertThat(new Topics(admin).names(false)).doesNotContain(topic);
            String tag = Files.readString(runDirectory().resolve("timeline.jsonl"))
                    .replaceAll("(?s).*\"(plimsoll-[0-9a-f]{6}-0)-consumers.*", "$1");
            assertThat(admin.listGroups().all().get())
                    .extracting(GroupListing::groupId)
                    .noneMatch(id -> id.startsWith(tag));
        }
    }

    @Test
    void interruptedRunReportsAndCleansUp() throws Exception {
        interrupts("measuring", "INT", 130);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"warm-up, INT, 130", "draining, INT, 130", "measuring, TERM, 143"})
    void reportsAndCleansUpInEachPhaseAndAfterEachSignal(String phase, String signal, int exit) throws Exception {
        interrupts(phase, signal, exit);
    }

    private void interrupts(String phase, String signal, int exit) throws Exception {
        boolean drains = phase.equals("draining");
        // A group that waits for more records than exist keeps the drain open.
        String yaml = """
            topics: [{name: TOPIC}]
            producers: [{topic: TOPIC, rate: 200/s, record: {size: 100}%s}]
            consumers: [{topic: TOPIC%s}]
            duration: 60s
            warmup: %s
            audit: true
            """.formatted(
                        drains ? ", records: 150" : "",
                        drains ? ", records: 151, idleTimeout: 60s" : "",
                        phase.equals("warm-up") ? "60s" : "0s");
        try (RunningCommand run = onSharedLab(yaml)) {
            run.awaitProgress("phase=" + phase);
            run.awaitProduced(directory.resolve("runs"), 120);
            JsonNode result = assertInterrupted(run.signal(signal), exit);
            JsonNode trial = result.at("/trials/0");
            // On a starved machine, brokers may not report their records in the remaining second: then no claim is
            // made.
            if (!trial.get("audit").isNull()) {
                assertThat(trial.at("/audit/lost").asInt(-1)).isZero();
                assertThat(trial.at("/audit/complete").asBoolean()).isTrue();
                assertThat(trial.at("/audit/read").asInt()).isGreaterThan(100);
            }
            String figure = phase.equals("warm-up") ? "warmupRecords" : "records";
            assertThat(trial.at("/produce/" + figure).asInt()).isGreaterThan(100);
            if (phase.equals("measuring")) {
                // For the measured time, not the planned minute. On a busy host the group may have read a part.
                assertThat(trial.at("/consume/recordsPerSecond").asDouble())
                        .isGreaterThan(trial.at("/produce/recordsPerSecond").asDouble() / 10);
            }
        }
        assertNothingLeftOnSharedLab();
    }

    @Test
    @Tag("nightly")
    void runInterruptedWhileConsumersJoinCleansUp() throws Exception {
        try (Admin admin = new ClusterConnection(SharedLab.oneBroker().bootstrapServers(), Map.of()).admin()) {
            Topics topics = new Topics(admin);
            topics.create(List.of(new NewTopic(topic, 2, (short) 1)), WAIT);
            Map<String, Object> properties =
                    Map.of("bootstrap.servers", SharedLab.oneBroker().bootstrapServers(), "group.id", topic);
            // A foreign member of the group keeps a partition, so that the run's member never gets all of them.
            try (KafkaConsumer<byte[], byte[]> stranger =
                            new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                    RunningCommand run = onSharedLab("""
                        topics: [{name: TOPIC, existing: true}, {name: TOPIC-own}]
                        producers: [{topic: TOPIC-own}]
                        consumers: [{topic: TOPIC, config: {group.id: TOPIC}}, {topic: TOPIC-own}]
                        """)) {
                stranger.subscribe(List.of(topic));
                Thread polling = new Thread(() -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        try {
                            stranger.poll(Duration.ofMillis(100));
                        } catch (org.apache.kafka.common.errors.InterruptException e) {
                            return;
                        }
                    }
                });
                polling.start();
                run.awaitProgress("phase=preparing");
                awaitMember(admin);
                Ended ended = run.signal("INT");
                polling.interrupt();
                polling.join();
                Thread.interrupted();
                JsonNode result = assertInterrupted(ended, 130);
                assertThat(result.at("/trials")).isEmpty();
                assertThat(result.at("/verdict/warnings")).isEmpty();
            }
            assertThat(topics.names(false)).contains(topic).doesNotContain(topic + "-own");
            topics.delete(Set.of(topic), WAIT);
            admin.deleteConsumerGroups(List.of(topic)).all().get();
        }
    }

    /** Waits until the run's member has joined the foreign one. */
    private void awaitMember(Admin admin) throws Exception {
        long deadline = System.nanoTime() + WAIT.toNanos();
        while (admin.describeConsumerGroups(List.of(topic))
                        .describedGroups()
                        .get(topic)
                        .get()
                        .members()
                        .size()
                < 2) {
            assertThat(System.nanoTime()).as("the run joins").isLessThan(deadline);
            Thread.sleep(50);
        }
    }

    @Tag("nightly")
    @Test
    void interruptedRunReportsDespiteHangingCluster() throws Exception {
        try (ProxiedLab<TcpProxy> lab = new ProxiedLab<>(new TcpProxy(), Map.of());
                RunningCommand run = start("""
                    topics: [{name: TOPIC}]
                    producers: [{topic: TOPIC, rate: 200/s, record: {size: 100}}]
                    consumers: [{topic: TOPIC}]
                    duration: 60s
                    warmup: 0s
                    audit: true
                    """, "--bootstrap-server", lab.bootstrapServers())) {
            run.awaitProgress("phase=measuring");
            run.awaitProduced(directory.resolve("runs"), 300);
            lab.proxy().stallUntil(System.nanoTime() + Duration.ofMinutes(2).toNanos());
            JsonNode result = assertInterrupted(run.signal("INT"), 130);
            assertThat(result.at("/trials/0/produce/records").asInt()).isPositive();
            assertThat(result.at("/trials/0/audit").isNull()).isTrue();
            assertThat(result.at("/verdict/warnings").toString()).contains(Said.text("«run.left¦topics »") + topic);
        }
    }

    @Test
    @Tag("nightly")
    void runInterruptedWhileLabStartsLeavesNoBroker() throws Exception {
        try (RunningCommand run = start("topics: [{name: TOPIC}]\nproducers: [{topic: TOPIC}]\n")) {
            run.awaitProgress("starting brokers");
            List<ProcessHandle> brokers = descendants(run);
            while (brokers.isEmpty()) {
                Thread.sleep(20);
                brokers = descendants(run);
            }
            JsonNode result = assertInterrupted(run.signal("INT"), 130);
            assertThat(result.at("/trials")).isEmpty();
            assertThat(result.at("/environment/cluster/brokers")).isEmpty();
            awaitGone(brokers);
        }
    }

    @Test
    void killedRunCanBeReportedUpToLastSecond() throws Exception {
        try (RunningCommand run = start("""
            topics: [{name: TOPIC}]
            producers: [{topic: TOPIC, rate: 500/s, record: {size: 100}}]
            consumers: [{topic: TOPIC}]
            duration: 60s
            warmup: 0s
            """)) {
            run.awaitProgress("phase=measuring");
            List<ProcessHandle> brokers = descendants(run);
            assertThat(brokers).isNotEmpty();
            long produced = run.awaitProduced(directory.resolve("runs"), 1000);
            assertThat(run.signal("KILL").exit()).isEqualTo(137);
            assertThat(runDirectory().resolve("result.json")).doesNotExist();
            InProcess report = InProcess.run("report", runDirectory().toString(), "--format", "json");
            assertThat(report.exit()).isZero();
            JsonNode result = Json.MAPPER.readTree(report.out());
            ResultSchema.assertValid(result);
            assertThat(result.at("/verdict/sentence").asText()).startsWith("The run was killed");
            assertThat(result.at("/trials/0/produce/records").asLong()).isGreaterThanOrEqualTo(produced);
            assertThat(InProcess.run("report", runDirectory().toString()).out()).startsWith("! The run was killed");
            awaitGone(brokers);
        }
    }

    /** The processes of the lab: the brokers and their warden. */
    private static List<ProcessHandle> descendants(RunningCommand run) {
        return run.process().descendants().toList();
    }

    private void awaitGone(List<ProcessHandle> processes) throws Exception {
        long deadline = System.nanoTime() + WAIT.toNanos();
        while (processes.stream().anyMatch(ProcessHandle::isAlive) || !labs().isEmpty()) {
            assertThat(System.nanoTime())
                    .as("still there: %s %s", processes, labs())
                    .isLessThan(deadline);
            Thread.sleep(50);
        }
    }

    private List<Path> labs() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> f.getFileName().toString().startsWith("plimsoll-lab-"))
                    .toList();
        }
    }
}
