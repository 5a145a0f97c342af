package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Connected;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.result.imported.Measured;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A timeline folds into the same result for any division into snapshots, and merges percentiles from histograms. */
class FoldTest {

    @Test
    void reportsFiguresOfMeasuredWindow() {
        TrialResult trial = Fold.fold(Timelines.quick().stream()).trials().get(0);
        TrialResult.Produce p = trial.produce();
        assertThat(p.volume().records()).isEqualTo(50_000);
        assertThat(p.volume().bytes()).isEqualTo(50_000_000);
        assertThat(p.volume().recordsPerSecond()).isEqualTo(5000);
        assertThat(p.volume().bytesPerSecond()).isEqualTo(5e6);
        assertThat(p.schedule().offeredRecordsPerSecond()).isEqualTo(5000);
        assertThat(p.schedule().warmupRecords()).isEqualTo(10_000);
        assertThat(p.schedule().closedLoop()).isFalse();
        assertThat(p.wire().requests()).isEqualTo(1000);
        assertThat(p.wire().requestsPerSecond()).isEqualTo(100);
        assertThat(p.wire().recordsPerBatch()).isEqualTo(20);
        assertThat(p.wire().bytesPerBatch()).isEqualTo(10_000);
        assertThat(p.wire().compressionRatio()).isEqualTo(0.5);
        assertThat(p.times().responseTime().count()).isEqualTo(50_000);
        assertThat(p.times().responseTime().percentiles().p50()).isCloseTo(5000L, within(10L));
        assertThat(p.times().responseTime().max()).isCloseTo(9000L, within(10L));
        assertThat(p.times().responseTime().percentiles().p9999())
                .as("5 samples beyond it")
                .isNull();
        assertThat(p.times().responseTime().percentiles().p999()).isNotNull();
        assertThat(trial.observed().generator().cpu().cpuCores()).isEqualTo(0.5);
        assertThat(trial.observed().generator().cpu().cpuMicrosPerRecord()).isEqualTo(50);
        assertThat(trial.observed().generator().cpu().busiestThread().share()).isCloseTo(0.3, within(1e-9));
        assertThat(trial.observed().generator().limited()).isFalse();
        assertThat(trial.consume().groups())
                .containsExactly(new TrialResult.Group(
                        "readers",
                        1,
                        50_000,
                        50_000_000,
                        0L,
                        10,
                        0,
                        new GroupPace(GroupPace.KEPT_UP, 5000, 0, null),
                        null,
                        null));
        assertThat(trial.detail().seconds()).hasSize(12);
        assertThat(trial.detail().seconds().get(0).phase()).isEqualTo("warmup");
        assertThat(trial.detail().seconds().get(2).at()).isEqualTo(3);
        assertThat(trial.detail().seconds().get(2).rates().produced()).isEqualTo(5000);
        assertThat(trial.course().steady()).isTrue();
        assertThat(trial.course().complete()).isTrue();
        assertThat(trial.judgement().checks()).extracting(CheckResult::passed).containsExactly(true);
    }

    @Test
    void closedLoopHasNoOfferedRate() {
        TrialResult trial = Fold.fold(Timelines.quick().stream()).trials().get(1);
        assertThat(trial.produce().schedule().closedLoop()).isTrue();
        assertThat(trial.produce().schedule().offeredRecordsPerSecond()).isNull();
        assertThat(trial.judgement().warnings()).extracting(Sentence::english).anySatisfy(w -> assertThat(w)
                .isEqualTo(Sentence.of("result.ownBuffer", "160 ms", "1", "32 MiB", "200 MB/s")
                        .english()));
    }

