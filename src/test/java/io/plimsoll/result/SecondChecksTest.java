package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Connected;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Replied;
import io.plimsoll.result.TimelineEvent.Measured;
import io.plimsoll.result.TimelineEvent.Observed;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Check.Operator;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.Figures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks on each second. */
class SecondChecksTest {
    private static final int SECONDS = 10;
    /** All clients have it. */
    private static final String LABEL = "team=payments";

    private static final Map<String, Double> HOST = Map.of(
            "seconds", 1.0,
            "cpuSeconds", 1.5,
            "diskReadBytes", 1e6,
            "diskWriteBytes", 3e6,
            "diskQueueSeconds", 0.1,
            "diskBusySeconds", 0.2,
            "diskWaitMs", 20.0,
            "diskRequests", 10.0,
            "networkInBytes", 1e6,
            "networkOutBytes", 1e6);
    private static final List<TimelineEvent> EVENTS = events();

    /**
     * Ten seconds with a lag of 0, 100, … 900 records; two brokers and this host are observed in each of the first
     * eight.
     */
    private static List<TimelineEvent> events() {
        TimelineEvent.TrialPlan plan = Timelines.plan(true);
        List<TimelineEvent> events =
                new ArrayList<>(List.of(Timelines.runStarted("r"), Timelines.trialStarted("t", plan)));
        for (int i = 0; i < SECONDS; i++) {
            var second = new Timelines.Second(1000, Timelines.spread(1000, 1000, 5000))
                    .appended()
                    .lag(100L * i)
                    .errors(i == 3 ? Map.of("timeout", 2L) : Map.of())
                    .events(Map.of("deliveries", 10L, "released", 1L, "lockMicros", 100L))
                    .connects(connects())
                    .replies(replies())
                    .labeled(LABEL);
            events.add(new Measured(second.snapshot("t", i, Phase.MEASURE, plan)));
            if (i < 8) {
                events.add(broker(1, i, 0.6));
                events.add(broker(2, i, i < 2 ? 0.1 : 0.5));
                events.add(host(i));
                events.add(group(i));
                events.add(topic(i));
                events.add(observed(
                        "cluster",
                        i,
                        Map.of(),
                        Map.of(
                                "underReplicated",
                                0.0,
                                "leaderless",
                                0.0,
                                "logBytes",
                                1e6,
                                "remoteRecords",
                                0.0,
                                "openRecords",
                                0.0,
                                "stuckSeconds",
                                0.0)));
            }
        }
        return events;
    }

    private static List<CheckResult> results(List<Check> checks) {
        Fold fold = new Fold();
        fold.expect(checks);
        EVENTS.forEach(fold::accept);
        fold.accept(fold.endOf(Timelines.trialEnded("t", SECONDS, 10_000, 0), checks));
        return fold.result().trials().get(0).judgement().checks();
    }

    private static TimelineEvent broker(int id, int second, double idle) {
        Map<String, Double> sums = new HashMap<>(Map.of(
                "seconds", 1.0,
                "produce.requests", 100.0,
                "cpuSeconds", 0.25 * id,
                "gcSeconds", 0.01,
                "bytesIn", 1e6 * id,
                "bytesOut", 2e6,
                "diskReadBytes", 0.0,
                "diskWriteBytes", 3e6,
                "handlerIdleNanos", idle * 1e9,
                "networkIdleNanos.PLAINTEXT", 0.9e9));
        for (String stage :
                List.of("requestQueue", "local", "remote", "throttle", "responseQueue", "responseSend", "total")) {
            sums.put("produce." + stage + "Ms", 500.0);
        }
        for (String more :
                List.of("messagesIn", "bytesRejected", "remoteFetchBytes", "remoteCopyBytes", "remoteReads")) {
            sums.put(more, 10.0);
        }
        sums.put("remoteReadMs", 20.0);
        HOST.forEach((name, value) -> sums.put("host." + name, value));
        Map<String, Double> gauges =
                new HashMap<>(Map.of("underReplicated", 0.0, "process.memoryBytes", 1e9, "remoteCopyLag", 0.0));
        gauges.putAll(Map.of("host.memoryAvailableBytes", 1e9, "host.busiestDisk", 0.2));
        for (String percentile : List.of("95", "99", "999")) {
            gauges.put("fetch.p" + percentile + "Ms", 500.0);
            gauges.put("produce.p" + percentile + "Ms", 5.0);
        }
        return observed("broker " + id, second, sums, gauges);
    }

    private static TimelineEvent group(int second) {
        return observed(
                "group readers",
                second,
                Map.of("seconds", 1.0, "consumed", 1000.0, "produced", 1000.0, "rebalances", 0.0),
                Map.of("lag", 10.0, "lagMs", 10.0, "members", 2.0));
    }

    private static TimelineEvent topic(int second) {
        return observed(
                ObservedFigures.TOPIC + "t",
                second,
                Map.of(
                        "seconds",
                        1.0,
                        "bytesIn",
                        1e6,
                        "bytesOut",
                        1e6,
                        "messagesIn",
                        10.0,
                        "logGrowth",
                        1e6,
                        "logSeconds",
                        1.0),
                Map.of("logBytes", 1e6));
    }

