package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Check.Operator;
import io.plimsoll.scenario.Figures;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The figures of checks match the figures of the result. */
class FigureTest {
    private static final String LABEL = "team=payments";
    private static final TrialResult TRIAL = trial(Timelines.plan(true));

    private static TrialResult trial(TimelineEvent.TrialPlan plan) {
        return trial(plan, Timelines.audit(100_000, 2));
    }

    private static TrialResult trial(TimelineEvent.TrialPlan plan, AuditResult audit) {
        List<Second> seconds = Stream.generate(() -> new Second(10_000, Timelines.spread(10_000, 1000, 5000))
                        .lag(7)
                        .labeled(LABEL))
                .limit(10)
                .toList();
        return Timelines.oneTrial(plan, seconds, Timelines.trialEnded("one", 10, audit))
                .trials()
                .get(0);
    }

    /** Every name that a scenario can use is known here. */
    @TestFactory
    Stream<DynamicTest> everyFigureHasAValueOrIsKnownToBeAbsent() {
        Set<String> absent = Set.of(
                "audit.abortedVisible",
                "audit.corrupted",
                "audit.duplicated",
                "audit.foreign",
                "audit.givenUp",
                "audit.phantom",
                "audit.processedTwice",
                "audit.reordered",
                "audit.skipped",
                "audit.violations",
                "produce.missing",
                "produce.serializeCpu",
                "produce.serializeTime",
                "consume.decoded",
                "consume.undecodable",
                "consume.unexpected",
                "consume.unknownSchema",
                "trial.topicsCreated",
                "consume.backlog",
                "consume.clockError",
                "consume.appendClockError",
                "consume.drainTime",
                "consume.firstRecord",
                "consume.workBound",
                "consume.workFailures",
                "consume.drainRate");
        return Figures.ALL.entrySet().stream()
                .flatMap(
                        e -> e.getValue().stream()
                                .map(
                                        d -> DynamicTest.dynamicTest(
                                                e.getKey() + " in " + d,
                                                () -> assertThat(value(TRIAL, e.getKey(), d)
                                                                .isPresent())
                                                        .isEqualTo(
                                                                !absent.contains(e.getKey())
                                                                        && !e.getKey()
                                                                                .matches(
                                                                                        "(broker|cluster|cold|connect|fault|group|host|pipeline|probe|reply|share|topic|consume.ownEndToEnd|consume.endToEndFromAppend)\\..*")))));
    }

    /** All clients have the label, so its figures equal the figures of the trial. */
    @TestFactory
    Stream<DynamicTest> figuresByLabelMatchThoseOfTheirClients() {
        return Figures.ALL.entrySet().stream()
                .filter(e -> e.getKey().matches("(produce|consume|share|reply)\\..*"))
                .flatMap(e -> e.getValue().stream()
                        .map(d -> DynamicTest.dynamicTest(
                                e.getKey() + " in " + d, () -> assertThat(value(TRIAL.of(LABEL), e.getKey(), d))
                                        .isEqualTo(value(TRIAL, e.getKey(), d)))));
    }

    /** Observers report milliseconds and seconds, checks use microseconds. */
    @Test
    void observedTimesMatchPerSecondAndPerWindow() {
        ObservationFold fold = new ObservationFold(0, 0);
        Map<String, Double> micros = Map.of("cluster.stuck", 3e6, "broker.remote", 2e3, "host.diskAwait", 4e3);
        List<Observation> seen = List.of(
                observation("cluster", Map.of(), Map.of("stuckSeconds", 3.0)),
                observation("broker 1", Map.of("produce.remoteMs", 40.0, "produce.requests", 20.0), Map.of()),
                observation("host", Map.of("diskWaitMs", 40.0, "diskRequests", 10.0), Map.of()));
        seen.forEach(fold::accept);
        TrialResult.Observed observed = new TrialResult.Observed(
                null, fold.brokers(), fold.host(), fold.cluster(), Map.of(), List.of(), List.of(), fold.groups());
        TrialResult trial = Timelines.with(TRIAL, observed, TRIAL.detail());
        micros.forEach((figure, expected) -> {
            assertThat(value(trial, figure, Dimension.MICROSECONDS)).as(figure).hasValue(expected);
            assertThat(seen.stream()
                            .map(FigureCatalogue.observed(figure).orElseThrow()::seenIn)
                            .filter(OptionalDouble::isPresent))
                    .as(figure)
                    .containsExactly(OptionalDouble.of(expected));
        });
    }

    private static Observation observation(String what, Map<String, Double> sums, Map<String, Double> gauges) {
        return new Observation(what, "jmx", 0, Timelines.SECOND, sums, gauges);
    }

    private static OptionalDouble value(TrialResult trial, String figure, Dimension dimension) {
        return FigureCatalogue.value(trial, figure, dimension);
    }

