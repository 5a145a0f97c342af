package io.plimsoll.omb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.Exit;
import io.plimsoll.cli.InProcess;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.nullbroker.Misbehaving;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerBehaviour;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.omb.files.OmbRun;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.scenario.Rate;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** OpenMessaging Benchmark's own files on real brokers. */
@Order(1)
class OmbCommandTest {
    private static final Path FILES = Path.of("omb", "src", "test", "resources");

    @TempDir
    Path temp;

    private InProcess omb(String... args) {
        List<String> all = new ArrayList<>(
                List.of("omb", "--quiet", "--out", temp.resolve("runs").toString()));
        all.addAll(List.of(args));
        return InProcess.run(all.toArray(String[]::new));
    }

    private static String servers() {
        return SharedLab.oneBroker().bootstrapServers();
    }

    private static String file(String name) {
        return FILES.resolve(name).toString();
    }

    private static CeilingRequest search(String... more) {
        OmbCommand command = new OmbCommand();
        List<String> all = new ArrayList<>(List.of("-d", "driver.yaml", "workload.yaml"));
        all.addAll(List.of(more));
        new CommandLine(command).parseArgs(all.toArray(String[]::new));
        return command.search(Duration.ofMinutes(1));
    }

    @Test
    void searchUsesRequestedMaximumRate() {
        assertThat(search().mostRate()).isEmpty();
        assertThat(search("--max-rate", "20000/s").mostRate()).hasValue(20_000);
        assertThat(search("--max-rate", "20MB/s").mostRate()).hasValue(20e6);
        assertThat(search("--max-rate", "20MB/s").unit()).isEqualTo(Rate.Unit.PAYLOAD_BYTES);
    }

    private Path onlyRun() throws IOException {
        try (Stream<Path> runs = Files.list(temp.resolve("runs"))) {
            return runs.reduce((a, b) -> {
                        throw new AssertionError("more than one run");
                    })
                    .orElseThrow();
        }
    }

