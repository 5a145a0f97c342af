package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Ceiling;
import io.plimsoll.result.RunResult;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Guards the advice after a run or a search: no change that was tried in vain, and none without a limit. */
class AdviceTextTest {
    private static final Map<String, Object> SCENARIO = Map.of(
            "topics", List.of(Map.of("name", "t", "partitions", 3)),
            "producers",
                    List.of(Map.of(
                            "topic",
                            "t",
                            "config",
                            Map.of("acks", "all", "batch.size", "2048"),
                            // Stored with an exponent.
                            "record",
                            Map.of("randomBytesRatio", 0.0005))));

    private static RunResult searched(String cause, Ceiling.Probe... probes) {
        return searched(cause, null, probes);
    }

    private static RunResult searched(String cause, Sentence where, Ceiling.Probe... probes) {
        RunResult of = Samples.single();
        Ceiling ceiling = new Ceiling(
                Map.of(),
                new Ceiling.Found(null, new Ceiling.Bound(1e3, 1.1e3, 1e6, 1.1e6, 3, true), null),
                new Ceiling.Course(false, false, Ceiling.FOUND, true),
                new Ceiling.Cause(
                        new Ceiling.Named(Sentence.of("diagnose.cause." + cause), where),
                        false,
                        List.of(),
                        List.of(new Ceiling.Suspect(
                                Sentence.of("diagnose.causeAt", Sentence.of("diagnose.cause.replication"), "broker 2"),
                                Sentence.verbatim("9 ms"))),
                        Sentence.verbatim("This is what held it back."),
                        List.of(),
                        null,
                        List.of(probes),
                        null),
                List.of(),
                List.of(),
                List.of(),
                null);
        RunResult.Head head = new RunResult.Head(
                RunResult.SCHEMA,
                "s",
                Instant.EPOCH,
                Instant.EPOCH,
                List.of("plimsoll", "ceiling", "s.yaml", "--width", "10%"),
                0,
                1,
                1);
        return new RunResult(
                head,
                of.tool(),
                of.environment(),
                SCENARIO,
                of.verdict(),
                of.trials(),
                of.published(),
                List.of(ceiling));
    }

    @Test
    void explainsRateAboveOfferedByBacklog() {
        Table<Ceiling.CurvePoint> table = RunTables.curve(new Ceiling(
                Map.of(), null, null, null, List.of(point(58_954), point(53_800)), List.of(), List.of(), null));
        Table.Column<Ceiling.CurvePoint> rate = table.columns().get(2);
        assertThat(table.rows())
                .extracting(p -> Table.shown(rate.cell().apply(p), Language.EN))
                .containsExactly(Sentence.of("report.withBacklog", "58,954").english(), "53,800");
    }

    private static Ceiling.CurvePoint point(double recordsPerSecond) {
        return new Ceiling.CurvePoint(53_828, 1e6, recordsPerSecond, 1e6, 1L, 2L, true, List.of());
    }

    private static Ceiling.Probe probe(String factor, boolean moved) {
        return new Ceiling.Probe(
                Sentence.of("diagnose.setting", factor),
                Sentence.verbatim(factor),
                List.of(),
                1e3,
                2e3,
                1e3,
                moved,
                Sentence.verbatim("Tried " + factor + "."));
    }

    private static String advice(RunResult result) {
        return AdviceText.render(result, "runs/s", new Look(120, false, Language.EN));
    }

    @Test
    void suggestsSearchOverBothValuesOfASetting() {
        assertThat(advice(searched("batches")))
                .startsWith("· This is what held it back.")
                .contains("1. producers.config.batch.size  2048 → 16384")
                .contains("./plimsoll ceiling s.yaml --width 10% --matrix 'producers.config.batch.size=[2048,16384]'")
                .contains("2. producers.config.linger.ms  5 → 20")
                .contains("3. producers.config.acks  all → 1")
                .doesNotContain("4. ")
                .containsPattern(Said.en("report.advise.notTried"));
    }

    @Test
    void omitsFailedChangesAndPutsEffectiveOnesFirst() {
        assertThat(advice(searched("batches", probe("batch.size", false), probe("acks", true))))
                .contains("1. producers.config.acks  all → 1")
                .contains("Tried acks.")
                .contains("2. producers.config.linger.ms")
                .doesNotContain(". producers.config.batch.size")
                .containsPattern(Said.en("report.advise.inVain", "batch.size"));
    }

    @Test
    void advisesNoProducerSettingsIfGroupIsTheLimit() {
        assertThat(advice(searched("consumer", Sentence.of("result.group", "billing"))))
                .contains(Sentence.of("report.advise.none").english())
                .doesNotContain("acks", "--matrix");
    }

    @Test
    void statesThatNothingLimitedTheRun() {
        assertThat(advice(Samples.single()))
                .containsPattern(Said.en("report.advise.nothingHeld"))
                .doesNotContain("--ab");
        assertThat(AdviceText.render(Samples.single(), "runs/s", new Look(120, false, Language.ZH)))
                .containsPattern(Said.zh("report.advise.nothingHeld"));
    }
}
