package io.plimsoll.run.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Effects of a user's command are undone even after a failure, and its output is discarded. */
class ExecFaultTest {
    private static final RunResult.Broker BROKER = new RunResult.Broker(7, "-oProxyCommand=x", 9092, null);
    private static final String SECRET = "Wk3vq9Zt";

    private final List<TimelineEvent> timeline = Collections.synchronizedList(new ArrayList<>());
    private final List<Integer> disturbed = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    Path directory;

    private FaultSpec fault(String more) {
        return ScenarioReader.read(
                        "name: n\ntopics: [{name: t}]\nproducers: [{topic: t, rate: 1/s}]\nduration: 9s\nfaults:\n  - {at: 0s, on: 7, "
                                + more + "}\n",
                        "x.yaml",
                        List.of(),
                        1)
                .trials()
                .get(0)
                .scenario()
                .faults()
                .get(0);
    }

    private void happens(FaultSpec spec) throws Exception {
        try (Admin nobody = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"));
                FaultInjector injector = new FaultInjector(
                        List.of(spec),
                        new Victims(
                                Optional.empty(),
                                new BrokerRoles(nobody),
                                List.of(BROKER),
                                entry -> List.of(),
                                new SplittableRandom(1),
                                Set.of()),
                        disturbed::add,
                        List.of(),
                        "trial",
                        timeline::add,
                        Progress.NONE)) {
            long now = System.nanoTime();
            injector.start(new TrialClock(now, now, Long.MAX_VALUE, 0));
            long deadline = now + TimeUnit.SECONDS.toNanos(30);
            while (states().isEmpty() || states().get(states().size() - 1) == FaultState.ASKED) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                TimeUnit.MILLISECONDS.sleep(5);
            }
            injector.loadEnded(() -> false, () -> false);
        }
    }

    private List<FaultState> states() {
        synchronized (timeline) {
            return timeline.stream()
                    .filter(FaultMark.class::isInstance)
                    .map(event -> ((FaultMark) event).state())
                    .toList();
        }
    }

    @Test
    void undoesFailedCommand() throws Exception {
        Path told = directory.resolve("told");
        happens(fault(
                "exec: 'echo begun >>TOLD; echo SECRET; exit 3', undo: 'echo $PLIMSOLL_BROKER_ID $PLIMSOLL_BROKER_HOST"
                                .replace("SECRET", SECRET)
                                .replace("TOLD", told.toString())
                        + " >>" + told + "'"));
        assertThat(told).hasContent("begun\n7 -oProxyCommand=x\n");
        assertThat(states()).containsExactly(FaultState.ASKED, FaultState.FAILED);
        // The failed command can have stopped the broker, so guards must ignore its replicas.
        assertThat(disturbed).containsExactly(7);
        FaultMark failed = (FaultMark) timeline.stream()
                .filter(e -> e instanceof FaultMark mark && mark.state() == FaultState.FAILED)
                .findFirst()
                .orElseThrow();
        assertThat(failed.detail().english())
                .contains("failed with exit code 3")
                .doesNotContain(SECRET);
    }

    @Test
    void reportsFailedUndoAlongWithFailure() throws Exception {
        happens(fault("exec: exit 3, undo: exit 4"));
        FaultMark failed = (FaultMark) timeline.get(timeline.size() - 2);
        assertThat(Json.MAPPER.writeValueAsString(failed.detail()))
                .contains("failed with exit code 3")
                .contains(Said.text("undoing it also failed: «run.commandFailed¦4»"));
    }

    @Test
    void stopsAndUndoesSlowCommand() throws Exception {
        Path told = directory.resolve("told");
        Path pid = Files.createFile(directory.resolve("pid"));
        FaultSpec spec = fault("exec: 'sleep 1000 & echo $! >PID; wait', undo: 'touch TOLD'"
                .replace("PID", pid.toString())
                .replace("TOLD", told.toString()));
        ExecFault.Commands commands = tooLong(spec, Duration.ofSeconds(2));
        if (Files.size(pid) == 0) {
            // On a busy host, even the start of a command takes seconds.
            commands = tooLong(spec, Duration.ofSeconds(20));
        }
        assertThat(told).doesNotExist();
        commands.end(spec);
        assertThat(told).exists();
        long child = Long.parseLong(Files.readString(pid).strip());
        ProcessHandle.of(child)
                .ifPresent(process ->
                        process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
    }

    private static ExecFault.Commands tooLong(FaultSpec spec, Duration limit) {
        ExecFault.Commands commands = new ExecFault.Commands(BROKER, limit);
        assertThatThrownBy(() -> commands.begin(spec))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining("still running after");
        return commands;
    }

    @Test
    void hidesCommandFromProcessList() throws Exception {
        Path shown = directory.resolve("shown");
        FaultSpec spec = fault("exec: 'cat /proc/$PPID/cmdline /proc/$$/cmdline >SHOWN; : SECRET', undo: ': SECRET'"
                .replace("SHOWN", shown.toString())
                .replace("SECRET", SECRET));
        ExecFault.Commands commands = new ExecFault.Commands(BROKER, Duration.ofSeconds(30));
        commands.begin(spec);
        List<String> lines = ProcessHandle.current()
                .descendants()
                .flatMap(process -> process.info().commandLine().stream())
                .toList();
        commands.end(spec);
        assertThat(Files.readString(shown)).contains("eval").doesNotContain(SECRET);
        assertThat(lines).anyMatch(line -> line.contains("plimsoll-undo")).noneMatch(line -> line.contains(SECRET));
    }
}