    private void deleteRuns() throws IOException {
        try (Stream<Path> files = Files.walk(temp.resolve("runs"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void assertRan(InProcess ended) throws IOException {
        assertThat(ended.out()).as(ended.err()).contains("report.html");
        Runs.assertSound(temp.resolve("runs"), ended.exit());
    }

    @ParameterizedTest
    @CsvSource({
        "simple-workload.yaml, 0.02, producers.rate=2000/s",
        "1-topic-3-partitions-200b-with-key.yaml, 0.005, producers.rate=2000/s"
    })
    void shippedWorkloadsRunOnLab(String workload, String scale, String change) throws Exception {
        runsOnALab(workload, scale, change);
    }

    @ParameterizedTest
    @CsvSource({
        "1-topic-100-partitions-1kb-4p-4c-200k.yaml, 0.01, producers.rate=2000/s",
        "max-rate-10-topics-1-partition-1p-1c-1kb.yaml, 0.01, producers.config.buffer.memory=1000000",
        "1-topic-1-partition-100b.yaml, 0.005, producers.rate=2000/s",
        "1-topic-1-partition-1kb.yaml, 0.005, producers.rate=2000/s",
        "1-topic-3-partition-100b-3producers.yaml, 0.005, producers.rate=2000/s",
        "1-topic-16-partitions-1kb.yaml, 0.005, producers.rate=2000/s",
        "max-rate-1-topic-1-partition-1p-1c-100b.yaml, 0.01, producers.rate=unlimited"
    })
    @Tag("nightly")
    void remainingShippedWorkloadsRunOnLab(String workload, String scale, String change) throws Exception {
        runsOnALab(workload, scale, change);
    }

    private void runsOnALab(String workload, String scale, String change) throws Exception {
        Path output = temp.resolve("result.json");
        InProcess ended = omb(
                "--drivers",
                file("driver-kafka-latency.yaml"),
                "--bootstrap-server",
                servers(),
                "--scale",
                scale,
                "--set",
                change,
                "--set",
                "topics.replication=1",
                "--set",
                "topics.config=null",
                "--output",
                output.toString(),
                "--strict",
                file(workload));
        assertRan(ended);
        assertThat(ended.out().stripTrailing())
                .endsWith("report.html")
                .containsPattern(Said.en("cli.ombResult", output));
        JsonNode result = Json.MAPPER.readTree(output.toFile());
        ChartScript.reads(result);
        assertThat(result.get("driver").asText()).isEqualTo("Kafka");
        Path run = onlyRun();
        ResultSchema.assertValid(run.resolve(RunDirectory.RESULT));
        assertThat(run.resolve(OmbResult.FILE)).hasSameTextualContentAs(output);
        JsonNode ours =
                Json.MAPPER.readTree(run.resolve(RunDirectory.RESULT).toFile()).at("/trials/0");
        assertThat(ours.at("/audit/lost").asLong()).isZero();
        assertThat(ours.at("/audit/acknowledged").asLong())
                .isPositive()
                .isEqualTo(ours.at("/audit/read").asLong());
        long consumed = ours.at("/partitions").findValues("consumed").stream()
                .mapToLong(JsonNode::asLong)
                .sum();
        assertThat(consumed).isEqualTo(ours.at("/audit/acknowledged").asLong());
        double publishMillis = result.get("aggregatedPublishLatency99pct").asDouble();
        assertThat(publishMillis * 1000)
                .isCloseTo(ours.at("/produce/serviceTime/p99").asDouble(), within(1e-3));
        assertThat(InProcess.run("report", run.toString(), "--format", "omb").out())
                .isEqualTo(Files.readString(output));
    }

    @Test
    void eachProducerAndGroupHasOneTopic() throws Exception {
        Path workload = workload("""
            name: dealt
            topics: 3
            partitionsPerTopic: 2
            messageSizeDistribution: {"8-12": 1, "1KB-1KB": 1}
            keyDistributor: RANDOM_NANO
            useRandomizedPayloads: true
            randomBytesRatio: 0.5
            randomizedPayloadPoolSize: 10
            subscriptionsPerTopic: 2
            consumerPerSubscription: 2
            producersPerTopic: 2
            producerRate: 600
            testDurationMinutes: 0.05
            warmupDurationMinutes: 0
            """);
        InProcess ended = omb(
                "-d",
                driver("").toString(),
                "-o",
                temp.resolve("r.json").toString(),
                "-v",
                "4.3.1-test",
                workload.toString());
        assertRan(ended);
        JsonNode ours = Json.MAPPER
                .readTree(onlyRun().resolve(RunDirectory.RESULT).toFile())
                .at("/trials/0");
        assertThat(ours.at("/produce/clients").asInt()).isEqualTo(6);
        assertThat(ours.at("/consume/groups").size()).isEqualTo(6);
        long produced = 0;
        long least = Long.MAX_VALUE;
        for (JsonNode partition : ours.get("partitions")) {
            // Both groups of a topic read all its records.
            assertThat(partition.get("consumed").asLong())
                    .isEqualTo(2 * partition.get("produced").asLong());
            produced += partition.get("produced").asLong();
            least = Math.min(least, partition.get("produced").asLong());
        }
        assertThat(ours.get("partitions").size()).isEqualTo(6);
        assertThat(produced).isEqualTo(1800);
        assertThat(least).isPositive();
        for (JsonNode group : ours.at("/consume/groups")) {
            assertThat(group.get("records").asLong()).isEqualTo(600);
        }
        JsonNode result = Json.MAPPER.readTree(temp.resolve("r.json").toFile());
        assertThat(result.get("topics").asInt()).isEqualTo(3);
        assertThat(result.get("producersPerTopic").asInt()).isEqualTo(2);
        assertThat(result.get("messageSize").asInt()).isEqualTo((10 + 1024) / 2);
        // Values of 10 bytes cannot hold an identity; the other tool accepts them, so the audit counts.
        assertThat(ours.at("/audit/method").asText()).isEqualTo("end offsets");
        assertThat(ours.at("/audit/acknowledged").asLong()).isEqualTo(1800);
        assertThat(ours.at("/audit/lost").asLong()).isZero();
        assertThat(result.get("version").asText()).isEqualTo("4.3.1-test");
    }

    @Test
    void buildsAndDrainsBacklog() throws Exception {
        Path workload = workload("""
            name: backlog
            topics: 1
            partitionsPerTopic: 2
            messageSize: 1000
            useRandomizedPayloads: true
            randomBytesRatio: 0
            randomizedPayloadPoolSize: 1
            subscriptionsPerTopic: 1
            consumerPerSubscription: 1
            producersPerTopic: 1
            producerRate: 2000
            consumerBacklogSizeGB: 2
            testDurationMinutes: 2000
            warmupDurationMinutes: 0
            """);
        // 2 GiB × 0.0025 = 5.4 MB, out of 8 MB produced in 4 s.
        InProcess ended = omb(
                "-d",
                driver("").toString(),
                "--scale",
                "0.0025",
                "--set",
                "duration=1600s",
                "-o",
                temp.resolve("r.json").toString(),
                workload.toString());
        assertRan(ended);
        Path run = onlyRun();
        JsonNode ours =
                Json.MAPPER.readTree(run.resolve(RunDirectory.RESULT).toFile()).at("/trials/0");
        assertThat(ours.at("/consume/groups/0/lagAtEnd").asLong()).isZero();
        assertThat(ours.at("/audit/acknowledged").asLong()).isEqualTo(8000);
        // 5,369 records of 1 kB, by the lag of the previous second, based on log ends that can be a second old. On a
        // busy host the polls are seconds apart, and the estimate can be 0.
        assertThat(ours.at("/consume/backlog/records").asLong(-1)).isBetween(0L, 8000L);
        assertThat(ours.at("/consume/backlog/openedSeconds").asDouble()).isGreaterThan(2.6);
        assertThat(Json.MAPPER
                        .readTree(temp.resolve("r.json").toFile())
                        .get("backlog")
                        .size())
                .isPositive();
    }

    /** Records from before the consumers do not count, and no record of the run is missed. */
    @Test
    void latestReadsExactlyRecordsOfRun() throws Exception {
        String topic = "omb-latest-" + System.nanoTime();
        try (Admin admin = ClusterConnection.of(servers(), null, List.of()).admin()) {
            Topics topics = new Topics(admin);
            topics.create(List.of(new NewTopic(topic, 2, (short) 1)), Duration.ofSeconds(20));
            try {
                Path workload = workload("""
                    name: latest
                    topics: 1
                    partitionsPerTopic: 2
                    messageSize: 100
                    useRandomizedPayloads: true
                    subscriptionsPerTopic: 1
                    consumerPerSubscription: 3
                    producersPerTopic: 1
                    producerRate: 500
                    testDurationMinutes: 0.03333333
                    warmupDurationMinutes: 0
                    """);
                Path driver = driver("useMyTopic: true\ntopics: " + topic
                        + " # ours\nconsumerConfig: |\n  auto.offset.reset=latest\n");
                String[] command = {
                    "-d", driver.toString(), "-o", temp.resolve("r.json").toString(), workload.toString()
                };
                assertRan(omb(command));
                deleteRuns();
                InProcess second = omb(command);
                assertRan(second);
                assertThat(second.err()).contains(Said.text("«scenario.omb.idleConsumers¦1¦3»"));
                JsonNode ours = Json.MAPPER
                        .readTree(onlyRun().resolve(RunDirectory.RESULT).toFile())
                        .at("/trials/0");
                assertThat(ours.at("/produce/records").asLong()).isEqualTo(1000);
                assertThat(ours.at("/consume/records").asLong()).isEqualTo(1000);
                assertThat(topics.names(false)).contains(topic);
            } finally {
                topics.delete(Set.of(topic), Duration.ofSeconds(20));
            }
        }
    }

    /** On brokers of its own, because it deletes topics. */
    @Tag("nightly")
    @Test
    void resetDeletesOwnTopicsAndRefusesForeignOnes() throws Exception {
        try (Lab lab = Lab.start(LabOptions.ephemeral(1).withHeapMegabytes(256));
                Admin admin = ClusterConnection.of(lab.bootstrapServers(), null, List.of())
                        .admin()) {
            Topics topics = new Topics(admin);
            NewTopic left = new NewTopic(OmbRun.TOPIC_PREFIX + "old-0000000", 1, (short) 1);
            NewTopic theirs = new NewTopic("orders", 1, (short) 1);
            topics.create(List.of(left, theirs), Duration.ofSeconds(20));
            Path driver = Files.writeString(
                    temp.resolve("driver.yaml"), DRIVER.formatted(lab.bootstrapServers()) + "reset: true\n");
            String[] command = {
                "-d",
                driver.toString(),
                "--scale",
                "0.003",
                "-o",
                temp.resolve("r.json").toString(),
                file("1-topic-3-partitions-200b-with-key.yaml")
            };
            InProcess refused = omb(command);
            assertThat(refused.exit()).isEqualTo(Exit.USAGE.code());
            assertThat(refused.err()).contains(Said.text("driver.yaml:7:8: «run.othersTopics¦reset¦1¦orders»"));
            assertThat(topics.names(false)).hasSize(2);
            topics.delete(Set.of("orders"), Duration.ofSeconds(20));
            String mine = Files.readString(driver);
            Files.writeString(driver, mine + "topicConfig: |\n  retention.mss=1\n");
            InProcess misspelled = omb(command);
            assertThat(misspelled.exit()).isEqualTo(Exit.USAGE.code());
            assertThat(misspelled.err())
                    .containsPattern(Said.en("cluster.unknownTopicConfig", null, "retention.mss", null))
                    .contains(Said.text("retention.mss«scenario.didYouMean¦retention.ms»"));
            assertThat(topics.names(false))
                    .as("nothing is deleted for a run that is refused")
                    .containsExactly(left.name());
            Files.writeString(driver, mine);
            InProcess ended = omb(command);
            assertRan(ended);
            assertThat((ended.out() + ended.err()).replaceAll("\\s+", " "))
                    .contains("deleted 1 topic of earlier runs");
            assertThat(topics.names(false)).isEmpty();
        }
    }

    @Test
    void reportsMistakesOfAllFilesBeforeRunning() throws Exception {
        Path bad = workload("name: x\ntopics: 0\n");
        Path driver = driver("rest: true\n");
        InProcess ended = omb(
                "-d",
                driver.toString(),
                "--strict",
                bad.toString(),
                temp.resolve("none.yaml").toString());
        assertThat(ended.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(ended.err())
                .contains(bad + Said.text(":2:9: topics: «scenario.omb.noTopics»"))
                .contains(driver + ":7:1: unknown key \"rest\"; did you mean reset?")
                .contains("file " + temp.resolve("none.yaml") + " does not exist");
        assertThat(temp.resolve("runs")).doesNotExist();
    }

    @Test
    void reportsLineOfPropertyRefusedByClient() throws Exception {
        Path driver = driver("producerConfig: |\n  acks=all\n  max.in.flight.requests.per.connection=many\n");
        InProcess ended = omb("-d", driver.toString(), file("simple-workload.yaml"));
        assertThat(ended.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(ended.err())
                .containsPattern(Said.pattern(
                        driver + ":9:1: producerConfig.max.in.flight.requests.per.connection: «cli.clientRefuses¦…»"))
                .contains("Invalid value many");
    }

    @Test
    void refusesConflictingOptions() {
        InProcess two = omb(
                "-d",
                file("driver-kafka-latency.yaml") + "," + file("driver-kafka-lz4.yaml"),
                "--lab",
                "-o",
                "x.json",
                file("simple-workload.yaml"));
        assertThat(two.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(two.err()).containsPattern(Said.en("cli.oneOutput", 2));
        InProcess both = omb(
                "-d",
                file("driver-kafka-lz4.yaml"),
                "--lab",
                "--bootstrap-server",
                "x:1",
                file("simple-workload.yaml"));
        assertThat(both.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(both.err()).containsPattern(Said.en("cli.ombLabOrCluster"));
    }

    /**
     * The files of a published benchmark with their own command: the planned run, and how its hosts can generate the
     * load.
     */
    @Test
    void dryRunPrintsPlanAndAgentCommands() {
        InProcess dry = omb(
                "--drivers",
                file("driver-cloud.yaml"),
                "--workers",
                "http://slave-1:9090,http://slave-2:9090",
                "--lab",
                "--dry-run",
                "--scale",
                "0.01",
                file("cloud.yaml"));
        assertThat(dry.exit()).as(dry.err()).isZero();
        assertThat(dry.out())
                .containsPattern(Said.en("report.plan.head"))
                .contains("at 307,200 records/s")
                .contains("10 groups of 120 members")
                .contains("min.insync.replicas=2");
        assertThat(dry.err())
                .contains("plimsoll fleet certs certs coordinator slave-1 slave-2")
                .contains("plimsoll agent --listen slave-2:7654 --join slave-1:7654 --certs certs/slave-2")
                .contains("--fleet slave-1:7654 --certs certs/coordinator")
                .contains("payloadFile: this key has no effect");
        assertThat(temp.resolve("runs")).doesNotExist();
    }

    private static final String DRIVER = """
        name: Kafka
        driverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver
        replicationFactor: 1
        commonConfig: |
          bootstrap.servers=%s
        # end
        """;

    private Path driver(String more) throws IOException {
        String start = more.contains("consumerConfig") ? "" : "consumerConfig: |\n  auto.offset.reset=earliest\n";
        return Files.writeString(temp.resolve("driver.yaml"), DRIVER.formatted(servers()) + more + start);
    }

    private Path workload(String yaml) throws IOException {
        return Files.writeString(temp.resolve("workload.yaml"), yaml);
    }

    /** A broker with a maximum of 4,000 records/s; a busy machine lowers it, but never raises it. */
    @Test
    @Tag("nightly")
    void zeroRateFindsHighestSustainableRate() throws Exception {
        Path workload = Files.writeString(temp.resolve("highest.yaml"), """
            name: highest
            topics: 1
            partitionsPerTopic: 1
            messageSize: 100
            producersPerTopic: 1
            producerRate: 0
            testDurationMinutes: 0.1
            warmupDurationMinutes: 0.05
            """);
        Path output = temp.resolve("result.json");
        NullBrokerBehaviour limited = Misbehaving.capacity(4000);
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions().behaviour(limited))) {
            InProcess ended = omb(
                    "--drivers",
                    file("driver-kafka-latency.yaml"),
                    "--bootstrap-server",
                    broker.bootstrapServers(),
                    "--set",
                    "topics.replication=1",
                    "--set",
                    "topics.config=null",
                    "--set",
                    "audit=false",
                    "--output",
                    output.toString(),
                    workload.toString());
            assertRan(ended);
            assertThat(ended.err()).contains(Said.text("«scenario.omb.highestRate»"));
        }
        JsonNode rates = Json.MAPPER.readTree(output.toFile()).get("publishRate");
        assertThat(rates).isNotEmpty();
        assertThat(rates.get(0).asDouble()).isBetween(3000.0, 4200.0);
    }
}
