package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.Phase;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.result.TimelineEvent.Replicas;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** The effect of a fault is derived from the timeline around it. */
class FaultsFoldTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long BUCKET = SECOND / 10;

    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private final FaultsFold fold = new FaultsFold(true);

    private void mark(int fault, String action, double seconds, FaultState state) {
        fold.accept(new FaultMark(
                null,
                "t",
                at(seconds),
                new TimelineEvent.Deed(fault, action, Sentence.verbatim(action + " broker 1"), 1),
                state,
                null));
    }

    private static long at(double seconds) {
        return Math.round(seconds * SECOND);
    }

    private void replicas(double seconds, int underReplicated) {
        fold.accept(new Replicas(null, "t", at(seconds), underReplicated, 0));
    }

    /** This number of seconds with the acknowledgments in each tenth of a second; the load ends with them. */
    private void acks(int seconds, IntUnaryOperator perBucket) {
        for (int s = 0; s < seconds; s++) {
            List<Long> buckets = new ArrayList<>();
            for (int b = 0; b < 10; b++) {
                buckets.add((long) perBucket.applyAsInt(10 * s + b));
            }
            fold.accept(new AckPulse(s * SECOND, BUCKET, buckets, s * SECOND, s * SECOND, null, null));
        }
        fold.accept(new Timelines.Second(1000, Timelines.latencies(1000, 7000))
                .snapshot("t", seconds - 1, Phase.MEASURE, Timelines.plan(true)));
    }

    private FaultResult only() {
        return fold.results(null, START).get(0);
    }

    @Test
    void throughputRecoversWhenSustainedNotAtFirstBurst() {
        mark(0, "kill", 6, FaultState.ASKED);
        // 6.0 to 8.0 silence, a burst, silence again, back at 11.0.
        acks(20, k -> k < 60 ? 100 : k < 80 ? 0 : k < 82 ? 1000 : k < 110 ? 0 : 100);
        assertThat(only().effect().throughputBackSeconds()).isEqualTo(5.0);
    }

    @Test
    void steadyThroughputRecoversAtOnceAndLowThroughputNever() {
        mark(0, "slow", 6, FaultState.ASKED);
        acks(20, k -> 100);
        assertThat(only().effect().throughputBackSeconds()).isZero();

        FaultsFoldTest low = new FaultsFoldTest();
        low.mark(0, "kill", 6, FaultState.ASKED);
        low.acks(20, k -> k < 60 ? 100 : 94);
        assertThat(low.only().effect().throughputBackSeconds()).isNull();
    }

    @Test
    void overlappingFaultsShareEarlierBaseline() {
        mark(0, "pause", 6, FaultState.ASKED);
        mark(1, "pause", 9, FaultState.ASKED);
        acks(20, k -> k < 60 || k >= 120 ? 100 : 50);
        List<FaultResult> results = fold.results(null, START);
        assertThat(results.get(0).effect().throughputBackSeconds()).isNull();
        assertThat(results.get(1).effect().throughputBackSeconds()).isEqualTo(3.0);
    }

    @Test
    void assignsGapToFaultDuringWhichItEnds() {
        mark(0, "kill", 2, FaultState.ASKED);
        mark(1, "kill", 20, FaultState.ASKED);
        for (int s = 3; s < 9; s++) {
            fold.accept(new AckPulse(s * SECOND, BUCKET, List.of(), at(2.5), at(s + 1), null, null));
        }
        fold.accept(new AckPulse(9 * SECOND, BUCKET, List.of(), at(2.5), at(9.2), null, null));
        fold.accept(new AckPulse(21 * SECOND, BUCKET, List.of(), at(21.1), at(21.4), null, null));
        assertThat(fold.results(null, START))
                .extracting(f -> f.effect().longestGapSeconds())
                .containsExactly(6.7, 0.3);
    }

    @Test
    void ignoresGapsAfterLoadEnds() {
        mark(0, "slow", 6, FaultState.ASKED);
        acks(20, k -> 100);
        fold.accept(new AckPulse(25 * SECOND, BUCKET, List.of(), at(23.5), at(25), null, null));
        assertThat(only().effect().longestGapSeconds()).isZero();
        fold.accept(new AckPulse(26 * SECOND, BUCKET, List.of(), at(19.5), at(22), null, null));
        assertThat(only().effect().longestGapSeconds()).isEqualTo(2.5);
    }

    /**
     * The log has the next record half a second before its acknowledgment; the silence that continues at 60 s is
     * unknown to it.
     */
    private void silence(String partition, double from, double to) {
        AckPulse.Silence between = new AckPulse.Silence(partition, at(from), at(to - 0.5));
        fold.accept(new AckPulse(
                at(to),
                BUCKET,
                List.of(),
                at(to),
                at(to),
                List.of(new AckPulse.Silence(partition, at(from), at(to))),
                to < 60 ? List.of(between) : List.of()));
    }

    @Test
    void partitionSilenceSpansFromLastAckToNext() {
        // p-3 has few records: it is silent for 0.7 s repeatedly; p-1 was silent once.
        for (int s = 1; s < 9; s++) {
            silence("p-3", s, s + 0.7);
        }
        silence("p-1", 3, 7.9);
        mark(0, "kill", 10, FaultState.ASKED);
        mark(0, "kill", 10.1, FaultState.IN_EFFECT);
        for (double now : new double[] {11, 12, 15.5}) {
            silence("p-0", 9.9, now);
        }
        silence("p-1", 9.95, 19.65);
        silence("p-2", 12, 12.3);
        silence("p-3", 12, 13.3);
        mark(1, "cut", 30, FaultState.ASKED);
        silence("p-2", 29.9, 31.9);
        silence("p-3", 32, 32.2);
        List<FaultResult> faults = fold.results(null, START);
        assertThat(faults.get(0).silenced()).isEqualTo(new FaultResult.Silenced(2, 4, 9.7, 7.65, 9.65, 9.2));
        assertThat(faults.get(1).silenced()).isEqualTo(new FaultResult.Silenced(1, 4, 2.0, 2.0, 1.9, 1.5));
    }

    /** A partition with all records acknowledged is silent, however long other partitions wait. */
    @Test
    void ignoresSilenceDueToEndOfLoad() {
        mark(0, "kill", 10, FaultState.ASKED);
        second(29, 3000, 1000);
        silence("p-0", 29.95, 60);
        silence("p-1", 28, 60);
        assertThat(only().silenced()).isEqualTo(new FaultResult.Silenced(1, 3, 2.0, 2.0, null, null));
    }

    /**
     * The other partitions may carry nearly everything: a partition that is silent at the end of the load has not
     * recovered.
     */
    @Test
    void silentPartitionHasNotRecovered() {
        mark(0, "kill", 10, FaultState.ASKED);
        acks(30, k -> 100);
        silence("p-0", 9.95, 60);
        assertThat(only().effect().throughputBackSeconds()).isZero();
        assertThat(only().silenced().overSeconds()).isNull();
        assertThat(only().backSeconds()).isNull();
    }

    @Test
    void recoveryIsUnknownWithLessThanOneSecond() {
        mark(0, "kill", 19.5, FaultState.ASKED);
        acks(20, k -> 100);
        assertThat(only().backSeconds()).isNull();
    }

    /** The outage of a broker that stays down is over when other brokers do its work. */
    @Test
    void permanentOutageEndsWhenRemainingBrokersTakeOver() {
        acks(12, k -> 100);
        mark(0, "kill", 12, FaultState.ASKED);
        mark(0, "kill", 12.1, FaultState.IN_EFFECT);
        for (int s = 12; s < 30; s++) {
            second(s, s < 20 ? 900_000 : 4000, 1000);
            long each = s < 20 ? 0 : 100;
            fold.accept(new AckPulse(
                    s * SECOND, BUCKET, Collections.nCopies(10, each), s * SECOND, s * SECOND, null, null));
        }
        FaultResult.Response response = only().response();
        assertThat(response.during().p50()).isBetween(900_000L, 900_999L);
        assertThat(response.after().max()).isBetween(4000L, 4003L);
    }

    private void second(int from, long micros, long arrived) {
        fold.accept(new Timelines.Second(1000, Timelines.latencies(1000, micros))
                .acknowledged(arrived)
                .snapshot("t", from, from < 4 ? Phase.WARMUP : Phase.MEASURE, Timelines.plan(true)));
    }

    @Test
    void splitsResponseTimesBeforeDuringAndAfter() {
        for (int s = 0; s < 30; s++) {
            if (s == 12) {
                mark(0, "pause", 12, FaultState.ASKED);
                mark(0, "pause", 12.1, FaultState.IN_EFFECT);
            }
            if (s == 20) {
                mark(0, "pause", 20, FaultState.OVER);
            }
            second(s, s < 12 ? 3000 : s < 20 ? 900_000 : 4000, 1000);
        }
        for (int s = 0; s < 30; s++) {
            fold.accept(new AckPulse(
                    s * SECOND,
                    BUCKET,
                    List.of(100L, 100L, 100L, 100L, 100L, 100L, 100L, 100L, 100L, 100L),
                    0,
                    0,
                    null,
                    null));
        }
        FaultResult.Response response = only().response();
        assertThat(response.steadyBefore()).isTrue();
        assertThat(response.before().p99()).isEqualTo(3001);
        assertThat(response.during().p50()).isBetween(900_000L, 900_999L);
        assertThat(response.after().max()).isBetween(4000L, 4003L);
        assertThat(only().silenced()).as("this timeline does not tell").isNull();
    }

    @Test
    void backlogBeforeFirstFaultIsNoSteadyBaseline() {
        for (int s = 0; s < 12; s++) {
            second(s, 1_000_000L * (s + 1), 700);
        }
        mark(0, "kill", 12, FaultState.ASKED);
        fold.accept(new AckPulse(0, BUCKET, List.of(), 0, 0, List.of(), null));
        assertThat(only().response().steadyBefore()).isFalse();

        FaultsFoldTest early = new FaultsFoldTest();
        early.second(0, 3000, 1000);
        early.mark(0, "kill", 1, FaultState.ASKED);
        early.fold.accept(new AckPulse(0, BUCKET, List.of(), 0, 0, List.of(), null));
        assertThat(early.only().response().steadyBefore()).isNull();
    }

    @Test
    void isrIsFullWhenLastReplicaReturns() {
        mark(0, "kill", 2, FaultState.ASKED);
        replicas(11, 3);
        replicas(14, 0);
        replicas(15, 1);
        assertThat(only().effect().isrFullSeconds()).isNull();
        replicas(16.5, 0);
        assertThat(only().effect().isrFullSeconds()).isEqualTo(14.5);
        assertThat(only().effect().underReplicated()).isEqualTo(3);

        mark(1, "cut", 30, FaultState.ASKED);
        assertThat(fold.results(null, START).get(1).effect().underReplicated()).isZero();
        assertThat(fold.results(null, START).get(1).effect().isrFullSeconds()).isNull();
    }

    @Test
    void mapsStatesToOutcomes() {
        mark(0, "kill", 1, FaultState.ASKED);
        mark(0, "kill", 1.5, FaultState.IN_EFFECT);
        mark(1, "fillDisk", 2, FaultState.ASKED);
        mark(1, "fillDisk", 2, FaultState.SKIPPED);
        mark(2, "pause", 3, FaultState.ASKED);
        mark(2, "pause", 3, FaultState.FAILED);
        mark(0, "kill", 4.25, FaultState.OVER);
        mark(3, "cut", 5, FaultState.ASKED);
        mark(3, "cut", 5, FaultState.IN_EFFECT);
        List<FaultResult> results = fold.results(null, START);
        assertThat(results)
                .extracting(f -> f.deed().outcome())
                .containsExactly("over", "skipped", "failed", "not over");
        assertThat(results.get(0).span().inEffect()).isEqualTo(1.5);
        assertThat(results.get(0).span().over()).isEqualTo(4.25);
        assertThat(results.get(0).effect().longestGapSeconds())
                .as("nothing was produced")
                .isNull();
    }

    /** @param anomalies with "lost" or "duplicated", the second after the start, and the number of records */
    private static AuditResult audit(long lost, long duplicated, Anomaly... anomalies) {
        return new AuditResult(
                "identities",
                new AuditResult.Counts(1000, 1000, lost, duplicated, 0L, 0L, 0, 0L),
                new AuditResult.Identified(0L, 0L, 0L, 0L, 0L, 0L),
                true,
                List.of(),
                List.of(anomalies),
                0L,
                List.of());
    }

    private static Anomaly anomaly(String verdict, Double second, long records) {
        Instant when = second == null ? null : START.plusNanos(at(second));
        return new Anomaly(
                verdict,
                new AuditResult.Place("t", 0, null, null, 1),
                records,
                new AuditResult.Origin("producers/0", 1L, 1L, when),
                false,
                null);
    }

    private void lasting(int fault, String action, double from, double to) {
        mark(fault, action, from, FaultState.ASKED);
        mark(fault, action, from + 0.1, FaultState.IN_EFFECT);
        mark(fault, action, to, FaultState.OVER);
    }

    @Test
    void chargesLossToItsCauseAndDuplicatesToActiveFault() {
        lasting(0, "slow", 2, 20);
        lasting(1, "kill", 4, 6);
        lasting(2, "kill", 10, 12);
        AuditResult audit = audit(
                7 + 5 + 1,
                3 + 2,
                // Acknowledged by one broker alone, shortly before it died.
                anomaly("lost", 3.9, 7),
                anomaly("lost", 9.5, 5),
                anomaly("lost", 11.0, 1),
                anomaly("duplicated", 3.0, 3),
                anomaly("duplicated", 1.0, 2));
        List<FaultResult> results = fold.results(audit, START);
        assertThat(results).extracting(f -> f.effect().lost()).containsExactly(0L, 7L, 6L);
        assertThat(results).extracting(f -> f.effect().duplicated()).containsExactly(3L, 0L, 0L);
        assertThat(fold.charged(audit, START).anomalies())
                .extracting(Anomaly::fault)
                .map(fault -> fault == null ? "" : fault.english())
                .containsExactly("kill broker 1", "kill broker 1", "kill broker 1", "slow broker 1", "");
    }

    @Test
    void describesFaultsInLanguageOfReader() throws IOException {
        Sentence what = Sentence.of("run.fault.kill", Sentence.of("run.whom.broker", 2));
        TimelineEvent mark = new FaultMark(
                START,
                "t",
                at(1),
                new TimelineEvent.Deed(0, "kill", what, 2),
                FaultState.FAILED,
                Sentence.of("run.brokerNotRunning", 2));
        JsonNode written = Json.MAPPER.readTree(Json.line(mark));
        assertThat(written.get("what").asText()).isEqualTo("kill broker 2");
        assertThat(written.get("detail").asText()).isEqualTo("broker 2 is not running");
        assertThat(Json.MAPPER.treeToValue(written, TimelineEvent.class)).isEqualTo(mark);

        mark(0, "kill", 1, FaultState.ASKED);
        fold.accept((FaultMark) mark);
        FaultResult read = Json.MAPPER.readValue(Json.line(only()), FaultResult.class);
        assertThat(read.deed().what().in(Language.ZH)).isEqualTo("强杀 broker 2");
        assertThat(read.deed().detail().in(Language.ZH))
                .isEqualTo(Sentence.of("run.brokerNotRunning", 2).in(Language.ZH));
        FaultResult old = Json.MAPPER.readValue(
                "{\"action\": \"kill\", \"what\": \"kill broker 2\", \"detail\": null}", FaultResult.class);
        assertThat(old.deed().what()).isEqualTo(Sentence.verbatim("kill broker 2"));
    }

    @Test
    void leavesUnattributableLossUnknown() {
        lasting(0, "kill", 4, 6);
        lasting(1, "pause", 10, 12);
        assertThat(fold.results(audit(5, 2, anomaly("lost", null, 5)), START))
                .as("nobody knows when")
                .allSatisfy(r -> {
                    assertThat(r.effect().lost()).isNull();
                    assertThat(r.effect().duplicated()).isNull();
                });
        assertThat(fold.results(audit(0, 0), START)).allSatisfy(r -> {
            assertThat(r.effect().lost()).isZero();
            assertThat(r.effect().duplicated()).isZero();
        });
    }

    @Test
    void chargesLossToOnlyPossibleFault() {
        lasting(0, "cut", 1, 2);
        lasting(1, "kill", 4, 6);
        // It was requested but had no effect.
        mark(2, "kill", 8, FaultState.ASKED);
        mark(2, "kill", 8, FaultState.FAILED);
        assertThat(fold.results(audit(5, 0, anomaly("lost", null, 5)), START))
                .extracting(f -> f.effect().lost())
                .containsExactly(0L, 5L, 0L);
    }
}
