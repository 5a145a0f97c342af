package io.plimsoll.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Endings;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Generator;
import io.plimsoll.result.GroupPace;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Errors;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.search.Criteria.Judgement;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a trial carried its load, by the documented criteria. */
class CriteriaTest {
    private static final Criteria NONE = new Criteria(List.of());
    private static final double OFFERED = 1000;

    /** A trial of ten seconds that carries its load; each test breaks one condition. */
    private static final class Trial {
        private double achieved = 1;
        private long records = 10_000;
        private long errors;
        private long lost;
        private boolean examined = true;
        private double offered = OFFERED;
        private boolean valid = true;
        private boolean complete = true;
        private Long p99 = 20_000L;
        private long max = 40_000;
        private double backlogGrowth;
        private GroupPace pace = new GroupPace(GroupPace.KEPT_UP, OFFERED, 0, null);
        private boolean consumes;
        private Map<String, Long> events = Map.of();
        private double throttledSeconds;
        private Map<String, Object> host = Map.of();
        private List<Map<String, Object>> brokers = List.of();
        private List<Map<String, Object>> groups = List.of();
        private Map<String, Map<String, Double>> clients = Map.of();
        /** Null: ten identical seconds of the measured window. */
        private List<Second> seconds;

        TrialResult result() {
            Latency latency = new Latency(
                    "us", 500, 1L, 1.0, new TrialResult.Percentiles(5000L, 1L, 1L, 1L, p99, null, null), max);
            Produce produce = new Produce(
                    new TrialResult.Sources("client", 1, List.of()),
                    new TrialResult.Volume(records, 1_000_000L, offered * achieved, offered * achieved * 100),
                    new TrialResult.Schedule(false, offered, 0L, 0L, 0L, null),
                    new TrialResult.Wire(10L, 1.0, 1.0, 1.0, null, 1_000_000L, 0L),
                    new TrialResult.Waits(0.0, throttledSeconds),
                    new TrialResult.Times(latency, latency, latency),
                    new Errors(errors, Map.of()),
                    events);
            Consume consume = new Consume(
                    "client",
                    new TrialResult.Volume(10_000L, 1_000_000L, OFFERED, OFFERED * 100),
                    new TrialResult.Fetches(1L, 1.0),
                    new TrialResult.EndToEnd(latency, 0L, 0L, "intended time", null, null, null, null),
                    new Errors(0, Map.of()),
                    List.of(new TrialResult.Group("readers", 1, 10_000, 1_000_000, 0L, 0, 0, pace, null, null)),
                    new TrialResult.Reading(null, null, null, null),
                    Map.of());
            return new TrialResult(
                    "t",
                    new TrialResult.Course(Instant.EPOCH, 0.0, null, 10, true, complete, valid, null),
                    produce,
                    consumes ? consume : null,
                    AuditResult.ofOffsets(
                            new AuditResult.Counts(10_000, 10_000 - lost, lost, null, null, null, 0, null),
                            examined,
                            List.of()),
                    new TrialResult.Observed(
                            new Generator(
                                    new Generator.Cpu(1, 0.1, 1.0, null),
                                    new Generator.Ticks(1, 0, 0),
                                    0,
                                    0,
                                    !valid && host.isEmpty(),
                                    null,
                                    null),
                            brokers,
                            host,
                            Map.of(),
                            clients,
                            List.of(),
                            List.of(),
                            groups),
                    new TrialResult.Judgement(List.of(), List.of(), null),
                    new TrialResult.Detail(
                            Map.of(),
                            Map.of(),
                            List.of(),
                            seconds == null
                                    ? IntStream.range(0, 10)
                                            .mapToObj(this::second)
                                            .toList()
                                    : seconds,
                            List.of(),
                            Map.of(),
                            Map.of(),
                            List.of(),
                            List.of()));
        }

        private Second second(int i) {
            return new Second(
                    i + 1,
                    "measure",
                    new TrialResult.Rates(OFFERED, OFFERED - backlogGrowth, 0, OFFERED, 0),
                    new TrialResult.Response(1L, 1L, 1L, 1L, null),
                    null,
                    0.1,
                    Map.of(),
                    null);
        }
    }

