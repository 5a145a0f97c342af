package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.RunResult;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The next steps in a report are commands that can be typed. */
class NextStepsTest {

    private static RunResult quick(boolean lab, boolean passed, String... command) {
        RunResult r = Samples.quick();
        RunResult.Cluster c = r.environment().cluster();
        return new RunResult(
                new RunResult.Head(
                        r.head().schema(),
                        r.head().name(),
                        r.head().startedAt(),
                        r.head().endedAt(),
                        List.of(command),
                        r.head().exitCode(),
                        r.head().seed(),
                        1),
                r.tool(),
                new RunResult.Environment(
                        r.environment().host(), new RunResult.Cluster(c.id(), c.kafkaVersion(), c.brokers(), lab)),
                r.scenario(),
                new RunResult.Verdict(
                        passed, r.verdict().sentence(), r.verdict().warnings()),
                r.trials(),
                new RunResult.Published(null, List.of(), List.of(), List.of()),
                List.of());
    }

    private static List<String> commands(RunResult result) {
        return RunReport.nextSteps(result).stream().map(Block.Command::command).toList();
    }

    @Test
    void suggestsClusterAndLowerRateAfterLab() {
        assertThat(commands(quick(true, true, "plimsoll", "run")))
                .containsExactly(
                        "./plimsoll run --bootstrap-server HOST:PORT",
                        // two thirds of 200,000, with two digits
                        "./plimsoll run --set trials=null --set producers.rate=130000/s",
                        "./plimsoll host");
    }

    @Test
    void repeatsClusterOptionsAsTyped() {
        assertThat(commands(quick(
                        false, true, "plimsoll", "run", "quick", "--bootstrap-server", "b1:9092", "--out", "a b")))
                .containsExactly(
                        "./plimsoll run quick --bootstrap-server b1:9092 --out 'a b' --set trials=null"
                                + " --set producers.rate=130000/s",
                        "./plimsoll run quick --bootstrap-server b1:9092 --out 'a b' --set producers.config.acks=1",
                        "./plimsoll host");
    }

    @Test
    void omitsStepsThatTheUserKnows() {
        assertThat(commands(quick(true, false, "plimsoll", "run"))).isEmpty();
        assertThat(commands(quick(true, true, "plimsoll", "run", "--set", "duration=5s")))
                .isEmpty();
        assertThat(commands(quick(true, true, "plimsoll", "run", "--set=duration=5s")))
                .isEmpty();
        assertThat(commands(quick(true, true, "plimsoll", "run", "quick.yaml"))).isEmpty();
        assertThat(commands(Samples.matrix())).isEmpty();
        assertThat(commands(Samples.empty())).isEmpty();
    }

    @Test
    void commandsAreNeverTruncated() {
        for (int width : new int[] {40, 60, 80, 120}) {
            String report =
                    RunReport.terminal(quick(true, true, "plimsoll", "run"), new Look(width, false, Language.EN));
            assertThat(report.replaceAll(" \\\\\n +", " "))
                    .contains("./plimsoll run --set trials=null --set producers.rate=130000/s")
                    .containsPattern(Said.en("report.next.latency"));
        }
    }
}