    @Test
    void killedTrialKeepsMeasuredFigures() {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("killed")));
        Second second = new Second(1000, Timelines.latencies(1000, 2000));
        events.addAll(Timelines.trial("one", Timelines.plan(true), List.of(second, second), List.of(second, second)));
        RunResult result = Fold.fold(events.stream());
        TrialResult trial = result.trials().get(0);
        assertThat(trial.course().complete()).isFalse();
        assertThat(trial.course().measuredSeconds()).isEqualTo(2);
        assertThat(trial.produce().volume().recordsPerSecond()).isEqualTo(1000);
        assertThat(trial.audit()).isNull();
        assertThat(trial.course().steady()).isNull();
        assertThat(trial.detail().partitions())
                .containsExactly(new TrialResult.PartitionResult("events", 0, null, 4000, 4000, 1000.0, 1000.0));
        assertThat(result.head().exitCode()).isNull();
        assertThat(result.head().exit()).isEqualTo(Exit.INTERRUPTED);
        assertThat(result.head().outcome()).isEqualTo(Outcome.UNUSABLE);
        assertThat(result.head().endedAt()).isNull();
        assertThat(result.verdict().passed()).isFalse();
        assertThat(result.verdict().sentence().english())
                .isEqualTo(Sentence.of(
                                "result.untilThen",
                                "The run was killed",
                                Sentence.of(
                                        "result.yours",
                                        Sentence.of("result.took", "1,000", "1 KB", Sentence.NONE),
                                        Sentence.of("result.response.p99", "2.0 ms", "2.0 ms")))
                        .english());
    }

    @Test
    void killedImportHasNoMeasurementOfItsOwn() {
        TrialResult.Produce sends = Measured.produce("other", null, 1000L, 500.0, null, null, null, null);
        TrialResult imported =
                new Measured(1, 2, null, true, sends, null, List.of(), List.of(), Map.of()).trial("imported");
        RunResult result = Fold.fold(Stream.of(Timelines.runStarted("import"), new TimelineEvent.Imported(imported)));
        assertThat(result.trials()).containsExactly(imported);
        assertThat(result.verdict().sentence().english())
                .isEqualTo(Sentence.of("result.beforeAnything", Sentence.of("result.killed"))
                        .english());
    }

    @Test
    void measuresNothingIfKilledDuringWarmup() {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("killed")));
        Second second = new Second(1000, Timelines.latencies(1000, 2000));
        events.addAll(Timelines.trial("one", Timelines.plan(true), List.of(second), List.of()));
        RunResult result = Fold.fold(events.stream());
        assertThat(result.trials().get(0).course().measuredSeconds()).isZero();
        assertThat(result.trials().get(0).produce().volume().recordsPerSecond()).isZero();
        assertThat(result.verdict().sentence().english()).isEqualTo("The run was killed before anything was measured.");
    }

    @Test
    void countsOnlyPlannedWindowIfKilledDuringDrain() {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("killed")));
        Second second = new Second(1000, Timelines.latencies(1000, 2000));
        var plan = Timelines.plan(true);
        events.addAll(Timelines.trial("one", plan, List.of(second, second), java.util.Collections.nCopies(10, second)));
        events.add(new TimelineEvent.Measured(
                new Second(0, Timelines.latencies(0, 0)).snapshot("one", 12, Phase.DRAIN, plan)));
        assertThat(Fold.fold(events.stream()).trials().get(0).course().measuredSeconds())
                .isEqualTo(10);
    }

    /** The snapshot at the window's end may come late, so that its interval includes some of the drain. */
    @Test
    void dividesWindowCountsByWindowLength() {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("late")));
        var plan = Timelines.plan(true);
        events.add(Timelines.trialStarted("one", plan));
        for (int i = 0; i < 5; i++) {
            Second second = new Second(1000, Timelines.latencies(1000, 2000))
                    .connects(Timelines.connects(Map.of(Connected.STANDING_NANOS, 10_000_000_000L), Map.of()));
            events.add(
                    new TimelineEvent.Measured(second.snapshot("one", i, i < 4 ? Phase.MEASURE : Phase.DRAIN, plan)));
        }
        events.add(Timelines.trialEnded("one", 5, 5000, 0));
        TrialResult trial = Fold.fold(events.stream()).trials().get(0);
        assertThat(trial.detail().figures()).containsEntry("connect.standing", 10.0);
    }

    @Test
    void sumsSnapshotsOfAllWorkers() {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("fleet")));
        var plan = Timelines.plan(true);
        events.add(Timelines.trialStarted("one", plan));
        for (int i = 0; i < 4; i++) {
            var snapshot = new Second(1000, Timelines.latencies(1000, 2000)).snapshot("one", i, Phase.MEASURE, plan);
            events.add(new TimelineEvent.Measured(snapshot));
            events.add(new TimelineEvent.Measured(snapshot));
        }
        events.add(Timelines.trialEnded("one", 4, 8000, 0));
        TrialResult trial = Fold.fold(events.stream()).trials().get(0);
        assertThat(trial.produce().volume().recordsPerSecond()).isEqualTo(2000);
        assertThat(trial.produce().wire().requestsPerSecond()).isEqualTo(200);
        assertThat(trial.detail().seconds()).hasSize(4);
        assertThat(trial.detail().seconds().get(0).rates().produced()).isEqualTo(2000);
        assertThat(trial.detail().seconds().get(0).cpuCores()).isEqualTo(1.0);
    }

    @Test
    void turnsNotesIntoWarningsOfTrialOrRun() {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("noted")));
        events.add(new TimelineEvent.Note(Timelines.START, null, "warning", Sentence.verbatim("of the run")));
        events.add(new TimelineEvent.Note(Timelines.START, null, "info", Sentence.verbatim("not worth it")));
        Second second = new Second(1000, Timelines.latencies(1000, 2000));
        events.addAll(Timelines.trial("one", Timelines.plan(true), List.of(), List.of(second)));
        for (int i = 0; i < 25; i++) {
            events.add(new TimelineEvent.Note(Timelines.START, "one", "error", Sentence.verbatim("of the trial " + i)));
        }
        events.add(Timelines.trialEnded("one", 1, 1000, 0));
        RunResult result = Fold.fold(events.stream());
        assertThat(result.verdict().warnings())
                .extracting(Sentence::english)
                .startsWith("of the run")
                .doesNotContain("not worth it");
        assertThat(result.trials().get(0).judgement().warnings())
                .extracting(Sentence::english)
                .contains("of the trial 19", "5 more remarks are in timeline.jsonl.")
                .doesNotContain("of the trial 20");
    }

    @Test
    void refusesInvalidTimelines() {
        assertThatThrownBy(() -> Fold.fold(Stream.of()))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessage("timeline.jsonl is not the timeline of a run: it is empty.");
        assertThatThrownBy(() -> Fold.fold(Stream.of(Timelines.trialEnded("x", 1, 1, 0))))
                .hasMessageContaining("it does not begin with the start of a run");
        assertThatThrownBy(() -> Fold.fold(Stream.of(Timelines.runStarted("a"), Timelines.trialEnded("x", 1, 1, 0))))
                .hasMessageContaining(
                        Sentence.of("result.timeline.noSuchTrial", "x").english());
    }

    @Test
    void percentilesNeedTenSamplesBeyondThem() {
        assertThat(TrialResult.Latency.of(Timelines.latencies(99, 5))
                        .percentiles()
                        .p90())
                .isNull();
        assertThat(TrialResult.Latency.of(Timelines.latencies(100, 5))
                        .percentiles()
                        .p90())
                .isEqualTo(5);
        assertThat(TrialResult.Latency.of(Timelines.latencies(999, 5))
                        .percentiles()
                        .p99())
                .isNull();
        assertThat(TrialResult.Latency.of(Timelines.latencies(1000, 5))
                        .percentiles()
                        .p99())
                .isEqualTo(5);
        assertThat(TrialResult.Latency.of(Timelines.latencies(100_000, 5))
                        .percentiles()
                        .p9999())
                .isEqualTo(5);
        assertThat(TrialResult.Latency.of(Timelines.latencies(0, 0)))
                .isEqualTo(new TrialResult.Latency(
                        "us",
                        0,
                        null,
                        null,
                        new TrialResult.Percentiles(null, null, null, null, null, null, null),
                        null));
    }

    @Test
    void steadinessDetectsDriftSpreadAndBacklog() {
        assertThat(steady(true, i -> new Second(1000, Timelines.latencies(1000, 2000 + i % 3 * 200))))
                .isTrue();
        assertThat(steady(true, i -> new Second(1000, Timelines.latencies(1000, 2000 + i * 10_000))))
                .isFalse();
        assertThat(steady(false, i -> new Second(10_000 - i * 300, Timelines.latencies(10, 2000))))
                .isFalse();
        assertThat(steady(false, i -> new Second(i % 3 == 0 ? 1000 : 10_000, Timelines.latencies(10, 2000))))
                .isFalse();
        assertThat(steady(false, i -> new Second(10_000 - i * 167, Timelines.latencies(10, 2000))))
                .as("15 %% less at the end")
                .isFalse();
        assertThat(steady(true, i -> new Second(1000, Timelines.latencies(1000, i < 5 ? 3000 : 6000))))
                .as("twice the latency in the second half")
                .isFalse();
        assertThat(steady(true, i -> new Second(1000 + i * 1000, Timelines.latencies(1000, 2000))))
                .as("a ramp that is followed is no drift")
                .isTrue();
    }

    private static Boolean steady(boolean openLoop, java.util.function.IntFunction<Second> second) {
        List<Second> seconds =
                Stream.iterate(0, i -> i + 1).limit(10).map(second::apply).toList();
        return Timelines.oneTrial(Timelines.plan(openLoop), seconds, Timelines.trialEnded("one", 10, 1, 0))
                .trials()
                .get(0)
                .course()
                .steady();
    }

    @Test
    void reportsSpinningInCoresUpToCpuUse() {
        assertThat(one(true, s -> s.spun(300_000_000))
                        .observed()
                        .generator()
                        .wakeUps()
                        .spunCores())
                .isCloseTo(0.3, within(1e-9));
        assertThat(one(true, s -> s.spun(900_000_000))
                        .observed()
                        .generator()
                        .wakeUps()
                        .spunCores())
                .as("a thread without a core spins by the clock alone")
                .isCloseTo(0.5, within(1e-9));
    }

    @Test
    void generatorIsTheLimitOnlyIfScheduleWasMissed() {
        TrialResult busyButOnTime = one(true, s -> s.busiest(0.99));
        assertThat(busyButOnTime.observed().generator().limited()).isFalse();
        TrialResult busyAndLate = one(true, s -> s.busiest(0.99).acknowledged(900));
        assertThat(busyAndLate.observed().generator().limited()).isTrue();
        assertThat(busyAndLate.course().valid()).isFalse();
        TrialResult lateTicks = one(true, s -> s.lateTicks(60).acknowledged(850));
        assertThat(lateTicks.observed().generator().limited())
                .as("all was handed over in time")
                .isFalse();
        assertThat(lateTicks.course().valid()).isTrue();
        assertThat(lateTicks.observed().generator().part().missingShare()).isZero();
        TrialResult behind = one(true, s -> s.lateTicks(60).acknowledged(800).handedOver(850));
        assertThat(behind.course().valid()).isFalse();
        // Of the 200 missing records per second, 150 were not handed over, and 100 of these fell due while it was
        // blocked.
        assertThat(behind.observed().generator().part().missingShare()).isEqualTo(0.25);
        TrialResult closed = one(false, s -> s.busiest(0.99));
        assertThat(closed.observed().generator().limited()).isTrue();
        assertThat(closed.course().valid()).isTrue();
        assertThat(one(true, s -> s.acknowledged(900)).observed().generator().limited())
                .as("the cluster was slow, the generator idle")
                .isFalse();
    }

    private static TrialResult one(boolean openLoop, java.util.function.UnaryOperator<Second> change) {
        List<Second> seconds = Stream.generate(() -> change.apply(new Second(1000, Timelines.latencies(1000, 2000))))
                .limit(10)
                .toList();
        return Timelines.oneTrial(Timelines.plan(openLoop), seconds, Timelines.trialEnded("one", 10, 10_000, 0))
                .trials()
                .get(0);
    }

    @Test
    void trialWithoutProducersOnlyConsumes() {
        List<Second> seconds = Stream.generate(() -> new Second(1000, Timelines.latencies(1000, 2000)))
                .limit(10)
                .toList();
        RunResult result =
                Timelines.oneTrial(Timelines.plan(true, 0, 2), seconds, Timelines.trialEnded("one", 10, 10_000, 0));
        TrialResult trial = result.trials().get(0);
        assertThat(trial.produce()).isNull();
        assertThat(trial.consume().volume().recordsPerSecond()).isEqualTo(1000);
        assertThat(trial.course().steady()).isTrue();
        assertThat(result.verdict().sentence().english())
                .isEqualTo(Sentence.of(
                                "result.yours",
                                Sentence.of("result.deliveredToOne", "1 MB/s", "1,000", "1 KB"),
                                Sentence.of("result.allInLog", "10,000"))
                        .english());
        assertThat(trial.judgement().warnings()).isEmpty();
        assertThat(Map.copyOf(trial.consume().errors().byKind())).isEmpty();
    }

    @Test
    void groupHasMembersOfItsOwnEntry() {
        TimelineEvent.TrialPlan plan = Timelines.plan(true);
        Stream.of(new Integer[] {1, null}, new Integer[] {7, 7}).forEach(expected -> {
            Map<String, Integer> told = expected[1] == null ? null : Map.of("readers", expected[1], "others", 2);
            TimelineEvent.TrialPlan known = new TimelineEvent.TrialPlan(
                    plan.course(),
                    plan.producing(),
                    new TimelineEvent.Consuming("client", 1, "intended time", null, false, told),
                    null);
            List<Second> seconds = List.of(new Second(1000, Timelines.latencies(1000, 2000)));
            RunResult result = Timelines.oneTrial(known, seconds, Timelines.trialEnded("one", 1, 1000, 0));
            assertThat(result.trials().get(0).consume().groups().get(0).members())
                    .isEqualTo(expected[0]);
        });
    }

    @Test
    void noEstablishedConnectionInvalidatesMeasurement() {
        RunResult none = connections(Map.of(Connected.FAILED + Connected.LOGIN, 40L));
        assertThat(none.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
        assertThat(none.verdict().sentence().english())
                .isEqualTo(Sentence.of("result.noMeasure").english() + " "
                        + Sentence.of("result.connected", "0", "0").english());
        Map<String, Long> stood = Map.of(Connected.OPENED, 1L, Connected.STANDING_NANOS, 9L);
        assertThat(connections(stood).head().exitCode()).isZero();
    }

    private static RunResult connections(Map<String, Long> counts) {
        Second second = new Second(0, Latencies.EMPTY).connects(Timelines.connects(counts, Map.of()));
        return Timelines.oneTrial(Timelines.plan(true, 0, 0), List.of(second), Timelines.trialEnded("one", 1, 0, 0));
    }
}
