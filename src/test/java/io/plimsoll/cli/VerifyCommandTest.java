package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The acknowledgments of a run can be audited after its end, for any kind of end. */
class VerifyCommandTest {
    private static final String SERVERS = SharedLab.oneBroker().bootstrapServers();

    private final String topic = "verify-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private Path scenario(String topicKeys, String time) throws IOException {
        return Files.writeString(directory.resolve("s.yaml"), """
            name: s
            topics: [{name: %s, %s}]
            producers: [{topic: %s, rate: 2000/s, record: {size: 100}}]
            warmup: 0s
            duration: %s
            audit: true
            """.formatted(topic, topicKeys, topic, time));
    }

    private Path runDirectory() throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
            return runs.toList().get(0);
        }
    }

    private static JsonNode audit(InProcess verified) throws IOException {
        return Json.MAPPER.readTree(verified.out()).get(0).get("audit");
    }

    private static final long REMOVED = 777;

    @Test
    void auditsKilledRun() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SERVERS))) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(60));
            Path file = scenario("existing: true", "60s");
            RunningCommand run = new RunningCommand(
                    directory,
                    "run",
                    file,
                    "--self-warmup",
                    "0s",
                    "--out",
                    directory.resolve("runs"),
                    "--bootstrap-server",
                    SERVERS);
            run.awaitProgress("phase=measuring");
            run.awaitProduced(directory.resolve("runs"), 3000);
            run.signal("KILL");

            InProcess verified = InProcess.run("verify", runDirectory().toString());
            assertThat(verified.exit()).as(verified.err()).isZero();
            // Line breaks depend on the length of the counts.
            assertThat(verified.out().replaceAll("\\s+", " ")).contains("0 lost", "the run was killed");
            InProcess json = InProcess.run("verify", runDirectory().toString(), "--json");
            long acknowledged = audit(json).get("acknowledged").asLong();
            // The lag of the journal behind the sent records depends on the machine.
            assertThat(acknowledged).isGreaterThan(REMOVED);
            assertThat(audit(json).get("complete").asBoolean()).isTrue();
            // Records sent after the last journal line exist in the log without a matching entry.
            long read = audit(json).get("read").asLong();
            assertThat(audit(json).get("unknownRead").asLong()).isEqualTo(read - acknowledged);
            assertThat(audit(json).get("phantom").asLong()).isZero();

            TopicPartition partition = new TopicPartition(topic, 0);
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(REMOVED)))
                    .all()
                    .get();
            InProcess after = InProcess.run("verify", runDirectory().toString(), "--bootstrap-server", SERVERS);
            assertThat(after.exit()).isEqualTo(4);
            assertThat(after.out()).contains(REMOVED + " lost", topic + "-0, offsets 0 to");

            admin.deleteTopics(List.of(topic)).all().get();
            InProcess gone = InProcess.run("verify", runDirectory().toString());
            assertThat(gone.exit()).isEqualTo(2);
            assertThat(gone.err()).contains("topic " + topic).contains("no longer exists");
        }
    }

    /** Each trial with a journal is audited, even after a trial without one; deleted records are not known to exist. */
    @Test
    void auditsEachTrialAndDoesNotPassDeletedRecords() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", SERVERS))) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(60));
            Path file = scenario("existing: true", "1s");
            Files.writeString(
                    file,
                    Files.readString(file)
                            + "trials: [{name: first}, {name: unseen, set: {audit: false}}, {name: last}]\n");
            InProcess.run(
                    "run",
                    file.toString(),
                    "--out",
                    directory.resolve("runs").toString(),
                    "--bootstrap-server",
                    SERVERS);
            InProcess verified = InProcess.run("verify", runDirectory().toString());
            assertThat(verified.exit()).as(verified.err()).isZero();
            assertThat(verified.out()).contains("✓ first:", "✓ last:").doesNotContain("unseen");

            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
            AlterConfigOp brief = new AlterConfigOp(new ConfigEntry("retention.ms", "1"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(resource, List.of(brief)))
                    .all()
                    .get();
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
            InProcess expired = InProcess.run("verify", runDirectory().toString());
            assertThat(expired.exit()).as(expired.out()).isEqualTo(5);
            assertThat(expired.out())
                    .contains("? first:", "? last:")
                    .containsPattern(Said.en("report.audit.partlyBy"))
                    .doesNotContain("✓");
        }
    }

    @Test
    void reportsTopicRemovedByRun() throws Exception {
        Path file = scenario("partitions: 1", "1s");
        InProcess run = InProcess.run(
                "run", file.toString(), "--out", directory.resolve("runs").toString(), "--bootstrap-server", SERVERS);
        Runs.assertSound(directory.resolve("runs"), run.exit());
        InProcess verified = InProcess.run("verify", runDirectory().toString());
        assertThat(verified.exit()).isEqualTo(2);
        assertThat(verified.err()).contains("existing: true");
    }

    @Test
    void reportsUnreachableCluster() throws Exception {
        Path file = scenario("partitions: 1", "1s");
        InProcess.run(
                "run", file.toString(), "--out", directory.resolve("runs").toString(), "--bootstrap-server", SERVERS);
        InProcess verified = InProcess.run("verify", runDirectory().toString(), "--bootstrap-server", "127.0.0.1:1");
        assertThat(verified.exit()).isEqualTo(6);
        assertThat(verified.err()).contains("127.0.0.1:1");
    }

    @Test
    void refusesRunWithoutAudit() throws Exception {
        Path file = scenario("partitions: 1", "1s");
        Files.writeString(file, Files.readString(file).replace("audit: true", "audit: false"));
        InProcess.run(
                "run", file.toString(), "--out", directory.resolve("runs").toString(), "--bootstrap-server", SERVERS);
        InProcess verified = InProcess.run("verify", runDirectory().toString());
        assertThat(verified.exit()).isEqualTo(2);
        assertThat(verified.err()).contains("audit: true");
    }
}
