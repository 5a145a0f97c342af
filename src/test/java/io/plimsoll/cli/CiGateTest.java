package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The steps of the templates for pipelines do what they say, typed by a shell in a repository of their own. */
class CiGateTest {
    private static final Path CI = Path.of("deploy/ci").toAbsolutePath();

    @TempDir
    Path directory;

    private Path checkout;

    private String shell(int exit, Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(Files.isDirectory(checkout) ? checkout.toFile() : directory.toFile());
        builder.environment().putAll(environment);
        Path said = Files.createTempFile(directory, "said", "");
        Process process = builder.redirectOutput(said.toFile()).start();
        assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(said);
        assertThat(process.exitValue()).as(text).isEqualTo(exit);
        return text;
    }

    @BeforeEach
    void repository() throws Exception {
        checkout = directory.resolve("checkout");
        shell(0, Map.of(), "git", "init", "--quiet", "--bare", "origin.git");
        shell(0, Map.of(), "git", "clone", "--quiet", "origin.git", "checkout");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, String>> steps() throws IOException {
        Object action =
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(CI.resolve("action.yml")));
        return (List<Map<String, String>>)
                ((Map<String, Object>) ((Map<String, Object>) action).get("runs")).get("steps");
    }

    private static String step(String name) throws IOException {
        return steps().stream()
                .filter(step -> step.get("name").equals(name))
                .findFirst()
                .orElseThrow()
                .get("run");
    }

    private static final String PROGRAM = Path.of("plimsoll").toAbsolutePath().toString();

    /** The program, but for what happens to a run. */
    private Path program(String run) throws IOException {
        Path program = Files.writeString(directory.resolve("program"), """
            #!/bin/sh
            [ "$1" = run ] || exec %s "$@"
            %s
            """.formatted(PROGRAM, run));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private long kept() {
        return checkout.resolve("plimsoll-history").toFile().list((d, name) -> name.endsWith("orders")).length;
    }

    @Test
    @Timeout(300)
    void stepsOfTheActionRunCheckTellAndPublish() throws Exception {
        String topic = "ci-" + UUID.randomUUID();
        Path scenario = Files.writeString(checkout.resolve("orders.yaml"), """
            name: orders
            topics: [{name: %s}]
            producers: [{topic: %s, rate: 500/s, record: {size: 100}}]
            duration: 2s
            warmup: 1s
            """.formatted(topic, topic));
        Path summary = directory.resolve("step-summary");
        Map<String, String> environment = Map.of(
                "GITHUB_ACTION_PATH",
                CI.toString(),
                "GITHUB_STEP_SUMMARY",
                summary.toString(),
                "PLIMSOLL",
                // Whether this host was fast enough to measure is not what is asked here.
                program(PROGRAM + " \"$@\" || [ $? = 5 ]").toString(),
                "PLIMSOLL_NO_BUILD",
                "1",
                "PLIMSOLL_JAVA_OPTS",
                "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx1g",
                "SCENARIO",
                scenario.toString(),
                "OPTIONS",
                "--self-warmup 0s --bootstrap-server " + SharedLab.oneBroker().bootstrapServers(),
                "REPEAT",
                "1",
                "KEEP",
                "1");
        assertThat(shell(0, environment, "bash", "-c", step("Fetch the history")))
                .contains("begins here");
        assertThat(shell(0, environment, "bash", "-c", step("Run and check"))).contains("Too few runs");
        assertThat(Files.readString(summary)).contains("### Plimsoll", "orders", "produce.response.p99, 1 run", "| ");
        shell(0, environment, "bash", "-c", step("Publish the history"));
        assertThat(shell(0, Map.of(), "git", "status", "--porcelain", "orders.yaml"))
                .contains("?? orders.yaml");

        assertThat(shell(0, environment, "bash", "-c", step("Fetch the history")))
                .contains(", runs: 1");
        shell(0, environment, "bash", "-c", step("Run and check"));
        assertThat(kept()).isEqualTo(2);
        shell(0, environment, "bash", "-c", step("Publish the history"));
        assertThat(shell(0, environment, "bash", "-c", step("Fetch the history")))
                .as("as many as are to be kept")
                .contains(", runs: 1");

        program("cp -r runs/*-orders runs/20991231-no-measure-orders && exit 5");
        shell(0, Map.of(), "bash", "-c", "rm -r runs/$(ls runs | tail -n 1)");
        assertThat(shell(5, environment, "bash", "-c", step("Run and check"))).contains("no measure of the cluster");
        assertThat(kept()).as("what is no measure is in no history").isEqualTo(1);
    }

    @Test
    void aRunThatFailsEndsTheStepWithItsCode() throws Exception {
        Map<String, String> environment = Map.of(
                "PLIMSOLL", PROGRAM,
                "PLIMSOLL_NO_BUILD", "1",
                "SCENARIO", "no-such-scenario",
                "REPEAT", "2");
        assertThat(shell(2, environment, CI.resolve("gate").toString(), "run")).contains("no-such-scenario");
    }
}
