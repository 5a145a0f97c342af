package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.LinuxRoot;
import io.plimsoll.lab.Child;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.testing.Said;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outside of Linux, runs leave out its figures with a warning, and commands that need it say so in one sentence. */
class WithoutLinuxTest {
    @TempDir
    Path directory;

    /** Runs a command line in a process that takes its host for another operating system. */
    private Child.Result elsewhere(Object... words) throws Exception {
        ProcessBuilder builder = Child.java(Main.class, words);
        builder.command().add(1, "-Djava.io.tmpdir=" + directory);
        builder.command().replaceAll(word -> word.startsWith("-Dplimsoll.linux=") ? "-Dplimsoll.linux=off" : word);
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        int exit = builder.redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
        return new Child.Result(exit, Files.readString(out), Files.readString(err));
    }

    @Test
    @SuppressWarnings("unchecked")
    void runOmitsLinuxOnlyFigures() throws Exception {
        String topic = "without-linux-" + UUID.randomUUID();
        Path scenario =
                Files.writeString(directory.resolve("small.yaml"), """
            topics: [{name: TOPIC}]
            producers: [{topic: TOPIC, rate: 200/s, record: {size: 100}}]
            warmup: 0s
            duration: 2s
            """.replace("TOPIC", topic), StandardCharsets.UTF_8);
        String servers = SharedLab.oneBroker().bootstrapServers();
        Child.Result run =
                elsewhere("run", scenario, "--bootstrap-server", servers, "--json", "--out", directory.resolve("runs"));
        // Without the figures of the scheduler, a busy machine looks like a load generator at its limit.
        assertThat(run.exitCode()).as(run.err()).isIn(0, Exit.INVALID_MEASUREMENT.code());
        Map<String, Object> result = Json.MAPPER.readValue(run.out(), Map.class);
        assertThat(result.toString()).containsPattern(Said.en("run.hostNotMeasured"));
        Map<String, Object> trial = ((List<Map<String, Object>>) result.get("trials")).get(0);
        assertThat((Map<String, Object>) trial.get("produce")).containsEntry("records", 400);
        Map<String, Object> host = (Map<String, Object>) trial.get("host");
        assertThat(host).containsKeys("cpu", "memoryAvailableBytes", "diskBusy").containsKey("cores");
        host.remove("cores");
        assertThat(host.values()).containsOnlyNulls();
    }

    /** A paused broker is found without {@code /proc}. */
    @Test
    void listsProcessStates() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "300").start();
        try {
            long pid = sleeper.pid();
            assertThat(LinuxRoot.states(List.of(pid)).get(pid)).isNotNull().doesNotStartWith("T");
            new ProcessBuilder("sh", "-c", "kill -STOP " + pid).start().waitFor();
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            String state = "";
            while (!state.startsWith("T") && System.nanoTime() < deadline) {
                state = LinuxRoot.states(List.of(pid)).getOrDefault(pid, "");
            }
            assertThat(state).startsWith("T");
            sleeper.destroyForcibly().waitFor();
            assertThat(LinuxRoot.states(List.of(pid))).isEmpty();
        } finally {
            sleeper.destroyForcibly();
        }
    }

    @Test
    void refusesLinuxOnlyCommands() throws Exception {
        Child.Result observing = elsewhere("agent", "--observe");
        assertThat(observing.err()).containsPattern(Said.en("cli.observeNeedsLinux"));
        assertThat(observing.exitCode()).isEqualTo(2);
        String[] lab = {"run", "quick", "--out", directory.toString(), "--set"};
        Child.Result limited = elsewhere(lab[0], lab[1], lab[2], lab[3], lab[4], "lab.cpus=1");
        assertThat(limited.err()).containsPattern(Said.en("lab.cpus.notLinux", "1"));
        assertThat(limited.exitCode()).isEqualTo(2);
    }
}
