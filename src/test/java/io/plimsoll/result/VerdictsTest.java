package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.Exit;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.result.TimelineEvent.RunEnded;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.scenario.Check;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The verdict and the exit code of a run follow from its trials. */
class VerdictsTest {
    private static final Check FAILING = new Check(
            "produce.response.p99 < 5ms",
            "produce.response.p99",
            Check.Operator.LESS,
            5000,
            Check.Dimension.MICROSECONDS);

    private static final Sentence TOOK =
            Sentence.of("result.took", "5,000", "1 KB", Sentence.of("result.response.p99", "5.0 ms", "8.9 ms"));
    private static final Sentence LOST =
            Sentence.of("result.lost", Sentence.of("result.notInLog", "3", "50,000"), Sentence.NONE);

    @Test
    void quickScenarioPasses() {
        RunResult result = Fold.fold(Timelines.quick().stream());
        assertThat(result.verdict().sentence().english())
                .isEqualTo(Sentence.of(
                                "result.yours",
                                Sentence.of(
                                        "result.pacedAndPushed",
                                        TOOK,
                                        Sentence.of("result.atMost", "200 MB/s", "200,000")),
                                Sentence.of("result.allInLog", "2,070,000"))
                        .english());
        assertThat(result.verdict().passed()).isTrue();
        assertThat(result.head().exitCode()).isZero();
        assertThat(result.verdict().warnings()).isEmpty();
        assertThat(result.verdict().notes()).singleElement().satisfies(note -> assertThat(
                        ((Sentence) note.arguments().get(1)).key())
                .isEqualTo("result.ownBuffer"));
    }

    @Test
    void reportsThroughputOfAClosedLoop() {
        assertThat(sentence(false, 1.0, 0))
                .isEqualTo(Sentence.of(
                                "result.yours",
                                Sentence.of("result.pushed", Sentence.of("result.atMost", "5 MB/s", "5,000"), "1 KB"),
                                Sentence.of("result.allInLog", "50,000"))
                        .english());
        assertThat(run(false, 1.0, 0.99, 0).verdict().sentence().english())
                .containsPattern(Said.en("result.pushed", Sentence.of("result.atLeast", "5 MB/s", "5,000"), "1 KB"));
    }

    @Test
    void lossTakesPrecedence() {
        RunResult result = run(true, 1.0, 0.3, 3, FAILING);
        assertThat(result.verdict().sentence().english())
                .isEqualTo(LOST.english()
                        + " "
                        + Sentence.of("result.yours", TOOK, Sentence.NONE).english());
        assertThat(result.head().exitCode()).isEqualTo(Exit.AUDIT_FAILED.code());
        assertThat(result.verdict().passed()).isFalse();
    }

    @Test
    void corruptionFailsLikeLoss() {
        var audit =
                AuditResult.ofOffsets(new AuditResult.Counts(50_000, 50_000, 0, 0L, 0L, 1L, 0, 0L), true, List.of());
        TrialEnded end =
                new TrialEnded("one", Timelines.START, 10, 10, Map.of(), true, null, audit, null, null, List.of());
        RunResult result = Timelines.oneTrial(Timelines.plan(true), seconds(1.0, 0.3), end);
        assertThat(result.verdict().sentence().english())
                .startsWith(Sentence.of("result.corrupted", Sentence.of("result.cameBackCorrupted", "1"), Sentence.NONE)
                        .english());
        assertThat(result.head().exitCode()).isEqualTo(Exit.AUDIT_FAILED.code());
    }

    @Test
    void namesFailedChecksWithMeasuredValues() {
        RunResult result = run(true, 0.5, 0.99, 0, FAILING, Timelines.check());
        assertThat(result.verdict().sentence().english())
                .startsWith(Sentence.of(
                                "result.checksFailed",
                                "1",
                                "2",
                                Sentence.of("result.checkWas", "produce.response.p99 < 5ms", "8.9 ms", Sentence.NONE),
                                Sentence.NONE)
                        .english())
                .containsPattern(Said.en("result.tookOnly", "2,500", "5,000", "1 KB"));
        assertThat(result.head().exitCode()).as("wins over invalid").isEqualTo(Exit.CHECK_FAILED.code());
    }