    @Test
    void identityAuditKnowsAllOfItsFigures() {
        TrialResult trial = trial(Timelines.plan(true), Timelines.identified(100_000));
        Figures.ALL.forEach((name, dimensions) -> {
            if (name.startsWith("audit.") && !name.equals("audit.givenUp")) {
                assertThat(value(trial, name, Dimension.COUNT)).as(name).isPresent();
            }
        });
        assertThat(value(trial, "audit.violations", Dimension.COUNT)).hasValue(5);
        assertThat(value(trial, "audit.processedTwice", Dimension.COUNT)).hasValue(12);
        assertThat(value(trial, "audit.skipped", Dimension.COUNT)).hasValue(1);
    }

    /** Unexamined records may be lost: no check for zero losses may pass. */
    @Test
    void incompleteAuditKnowsOnlyItsFindings() {
        TrialResult clean = trial(Timelines.plan(true), Timelines.audit(100_000, 0));
        assertThat(value(clean, "audit.lost", Dimension.COUNT)).hasValue(0);
        TrialResult unsure =
                trial(Timelines.plan(true), Timelines.audit(100_000, 0).incomplete());
        Check nothingLost = new Check("audit.lost == 0", "audit.lost", Operator.EQUAL, 0, Dimension.COUNT);
        assertThat(Checks.evaluate(clean, nothingLost).passed()).isTrue();
        assertThat(Checks.evaluate(unsure, nothingLost))
                .isEqualTo(new CheckResult("audit.lost == 0", null, "count", false));
        TrialResult some =
                trial(Timelines.plan(true), Timelines.audit(100_000, 2).incomplete());
        assertThat(value(some, "audit.lost", Dimension.COUNT)).hasValue(2);
    }

    /** Requests without a reply, sent or not, count only with the time that they have waited so far. */
    @Test
    void replyLatencyIsOnlyKnownWithEnoughReplies() {
        assertThat(limitsReplies(Map.of("reply.missing", 5.0))).isTrue();
        assertThat(limitsReplies(Map.of("reply.missing", 5.0, "reply.unsent", 5.0)))
                .isTrue();
        assertThat(limitsReplies(Map.of("reply.missing", 5.0, "reply.unsent", 6.0)))
                .isFalse();
    }

    /** Whether a check of the 99th percentile of 1,000 fast replies passes. */
    private static boolean limitsReplies(Map<String, Double> figures) {
        TrialResult.Detail d = TRIAL.detail();
        Map<String, TrialResult.Latency> times =
                Map.of("reply.latency", TrialResult.Latency.of(Timelines.latencies(1000, 1000)));
        TrialResult.Detail detail = new TrialResult.Detail(
                d.parameters(),
                d.setup(),
                d.partitions(),
                d.seconds(),
                d.faults(),
                figures,
                times,
                d.slowMoments(),
                d.labels());
        Check check =
                new Check("reply.latency.p99 < 1s", "reply.latency.p99", Operator.LESS, 1e6, Dimension.MICROSECONDS);
        return Checks.evaluate(Timelines.with(TRIAL, TRIAL.observed(), detail), check)
                .passed();
    }

    @Test
    void figuresUseUnitOfTheLimit() {
        assertThat(value(TRIAL, "produce.throughput", Dimension.RECORDS_PER_SECOND))
                .hasValue(10_000);
        assertThat(value(TRIAL, "produce.throughput", Dimension.BYTES_PER_SECOND))
                .hasValue(10_000_000);
        assertThat(value(TRIAL, "consume.throughput", Dimension.BYTES_PER_SECOND))
                .hasValue(10_000_000);
        assertThat(value(TRIAL, "produce.response.p50", Dimension.MICROSECONDS).orElseThrow())
                .isCloseTo(3000, within(5.0));
        assertThat(value(TRIAL, "produce.delay.p99", Dimension.MICROSECONDS)).hasValue(20);
        assertThat(value(TRIAL, "produce.achieved", Dimension.RATIO)).hasValue(1);
        assertThat(value(TRIAL, "consume.lagAtEnd", Dimension.COUNT)).hasValue(7);
        assertThat(value(TRIAL, "audit.lost", Dimension.COUNT)).hasValue(2);
    }

    @Test
    void unmeasuredFiguresHaveNoValue() {
        TrialResult consumeOnly = trial(Timelines.plan(true, 0, 1));
        assertThat(value(consumeOnly, "produce.records", Dimension.COUNT)).isEmpty();
        TrialResult produceOnly = trial(Timelines.plan(false, 1, 0));
        assertThat(value(produceOnly, "consume.records", Dimension.COUNT)).isEmpty();
        assertThat(value(produceOnly, "produce.achieved", Dimension.RATIO)).isEmpty();
    }

    @Test
    void checkOnUnmeasuredFigureFails() {
        Check check =
                new Check("produce.records >= 0", "produce.records", Operator.GREATER_OR_EQUAL, 0, Dimension.COUNT);
        assertThat(Checks.evaluate(trial(Timelines.plan(true, 0, 1)), check))
                .isEqualTo(new CheckResult("produce.records >= 0", null, "count", false));
        assertThat(Checks.evaluate(TRIAL, check))
                .isEqualTo(new CheckResult("produce.records >= 0", 100_000.0, "count", true));
    }
}