    /**
     * A trial on a full host of two cores, with a broker that uses a part of one and other programs that use the rest.
     */
    private static Trial besideOthers(double broker) {
        Trial trial = new Trial();
        trial.host = Map.of("cores", 2.0, "cpu", 2.0);
        trial.brokers = List.of(Map.of("id", 1, "cpu", broker, "sources", List.of("proc")));
        return trial;
    }

    private static Judgement judge(Trial trial, String... slo) {
        return new Criteria(List.of(slo).stream().map(CheckParser::parse).toList()).judge(trial.result());
    }

    @Test
    void trialThatCarriesItsLoadPasses() {
        Trial trial = new Trial();
        trial.consumes = true;
        trial.achieved = 0.991;
        Judgement judgement = NONE.judge(trial.result());
        assertThat(judgement.reasons()).isEmpty();
        assertThat(judgement.sustained()).isTrue();
        assertThat(judgement.withinSlo()).isTrue();
    }

    @Test
    void lessThanNinetyNinePercentIsNotSustained() {
        Trial trial = new Trial();
        trial.achieved = 0.985;
        assertThat(NONE.judge(trial.result()).reasons())
                .extracting(Sentence::english)
                .containsExactly("only 98.5 % of the offered load was acknowledged within the window");
    }

    @Test
    void toleratesARecordInFlightAtLowRates() {
        Trial trial = new Trial();
        trial.offered = 20;
        trial.achieved = 0.98;
        assertThat(NONE.judge(trial.result()).reasons()).isEmpty();
        trial.achieved = 0.97;
        assertThat(NONE.judge(trial.result()).reasons())
                .extracting(Sentence::english)
                .containsExactly("only 97.0 % of the offered load was acknowledged within the window");
    }

    @Test
    void growingBacklogIsNotSustained() {
        Trial slow = new Trial();
        slow.backlogGrowth = 8;
        assertThat(NONE.judge(slow.result()).reasons())
                .extracting(Sentence::english)
                .containsExactly("the producers' backlog grew");
        slow.backlogGrowth = 3;
        assertThat(NONE.judge(slow.result()).sustained()).as("less than 0.5 %").isTrue();
    }

    @Test
    void laggingGroupIsNotSustained() {
        Trial behind = new Trial();
        behind.consumes = true;
        behind.pace = new GroupPace(GroupPace.FELL_BEHIND, 980, 20, null);
        Judgement judgement = NONE.judge(behind.result());
        assertThat(judgement.sustained()).isFalse();
        assertThat(judgement.decided()).isTrue();
        assertThat(judgement.reasons()).extracting(Sentence::key).containsExactly("search.groupFellBehind");
        assertThat(judgement.reasons().get(0).arguments()).containsExactly("readers", "20");
    }

    @Test
    void tooShortWindowIsUndecided() {
        Trial brief = new Trial();
        brief.consumes = true;
        brief.pace = new GroupPace(GroupPace.UNDECIDED, 1000, 0, 17.5);
        Judgement judgement = NONE.judge(brief.result());
        assertThat(judgement.sustained()).isFalse();
        assertThat(judgement.withinSlo()).isFalse();
        assertThat(judgement.decided()).isFalse();
        assertThat(judgement.undecided()).containsExactly(new Criteria.Undecided("readers", 17.5));
        brief.achieved = 0.9;
        assertThat(NONE.judge(brief.result()).decided())
                .as("the producers were not carried, however far the group is")
                .isTrue();
    }

    @Test
    void errorsLossAndEarlyEndAreNotSustained() {
        Trial trial = new Trial();
        trial.errors = 2;
        trial.lost = 3;
        trial.complete = false;
        assertThat(NONE.judge(trial.result()).reasons())
                .extracting(Sentence::english)
                .containsExactly(
                        Sentence.of("search.didNotEnd").english(),
                        "2 records failed",
                        Sentence.of("search.lost", "3").english());
    }

    @Test
    void incompleteAuditDoesNotPass() {
        Trial trial = new Trial();
        trial.examined = false;
        assertThat(NONE.judge(trial.result()).reasons())
                .extracting(Sentence::english)
                .containsExactly(Sentence.of("search.cannotTell").english());
        trial.lost = 1;
        assertThat(NONE.judge(trial.result()).reasons())
                .extracting(Sentence::english)
                .containsExactly(Sentence.of("search.lost", "1").english());
    }

