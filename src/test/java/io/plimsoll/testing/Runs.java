package io.plimsoll.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Generator;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs scenarios on an existing cluster. */
public final class Runs {
    private Runs() {}

    public static RunRequest request(String yaml, String bootstrapServers, Path out, String... overrides) {
        return request(ScenarioReader.read(yaml, "test.yaml", List.of(overrides), 1), out)
                .with(draft -> draft.cluster = Optional.of(ClusterConnection.of(bootstrapServers, null, List.of())));
    }

    /** A request for a run on its own lab. */
    public static RunRequest request(Plan plan, Path out) {
        return RunRequest.of(
                plan,
                out,
                List.of("plimsoll", "run", plan.name()),
                new RunResult.Tool("test", "test", ToolInfo.kafka(), "17"));
    }

    /** Runs to completion; fails if the run ends early. */
    public static RunResult run(String yaml, String bootstrapServers, Path out, String... overrides) {
        return run(request(yaml, bootstrapServers, out, overrides), Progress.NONE);
    }

    /** As {@link #run(String, String, Path, String...)}, with a listener for each second. */
    public static RunResult run(String yaml, String bootstrapServers, Path out, Consumer<Snapshot> listener) {
        return run(request(yaml, bootstrapServers, out), hearing(listener));
    }

    /** Runs this request to completion; fails if the run ends early. */
    public static RunResult run(RunRequest request) {
        return run(request, Progress.NONE);
    }

    /** Runs this request with a listener for each second. */
    public static RunResult run(RunRequest request, Consumer<Snapshot> listener) {
        return run(request, hearing(listener));
    }

    /** A listener for each second. */
    public static Progress hearing(Consumer<Snapshot> listener) {
        return new Progress() {
            @Override
            public void snapshot(Snapshot snapshot) {
                listener.accept(snapshot);
            }

            @Override
            public void close() {}
        };
    }

    /** Something that a test does to the cluster of a run. */
    @FunctionalInterface
    public interface Deed {
        void run() throws Exception;
    }

    /** A listener that does this between the end of the load and the audit. The run waits for it. */
    public static Progress beforeAudit(Deed deed) {
        return new Progress() {
            @Override
            public void phase(String trial, String phase, double fraction, double etaSeconds) {
                if (phase.equals("auditing")) {
                    try {
                        deed.run();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }

            @Override
            public void close() {}
        };
    }

    /** Runs this request with a listener. */
    public static RunResult run(RunRequest request, Progress progress) {
        Run.Finished finished = new Run(request, progress).execute();
        if (finished.failure() != null) {
            throw finished.failure();
        }
        ResultSchema.assertValid(finished.result());
        ResultSchema.assertValid(finished.directory().resolve(RunDirectory.RESULT));
        return finished.result();
    }

    /**
     * Asserts that counts and checks are sound. The result may be invalid only if the generator's own lateness explains
     * the slow or missing records and host metrics confirm CPU contention by other tests.
     */
    public static void assertSound(RunResult result) {
        result.trials().forEach(Runs::assertSound);
        boolean limited = result.trials().stream().anyMatch(t -> !t.course().valid());
        Integer exit = result.head().exitCode();
        if (limited && !result.ceilings().isEmpty()) {
            assertThat(exit).as(result.verdict().toString()).isIn(Exit.PASSED.code(), Exit.INVALID_MEASUREMENT.code());
        } else {
            assertThat(exit)
                    .as(result.verdict().toString())
                    .isEqualTo(limited ? Exit.INVALID_MEASUREMENT.code() : Exit.PASSED.code());
        }
    }

    /** {@link #assertSound(RunResult)} for the only run below a directory, with this exit code. */
    public static RunResult assertSound(Path runs, int exit) throws IOException {
        try (Stream<Path> found = Files.list(runs)) {
            Path result = found.findFirst().orElseThrow().resolve(RunDirectory.RESULT);
            RunResult read = Json.MAPPER.readValue(result.toFile(), RunResult.class);
            assertSound(read);
            assertThat(exit).isEqualTo(read.head().exitCode());
            return read;
        }
    }

    private static void assertSound(TrialResult trial) {
        assertThat(trial.judgement().checks()).as(trial.name()).allMatch(check -> check.passed());
        if (trial.audit() != null) {
            assertThat(trial.audit().counts().lost()).as(trial.name()).isZero();
        }
        if (Invalidity.of(trial).equals(Optional.of(Invalidity.BUSY_HOST))) {
            assertOthersTookCpu(trial);
        } else if (!trial.course().valid()) {
            Generator generator = trial.observed().generator();
            assertThat(Invalidity.of(trial))
                    .as(() -> trial.judgement().warnings().toString())
                    .contains(Invalidity.GENERATOR);
            TrialResult.Times times = trial.produce().times();
            assertThat(times.sendDelay().mean()).as(trial::toString).isNotNull();
            Double missing = generator.part().missingShare();
            boolean behind = missing != null && missing > 0.5;
            Generator.Kept kept = generator.part().keptFromRunning();
            double waits = times.sendDelay().mean() + (kept == null ? 0 : kept.answerWaitMicros());
            boolean slow = waits > 0.5 * times.responseTime().mean();
            assertThat(behind || slow).as(generator.toString()).isTrue();
        }
    }

    /**
     * Asserts that the schedule was missed on a saturated host, with much of the CPU used by neither brokers nor
     * generator.
     */
    private static void assertOthersTookCpu(TrialResult trial) {
        Map<String, Object> host = trial.observed().host();
        double cores = number(host, "cores");
        double used = number(host, "cpu") + number(host, "steal");
        double brokers = trial.observed().brokers().stream()
                .filter(broker -> broker.get("sources") instanceof List<?> sources && sources.contains("proc"))
                .mapToDouble(broker -> number(broker, "cpu"))
                .sum();
        // With several hosts, the figures of the host with the local agent.
        double generator = trial.observed().workers().stream()
                .filter(worker -> worker.name() != null && worker.name().equals(host.get("worker")))
                .mapToDouble(worker -> worker.usage().cpuCores())
                .findFirst()
                .orElseGet(() -> trial.observed().generator().cpu().cpuCores());
        assertThat(used).as(host::toString).isGreaterThanOrEqualTo(0.9 * cores);
        assertThat(used - brokers - generator).as(trial::toString).isGreaterThanOrEqualTo(0.25 * cores);
        TrialResult.Schedule schedule = trial.produce().schedule();
        assertThat(schedule.closedLoop()).isFalse();
        assertThat(trial.produce().volume().recordsPerSecond()).isLessThan(0.99 * schedule.offeredRecordsPerSecond());
    }

    private static double number(Map<String, Object> figures, String name) {
        return figures.get(name) instanceof Number n ? n.doubleValue() : 0;
    }
}
