package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Latencies;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.TimelineEvent.TrialIntent;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Doubtful measurements have a warning, and sound ones have none. */
class WarningsTest {

    @Test
    void soundTrialHasNoWarnings() {
        assertThat(warnings(s -> s)).isEmpty();
    }

    @Test
    void warnsOfUnachievedRate() {
        assertThat(warnings(s -> s.acknowledged(3120)))
                .containsExactly(Sentence.of("result.backlogGrew", "5,000", "3,120", "62 %")
                        .english());
    }

    /** Acknowledgments of a backlog from the warm-up are not throughput that the cluster was offered. */
    @Test
    void warnsOfThroughputAboveOfferedRate() {
        assertThat(warnings(s -> s.acknowledged(5707)))
                .containsExactly(Sentence.of("result.aboveOffered", "5,710", "5,000", "7,070")
                        .english());
        assertThat(warnings(s -> s.acknowledged(5010))).isEmpty();
    }

    @Test
    void warnsOfBusyGenerator() {
        assertThat(warnings(s -> s.acknowledged(3120).busiest(0.97)))
                .contains(Sentence.of("result.generatorLimit", "thread sender used 97 % of a core")
                        .english());
        assertThat(warnings(s -> s.lateTicks(80)))
                .containsExactly(
                        Sentence.of("result.generatorLate", "8 %", Sentence.of("result.ownDelay", "0 µs", "5.0 ms"))
                                .english());
    }

    /** Like a run that was killed before any acknowledgment. */
    @Test
    void omitsReasonBeforeFirstAcknowledgment() {
        assertThat(warnings(
                        s -> new Second(5000, Latencies.EMPTY).acknowledged(0).handedOver(0)))
                .isNotEmpty()
                .noneMatch(w -> w.contains("null"));
    }

    @Test
    void warnsOfStoppedProcess() {
        assertThat(warnings(s -> s.stopped()))
                .containsExactly(Sentence.of(
                                "result.generatorLimit",
                                Sentence.of(
                                        "result.both",
                                        Sentence.of("result.ownDelay", "5.0 ms", "5.0 ms"),
                                        Sentence.of("result.stood", "80 %")))
                        .english());
    }

    @Test
    void errorsComeWithAdvice() {
        assertThat(warnings(s -> s.errors(Map.of("TimeoutException", 1L, "BufferExhaustedException", 20L))))
                .containsExactly(
                        Sentence.of(
                                        "result.errors.producing",
                                        "200",
                                        Sentence.of("result.advice.buffer", "BufferExhaustedException"))
                                .english(),
                        Sentence.of(
                                        "result.errors.producing",
                                        "10",
                                        "TimeoutException (not acknowledged within delivery.timeout.ms): brokers are down or overloaded, or the rate is too high")
                                .english());
        assertThat(warnings(s -> s.errors(Map.of("A", 1L, "B", 1L, "C", 1L, "D", 1L))))
                .containsExactly(
                        Sentence.of("result.errors.producing", "10", "A").english(),
                        Sentence.of("result.errors.producing", "10", "B").english(),
                        Sentence.of("result.errors.producing", "10", "C").english(),
                        Sentence.of("result.moreKinds.producing", "1").english());
    }

    @Test
    void warnsOfDisagreeingClocks() {
        assertThat(warnings(s -> s.negative(3)))
                .containsExactly(Sentence.of("result.beforeDue", "30").english());
    }

    @Test
    void warnsOfConsumersThatFallBehind() {
        List<Second> seconds = IntStream.range(0, 10)
                .mapToObj(i -> new Second(5000, Timelines.spread(5000, 1000, 9000)).lag(i * 2000L))
                .toList();
        assertThat(of(Timelines.plan(true), seconds, end(10)))
                .containsExactly(
                        Sentence.of("result.fellBehind", "readers", "5,000", "7,000")
                                .english(),
                        Sentence.of("result.leftToRead", "18,000").english());
    }

    /** They received all produced records: the latency shows how late. */
    @Test
    void acceptsConsumersThatCaughtUp() {
        List<Second> seconds = IntStream.range(0, 10)
                .mapToObj(i -> new Second(5000, Timelines.spread(5000, 1000, 9000)).lag(i < 9 ? i * 2000L : 0))
                .toList();
        assertThat(of(Timelines.plan(true), seconds, end(10))).isEmpty();
    }