    private static Counts replies() {
        return Counts.Sum.overTime()
                .add(Replied.COUNTS, Map.of(ReplyFigures.SENT, 10L))
                .add(Replied.TIMES, Map.of(ReplyFigures.LATENCY, Timelines.latencies(10, 1000)))
                .add(Produced.SERIALIZED, 10L)
                .add(Produced.SERIALIZE_NANOS, 10_000L)
                .add(Produced.SERIALIZE_CPU_NANOS, 10_000L)
                .add(Consumed.DECODED, 10L)
                .total();
    }

    private static Counts connects() {
        Map<String, Latencies> times = new HashMap<>();
        Connected.STAGES.forEach(stage -> times.put(stage, Timelines.latencies(10, 1000)));
        return Timelines.connects(Map.of(Connected.OPENED, 10L), times);
    }

    private static TimelineEvent host(int second) {
        return observed("host", second, HOST, Map.of("busiestDisk", 0.2, "memoryAvailableBytes", 1e9));
    }

    private static TimelineEvent observed(
            String what, int second, Map<String, Double> sums, Map<String, Double> gauges) {
        return new Observed(
                "t",
                new Observation(what, "jmx", second * Timelines.SECOND, (second + 1) * Timelines.SECOND, sums, gauges));
    }

    /** Each figure that a check can use per second has a value in seconds with complete data. */
    @TestFactory
    Stream<DynamicTest> everyPerSecondFigureIsKnown() {
        List<Check> reached = ofEachFigure(Operator.GREATER_OR_EQUAL);
        List<Double> shares = shares(reached);
        List<Double> below = shares(ofEachFigure(Operator.LESS));
        assertThat(shares).hasSameSizeAs(reached).hasSameSizeAs(below);
        return IntStream.range(0, reached.size())
                .mapToObj(i -> DynamicTest.dynamicTest(
                        reached.get(i).figure() + " of " + reached.get(i).label() + " in "
                                + reached.get(i).dimension(),
                        () -> {
                            assertThat(shares.get(i)).isEqualTo(1.0);
                            assertThat(below.get(i)).isZero();
                        }));
    }

    private static List<Check> ofEachFigure(Operator op) {
        return Figures.PER_SECOND.entrySet().stream()
                .flatMap(e -> e.getValue().stream().flatMap(d -> Stream.of(null, LABEL)
                        .filter(label -> label == null || e.getKey().matches("(produce|consume|share|reply)\\..*"))
                        .map(label -> new Check("", e.getKey(), op, 0, d, label, 0.5))))
                .toList();
    }

    private static List<Double> shares(List<Check> checks) {
        return results(checks).stream().map(CheckResult::measured).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "produce.offered == 1000/s, 1",
        "produce.throughput >= 1MB/s, 1",
        "produce.achieved >= 100%, 1",
        "produce.errors == 0, 0.9",
        "produce.response.p99.9 < 4.9ms, 0",
        "produce.response.mean < 3.1ms, 1",
        "produce.delay.max <= 20us, 1",
        "produce.recordsPerBatch == 20, 1",
        "produce.compressionRatio == 50%, 1",
        "consume.throughput >= 1MB/s, 1",
        "consume.endToEnd.p50 < 2ms, 0",
        "consume.lag < 500, 0.5",
        "generator.cpu == 0.5, 1",
        "generator.busiestThread < 50%, 1",
        "broker.cpu == 0.5, 1",
        "broker.bytesIn <= 1.5MB/s, 0",
        "broker.local == 5ms, 1",
        "broker.handlerIdle > 20%, 0.75",
        "host.diskBusy < 50%, 1",
        "produce[team=payments].errors == 0, 0.9",
        "consume[team=payments].lag < 500, 0.5"
    })
    void measuresShareOfSecondsThatPass(String check, double share) {
        CheckResult result = results(List.of(CheckParser.parse(check + " for 70% of seconds")))
                .get(0);
        assertThat(result.measured()).isEqualTo(share);
        assertThat(result.passed()).isEqualTo(share >= 0.7);
    }

    /** No broker was observed: this proves nothing, and a check without evidence has failed. */
    @Test
    void failsIfNothingWasObserved() {
        Check check = CheckParser.parse("broker.cpu < 9 for 1% of seconds");
        var plan = Timelines.plan(true);
        List<Timelines.Second> seconds = List.of(new Timelines.Second(10, Timelines.latencies(10, 1000)));
        TrialResult trial = Timelines.oneTrial(plan, seconds, Timelines.trialEnded("one", 1, 10, 0))
                .trials()
                .get(0);
        assertThat(Checks.evaluate(trial, check))
                .isEqualTo(new CheckResult(check.text(), null, "share of seconds", false));
    }

    /** Data that is kept for checks is not part of a result. */
    @Test
    void omitsCheckDataFromResultFile() {
        var second = new TrialResult.Second(
                1,
                "measure",
                new TrialResult.Rates(1.0, 1, 1, 1, 0),
                new TrialResult.Response(1L, 1L, 1L, 1L, null),
                0L,
                1.0,
                Map.of("consume.lag COUNT", 1.0),
                null);
        assertThat(Json.line(second)).contains("\"cpuCores\"").doesNotContain("figures", "consume.lag", "seconds");
    }
}
