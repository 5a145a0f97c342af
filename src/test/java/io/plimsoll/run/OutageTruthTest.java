package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.plimsoll.PlimsollException;
import io.plimsoll.capacity.BrokerLimits;
import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.capacity.CapacityPlanner;
import io.plimsoll.capacity.Target;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.CeilingRequest.Extras;
import io.plimsoll.run.CeilingRequest.Without;
import io.plimsoll.scenario.Rate;
import io.plimsoll.testing.PlantedQuota;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ceiling without a broker, and the number of brokers for a load, match the planted quota of each broker. */
@Tag("nightly")
@Timeout(900)
class OutageTruthTest {
    private static final String YAML = """
            name: quotas
            topics: [{name: quotas, partitions: 6, replication: %d}]
            producers: [{topic: quotas, record: {size: 1KB}, config: {buffer.memory: 2000000}}]
            warmup: 4s
            audit: true
            """;

    @TempDir
    Path out;

    private Run.Finished search(Lab lab, int replication, Without without) {
        return search(lab, replication, without, Progress.NONE).execute();
    }

    private Run search(Lab lab, int replication, Without without, Progress progress) {
        CeilingRequest ceiling = new CeilingRequest(
                Optional.empty(),
                Rate.Unit.RECORDS,
                1,
                OptionalDouble.empty(),
                0.05,
                Optional.empty(),
                new CeilingRequest.Lengths(Duration.ofSeconds(5), Duration.ZERO, 0),
                new Extras(false, Optional.of(without), true));
        return new Run(
                Runs.request(YAML.formatted(replication), lab.bootstrapServers(), out)
                        .with(draft -> draft.allowExec = true),
                progress,
                Optional.of(ceiling));
    }

    private static double middle(Ceiling ceiling) {
        Bound bound = ceiling.found().sustained();
        return (bound.lowerRecordsPerSecond() + bound.upperRecordsPerSecond()) / 2;
    }

    /** With commands, as on given clusters; the command kills a lab broker, and the run restarts it. */
    @Test
    void ceilingMatchesQuotasOfRemainingBrokers() throws Exception {
        try (Lab lab = PlantedQuota.lab(3)) {
            long pid = lab.describe(3).pid();
            Path undone = out.resolve("undone");
            Run.Finished finished = search(
                    lab,
                    2,
                    new Without(
                            Without.Kind.BROKER,
                            "any",
                            Optional.of("kill -9 " + pid),
                            Optional.of("echo $PLIMSOLL_BROKER_ID > " + undone)));
            assertThat(finished.failure()).isNull();
            RunResult result = finished.result();
            ResultSchema.assertValid(result);
            Ceiling all = result.ceilings().get(0);
            Ceiling left = result.ceilings().get(1);
            assertThat(all.outage()).isNull();
            assertThat(left.outage().brokers()).containsExactly(3);
            assertThat(left.outage().silentSeconds()).isPositive();
            assertThat(left.outage().backSeconds()).isPositive();
            assertThat(middle(all) * PlantedQuota.wireBytesPerRecord(result))
                    .isCloseTo(3 * PlantedQuota.BYTES_PER_SECOND, withPercentage(5));
            assertThat(middle(left) * PlantedQuota.wireBytesPerRecord(result))
                    .isCloseTo(2 * PlantedQuota.BYTES_PER_SECOND, withPercentage(5));
            assertThat(result.verdict().sentence().english()).contains("without=broker 3: ");
            assertThat(result.trials())
                    .filteredOn(t -> t.audit() != null)
                    .allSatisfy(t -> assertThat(t.audit().counts().lost()).isZero());
            assertThat(undone).hasContent("3");
            double each = PlantedQuota.BYTES_PER_SECOND * 1000 / PlantedQuota.wireBytesPerRecord(result);
            CapacityPlan plan = CapacityPlanner.plan(
                    result,
                    Target.parse(String.format(Locale.ROOT, "%.0f B/s in, replication 2", 7 * each)),
                    new Target.Margin(0, 0, 0, 1),
                    BrokerLimits.UNKNOWN);
            assertThat(plan.answer().brokers()).as(Json.pretty(plan)).isEqualTo(8);
            assertThat(plan.answer().binding().english()).contains("quota");
        }
    }

    /** Interrupts a run in the first trial after a broker's death, and records its messages. */
    private static final class Interrupting implements Progress {
        private final Lab lab;
        private final Set<String> without = ConcurrentHashMap.newKeySet();
        private final List<String> notes = new CopyOnWriteArrayList<>();
        private Run run;

        Interrupting(Lab lab) {
            this.lab = lab;
        }

        @Override
        public void phase(String trial, String phase, double fraction, double etaSeconds) {
            if (trial != null && !lab.describe(3).alive() && without.add(trial) && without.size() == 2) {
                run.interrupt();
            }
        }

        @Override
        public void note(Sentence text) {
            notes.add(text.english());
        }

        @Override
        public void close() {}
    }

    /** The broker is still dead then, and only this message says so. */
    @Test
    void reportsFailedRestoreAfterAnInterruption() throws Exception {
        try (Lab lab = PlantedQuota.lab(3)) {
            Interrupting progress = new Interrupting(lab);
            String kill = "kill -9 " + lab.describe(3).pid();
            Without broker = new Without(Without.Kind.BROKER, "any", Optional.of(kill), Optional.of("exit 3"));
            progress.run = search(lab, 2, broker, progress);
            assertThat(progress.run.execute().result().head().exitCode()).isEqualTo(130);
            assertThat(progress.notes).anyMatch(note -> note.startsWith(Said.text("«run.notPutRight»")));
        }
    }

    /** Key of the rejection message. */
    private String refused(Lab lab, Without without) {
        return Assertions.catchThrowableOfType(PlimsollException.class, () -> search(lab, 1, without))
                .sentence()
                .key();
    }

    @Test
    void refusesImpossibleOutagesBeforeStarting() {
        try (Lab lab = Lab.start(LabOptions.ephemeral(1).withHeapMegabytes(384))) {
            Without one = new Without(Without.Kind.BROKER, "any", Optional.empty(), Optional.empty());
            assertThat(refused(lab, one)).isEqualTo("run.outage.oneCopy");
            Without zone = new Without(Without.Kind.ZONE, "east", Optional.empty(), Optional.empty());
            assertThat(refused(lab, zone)).isEqualTo("run.outage.noZone");
            assertThat(List.of(out.toFile().list())).isEmpty();
        }
    }
}