    @Test
    void limitedGeneratorInvalidatesTheRun() {
        RunResult result = run(true, 0.5, 0.99, 0);
        assertThat(result.verdict().sentence().english())
                .startsWith(Sentence.of("result.invalid").english())
                .containsPattern(Said.en("result.tookOnly"));
        assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
    }

    @Test
    void reportsRunCutShort() {
        Fold fold = new Fold();
        Timelines.unended().forEach(fold::accept);
        RunEnded end = fold.end(Timelines.START, Exit.INTERRUPTED, Sentence.verbatim("Interrupted"));
        assertThat(end.exitCode()).isEqualTo(130);
        assertThat(end.verdict().passed()).isFalse();
        assertThat(end.verdict().sentence().english())
                .startsWith("Interrupted; ")
                .containsPattern(Said.en("result.took", "5,000"));
        fold.accept(end);
        assertThat(fold.result().head().exitCode()).isEqualTo(130);
        assertThat(fold.result().verdict()).isEqualTo(end.verdict());

        Fold early = new Fold();
        early.accept(Timelines.runStarted("early"));
        assertThat(early.end(Timelines.START, Exit.CLUSTER, Sentence.verbatim("The cluster went away"))
                        .verdict()
                        .sentence()
                        .english())
                .isEqualTo("The cluster went away before anything was measured.");
    }

