package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.testing.KafkaLines;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the replacements of Kafka's tools behave better than the originals, and the known differences. */
class DropInDefectsTest {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String SERVERS = SharedLab.oneBroker().bootstrapServers();

    private final String topic = "drop-in-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private static Admin admin() {
        return admin(SERVERS, Map.of());
    }

    private static Admin admin(String servers, Map<String, String> properties) {
        return new ClusterConnection(servers, properties).admin();
    }

    private void create(Admin admin, Map<String, String> config) {
        new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1).configs(config)), WAIT);
    }

    private void delete(Admin admin) {
        new Topics(admin).delete(Set.of(topic), WAIT);
    }

    private InProcess produce(String records, String... more) {
        List<String> words = new ArrayList<>(
                List.of("producer-perf-test", "--topic", topic, "--num-records", records, "--throughput", "-1"));
        words.addAll(List.of(more));
        return InProcess.run(words.toArray(String[]::new));
    }

    @Test
    void failedSendsFailTheCommand() {
        try (Admin admin = admin()) {
            // Compressed records may fit, so the run tries.
            create(admin, Map.of("max.message.bytes", "200"));
            InProcess run = produce(
                    "50",
                    "--record-size=5000",
                    "--producer-props",
                    "bootstrap.servers=" + SERVERS,
                    "compression.type=gzip");
            assertThat(run.exit()).as(run.err()).isEqualTo(3);
            assertThat(run.out()).startsWith("0 records sent, ");
            assertThat(run.err()).contains("50 producer errors: recordTooLarge");
            delete(admin);
        }
    }

    @Test
    void createsTopicOnlyIfBrokersAutoCreateTopics() {
        LabOptions willing = LabOptions.ephemeral(1)
                .withHeapMegabytes(256)
                .withBrokerConfig(Map.of("auto.create.topics.enable", "true", "num.partitions", "3"));
        try (Lab lab = Lab.start(willing);
                Admin admin = admin(lab.bootstrapServers(), Map.of())) {
            InProcess run = produce("1000", "--record-size=100", "--bootstrap-server", lab.bootstrapServers());
            assertThat(run.exit()).as(run.err()).isZero();
            assertThat(run.err()).containsPattern(Said.en("cli.topicMade", topic));
            Map<TopicPartition, Long> ends = new Topics(admin).endOffsets(Set.of(topic));
            assertThat(ends).hasSize(3);
            assertThat(ends.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(1000);
        }
        InProcess refused = produce("1000", "--record-size=100", "--bootstrap-server", SERVERS);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains(Said.text("«cluster.noSuchTopic¦" + topic + "»"));
    }

    @Test
    void writesResultAndReportOnRequest() throws Exception {
        Path json = directory.resolve("result.json");
        Path runs = directory.resolve("runs");
        try (Admin admin = admin()) {
            create(admin, Map.of());
        }
        InProcess run = produce(
                "1000",
                "--record-size=1000",
                "--bootstrap-server=" + SERVERS,
                "--json=" + json,
                "--report=" + runs,
                "--command-property",
                "acks=1",
                "batch.size=5000",
                "compression.type=zstd");
        assertThat(run.exit()).as(run.err()).isZero();
        JsonNode result = Json.MAPPER.readTree(json.toFile());
        assertThat(result.at("/trials/0/produce/records").asInt()).isEqualTo(1000);
        assertThat(result.at("/trials/0/produce/compressionRatio").asDouble())
                .as("random letters, as those of Kafka's own tool since 3.0, not one value again and again")
                .isBetween(0.5, 0.75);
        assertThat(result.at("/scenario/producers/0/config/batch.size").asText())
                .isEqualTo("5000");
        try (Stream<Path> made = Files.list(runs)) {
            Path kept = made.findFirst().orElseThrow();
            ResultSchema.assertValid(kept.resolve("result.json"));
            assertThat(run.err()).contains(kept.resolve("report.html").toString());
            assertThat(Files.readString(kept.resolve("report.md"))).contains("producer-perf-test");
            String servers = "--bootstrap-server=" + SERVERS;
            InProcess again =
                    InProcess.run("run", kept.resolve("scenario.yaml").toString(), servers, "--quiet", "--out=" + runs);
            assertThat(again.exit())
                    .as("the same as a scenario: %s", again.err())
                    .isZero();
        }
        try (Admin admin = admin()) {
            delete(admin);
        }
    }

    @Test
    void acceptsEqualsSignInPropertyValue() throws Exception {
        Map<String, String> properties = SecuredLab.saslProperties(SecuredLab.ADMIN, SecuredLab.adminPassword());
        try (Admin admin = admin(SecuredLab.sasl().bootstrapServers(), properties)) {
            create(admin, Map.of());
        }
        List<String> words = new ArrayList<>(List.of("--record-size=10", "--producer-props"));
        properties.forEach((name, value) -> words.add(name + "=" + value));
        words.add("bootstrap.servers=" + SecuredLab.sasl().bootstrapServers());
        words.add("--report=" + directory);
        InProcess run = produce("10", words.toArray(String[]::new));
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("10 records sent, ");
        assertThat(run.out() + run.err()).doesNotContain(SecuredLab.adminPassword());
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).doesNotContain(SecuredLab.adminPassword());
            }
        }
        try (Admin admin = admin(SecuredLab.sasl().bootstrapServers(), properties)) {
            delete(admin);
        }
    }

    @Test
    void readsExactCountAndKeepsOnlyNamedGroup() throws Exception {
        try (Admin admin = admin()) {
            create(admin, Map.of());
        }
        assertThat(produce("2000", "--record-size=10", "--bootstrap-server", SERVERS)
                        .exit())
                .isZero();
        String group = topic + "-group";
        Path json = directory.resolve("result.json");
        try (Admin admin = admin()) {
            for (String more : new String[] {"--group=" + group, "--hide-header"}) {
                InProcess run = InProcess.run(
                        "consumer-perf-test",
                        "--broker-list",
                        SERVERS,
                        "--topic",
                        topic,
                        "--messages",
                        "1234",
                        "--threads",
                        "1",
                        "--json",
                        json.toString(),
                        more);
                assertThat(run.exit()).as(run.err()).isZero();
                String[] row =
                        run.out().lines().reduce((a, b) -> b).orElseThrow().split(", ");
                assertThat(row[4]).isEqualTo("1234");
                assertThat(Long.parseLong(row[7])).as("fetch.time.ms").isBetween(0L, 60_000L);
                ResultSchema.assertValid(json);
            }
            assertThat(admin.listGroups().all().get().stream().map(GroupListing::groupId))
                    .contains(group)
                    .noneMatch(id -> id.startsWith("perf-consumer-"));
            admin.deleteConsumerGroups(List.of(group)).all().get();
            delete(admin);
        }
    }

    @Test
    @Tag("nightly")
    void interruptedRunPrintsSummary() throws Exception {
        try (Admin admin = admin()) {
            create(admin, Map.of());
            try (RunningCommand run = new RunningCommand(
                    directory,
                    "producer-perf-test",
                    "--topic=" + topic,
                    "--num-records=1000000",
                    "--throughput=100",
                    "--record-size=10",
                    "--reporting-interval=1000",
                    "--bootstrap-server=" + SERVERS)) {
                RunningCommand.Ended ended = run.awaitOutput("records sent").signal("INT");
                assertThat(ended.exit()).isEqualTo(130);
                assertThat(KafkaLines.producerFigures(ended.lastLine()).get("records"))
                        .isBetween(90.0, 5000.0);
            }
            try (Stream<Path> left = Files.list(directory)) {
                assertThat(left.filter(Files::isDirectory)).isEmpty();
            }
            delete(admin);
        }
    }

    @Test
    void unreachedRateIsReportedWithoutFailure() {
        try (Admin admin = admin()) {
            create(admin, Map.of());
            InProcess run = InProcess.run(
                    "producer-perf-test",
                    "--topic=" + topic,
                    "--num-records=20000",
                    "--throughput=100000000",
                    "--record-size=10",
                    "--bootstrap-server=" + SERVERS);
            assertThat(run.exit()).as(run.err()).isZero();
            assertThat(run.err()).containsPattern(Said.en("report.rateNotReached"));
            delete(admin);
        }
    }
}