    @Test
    void namesLimitingGenerator() {
        Trial trial = new Trial();
        trial.valid = false;
        trial.achieved = 0.9;
        Judgement judgement = NONE.judge(trial.result());
        assertThat(judgement.generatorLimited()).isTrue();
        assertThat(judgement.reasons().get(0))
                .hasToString(Sentence.of("search.generator").english());
    }

    @Test
    void namesGeneratorTooSlowForTheCriterion() {
        Trial trial = new Trial();
        trial.valid = false;
        Judgement judgement = judge(trial, "produce.response.p99 < 10ms");
        assertThat(judgement.sustained()).isTrue();
        assertThat(judgement.withinSlo()).isFalse();
        assertThat(judgement.generatorLimited()).isTrue();
        assertThat(judgement.reasons().get(0))
                .hasToString(Sentence.of("search.generator").english());
    }

    /** Neither a missed load nor a slow one is evidence about brokers without CPU. */
    @Test
    void loadMissedDueToOtherProgramsIsUndecided() {
        Trial missed = besideOthers(0.3);
        missed.valid = false;
        missed.achieved = 0.7;
        Judgement judgement = judge(missed, "produce.response.p99 < 10ms");
        assertThat(judgement.hostContended()).isTrue();
        assertThat(judgement.generatorLimited()).isFalse();
        assertThat(judgement.decided()).isFalse();
        assertThat(judgement.decidedWithinSlo()).isFalse();
        assertThat(judgement.withinSlo()).isFalse();
        assertThat(judgement.reasons().get(0).key()).isEqualTo("search.hostTaken");

        Judgement slow = judge(besideOthers(0.3), "produce.response.p99 < 10ms");
        assertThat(slow.hostContended()).isTrue();
        assertThat(slow.decided()).as("it was carried").isTrue();
        assertThat(slow.sustained()).isTrue();
        assertThat(slow.decidedWithinSlo()).isFalse();

        Judgement carried = judge(besideOthers(0.3), "produce.response.p99 < 50ms");
        assertThat(carried.hostContended()).isFalse();
        assertThat(carried.withinSlo()).isTrue();
        assertThat(carried.decidedWithinSlo()).isTrue();
    }

    @Test
    void otherProgramsDoNotExcuseOtherCauses() {
        Trial brokers = besideOthers(1.5);
        brokers.achieved = 0.7;
        assertThat(NONE.judge(brokers.result()).hostContended())
                .as("the brokers use the host")
                .isFalse();
        Trial lost = besideOthers(0.3);
        lost.achieved = 0.7;
        lost.lost = 1;
        assertThat(NONE.judge(lost.result()).decided()).isTrue();
        Trial quota = besideOthers(0.3);
        quota.achieved = 0.7;
        quota.throttledSeconds = 5;
        assertThat(NONE.judge(quota.result()).decided()).isTrue();
        Trial busyMembers = besideOthers(0.3);
        busyMembers.achieved = 0.7;
        busyMembers.clients = Map.of("consumers-0", Map.of("pollIdle", 0.1, "workBound", 375.0));
        assertThat(NONE.judge(busyMembers.result()).decided())
                .as("members that are busy with their work do not wait for brokers")
                .isTrue();
        Trial idleMembers = besideOthers(0.3);
        idleMembers.achieved = 0.7;
        idleMembers.clients = Map.of("consumers-0", Map.of("pollIdle", 0.6, "workBound", 375.0));
        assertThat(NONE.judge(idleMembers.result()).decided()).isFalse();
        Trial group = besideOthers(0.3);
        group.achieved = 0.7;
        group.groups = List.of(Map.of("id", "payments", "pace", GroupPace.KEPT_UP));
        assertThat(NONE.judge(group.result()).decided())
                .as("members of a group under test may be the others")
                .isTrue();
    }

    /** The remaining load after rejections is not evidence about the generator. */
    @Test
    void endedClientsAreNoGeneratorLimit() {
        Trial trial = new Trial();
        trial.valid = false;
        trial.achieved = 0.9;
        trial.events = Map.of(Endings.event("fenced"), 2L);
        Judgement judgement = NONE.judge(trial.result());
        assertThat(judgement.generatorLimited()).isFalse();
        assertThat(judgement.reasons().get(0))
                .hasToString(Sentence.of("search.clientsEnded").english());
        trial.achieved = 1;
        assertThat(NONE.judge(trial.result()).reasons()).hasSize(1);
    }

