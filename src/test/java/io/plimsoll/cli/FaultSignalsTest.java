package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.result.Json;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.RunningCommand.Ended;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No fault remains after a run ends in the middle of it, for any reason. */
class FaultSignalsTest {
    private static final Duration WAIT = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    @Test
    @Tag("nightly")
    void runKilledDuringFaultsLeavesNothing() throws Exception {
        leavesNothing("KILL", 137);
    }

    @Test
    @Tag("nightly")
    void runInterruptedDuringFaultsLeavesNothing() throws Exception {
        leavesNothing("INT", 130);
    }

    private void leavesNothing(String signal, int exit) throws Exception {
        Path undone = directory.resolve("undone");
        Path scenario = Files.writeString(directory.resolve("s.yaml"), """
            topics: [{name: t, replication: 2, partitions: 2}]
            producers: [{topic: t, rate: 200/s, record: {size: 100}}]
            consumers: [{topic: t}]
            warmup: 0s
            duration: 120s
            faults:
              - {at: 1s, exec: "true", undo: "touch UNDONE"}
              - {at: 2s, slow: 2, delay: 10ms}
              - {at: 2s, pause: 1}
              - {at: 100s, fillDisk: 1, for: 1s}
            """.replace("UNDONE", undone.toString()));
        try (RunningCommand run = new RunningCommand(
                directory,
                "run",
                scenario,
                "--allow-exec",
                "--self-warmup",
                "0s",
                "--out",
                directory.resolve("runs"))) {
            run.awaitProgress("pause broker 1\"");
            List<ProcessHandle> processes = run.process().descendants().toList();
            assertThat(processes).hasSizeGreaterThanOrEqualTo(3);
            List<Integer> ports = ports();
            Ended ended = run.signal(signal);
            assertThat(ended.exit()).as(ended.err()).isEqualTo(exit);
            awaitGone(processes);
            assertThat(ports).hasSize(2).allSatisfy(FaultSignalsTest::assertFree);
            assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(directory.toString());
            awaitUndone(undone);
        }
    }

    /** The ports that the brokers advertise, which belong to the proxies. */
    private List<Integer> ports() throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
            JsonNode first =
                    Json.MAPPER.readTree(Files.readAllLines(runs.toList().get(0).resolve("timeline.jsonl"))
                            .get(0));
            List<Integer> ports = new ArrayList<>();
            first.at("/environment/cluster/brokers")
                    .forEach(b -> ports.add(b.at("/port").asInt()));
            return ports;
        }
    }

    private static void assertFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new AssertionError("port " + port + " is still taken", e);
        }
    }

    private void awaitGone(List<ProcessHandle> processes) throws Exception {
        long deadline = System.nanoTime() + WAIT.toNanos();
        while (processes.stream().anyMatch(ProcessHandle::isAlive) || !labs().isEmpty()) {
            assertThat(System.nanoTime())
                    .as("still there: %s %s", processes, labs())
                    .isLessThan(deadline);
            Thread.sleep(50);
        }
    }

    /** After SIGKILL it is done by a process that has just noticed the end. */
    private static void awaitUndone(Path undone) throws Exception {
        long deadline = System.nanoTime() + WAIT.toNanos();
        while (!Files.exists(undone)) {
            assertThat(System.nanoTime()).as("nobody has undone it").isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private List<Path> labs() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> f.getFileName().toString().startsWith("plimsoll-lab-"))
                    .toList();
        }
    }
}
