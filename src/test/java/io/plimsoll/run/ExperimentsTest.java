package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Reference;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published experiments at a very small scale: every table row is a trial, and every trial's counts are exact. */
@Order(1)
class ExperimentsTest {
    /** Settings that shorten a run from minutes to seconds with the same counts. */
    private static final Map<String, List<String>> SMALLER = Map.of(
            "ckafka-tailing",
                    List.of(
                            "producers.clients=2",
                            "consumers.members=2",
                            "producers.rate=10KB/s wire",
                            "topics.partitions=4",
                            "producers.config.linger.ms=300"),
            "ckafka-catch-up",
                    List.of(
                            "producers.clients=2",
                            "consumers.members=2",
                            "producers.rate=10KB/s wire",
                            "topics.partitions=4",
                            "producers.config.linger.ms=300"));

    private static final Map<String, Double> SCALE = Map.of(
            "cluster-stress", 0.0001,
            "send-and-commit-modes", 0.0002,
            "send-and-commit-modes-flushed", 0.00002,
            "linkedin-2m", 0.0005,
            "ckafka-tailing", 0.001,
            "ckafka-catch-up", 0.002,
            "broker-limits", 0.00005);

    @TempDir
    Path out;

    static Stream<String> names() {
        return BuiltIns.names().stream()
                .filter(n -> ScenarioReader.read(BuiltIns.text(n).orElseThrow(), n, List.of(), 1)
                        .reference()
                        .filter(reference -> !reference.source().english().isEmpty())
                        .isPresent());
    }

    /** The variants differ only in their name and broker settings. */
    @Test
    void flushedVariantDiffersOnlyInFlushing() {
        String plain = BuiltIns.text("send-and-commit-modes").orElseThrow();
        String flushed = BuiltIns.text("send-and-commit-modes-flushed").orElseThrow();
        assertThat(body(flushed)
                        .replace(", config: {flush.messages: 1}", "")
                        .replace(", which was without flush.messages", ""))
                .isEqualTo(body(plain));
    }

    private static String body(String yaml) {
        return yaml.substring(yaml.indexOf("\ndefaults: "));
    }

    @Test
    void everyExperimentHasAScale() {
        assertThat(SCALE.keySet()).containsExactlyInAnyOrderElementsOf(names().toList());
    }

    /** Repetitions with other numbers run nightly. */
    private static final Map<String, List<String>> SOME = Map.of(
            "cluster-stress", List.of("write 10,000", "read 10,000"),
            "linkedin-2m", List.of("one producer, replication 3, acks=1", "producing while consuming"),
            "send-and-commit-modes", List.of("fill", "1 read one a poll, commit sync"));

    static Stream<String> some() {
        return names().filter(SOME::containsKey);
    }

    @ParameterizedTest
    @MethodSource("some")
    void countsOfSelectedTrialsAreExact(String name) {
        countsAreExact(plan(name).only(SOME.get(name)));
    }

    @ParameterizedTest
    @MethodSource("names")
    @Tag("nightly")
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void countsOfAllTrialsAreExact(String name) {
        countsAreExact(plan(name));
    }

    private static Plan plan(String name) {
        return ScenarioReader.read(
                BuiltIns.text(name).orElseThrow(), name, SMALLER.getOrDefault(name, List.of()), SCALE.get(name));
    }

    private void countsAreExact(Plan plan) {
        RunRequest request = Runs.request(plan, out)
                .with(draft -> draft.cluster = Optional.of(
                        ClusterConnection.of(SharedLab.threeBrokers().bootstrapServers(), null, List.of())));
        Run.Finished finished = new Run(request, Progress.NONE).execute();
        assertThat(finished.failure()).isNull();
        RunResult result = finished.result();
        ResultSchema.assertValid(result);
        assertThat(result.trials()).hasSameSizeAs(plan.trials());
        Map<String, TrialResult> trials = new HashMap<>();
        result.trials().forEach(t -> trials.put(t.name(), t));
        for (Plan.Trial trial : plan.trials()) {
            assertExact(trial, trials.get(trial.name()));
        }
        assertRows(plan.reference().orElseThrow(), result.published().tables(), trials.keySet());
    }

    private static void assertExact(Plan.Trial asked, TrialResult measured) {
        String name = asked.name();
        long produce = asked.scenario().producers().stream()
                .mapToLong(p -> p.records().orElse(0))
                .sum();
        long failed =
                measured.produce() == null ? 0 : measured.produce().errors().total();
        if (produce > 0) {
            assertThat(measured.produce().volume().records() + failed).as(name).isEqualTo(produce);
            assertThat(measured.produce().sources().producers().stream()
                            .mapToLong(TrialResult.ProducerShare::records)
                            .sum())
                    .as(name)
                    .isEqualTo(measured.produce().volume().records());
        }
        if (measured.audit() != null) {
            assertThat(measured.audit().counts().lost()).as(name).isZero();
            // With acks=0 only the log knows the outcome.
            Long unknownRead = measured.audit().counts().unknownRead();
            assertThat(measured.audit().counts().read())
                    .as(name)
                    .isEqualTo(measured.audit().counts().acknowledged() + (unknownRead == null ? 0 : unknownRead));
            assertThat(measured.audit().complete()).as(name).isTrue();
        }
        long consume = asked.scenario().consumers().stream()
                .mapToLong(c -> c.records().orElse(0) * c.groups())
                .sum();
        if (consume > 0) {
            assertThat(measured.consume().volume().records()).as(name).isEqualTo(consume);
        } else if (measured.consume() != null) {
            // One group per topic reads all records written during its presence: all of them.
            assertThat(measured.consume().reading().missing()).as(name).isZero();
            assertThat(measured.detail().partitions().stream()
                            .mapToLong(TrialResult.PartitionResult::consumed)
                            .sum())
                    .as(name)
                    .isEqualTo(measured.detail().partitions().stream()
                            .mapToLong(TrialResult.PartitionResult::produced)
                            .sum());
        }
        assertThat(measured.course().complete()).as(name).isTrue();
    }

    private static void assertRows(Reference reference, List<ReferenceTable> tables, Set<String> trials) {
        assertThat(tables).hasSameSizeAs(reference.tables());
        for (ReferenceTable table : tables) {
            assertThat(table.rows()).isNotEmpty();
            for (ReferenceTable.Row row : table.rows()) {
                assertThat(row.measured().stream().anyMatch(Objects::nonNull))
                        .as(table.title() + ": " + row.trial())
                        .isEqualTo(trials.contains(row.trial())
                                && table.columns().stream().anyMatch(c -> c.figure() != null));
            }
        }
    }
}
