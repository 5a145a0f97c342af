package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fleet on hosts emulated by network namespaces, with mutual TLS and links that can be cut: {@code
 * bench/fleet-hosts}, which derives the end of the load from the brokers' files. Skipped with a reason if such hosts
 * are impossible.
 */
class FleetHostsTest {
    private static final int SKIPPED = 77;
    private static final String HOME = System.getProperty("user.dir");

    @TempDir
    Path directory;

    /** A line for each case. */
    private List<JsonNode> hosts(int seconds, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", HOME + "/bench/fleet-hosts", "--json"));
        command.addAll(List.of(arguments));
        File out = directory.resolve("out").toFile();
        File err = directory.resolve("err").toFile();
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectOutput(out)
                    .redirectError(err)
                    .start();
        } catch (IOException e) {
            Assumptions.abort("skipped: " + e.getMessage());
            return List.of();
        }
        try {
            // It cleans up at its end and on request.
            assertThat(process.waitFor(seconds, TimeUnit.SECONDS))
                    .as("ended after %d s; it said: %s", seconds, Files.readString(err.toPath()))
                    .isTrue();
        } finally {
            process.destroy();
            process.waitFor(30, TimeUnit.SECONDS);
        }
        String said = Files.readString(err.toPath());
        Assumptions.assumeFalse(process.exitValue() == SKIPPED, said);
        List<JsonNode> found = new ArrayList<>();
        for (String line : Files.readAllLines(out.toPath())) {
            found.add(new ObjectMapper().readTree(line));
        }
        assertThat(found).as(said).isNotEmpty().allMatch(each -> each.get("expected")
                .asBoolean());
        assertThat(process.exitValue()).as(said).isZero();
        return found;
    }

    /** One agent cut off from its coordinator, though not from the brokers; one killed; the coordinator killed. */
    @Tag("nightly")
    @Test
    void isolatedAgentsStopTheirLoad() throws Exception {
        // The limit is 5 s, which a machine with concurrent tests may exceed.
        List<JsonNode> cases = hosts(
                300,
                "--agents",
                "2",
                "--brokers",
                "1",
                "--rate",
                "200/s",
                "--limit",
                "20",
                "--case",
                "cut_link",
                "--case",
                "kill_agent",
                "--case",
                "kill_coordinator");
        assertThat(cases)
                .extracting(c -> c.get("case").asText())
                .containsExactly("cut_link", "kill_agent", "kill_coordinator");
        assertThat(cases.get(0).get("exit").asInt()).isEqualTo(5);
        // On a busy machine the other agent can be notified late and stop by itself too.
        assertThat(cases.get(0).get("stopped by themselves s")).isNotEmpty();
        assertThat(cases.get(1).get("exit").asInt()).isEqualTo(5);
        assertThat(cases.get(2).get("stopped by themselves s")).hasSize(2);
    }

    @Test
    @Tag("nightly")
    @Timeout(900)
    void handlesAllFaultsOfFourAgentsAndThreeBrokers() throws Exception {
        assertThat(hosts(840, "--rate", "2000/s", "--continued", "0.003", "--limit", "10"))
                .hasSize(9);
    }

    @Test
    @Tag("nightly")
    @Timeout(600)
    void agentsStartTogetherDespiteNetworkDelay() throws Exception {
        assertThat(hosts(540, "--case", "start", "--brokers", "1", "--repeats", "3", "--skew", "30"))
                .hasSize(1);
    }

    /** A cloud provider's own driver and workload, tailing and catching up, each instance with each codec. */
    @Test
    @Tag("nightly")
    @Timeout(900)
    void runsPublishedBenchmarkFiles() throws Exception {
        List<JsonNode> found = hosts(840, "--case", "omb", "--omb", "0.002");
        assertThat(found).hasSize(1);
        assertThat(found.get(0).get("rows")).hasSize(24);
    }
}
