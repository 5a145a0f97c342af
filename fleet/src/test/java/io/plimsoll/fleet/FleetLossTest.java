package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.RunningCommand.Ended;
import io.plimsoll.testing.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agent and coordinator processes are disturbed during their work. */
@Tag("nightly")
class FleetLossTest {
    private static final Pattern LISTENS = Pattern.compile("listens on (127\\.0\\.0\\.1:\\d+)");
    private final List<RunningCommand> running = new ArrayList<>();
    private final String topic = "loss-" + UUID.randomUUID();
    private RunningCommand a;
    private RunningCommand b;
    private String first;

    @TempDir
    Path directory;

    @BeforeEach
    void startAgents() throws Exception {
        a = command("agent", "--listen", "127.0.0.1:0", "--name", "a");
        first = address(a);
        b = command("agent", "--listen", "127.0.0.1:0", "--name", "b", "--join", first);
        address(b);
    }

    private RunningCommand command(Object... arguments) throws IOException {
        Path own = Files.createDirectories(directory.resolve("p" + running.size()));
        RunningCommand command = new RunningCommand(own, arguments);
        running.add(command);
        return command;
    }

    private String address(RunningCommand agent) throws Exception {
        agent.awaitProgress("listens on");
        try (Stream<Path> files = Files.list(directory.resolve("p" + running.indexOf(agent)))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher listens = LISTENS.matcher(Files.readString(file));
                if (listens.find()) {
                    return listens.group(1);
                }
            }
        }
        throw new AssertionError("it listens nowhere");
    }

    private RunningCommand run(Object... more) throws Exception {
        return runWith("", more);
    }

    private RunningCommand runWith(String consumers, Object... more) throws Exception {
        Path file = Files.writeString(
                directory.resolve("s.yaml"), """
                    name: loss
                    topics: [{name: TOPIC, partitions: 4}]
                    producers: [{topic: TOPIC, clients: 2, rate: 500/s, record: {size: 50}}]
                    duration: 60s
                    warmup: 0s
                    """.concat(consumers).replace("TOPIC", topic));
        List<Object> all = new ArrayList<>(List.of(
                "run",
                file,
                "--fleet",
                first,
                "--workers",
                "2",
                "--out",
                directory.resolve("runs"),
                "--bootstrap-server",
                SharedLab.oneBroker().bootstrapServers()));
        all.addAll(List.of(more));
        return command(all.toArray()).awaitProgress("achieved=");
    }

    @AfterEach
    void endAll() {
        running.forEach(RunningCommand::close);
    }

    private String report() throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
            return Files.readString(runs.toList().get(0).resolve("report.md"));
        }
    }

    private JsonNode result() throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
            return Json.MAPPER.readTree(
                    runs.toList().get(0).resolve("result.json").toFile());
        }
    }

    private static void signal(RunningCommand to, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(to.process().pid()))
                .start()
                .waitFor();
    }

    @Test
    void hangingAgentIsLostToRunAndRejoinsFleet() throws Exception {
        RunningCommand run = run();
        signal(b, "STOP");
        assertThat(run.awaitEnd().exit()).isEqualTo(5);
        signal(b, "CONT");
        b.awaitProgress("load is stopped");
        RunningCommand status = command("fleet", "status", "--fleet", first, "--workers", "2", "--fleet-timeout", "60");
        assertThat(status.awaitEnd().out())
                .contains("a (127.0.0.1:")
                .contains("b (127.0.0.1:")
                .contains(" · idle");
    }

    @Test
    void interruptedRunStopsAgentsAndWritesReport() throws Exception {
        Ended ended = run().signal("INT");
        assertThat(ended.exit()).as(ended.err()).isEqualTo(130);
        assertThat(report()).contains("Interrupted");
        a.awaitProgress("run loss is over");
        b.awaitProgress("run loss is over");
    }

    @Test
    void runContinuesWithRemainingAgentsAndReportsLoss() throws Exception {
        RunningCommand run = runWith(
                "consumers: [{topic: TOPIC, members: 4, config: {session.timeout.ms: 6000}}]\n",
                "--on-agent-loss",
                "continue",
                "--set",
                "duration=20s");
        b.process().destroyForcibly();
        run.awaitProgress("agent b (");
        Ended ended = run.awaitEnd();
        Runs.assertSound(directory.resolve("runs"), ended.exit());
        assertThat(report()).contains("agent b (").contains("was lost");
        JsonNode group = result().at("/trials/0/consume/groups/0");
        // The remaining members got all partitions, and have read them to their end.
        assertThat(group.path("members").asInt()).isEqualTo(4);
        assertThat(group.path("rebalances").asLong()).isPositive();
        assertThat(group.path("lagAtEnd").isNumber()).isTrue();
        assertThat(group.path("lagAtEnd").asLong()).isZero();
    }
}