    /** The remaining records were not requested. */
    @Test
    void acceptsConsumersThatReadRequestedRecords() {
        List<Second> seconds = IntStream.range(0, 10)
                .mapToObj(i -> new Second(5000, Timelines.spread(5000, 1000, 9000)).lag(18_000))
                .toList();
        TrialIntent bound = new TrialIntent(null, 50_000L, Map.of(), 0, 0, false, Map.of(), false);
        TrialPlan plan = new TrialPlan(
                new TimelineEvent.Course(true, 2, 10, null, null),
                new TimelineEvent.Producing(100, 32 << 20, "client", 1, null),
                new TimelineEvent.Consuming("client", 1, "intended time", null, false, null),
                bound);
        assertThat(of(plan, seconds, end(10))).isEmpty();
        assertThat(of(Timelines.plan(true), seconds, end(10)))
                .containsExactly(Sentence.of("result.leftToRead", "18,000").english());
    }

    @Test
    void warnsOfShortWindowAndFewSamples() {
        List<Second> seconds = List.of(new Second(500, Timelines.spread(500, 1000, 9000)));
        assertThat(of(Timelines.plan(true), seconds, end(1)))
                .containsExactly(
                        Sentence.of("result.shortWindow", "1 s").english(),
                        Sentence.of("result.fewSamples", "500").english());
        assertThat(of(
                        Timelines.plan(true),
                        List.of(new Second(500, Timelines.latencies(0, 0)).acknowledged(0)),
                        end(6)))
                .contains("No record was acknowledged in the measured window.");
    }

    @Test
    void explainsClosedLoopByBufferOnlyIfItFits() {
        // 200 MB/s through 32 MiB take 168 ms.
        assertThat(closedLoop(160_000))
                .containsExactly(Sentence.of("result.ownBuffer", "160 ms", "1", "32 MiB", "200 MB/s")
                        .english());
        assertThat(closedLoop(100_000)).isEmpty();
        assertThat(closedLoop(220_000)).isEmpty();
    }

    private static List<String> closedLoop(long micros) {
        List<Second> seconds = IntStream.range(0, 10)
                .mapToObj(i -> new Second(200_000, Timelines.latencies(20_000, micros)))
                .toList();
        return of(Timelines.plan(false), seconds, end(10));
    }

    @Test
    void warnsOfUnsteadyThroughput() {
        List<Second> seconds = IntStream.range(0, 10)
                .mapToObj(i -> new Second(i % 2 == 0 ? 2000 : 6000, Timelines.latencies(2000, 1000)))
                .toList();
        assertThat(of(Timelines.plan(false), seconds, end(10)))
                .containsExactly(Sentence.of("result.notSteady", Sentence.of("result.varies", "53 %"))
                        .english());
    }

    @Test
    void distinguishesDriftFromSpread() {
        List<Second> seconds = IntStream.range(0, 20)
                .mapToObj(i -> new Second(10_000, Timelines.latencies(10_000, 5_000 + i * 1_000)))
                .toList();
        assertThat(of(Timelines.plan(true), seconds, end(20)))
                .contains(Sentence.of("result.notSteady", "throughput or response time drifted within the window")
                        .english());
    }

    @Test
    void warnsOfUnauditedRecords() {
        AuditResult partial =
                AuditResult.ofOffsets(new AuditResult.Counts(10, 7, 0, null, null, null, 0, null), false, List.of());
        TrialEnded end =
                new TrialEnded("one", Timelines.START, 10, 10, Map.of(), true, null, partial, null, null, List.of());
        assertThat(of(Timelines.plan(true), seconds(s -> s), end))
                .containsExactly(Sentence.of("result.notAllAudited", "7", "10").english());
    }

    private static List<String> warnings(UnaryOperator<Second> change) {
        return of(Timelines.plan(true), seconds(change), end(10));
    }

    private static List<Second> seconds(UnaryOperator<Second> change) {
        return IntStream.range(0, 10)
                .mapToObj(i -> change.apply(new Second(5000, Timelines.spread(5000, 1000, 9000))))
                .toList();
    }

    private static TrialEnded end(double seconds) {
        return Timelines.trialEnded("one", seconds, 50_000, 0);
    }

    private static List<String> of(TrialPlan plan, List<Second> seconds, TrialEnded end) {
        return Timelines.oneTrial(plan, seconds, end).trials().get(0).judgement().warnings().stream()
                .map(Sentence::english)
                .toList();
    }
}
