package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.cli.BuildOfTests;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.run.Run;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.Runs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Processes of a fleet are killed during their work. */
@ResourceLock(SharedFleet.LOCK)
class FleetDeathTest {
    /** The limit is 5 s, which a machine with concurrent tests may exceed. */
    private static final long NOTICED_MILLIS = 15_000;

    private static final Pattern LISTENS = Pattern.compile("listens on (127\\.0\\.0\\.1:\\d+)");

    private final List<RunningCommand> running = new ArrayList<>();
    private final String topic = "death-" + UUID.randomUUID();
    private final String yaml = """
        name: death
        topics: [{name: TOPIC, partitions: 2}]
        producers: [{topic: TOPIC, clients: 3, rate: 500/s, record: {size: 50}}]
        duration: 60s
        warmup: 0s
        audit: true
        """.replace("TOPIC", topic);

    @TempDir
    Path directory;

    private RunningCommand command(Object... arguments) throws Exception {
        RunningCommand command =
                new RunningCommand(Files.createDirectories(directory.resolve("p" + running.size())), arguments);
        running.add(command);
        return command;
    }

    @AfterEach
    void endAll() {
        running.forEach(RunningCommand::close);
    }

    /** Number of times that the agents of this JVM have reported it. */
    private static long said(String text) {
        synchronized (SharedFleet.SAID) {
            return SharedFleet.SAID.stream().filter(s -> s.contains(text)).count();
        }
    }

    @Tag("nightly")
    @Test
    void agentsStopWhenTheCoordinatorIsKilled() throws Exception {
        Path file = Files.writeString(directory.resolve("s.yaml"), yaml);
        String servers = SharedLab.oneBroker().bootstrapServers();
        RunningCommand coordinator = command(
                        "run",
                        file,
                        "--fleet",
                        SharedFleet.first(),
                        "--workers",
                        2,
                        "--out",
                        directory,
                        "--bootstrap-server",
                        servers)
                .awaitProgress("achieved=");
        long before = said("load is stopped");
        long killed = System.nanoTime();
        coordinator.process().destroyForcibly();
        while (said("load is stopped") < before + 2) {
            assertThat((System.nanoTime() - killed) / 1_000_000).isLessThan(NOTICED_MILLIS);
            TimeUnit.MILLISECONDS.sleep(20);
        }
        try (Admin admin = new ClusterConnection(servers, Map.of()).admin()) {
            Topics topics = new Topics(admin);
            // Records in flight at the stop amount to a few milliseconds.
            TimeUnit.MILLISECONDS.sleep(1000);
            Map<?, Long> ends = topics.endOffsets(Set.of(topic));
            TimeUnit.MILLISECONDS.sleep(1000);
            assertThat(topics.endOffsets(Set.of(topic))).isEqualTo(ends);
            topics.delete(Set.of(topic), Duration.ofSeconds(30));
        }
    }

    @Test
    void killedAgentEndsTheRunAndIsNamed() throws Exception {
        killAgent(false);
    }

    /** A supervisor restarts the agent at once, and it responds to the coordinator again. */
    @Tag("nightly")
    @Test
    void restartedAgentEndsTheRunAndIsNamed() throws Exception {
        killAgent(true);
    }

    private void killAgent(boolean restarts) throws Exception {
        RunningCommand c = command(
                        "agent",
                        "--listen",
                        "127.0.0.1:0",
                        "--name",
                        "c",
                        "--join",
                        SharedFleet.first().toString())
                .awaitProgress("listens on");
        Matcher listens = LISTENS.matcher(c.err());
        assertThat(listens.find()).isTrue();
        try (Fleet fleet = SharedFleet.find(
                NodeAddress.parse(listens.group(1), "c"), 3, SharedFleet.anywhere(), "death", BuildOfTests.name())) {
            fleet.claim();
            Run run = new Run(
                    Runs.request(yaml, SharedLab.oneBroker().bootstrapServers(), directory)
                            .with(draft -> draft.workers = fleet),
                    Progress.NONE);
            CompletableFuture<Run.Finished> ending = CompletableFuture.supplyAsync(run::execute);
            awaitSnapshot();
            long killed = System.nanoTime();
            c.process().destroyForcibly().waitFor();
            if (restarts) {
                command("agent", "--listen", listens.group(1), "--name", "c");
            }
            Run.Finished finished = ending.get(60, TimeUnit.SECONDS);
            assertThat((System.nanoTime() - killed) / 1_000_000).isLessThan(2 * NOTICED_MILLIS);
            assertThat(finished.result().head().exitCode()).isEqualTo(5);
            assertThat(finished.failure())
                    .hasMessageContaining("agent c (")
                    .hasMessageContaining("was lost")
                    .hasMessageContaining("its share of the load is missing");
            assertThat(finished.result().trials().get(0).observed().workers())
                    .extracting(WorkerResult::name, w -> w.lost() != null)
                    .contains(tuple("c", true), tuple("a", false));
        }
    }

    /** Until the first measurement of this run. */
    private void awaitSnapshot() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadline) {
            try (var files = Files.walk(directory)) {
                for (Path file :
                        files.filter(f -> f.endsWith(RunDirectory.TIMELINE)).toList()) {
                    if (Files.readString(file).contains("\"type\":\"snapshot\"")) {
                        return;
                    }
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new AssertionError("no snapshot came");
    }
}
