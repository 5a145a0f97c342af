package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.Readiness.StartFailure;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reasons in the words of brokers and JVMs. */
class StartFailureTest {
    private static final LabNode NODE = BrokerConfigTest.combined(
            2, LabNode.HOST, new LabNode.LabPorts(20001, 20002, 20001, 0, 0), Path.of("/data/lab/node-2"));

    private static StartFailure explain(int exitCode, String... log) {
        return StartFailure.explain(NODE, OptionalInt.of(exitCode), List.of(log));
    }

    @Test
    void namesPortInUse() {
        StartFailure failure = explain(
                1,
                "org.apache.kafka.common.KafkaException: Socket server failed to bind to 127.0.0.1:20001: Address"
                        + " already in use.");
        assertThat(failure)
                .hasMessageStartingWith(
                        Said.text("«lab.start.failed¦2¦«lab.start.portTaken¦127.0.0.1:20001»»") + "\n  org.apache");
        assertThat(failure.portTaken()).isTrue();
        assertThat(failure.exit()).isEqualTo(Exit.INTERNAL);
    }

    @Test
    void namesDirectoryOnFullDisk() {
        for (String reason : new String[] {"No space left on device", "设备上没有空间"}) {
            assertThat(explain(1, "java.io.IOException: " + reason))
                    .hasMessageStartingWith(Said.text("Broker 2 did not start: «lab.start.noSpace¦/data/lab/node-2»"));
        }
    }

    @Test
    void excessiveHeapIsUsageError() {
        StartFailure failure = explain(
                1,
                "Error occurred during initialization of VM",
                "Could not reserve enough space for 104857600KB object heap");
        assertThat(failure).hasMessageContaining("(--heap)");
        assertThat(failure.exit()).isEqualTo(Exit.USAGE);
        assertThat(failure.portTaken()).isFalse();
    }

    @Test
    void reportsExitCodeOfSilentProcess() {
        assertThat(explain(3)).hasMessageContaining("ended with code 3").hasMessageContaining("(no output)");
        assertThat(explain(137)).hasMessageContaining("KILL signal");
    }

    @Test
    void showsOnlyLastTenLines() {
        String[] lines = Arrays.stream(new int[14]).mapToObj(i -> "x").toArray(String[]::new);
        lines[3] = "too early";
        lines[4] = "just in";
        assertThat(explain(1, lines)).hasMessageContaining("just in").hasMessageNotContaining("too early");
    }

    @Test
    void showsInfoLinesOnlyIfNothingElseWasLogged() {
        assertThat(explain(1, "[2026-01-01 00:00:00,000] ERROR it broke", "[2026-01-01 00:00:01,000] INFO closing"))
                .hasMessageContaining("it broke")
                .hasMessageNotContaining("closing");
        assertThat(explain(1, "[2026-01-01 00:00:01,000] INFO closing")).hasMessageContaining("closing");
    }

    @Test
    void logTailOmitsStackFrames(@TempDir Path directory) throws IOException {
        Path log = directory.resolve("broker.log");
        Files.writeString(log, "x".repeat(200_000) + "\nERROR it failed\n\tat kafka.Kafka.main\n\nlast\n");
        assertThat(BrokerProcess.lastLines(log, 0)).hasSize(3).endsWith("ERROR it failed", "last");
        assertThat(BrokerProcess.lastLines(log, 0).get(0).length()).isLessThan(400);
        assertThat(BrokerProcess.lastLines(directory.resolve("none"), 0)).isEmpty();
        assertThat(BrokerProcess.lastLines(log, Files.size(log) - "last\n".length()))
                .containsExactly("last");
    }

    @Test
    void refusesMoreHeapThanMemoryBeforeStart() {
        LabOptions options = LabOptions.ephemeral(3).withHeapMegabytes(1000);
        LabStarter.checkMemory(options, OptionalLong.of(3000L << 20));
        LabStarter.checkMemory(options, OptionalLong.empty());
        assertThatThrownBy(() -> LabStarter.checkMemory(options, OptionalLong.of((3000L << 20) - 1)))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessage(Said.text("«lab.notEnoughMemory¦3¦1000¦2999»"));
    }

    @Test
    void refusesOptionsOutOfRange() {
        assertThatThrownBy(() -> LabOptions.ephemeral(0)).hasMessage("A lab has 1 to 9 brokers, not 0.");
        assertThatThrownBy(() -> LabOptions.ephemeral(10)).hasMessage("A lab has 1 to 9 brokers, not 10.");
        assertThatThrownBy(() -> LabOptions.ephemeral(1).withHeapMegabytes(64)).hasMessageContaining("at least 128 MB");
        assertThatThrownBy(() -> LabOptions.ephemeral(2).withPort(65535)).hasMessageContaining("out of range");
        assertThatThrownBy(() -> LabOptions.ephemeral(1).withBrokerConfig(java.util.Map.of("node.id", "7")))
                .hasMessageContaining("'node.id'");
    }
}
