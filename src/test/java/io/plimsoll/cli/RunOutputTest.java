package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.LinuxRoot;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.RunningCommand.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output streams of a run, as seen by the shell of a user. */
@Order(1)
class RunOutputTest {
    private final String topic = "output-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void writeScenario() throws IOException {
        file = Files.writeString(directory.resolve("s.yaml"), """
                name: s
                topics: [{name: %s}]
                producers: [{topic: %s, record: {size: 1000}, config: {buffer.memory: 1000000}}]
                duration: 1s
                warmup: 0s
                audit: true
                """.formatted(topic, topic));
    }

    private Object[] arguments(Object... more) {
        return Stream.concat(
                        Stream.of(
                                "run",
                                file,
                                "--out",
                                directory.resolve("runs"),
                                "--bootstrap-server",
                                SharedLab.oneBroker().bootstrapServers()),
                        Stream.of(more))
                .toArray();
    }

    private Ended run(Object... more) throws Exception {
        try (RunningCommand run = new RunningCommand(directory, arguments(more))) {
            return run.awaitEnd();
        }
    }

    @Test
    void resultsGoToStandardOutputAndProgressToStandardError() throws Exception {
        Ended run = run();
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("✓ ").doesNotContain("phase=", "\u001b");
        assertThat(run.lastLine()).endsWith("report.html");
        assertThat(Path.of(run.lastLine()))
                .content()
                .startsWith("<!DOCTYPE html>")
                .endsWith("</html>\n");
        assertThat(Path.of(run.lastLine()).resolveSibling("report.md"))
                .content()
                .startsWith("# s");
        ResultSchema.assertValid(Path.of(run.lastLine()).resolveSibling("result.json"));
        assertThat(run.err().lines()).isNotEmpty().allSatisfy(line -> assertThat(line)
                .matches("seconds=\\d+ (trial=s )?phase=.*" + (LinuxRoot.isHere() ? "" : "|note=.*")));
        assertThat(run.err()).contains("phase=measuring", "phase=auditing", "phase=\"cleaning up\"");
    }

    @Test
    @Tag("nightly")
    void quietPrintsNoProgress() throws Exception {
        Ended run = run("--quiet");
        assertThat(run.err()).isEmpty();
        assertThat(run.exit()).isZero();
        assertThat(run.lastLine()).endsWith("report.html");
    }

    @Test
    void jsonOutputIsASingleDocument() throws Exception {
        Ended run = run("--json", "--set", "checks=[produce.records < 1]");
        assertThat(run.err()).isEmpty();
        assertThat(run.exit()).isEqualTo(3);
        try (var values = Json.MAPPER.readerFor(JsonNode.class).<JsonNode>readValues(run.out())) {
            List<JsonNode> documents = values.readAll();
            assertThat(documents).hasSize(1);
            ResultSchema.assertValid(documents.get(0));
            assertThat(documents.get(0).at("/exitCode").asInt()).isEqualTo(3);
        }
        assertThat(run.out()).startsWith("{\n").endsWith("}\n");
    }

    @Test
    void fullDiskEndsRunWithOneErrorLine() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        // A separate file system, visible to no other process and removed with the process.
        String mount = "mount -t tmpfs -o size=32k none '" + disk + "' && exec \"$@\"";
        List<String> prefix = List.of("unshare", "-rm", "sh", "-c", mount, "sh");
        Process possible = new ProcessBuilder(
                        Stream.concat(prefix.stream(), Stream.of("true")).toList())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assumeThat(possible.waitFor())
                .as("a mount in a namespace of its own is allowed here")
                .isZero();
        Object[] arguments = arguments("--quiet", "--set", "duration=60s");
        arguments[3] = disk;
        try (RunningCommand running = new RunningCommand(directory, prefix, arguments)) {
            Ended run = running.awaitEnd();
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err())
                    .startsWith("plimsoll: Cannot write timeline.jsonl in run directory " + disk)
                    .contains("No space left on device; free some space or start again with --out on another disk");
            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.out()).startsWith("✗ The run ended early");
        }
        assertTopicGone();
    }

    private void assertTopicGone() {
        try (Admin admin = new ClusterConnection(SharedLab.oneBroker().bootstrapServers(), Map.of()).admin()) {
            assertThat(new Topics(admin).names(false)).doesNotContain(topic);
        }
    }
}
