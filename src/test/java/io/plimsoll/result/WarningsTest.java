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

/** What makes a measurement doubtful is warned of, and nothing else. */
class WarningsTest {

    @Test
    void aGoodTrialHasNone() {
        assertThat(warnings(s -> s)).isEmpty();
    }

    @Test
    void anOfferThatWasNotAchieved() {
        assertThat(warnings(s -> s.acknowledged(3120)))
                .containsExactly(
                        "Offered 5,000 records/s, achieved 3,120 (62 %): the backlog grew; response times include"
                                + " it.");
    }

    /** What piled up in the warm-up and is acknowledged later is no throughput that the cluster was offered. */
    @Test
    void moreThanWasOffered() {
        assertThat(warnings(s -> s.acknowledged(5707)))
                .containsExactly(
                        "5,710 records/s were acknowledged where 5,000 were offered: 7,070 records had been due"
                                + " before the window and had piled up, so that this is not what the cluster takes; a longer"
                                + " warm-up helps.");
        assertThat(warnings(s -> s.acknowledged(5010))).isEmpty();
    }

    @Test
    void aBusyGeneratorMakesItInvalid() {
        assertThat(warnings(s -> s.acknowledged(3120).busiest(0.97)))
                .contains("The load generator was the limit: thread sender used 97 % of a core; the cluster may carry"
                        + " more; add clients or threads, or use a faster host.");
        assertThat(warnings(s -> s.lateTicks(80)))
                .containsExactly("The load generator was late at times: 8 % of its wake-ups were more than 1 ms late;"
                        + " up to 0 µs of the mean response time of 5.0 ms was waiting for it.");
    }

    /** As a run that was killed before any answer came. */
    @Test
    void aGeneratorThatIsBehindBeforeAnythingIsAnsweredHasNoReasonToTell() {
        assertThat(warnings(
                        s -> new Second(5000, Latencies.EMPTY).acknowledged(0).handedOver(0)))
                .isNotEmpty()
                .noneMatch(w -> w.contains("null"));
    }

    @Test
    void aProcessThatIsStoppedIsTold() {
        assertThat(warnings(s -> s.stopped()))
                .containsExactly(
                        "The load generator was the limit: up to 5.0 ms of the mean response time of 5.0 ms was"
                                + " waiting for it; nothing of its process ran for 80 % of the time (stopped, throttled or"
                                + " collecting garbage); the cluster may carry more; add clients or threads, or use a faster host.");
    }

    @Test
    void errorsComeWithAdvice() {
        assertThat(warnings(s -> s.errors(Map.of("TimeoutException", 1L, "BufferExhaustedException", 20L))))
                .containsExactly(
                        "200 errors producing: BufferExhaustedException (no room in the producer's buffer within"
                                + " max.block.ms): offer less, or raise max.block.ms or buffer.memory.",
                        "10 errors producing: TimeoutException (not acknowledged within delivery.timeout.ms): brokers"
                                + " are down or overloaded, or the rate is too high.");
        assertThat(warnings(s -> s.errors(Map.of("A", 1L, "B", 1L, "C", 1L, "D", 1L))))
                .containsExactly(
                        "10 errors producing: A.",
                        "10 errors producing: B.",
                        "10 errors producing: C.",
                        "1 more kind of errors producing.");
    }

    @Test
    void clocksThatDisagree() {
        assertThat(warnings(s -> s.negative(3)))
                .containsExactly("30 records seem to have arrived before they were due: clocks disagree, so end-to-end"
                        + " latencies are off by at least as much.");
    }

    @Test
    void consumersThatFallBehind() {
        List<Second> seconds = IntStream.range(0, 10)
                .mapToObj(i -> new Second(5000, Timelines.spread(5000, 1000, 9000)).lag(i * 2000L))
                .toList();
        assertThat(of(Timelines.plan(true), seconds, end(10)))
                .containsExactly(
                        "Group readers fell behind: it received 5,000 records/s of 7,000 that were produced; end-to-end"
                                + " latency grows with its lag.",
                        "Consumers had 18,000 records left to read when the trial ended.");
    }

    /** They received all that was produced: how late, their latency says. */
    @Test
    void consumersThatCaughtUpBeforeTheEnd() {
        List<Second> seconds = IntStream.range(0, 10)
                .mapToObj(i -> new Second(5000, Timelines.spread(5000, 1000, 9000)).lag(i < 9 ? i * 2000L : 0))
                .toList();
        assertThat(of(Timelines.plan(true), seconds, end(10))).isEmpty();
    }

    /** What is left was not asked for. */
    @Test
    void consumersThatReadWhatTheyWereAskedFor() {
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
                .containsExactly("Consumers had 18,000 records left to read when the trial ended.");
    }

    @Test
    void tooShortAndTooFew() {
        List<Second> seconds = List.of(new Second(500, Timelines.spread(500, 1000, 9000)));
        assertThat(of(Timelines.plan(true), seconds, end(1)))
                .containsExactly(
                        "Only 1 s were measured: connections, caches and the JIT compiler weigh heavily in so short a"
                                + " window; raise records or duration.",
                        "Too few records for a p99 (500 of at least 1,000): raise records, rate or duration.");
        assertThat(of(
                        Timelines.plan(true),
                        List.of(new Second(500, Timelines.latencies(0, 0)).acknowledged(0)),
                        end(6)))
                .contains("No record was acknowledged in the measured window.");
    }

    @Test
    void theBufferExplainsAClosedLoopOnlyWhereItDoes() {
        // 200 MB/s through 32 MiB take 168 ms.
        assertThat(closedLoop(160_000))
                .containsExactly(
                        "Average response 160 ms is the producer's 32 MiB buffer at 200 MB/s, not Kafka: give a"
                                + " rate to measure latency.");
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
    void whatWasNotSteady() {
        List<Second> seconds = IntStream.range(0, 10)
                .mapToObj(i -> new Second(i % 2 == 0 ? 2000 : 6000, Timelines.latencies(2000, 1000)))
                .toList();
        assertThat(of(Timelines.plan(false), seconds, end(10)))
                .containsExactly("Not steady: records/s vary by 53 % from second to second; a longer warm-up or a lower"
                        + " rate may help.");
    }

    @Test
    void driftIsNotCalledSpread() {
        List<Second> seconds = IntStream.range(0, 20)
                .mapToObj(i -> new Second(10_000, Timelines.latencies(10_000, 5_000 + i * 1_000)))
                .toList();
        assertThat(of(Timelines.plan(true), seconds, end(20)))
                .contains("Not steady: throughput or response time drifted within the window; a longer warm-up or a"
                        + " lower rate may help.");
    }

    @Test
    void whatTheAuditCouldNotSee() {
        AuditResult partial =
                AuditResult.ofOffsets(new AuditResult.Counts(10, 7, 0, null, null, null, 0, null), false, List.of());
        TrialEnded end = new TrialEnded(
                "one",
                Timelines.START,
                new TimelineEvent.Length(10, 10, Map.of(), true, null),
                partial,
                null,
                null,
                List.of());
        assertThat(of(Timelines.plan(true), seconds(s -> s), end))
                .containsExactly("Not everything could be audited: 7 of 10 acknowledged records were found.");
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