    @Test
    void reportsLossEvenIfCutShort() {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("lossy")));
        events.addAll(Timelines.trial("one", Timelines.plan(true), List.of(), seconds(1.0, 0.3)));
        events.add(Timelines.trialEnded("one", 10, 50_000, 3));
        Fold fold = new Fold();
        events.forEach(fold::accept);
        assertThat(fold.end(Timelines.START, Exit.CLUSTER, Sentence.verbatim("The cluster went away"))
                        .exitCode())
                .isEqualTo(4);
        assertThat(fold.end(Timelines.START, Exit.INTERRUPTED, Sentence.verbatim("Interrupted"))
                        .exitCode())
                .isEqualTo(130);
        assertThat(fold.end(Timelines.START, Exit.INTERRUPTED, Sentence.verbatim("Interrupted"))
                        .verdict()
                        .sentence()
                        .english())
                .startsWith(LOST.english());
    }

    /** An audit by end offsets counts no violations, so its loss must not hide them. */
    @Test
    void reportsViolationsBesideLossInAnotherTrial() {
        AuditResult broken = new AuditResult(
                "identities",
                new AuditResult.Counts(50_000, 50_000, 0, 0L, 0L, 0L, 0, 0L),
                new AuditResult.Identified(0L, 0L, 0L, 0L, 0L, 2L),
                true,
                List.of(),
                List.of(),
                0L,
                List.of());
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("matrix")));
        Map.of("by offsets", Timelines.audit(50_000, 3), "by identities", broken)
                .forEach((name, audit) -> {
                    events.addAll(Timelines.trial(name, Timelines.plan(true), List.of(), seconds(1.0, 0.3)));
                    events.add(Timelines.trialEnded(name, 10, audit));
                });
        Fold fold = new Fold();
        events.forEach(fold::accept);
        assertThat(fold.end(Timelines.START).verdict().sentence().english())
                .containsPattern(Said.en("result.notInLog", "3", "100,000"))
                .containsPattern(Said.en("result.breaksPromise", "2"));
    }

    @Test
    void comparesSeveralTrials() {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("matrix")));
        for (int i = 1; i <= 3; i++) {
            String name = "acks=" + i;
            int level = i;
            List<Second> seconds =
                    Collections.nCopies(10, new Second(5000, Timelines.latencies(5000, 1000L * level)).busiest(0.1));
            events.addAll(Timelines.trial(name, Timelines.plan(true), List.of(), seconds));
            events.add(Timelines.trialEnded(name, 10, 50_000, 0));
        }
        Fold fold = new Fold();
        events.forEach(fold::accept);
        Sentence said = fold.end(Timelines.START).verdict().sentence();
        assertThat(said.key()).isEqualTo("result.compared");
        assertThat(said.arguments())
                .containsExactly(
                        "3",
                        "acks=1",
                        Sentence.of("result.figure.p99", "1.0 ms", "5,000"),
                        "acks=3",
                        Sentence.of("result.figure.p99", "3.0 ms", "5,000"),
                        "",
                        Sentence.of("result.allInLog", "150,000"));
    }

    @Test
    void reportsNothingAcknowledged() {
        assertThat(sentence(true, 0, 0))
                .isEqualTo(Sentence.of("result.noMeasure").english() + " "
                        + Sentence.of("result.nothingArrived").english());
    }

    /**
     * Acknowledgments of the window all belong to records of the warm-up: a rate, and no record of the window itself.
     */
    @Test
    void warmUpRecordsAloneInvalidateTheWindow() {
        for (boolean openLoop : new boolean[] {true, false}) {
            Second second = new Second(5000, Latencies.EMPTY).acknowledged(0).arrived(552);
            RunResult result = Timelines.oneTrial(
                    Timelines.plan(openLoop, 1, 0),
                    Collections.nCopies(10, second),
                    Timelines.trialEnded("one", 10, 0, 0));
            TrialResult trial = result.trials().get(0);
            assertThat(trial.produce().volume().recordsPerSecond()).isEqualTo(552);
            assertThat(Invalidity.of(trial)).contains(Invalidity.NOTHING_ARRIVED);
            assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
            assertThat(result.verdict().sentence().english()).containsPattern(Said.en("result.onlyEarlier", "552"));
            assertThat(result.verdict().warnings()).noneMatch(w -> w.key().equals("result.noneAcknowledged"));
        }
    }

    /** A second of a full host with two cores and a broker. */
    private static List<TimelineEvent> seen(int second, double others, double broker, String source) {
        double generator = 0.5;
        return List.of(
                observed(second, "host", "proc", Map.of("cpuSeconds", others + broker + generator), 2),
                observed(second, "broker 1", source, Map.of("cpuSeconds", broker), 2));
    }

    private static TimelineEvent observed(
            int second, String what, String source, Map<String, Double> sums, double cores) {
        Map<String, Double> all = new TreeMap<>(sums);
        all.put("seconds", 1.0);
        return new TimelineEvent.Observed(
                "one",
                new Observation(
                        what,
                        source,
                        second * Timelines.SECOND,
                        (second + 1) * Timelines.SECOND,
                        all,
                        Map.of("cores", cores)));
    }

    private static RunResult beside(double others, String source, boolean openLoop, double achieved) {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("busy")));
        events.addAll(Timelines.trial("one", Timelines.plan(openLoop), List.of(), seconds(achieved, 0.3)));
        for (int second = 2; second < 12; second++) {
            events.addAll(seen(second, others, 1.5 - others, source));
        }
        Fold fold = new Fold();
        events.forEach(fold::accept);
        fold.accept(fold.endOf(Timelines.trialEnded("one", 10, (long) (50_000 * achieved), 0), List.of()));
        fold.accept(fold.end(Timelines.START));
        return fold.result();
    }

    /** Missed because other programs used a large part of a full host with brokers: in no other case. */
    @Test
    void loadMissedDueToOtherProgramsIsUnusable() {
        RunResult missed = beside(1.2, "proc", true, 0.41);
        assertThat(Invalidity.of(missed.trials().get(0))).contains(Invalidity.BUSY_HOST);
        assertThat(missed.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
        assertThat(missed.head().outcome()).isEqualTo(Outcome.UNUSABLE);
        assertThat(missed.verdict().passed()).isFalse();

        for (RunResult usable : List.of(
                beside(1.2, "proc", true, 1.0), beside(0.3, "proc", true, 0.41), beside(1.2, "jmx", true, 0.41))) {
            assertThat(Invalidity.of(usable.trials().get(0))).isEmpty();
            assertThat(usable.head().outcome()).isEqualTo(Outcome.USABLE);
        }
        RunResult closed = beside(1.2, "proc", false, 1.0);
        assertThat(closed.head().outcome()).isEqualTo(Outcome.USABLE);
        assertThat(closed.verdict().sentence().english()).containsPattern(Said.en("result.atLeast"));
        assertThat(Invalidity.isLowerBound(closed.trials().get(0))).isTrue();
        assertThat(Invalidity.isLowerBound(
                        beside(0.3, "proc", false, 1.0).trials().get(0)))
                .isFalse();
    }

    @Test
    void outcomeFollowsExitCode() {
        Map<Outcome, List<Exit>> expected = Map.of(
                Outcome.USABLE, List.of(Exit.PASSED),
                Outcome.UNUSABLE, List.of(Exit.INVALID_MEASUREMENT, Exit.INTERRUPTED),
                Outcome.FAILED,
                        List.of(
                                Exit.INTERNAL,
                                Exit.USAGE,
                                Exit.CHECK_FAILED,
                                Exit.AUDIT_FAILED,
                                Exit.CLUSTER,
                                Exit.REGRESSION));
        expected.forEach((outcome, exits) -> exits.forEach(
                exit -> assertThat(Outcome.of(exit)).as(exit.name()).isEqualTo(outcome)));
    }

    private static String sentence(boolean openLoop, double achieved, long lost) {
        return run(openLoop, achieved, 0.3, lost).verdict().sentence().english();
    }

    private static RunResult run(boolean openLoop, double achieved, double busiest, long lost, Check... checks) {
        return Timelines.oneTrial(
                Timelines.plan(openLoop),
                seconds(achieved, busiest),
                Timelines.trialEnded("one", 10, 50_000, lost),
                checks);
    }

    private static List<Second> seconds(double achieved, double busiest) {
        Second second = new Second(5000, Timelines.spread(5000, 1000, 9000))
                .acknowledged((long) (5000 * achieved))
                .busiest(busiest);
        return Collections.nCopies(10, second);
    }

    /** Checks between trials count like checks of trials; a check on a missing trial does not hold. */
    @Test
    void evaluatesChecksBetweenTrials() {
        RunResult held = between("trials.throughput.produce.throughput / trials.latency.produce.throughput > 39");
        assertThat(held.published().comparisons()).singleElement().satisfies(c -> {
            assertThat(c.left()).isCloseTo(40, within(1e-9));
            assertThat(c.right()).isEqualTo(39);
            assertThat(c.holds()).isTrue();
        });
        assertThat(held.head().exitCode()).isZero();
        RunResult percents = between("trials.latency.produce.throughput / trials.throughput.produce.throughput > 2%");
        assertThat(percents.published().comparisons().get(0).said())
                .isEqualTo(Sentence.of("result.between.values", "2.5 %", "2 %"));

        RunResult failed =
                between("trials.throughput.produce.throughput < trials.latency.produce.throughput in records/s");
        assertThat(failed.head().exitCode()).isEqualTo(Exit.CHECK_FAILED.code());
        assertThat(failed.verdict().sentence().english())
                .startsWith(Sentence.of(
                                "result.checksFailed",
                                "1",
                                "2",
                                Sentence.of(
                                        "result.checkWas",
                                        "trials.throughput.produce.throughput < trials.latency.produce.throughput in records/s",
                                        Sentence.of("result.between.values", "200,000 records/s", "5,000 records/s"),
                                        Sentence.NONE),
                                Sentence.NONE)
                        .english());

        RunResult unknown = between("trials.other.produce.throughput > 1/s");
        assertThat(unknown.published().comparisons()).singleElement().satisfies(c -> {
            assertThat(c.holds()).isNull();
            assertThat(c.why().english())
                    .isEqualTo(Sentence.of("result.between.notRun", "other").english());
        });
        assertThat(unknown.head().exitCode()).isEqualTo(Exit.CHECK_FAILED.code());
    }

    private static RunResult between(String check) {
        List<TimelineEvent> events = new ArrayList<>(Timelines.quick());
        TimelineEvent.RunStarted plain = (TimelineEvent.RunStarted) events.remove(0);
        TimelineEvent end = events.remove(events.size() - 1);
        Fold fold = new Fold();
        fold.accept(new TimelineEvent.RunStarted(
                plain.name(),
                plain.at(),
                plain.command(),
                plain.tool(),
                plain.environment(),
                Map.of(),
                1,
                1,
                null,
                List.of(check)));
        events.forEach(fold::accept);
        fold.accept(fold.end(((RunEnded) end).at()));
        return fold.result();
    }
}
