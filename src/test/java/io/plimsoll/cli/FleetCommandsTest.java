package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.Exit;
import io.plimsoll.fleet.SharedFleet;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Every task of a single process also works with a fleet, by the same commands. */
@Tag("nightly")
@ResourceLock(SharedFleet.LOCK)
class FleetCommandsTest {
    @TempDir
    Path directory;

    private InProcess command(String name, String more, String... options) throws IOException {
        Path file = Files.writeString(
                directory.resolve("s.yaml"), """
                    name: commands
                    topics: [{name: TOPIC, partitions: 2}]
                    producers: [{topic: TOPIC, clients: 2, record: {size: 100}, rate: 300/s}]
                    """.replace("TOPIC", "commands-" + UUID.randomUUID()) + more);
        List<String> words = new ArrayList<>(List.of(
                name,
                file.toString(),
                "--fleet",
                SharedFleet.first().toString(),
                "--workers",
                "2",
                "--out",
                directory.resolve("runs").toString(),
                "--bootstrap-server",
                SharedLab.oneBroker().bootstrapServers()));
        words.addAll(List.of(options));
        return InProcess.run(words.toArray(String[]::new));
    }

    private JsonNode result() throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
            return Json.MAPPER.readTree(
                    runs.findFirst().orElseThrow().resolve("result.json").toFile());
        }
    }

    @Test
    void findsCeiling() throws IOException {
        InProcess run = command(
                "ceiling",
                "audit: true\n",
                "--min-rate",
                "200/s",
                "--max-rate",
                "400/s",
                "--trial-length",
                "3s",
                "--confirm",
                "0",
                "--max-duration",
                "3m",
                "--no-prove");
        Runs.assertSound(directory.resolve("runs"), run.exit());
        JsonNode result = result();
        assertThat(result.get("ceilings")).hasSize(1);
        assertThat(result.get("trials")).isNotEmpty().allSatisfy(trial -> {
            assertThat(trial.get("workers")).hasSize(2);
            assertThat(trial.at("/audit/lost").asLong()).isZero();
        });
    }

    @Test
    void comparesTwoSettings() throws IOException {
        InProcess run = command(
                "run",
                "duration: 2s\nwarmup: 0s\naudit: true\n",
                "--ab",
                "producers[0].config.acks=1|all",
                "--pairs",
                "3",
                "--prometheus",
                "0",
                "--ui");
        Runs.assertSound(directory.resolve("runs"), run.exit());
        assertThat(run.err())
                .containsPattern(Said.en("cli.watchAt", "http://"))
                .containsPattern(Said.en("cli.scrapeAt", "http://"));
        assertThat(run.out()).contains("B ÷ A");
        assertThat(result().get("trials")).hasSize(7).allSatisfy(trial -> {
            assertThat(trial.get("workers")).hasSize(2);
            assertThat(trial.at("/produce/records").asLong()).isEqualTo(600);
        });
    }

    /**
     * As with OpenMessaging Benchmark's own workers, one produces and the other one consumes; the result file covers
     * both.
     */
    @Test
    void runsOpenMessagingBenchmarkWorkload() throws IOException {
        Path driver = Files.writeString(
                directory.resolve("driver.yaml"),
                "name: Kafka\ndriverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver\n"
                        + "replicationFactor: 1\ncommonConfig: |\n  bootstrap.servers="
                        + SharedLab.oneBroker().bootstrapServers()
                        + "\nconsumerConfig: |\n  auto.offset.reset=earliest\n  enable.auto.commit=true\n");
        Path workload = Files.writeString(
                directory.resolve("workload.yaml"),
                "name: both\ntopics: 2\npartitionsPerTopic: 2\nmessageSize: 100\nuseRandomizedPayloads: true\n"
                        + "subscriptionsPerTopic: 1\nconsumerPerSubscription: 1\nproducersPerTopic: 1\n"
                        + "producerRate: 400\ntestDurationMinutes: 1\nwarmupDurationMinutes: 0\n");
        Path output = directory.resolve("omb.json");
        InProcess run = InProcess.run(
                "omb",
                "-d",
                driver.toString(),
                "--fleet",
                SharedFleet.first().toString(),
                "--scale",
                "0.1",
                "-o",
                output.toString(),
                "--out",
                directory.resolve("runs").toString(),
                workload.toString());
        Runs.assertSound(directory.resolve("runs"), run.exit());
        JsonNode trial = result().at("/trials/0");
        assertThat(trial.get("workers")).hasSize(2);
        assertThat(trial.at("/produce/records").asLong()).isEqualTo(2400);
        assertThat(trial.at("/consume/records").asLong()).isEqualTo(2400);
        assertThat(trial.get("workers"))
                .anyMatch(w ->
                        w.get("records").asLong() == 2400 && w.get("consumed").asLong() == 0)
                .anyMatch(
                        w -> w.get("records").asLong() == 0 && w.get("consumed").asLong() == 2400);
        assertThat(Json.MAPPER.readTree(output.toFile()).get("driver").asText()).isEqualTo("Kafka");
    }

    @Test
    void printsAssignmentAndStatusOfAgents() throws IOException {
        InProcess dry = command("run", "fleet: {onAgentLoss: continue}\n", "--dry-run");
        assertThat(dry.exit()).as(dry.err()).isZero();
        assertThat(dry.out())
                .contains("on the fleet:")
                .containsPattern(Said.en("fleet.sharesByCores"))
                .contains("a: producers[0] client 0")
                .contains("b: producers[0] client 1");
        InProcess status =
                InProcess.run("fleet", "status", "--fleet", SharedFleet.first().toString());
        assertThat(status.exit()).as(status.err()).isZero();
        assertThat(status.out())
                .contains("a (127.0.0.1:")
                .contains("cores")
                .contains(" ± ")
                .contains("idle");
        InProcess plan = InProcess.run(
                "fleet",
                "plan",
                "--rate",
                "1M/s",
                "--fleet",
                SharedFleet.first().toString());
        assertThat(plan.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(plan.err()).containsPattern(Said.en("fleet.plan.agentsUncalibrated"));
    }

    @Test
    void refusesFleetOptionsWithoutFleet() {
        for (String option : List.of("--on-agent-loss=continue", "--fleet-timeout=5s")) {
            assertThat(InProcess.run("run", option).err()).containsPattern(Said.en("cli.onlyInFleet"));
        }
    }

    @Test
    void refusesNegativeNumberOfWorkers() {
        for (List<String> command : List.of(List.of("run"), List.of("fleet", "status"))) {
            List<String> words = new ArrayList<>(command);
            words.addAll(List.of("--fleet", "127.0.0.1:1", "--workers=-3"));
            InProcess refused = InProcess.run(words.toArray(String[]::new));
            assertThat(refused.exit()).isEqualTo(Exit.USAGE.code());
            assertThat(refused.err()).containsPattern(Said.en("cli.expected", "--workers", null, "-3"));
        }
    }

    @Test
    void observerRefusesLimitsOfRuns() {
        for (String limit : List.of("--runs=1", "--idle-timeout=10m")) {
            InProcess refused = InProcess.run("agent", "--observe", limit);
            assertThat(refused.exit()).isEqualTo(Exit.USAGE.code());
            assertThat(refused.err()).containsPattern(Said.en("cli.notObserving"));
        }
    }
}
