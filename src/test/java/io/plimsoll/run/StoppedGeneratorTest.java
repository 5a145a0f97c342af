package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.nullbroker.Misbehaving;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.Generator;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Responses delayed by a stopped load generator count as generator delays, responses of a slow broker do not. The
 * broker's delay is planted, so the rest is the generator's delay.
 */
@Tag("nightly")
class StoppedGeneratorTest {
    /** For 80 ms of each 100, like a cgroup quota, for seven seconds. */
    private static final String STOPS =
            "i=0; while [ $i -lt 70 ] && kill -STOP %1$d && sleep 0.08; do kill -CONT %1$d; sleep 0.02; i=$((i+1)); done;"
                    + " kill -CONT %1$d";

    @TempDir
    Path directory;

    private RunResult stopped(String engine, long delayMillis) throws IOException, InterruptedException {
        NullBrokerOptions options =
                new NullBrokerOptions().behaviour(Misbehaving.delay(Duration.ofMillis(delayMillis)));
        Path scenario = Files.writeString(directory.resolve("s.yaml"), """
                name: stopped
                topics: [{name: stopped, partitions: 1}]
                producers: [{topic: stopped, engine: %s, rate: 500/s, record: {size: 100}, config: {linger.ms: 0}}]
                warmup: 1s
                duration: 6s
                """.formatted(engine));
        Path runs = directory.resolve("runs");
        try (NullBroker broker = NullBroker.start(options);
                RunningCommand command = new RunningCommand(
                        directory,
                        "run",
                        scenario,
                        "--yes",
                        "--self-warmup",
                        "0s",
                        "--bootstrap-server",
                        broker.bootstrapServers(),
                        "--out",
                        runs)) {
            command.awaitProgress("warm-up");
            Process stops = new ProcessBuilder(
                            "sh", "-c", STOPS.formatted(command.process().pid()))
                    .start();
            int exit = command.awaitEnd().exit();
            stops.destroy();
            try (Stream<Path> found = Files.list(runs)) {
                Path result = found.findFirst().orElseThrow().resolve(RunDirectory.RESULT);
                RunResult read = Json.MAPPER.readValue(result.toFile(), RunResult.class);
                assertThat(read.head().exitCode()).isEqualTo(exit);
                return read;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"client", "raw"})
    void delaysByStoppedGeneratorInvalidateMeasurement(String engine) throws Exception {
        RunResult result = stopped(engine, 25);
        TrialResult trial = result.trials().get(0);
        Generator.Part part = trial.observed().generator().part();
        // The broker takes 25 ms: most of this is another delay.
        assertThat(trial.produce().times().responseTime().mean()).isGreaterThan(60_000);
        assertThat(part.stoodShare()).as(part.toString()).isGreaterThan(0.5);
        assertThat(trial.course().valid()).as(part.toString()).isFalse();
        assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
        assertThat(trial.judgement().warnings().toString()).containsPattern(Said.en("result.stood"));
    }

    @ParameterizedTest
    @CsvSource({"client", "raw"})
    void stopsAreNegligibleNextToSlowBroker(String engine) throws Exception {
        RunResult result = stopped(engine, 1000);
        TrialResult trial = result.trials().get(0);
        assertThat(trial.produce().times().responseTime().mean()).isGreaterThan(1_000_000);
        assertThat(trial.observed().generator().part().stoodShare()).isGreaterThan(0.5);
        assertThat(trial.course().valid())
                .as(trial.observed().generator().toString())
                .isTrue();
        assertThat(result.head().exitCode()).isZero();
    }
}