    /** A few records can be in flight at the window's end; without any acknowledgment the load does not pass. */
    @Test
    void neverPassesWithoutAcknowledgments() {
        Trial trial = new Trial();
        trial.offered = 0.4;
        trial.achieved = 0;
        trial.records = 0;
        trial.valid = false;
        Judgement judgement = NONE.judge(trial.result());
        assertThat(judgement.generatorLimited()).isFalse();
        assertThat(judgement.reasons())
                .extracting(Sentence::english)
                .containsExactly(Sentence.of("search.nothingCame").english());
    }

    /**
     * A broker's quota: in any eleven seconds at most ten times the quota passes. The warm-up is twelve seconds, the
     * window five.
     */
    private static Trial atQuota(double offered, double quota) {
        Trial trial = new Trial();
        trial.offered = offered;
        List<Second> seconds = new ArrayList<>();
        double waiting = 0;
        for (int i = 0; i < 17; i++) {
            waiting += offered;
            double used = seconds.stream()
                    .skip(Math.max(0, i - 10))
                    .mapToDouble(s -> s.rates().produced())
                    .sum();
            double allowed = Math.max(0, quota * Math.min(11, Math.max(10, i + 1)) - used);
            double produced = Math.min(waiting, allowed);
            waiting -= produced;
            trial.throttledSeconds += waiting > 0 ? 1 : 0;
            String phase = i < 12 ? "warmup" : "measure";
            seconds.add(new Second(
                    i + 1,
                    phase,
                    new TrialResult.Rates(offered, produced, 0, 0, 0),
                    new TrialResult.Response(1L, 1L, 1L, 1L, null),
                    null,
                    0.1,
                    Map.of(),
                    null));
        }
        trial.seconds = seconds;
        trial.achieved =
                seconds.stream().skip(12).mapToDouble(s -> s.rates().produced()).sum() / 5 / offered;
        return trial;
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.03, 1.05, 1.1, 1.2, 1.38, 1.43, 1.6, 2, 4})
    void burstsBeyondTheQuotaAreNotSustained(double load) {
        Trial trial = atQuota(load * 1000, 1000);
        Judgement judgement = NONE.judge(trial.result());
        assertThat(judgement.sustained())
                .as("achieved %.3f within the window", trial.achieved)
                .isFalse();
        trial.valid = false;
        assertThat(NONE.judge(trial.result()).generatorLimited())
                .as("the cluster itself told its clients to wait")
                .isFalse();
    }

    @Test
    void quotaBurstLooksSustainedWithoutThrottleFigures() {
        Trial trial = atQuota(1_430, 1000);
        assertThat(trial.achieved).isGreaterThan(0.99);
        trial.throttledSeconds = 0;
        assertThat(NONE.judge(trial.result()).sustained())
                .as("what the window of a trial alone says, if nobody speaks of a quota")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.9, 0.99, 1})
    void loadWithinTheQuotaIsSustained(double load) {
        Trial trial = atQuota(load * 1000, 1000);
        trial.throttledSeconds = 0.5;
        assertThat(NONE.judge(trial.result()).reasons()).isEmpty();
    }

    @Test
    void judgesUserCriteriaSeparately() {
        Judgement judgement = judge(new Trial(), "produce.response.p99 < 10ms", "produce.response.max < 1s");
        assertThat(judgement.sustained()).isTrue();
        assertThat(judgement.withinSlo()).isFalse();
        assertThat(judgement.reasons())
                .extracting(Sentence::english)
                .containsExactly(Sentence.of("search.was", "produce.response.p99 < 10ms", "20.0 ms")
                        .english());
    }

    @Test
    void unknownPercentileHoldsIfTheMaximumDoes() {
        Trial trial = new Trial();
        trial.p99 = null;
        assertThat(judge(trial, "produce.response.p99 < 50ms").withinSlo()).isTrue();
        trial.max = 60_000;
        assertThat(judge(trial, "produce.response.p99 < 50ms").withinSlo()).isFalse();
        assertThat(judge(trial, "produce.response.p99 > 5ms").withinSlo())
                .as("nothing shows that it is more")
                .isFalse();
    }

    /** The name of this figure contains ".p", but it is not a percentile of a distribution. */
    @Test
    void unknownBrokerFigureIsNotMeasured() {
        assertThat(judge(new Trial(), "broker.produceP99 < 20ms").reasons())
                .extracting(Sentence::key)
                .containsExactly("search.notMeasured");
    }
}
