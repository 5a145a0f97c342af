package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.engine.client.ClusterConnection;
import io.plimsoll.engine.client.SecuredLab;
import io.plimsoll.engine.client.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the commands that take the place of Kafka's tools do better than those, and what they leave behind. */
class DropInDefectsTest {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String SERVERS = SharedLab.oneBroker().bootstrapServers();

    private final String topic = "drop-in-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private static Admin admin() {
        return new ClusterConnection(SERVERS, Map.of()).admin();
    }

    private InProcess produce(String records, String... more) {
        List<String> words = new ArrayList<>(
                List.of("producer-perf-test", "--topic", topic, "--num-records", records, "--throughput", "-1"));
        words.addAll(List.of(more));
        return InProcess.run(words.toArray(String[]::new));
    }

    @Test
    void sendsThatFailAreAFailure() {
        try (Admin admin = admin()) {
            Topics topics = new Topics(admin);
            topics.create(List.of(new NewTopic(topic, 1, (short) 1).configs(Map.of("min.insync.replicas", "2"))), WAIT);
            InProcess run = produce(
                    "50",
                    "--record-size=100",
                    "--producer-props",
                    "bootstrap.servers=" + SERVERS,
                    "enable.idempotence=false",
                    "retries=0",
                    "acks=all");
            assertThat(run.exit()).isEqualTo(3);
            assertThat(run.out()).contains("0 records sent, ");
            assertThat(run.err()).contains("50 errors producing: notEnoughReplicas");
            topics.delete(Set.of(topic), WAIT);
        }
    }

    @Test
    void aTopicIsMadeAsBrokersMakeIt() {
        Path json = directory.resolve("result.json");
        InProcess run = produce(
                "1000",
                "--record-size=100",
                "--bootstrap-server",
                SERVERS,
                "--json",
                json.toString(),
                "--report",
                directory.resolve("runs").toString());
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.err()).contains("topic " + topic + " did not exist and has been created");
        ResultSchema.assertValid(json);
        try (Admin admin = admin()) {
            Topics topics = new Topics(admin);
            assertThat(topics.endOffsets(Set.of(topic)).values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .as("the topic stays, with what was sent")
                    .isEqualTo(1000);
            topics.delete(Set.of(topic), WAIT);
        }
    }

    @Test
    void whatWasMeasuredCanBeKept() throws Exception {
        Path json = directory.resolve("result.json");
        Path runs = directory.resolve("runs");
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
            assertThat(run.err()).contains(kept.resolve("report.md").toString());
            assertThat(Files.readString(kept.resolve("report.md"))).contains("producer-perf-test");
            String servers = "--bootstrap-server=" + SERVERS;
            InProcess again =
                    InProcess.run("run", kept.resolve("scenario.yaml").toString(), servers, "--quiet", "--out=" + runs);
            assertThat(again.exit())
                    .as("the same as a scenario: %s", again.err())
                    .isZero();
        }
        try (Admin admin = admin()) {
            new Topics(admin).delete(Set.of(topic), WAIT);
        }
    }

    @Test
    void aPropertyMayContainAnEqualsSign() throws Exception {
        Map<String, String> properties = SecuredLab.saslProperties(SecuredLab.ADMIN, SecuredLab.ADMIN_PASSWORD);
        List<String> words = new ArrayList<>(List.of("--record-size=10", "--producer-props"));
        properties.forEach((name, value) -> words.add(name + "=" + value));
        words.add("bootstrap.servers=" + SecuredLab.sasl().bootstrapServers());
        words.add("--report=" + directory);
        InProcess run = produce("10", words.toArray(String[]::new));
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("10 records sent, ");
        assertThat(run.out() + run.err()).doesNotContain("Hush");
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).doesNotContain("Hush");
            }
        }
        try (Admin admin = new ClusterConnection(SecuredLab.sasl().bootstrapServers(), properties).admin()) {
            new Topics(admin).delete(Set.of(topic), WAIT);
        }
    }

    @Test
    void readingIsExactAndOnlyANamedGroupStays() throws Exception {
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
            new Topics(admin).delete(Set.of(topic), WAIT);
        }
    }
}
