package io.plimsoll.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.RuntimeKafka;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs scenarios on a cluster that is there. */
public final class Runs {
    private Runs() {}

    public static RunRequest request(String yaml, String bootstrapServers, Path out, String... overrides) {
        return request(ScenarioReader.read(yaml, "test.yaml", List.of(overrides), 1), out)
                .with(draft -> draft.cluster = Optional.of(ClusterConnection.of(bootstrapServers, null, List.of())));
    }

    /** On a lab of its own. */
    public static RunRequest request(Plan plan, Path out) {
        return RunRequest.of(
                plan,
                out,
                List.of("plimsoll", "run", plan.name()),
                new RunResult.Tool("test", "test", RuntimeKafka.version(), "17"));
    }

    /** Runs to the end; a run that ended early fails with its reason. */
    public static RunResult run(String yaml, String bootstrapServers, Path out, String... overrides) {
        Run.Finished finished = new Run(request(yaml, bootstrapServers, out, overrides), Progress.NONE).execute();
        if (finished.failure() != null) {
            throw finished.failure();
        }
        ResultSchema.assertValid(finished.result());
        ResultSchema.assertValid(finished.directory().resolve(RunDirectory.RESULT));
        return finished.result();
    }

    /**
     * Holds the exit code of a run that should pass. On a machine that is busy with other things the generator may wake
     * up too late for a valid measurement (5); what it counted is exact all the same, and that is what tests look at.
     */
    public static void assertSound(RunResult result) {
        boolean paced = result.trials().stream()
                .anyMatch(t -> t.produce() != null && !t.produce().schedule().closedLoop());
        if (paced && result.trials().stream().anyMatch(t -> !t.course().valid())) {
            assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
        } else {
            assertThat(result.head().exitCode()).as(result.verdict().toString()).isZero();
        }
    }
}
