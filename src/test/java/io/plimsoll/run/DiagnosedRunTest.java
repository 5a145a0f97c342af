package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerBehaviour;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.Json;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.Runs;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The diagnosis of a run and its evidence. */
class DiagnosedRunTest {
    @TempDir
    Path out;

    /** Memory for two batches, but five requests of 30 ms can be in flight. */
    private static final String YAML = """
        name: small-buffer
        topics: [{name: small-buffer}]
        producers: [{topic: small-buffer, record: {size: 1000}, config: {buffer.memory: 32768, linger.ms: 0}}]
        duration: 4s
        warmup: 0s
        audit: false
        """;

    /** In its own process: other tests' heap use would be diagnosed too. */
    @Test
    void namesSmallBufferAndStagesAddUp() throws IOException, InterruptedException {
        NullBrokerOptions slow = new NullBrokerOptions()
                .behaviour(new NullBrokerBehaviour(Duration.ofMillis(30), 0, Duration.ZERO, Duration.ZERO, 0));
        Path scenario = Files.writeString(out.resolve("small-buffer.yaml"), YAML);
        Path runs = out.resolve("runs");
        try (NullBroker broker = NullBroker.start(slow);
                RunningCommand command = new RunningCommand(
                        out,
                        "run",
                        scenario,
                        "--yes",
                        "--self-warmup",
                        "0s",
                        "--bootstrap-server",
                        broker.bootstrapServers(),
                        "--out",
                        runs)) {
            RunningCommand.Ended ended = command.awaitEnd();
            assertThat(runs).as(ended.err()).isNotEmptyDirectory();
            Path result = onlyIn(runs).resolve(RunDirectory.RESULT);
            ResultSchema.assertValid(result);
            TrialResult trial = Json.MAPPER
                    .readValue(result.toFile(), RunResult.class)
                    .trials()
                    .get(0);
            assertThat(trial.observed().clients()).containsKeys("producers-0", "producers-0 broker 1");
            assertThat(trial.observed().clients().get("producers-0"))
                    .containsEntry("bufferMemory", 32_768.0)
                    .hasEntrySatisfying("requestMs", ms -> assertThat(ms).isGreaterThanOrEqualTo(29));
            Limits limits = trial.judgement().limits();
            assertThat(limits.first().limit().english()).as(limits.toString()).isEqualTo("buffer.memory");
            assertThat(limits.notAvailable()).anyMatch(t -> t.english().startsWith("request handlers"));
            assertThat(limits.stages().stream().mapToDouble(Limits.Stage::ms).sum())
                    .isCloseTo(trial.produce().times().serviceTime().mean() / 1e3, withPercentage(0.1));
        }
    }

    private static Path onlyIn(Path directory) throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            return found.findFirst().orElseThrow();
        }
    }

    /** Requests of the raw engine, each in flight for 30 ms, at most five at a time. */
    private static final String RAW = """
        name: far
        topics: [{name: far, partitions: 2, existing: true}]
        producers: [{topic: far, engine: raw, record: {size: 1000}}]
        duration: 3s
        warmup: 0s
        audit: false
        """;

    @Test
    void rawEngineReportsRequestTimes() {
        NullBrokerOptions slow = new NullBrokerOptions()
                .topic("far", 2)
                .behaviour(new NullBrokerBehaviour(Duration.ofMillis(30), 0, Duration.ZERO, Duration.ZERO, 0));
        try (NullBroker broker = NullBroker.start(slow)) {
            Run.Finished finished = new Run(Runs.request(RAW, broker.bootstrapServers(), out), Progress.NONE).execute();
            assertThat(finished.failure()).isNull();
            TrialResult trial = finished.result().trials().get(0);
            assertThat(trial.observed().clients().get("producers-0 broker 1"))
                    .hasEntrySatisfying("requestMs", ms -> assertThat(ms).isGreaterThanOrEqualTo(30))
                    .hasEntrySatisfying("bytesOut", bytes -> assertThat(bytes).isPositive());
            assertThat(trial.observed().clients().get("producers-0"))
                    .containsEntry("maxInFlight", 5.0)
                    .hasEntrySatisfying("requestMs", ms -> assertThat(ms).isGreaterThanOrEqualTo(30));
            Limits limits = trial.judgement().limits();
            assertThat(limits.notAvailable())
                    .noneMatch(t -> t.arguments().contains(Sentence.of("diagnose.cause.slowBroker")));
            assertThat(limits.stages().stream().mapToDouble(Limits.Stage::ms).sum())
                    .isCloseTo(trial.produce().times().serviceTime().mean() / 1e3, withPercentage(0.1));
        }
    }
}
