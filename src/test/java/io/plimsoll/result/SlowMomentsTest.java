package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.measure.SlowBatch.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Slow batches become moments with a stage, a place, and the incident that explains them, or none. */
class SlowMomentsTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final SlowFold fold = new SlowFold();

    private static SlowBatch batch(int broker, long fromMillis, Map<Stage, Long> stages) {
        Map<Stage, Long> nanos = new HashMap<>();
        stages.forEach((stage, millis) -> nanos.put(stage, millis * MILLI));
        return new SlowBatch("producers[0]", "orders-" + broker, broker, 100, 3, fromMillis * MILLI, nanos);
    }

    private static SlowBatch stalled(int broker, long fromMillis, long toMillis) {
        return batch(broker, fromMillis, Map.of(Stage.REQUEST, toMillis - fromMillis));
    }

    private static Incident incident(Kind kind, String where, long fromMillis, long toMillis) {
        return new Incident(kind, where, fromMillis * MILLI, toMillis * MILLI, 0, null);
    }

    private List<SlowMoment> moments() {
        return fold.moments(0.5, 2_000, 2_000, Map.of());
    }

    private static Incident logged(Kind kind, String client, long fromMillis, long toMillis) {
        return new Incident(kind, "broker 2", fromMillis * MILLI, toMillis * MILLI, MILLI, client);
    }

    /** The request waited first for an earlier one of its client; the times of other clients do not count. */
    @Test
    void dividesRequestByRequestLog() {
        fold.accept(List.of(stalled(2, 5000, 5400)), 6 * SECOND);
        fold.happened(List.of(
                logged(Kind.REQUEST_REPLICATION, "run-producers[0]-0", 4900, 5100),
                logged(Kind.REQUEST_QUEUE, "run-producers[0]-0", 5110, 5130),
                logged(Kind.REQUEST_APPEND, "run-producers[0]-0", 5130, 5390),
                logged(Kind.REQUEST_THROTTLE, "run-producers[0]-1", 5050, 5350),
                logged(Kind.REQUEST_RESPONSE, "run-producers[1]-0", 5000, 5400)));
        assertThat(moments()).singleElement().satisfies(m -> {
            assertThat(m.stage()).isEqualTo(Stage.APPEND.word());
            assertThat(m.causes()).isEmpty();
            assertThat(m.worst().get(0).stages())
                    .isEqualTo(Map.of(
                            Stage.REPLICATION,
                            100 * MILLI,
                            Stage.QUEUE,
                            20 * MILLI,
                            Stage.APPEND,
                            260 * MILLI,
                            Stage.NETWORK,
                            20 * MILLI));
        });
    }

    /** Work of a broker that answered fast delays no request; a stop of its process also delays unread requests. */
    @Test
    void brokerWorkDoesNotExplainNetworkTime() {
        fold.accept(List.of(stalled(2, 5000, 5400)), 6 * SECOND);
        fold.happened(List.of(incident(Kind.FLUSH, "broker 2", 5000, 5400)));
        assertThat(moments().get(0).causes()).hasSize(1);
        fold.happened(List.of(logged(Kind.REQUEST_APPEND, "run-producers[0]-0", 1000, 1100)));
        assertThat(moments().get(0).causes()).isEmpty();
        fold.happened(List.of(incident(Kind.GC, "broker 2", 5000, 5400)));
        assertThat(moments().get(0).causes()).hasSize(1);
    }

    /** Flushes before and after a pause, and one that took long because of the pause. */
    @Test
    void pauseIsCauseInsteadOfInterruptedFlush() {
        fold.accept(List.of(stalled(2, 5000, 5400)), 6 * SECOND);
        fold.happened(List.of(
                incident(Kind.FLUSH, "broker 2", 4700, 4710),
                incident(Kind.FLUSH, "broker 2", 5000, 5400),
                incident(Kind.FLUSH, "broker 2", 5480, 5490),
                incident(Kind.PROCESS_PAUSE, "broker 2", 5010, 5395)));
        assertThat(moments().get(0).causes())
                .extracting(SlowMoment.Cause::event)
                .containsExactly(Kind.PROCESS_PAUSE.word());
    }

    /** The client's metrics say that some connection was lost, another source says which. */
    @Test
    void namesBrokerOfLostConnection() {
        fold.accept(List.of(stalled(2, 5000, 5800)), 7 * SECOND);
        fold.happened(List.of(
                incident(Kind.DISCONNECT, "generator", 5000, 5800), incident(Kind.DISCONNECT, "broker 2", 5000, 5700)));
        assertThat(moments().get(0).causes()).singleElement().satisfies(cause -> assertThat(cause.where())
                .isEqualTo("broker 2"));
    }

    /** A broker that logs slow requests, and did not log this one, answered it fast. */
    @Test
    void unloggedRequestWaitedInNetwork() {
        fold.accept(List.of(stalled(2, 5000, 5400)), 6 * SECOND);
        fold.happened(List.of(logged(Kind.REQUEST_APPEND, "run-producers[0]-0", 1000, 1100)));
        assertThat(moments()).singleElement().satisfies(m -> assertThat(m.stage())
                .isEqualTo(Stage.NETWORK.word()));
    }

    @Test
    void brokerEventCoveringMomentIsCause() {
        fold.accept(List.of(stalled(2, 5000, 5400), stalled(2, 5100, 5400), stalled(2, 5200, 5405)), 6 * SECOND);
        fold.incidents()
                .happened(List.of(
                        incident(Kind.GC, "broker 1", 5000, 5400),
                        incident(Kind.FLUSH, "broker 2", 5010, 5395),
                        incident(Kind.GC, "broker 2", 2000, 2300),
                        incident(Kind.LOG_ROLL, "broker 2", 5300, 5300)));
        assertThat(moments()).singleElement().satisfies(m -> {
            assertThat(m.stage()).isEqualTo(Stage.REQUEST.word());
            assertThat(m.brokers()).containsExactly(2);
            assertThat(m.fromSeconds()).isCloseTo(5.0, within(1e-9));
            assertThat(m.toSeconds()).isCloseTo(5.405, within(1e-9));
            assertThat(m.worstMicros()).isEqualTo(400_000);
            assertThat(m.records()).isEqualTo(9);
            assertThat(m.causes().get(0).event()).isEqualTo(Kind.FLUSH.word());
            assertThat(m.causes().get(0).where()).isEqualTo("broker 2");
            assertThat(m.causes()).noneMatch(c -> c.fromSeconds() < 3);
        });
    }

    /** A process that is stopped for 600 ms during a forced write of 1 ms reports a forced write of 601 ms. */
    @Test
    void flushDuringProcessPauseIsNoCause() {
        fold.accept(List.of(stalled(2, 5000, 5601)), 6 * SECOND);
        fold.incidents()
                .happened(List.of(
                        incident(Kind.FLUSH, "broker 2", 5000, 5601),
                        incident(Kind.PROCESS_PAUSE, "broker 2", 5010, 5590)));
        assertThat(moments()).singleElement().satisfies(m -> assertThat(m.causes())
                .extracting(SlowMoment.Cause::event)
                .containsExactly(Kind.PROCESS_PAUSE.word()));
    }

    /** Each of them covers a sixth of the moment, and threads wait for the lock of the writing one. */
    @Test
    void manyShortIncidentsExplainLongMoment() {
        fold.accept(List.of(stalled(1, 5000, 5900)), 6 * SECOND);
        for (long at = 5000; at < 5900; at += 150) {
            fold.incidents()
                    .happened(List.of(
                            incident(Kind.FILE_STALL, "broker 1", at, at + 145),
                            incident(Kind.LOCK, "broker 1", at + 5, at + 145)));
        }
        assertThat(moments())
                .singleElement()
                .satisfies(m -> assertThat(m.causes()).singleElement().satisfies(cause -> {
                    assertThat(cause.event()).isEqualTo(Kind.FILE_STALL.word());
                    assertThat(cause.fromSeconds()).isCloseTo(5.0, within(1e-9));
                    assertThat(cause.toSeconds()).isCloseTo(5.895, within(1e-9));
                    assertThat(cause.confidence()).isGreaterThan(0.8);
                }));
    }

    /** A load without an end forgets the events and batches that no later moment needs. */
    @Test
    void memoryStaysBoundedInHourOfStalls() {
        List<SlowMoment> all = new ArrayList<>();
        for (long second = 1; second <= 3600; second++) {
            long at = 1000 * second;
            boolean slow = second % 10 < 2;
            fold.accept(List.of(stalled(1, at, at + (slow ? 500 : 30))), (second + 1) * SECOND);
            fold.happened(List.of(incident(Kind.GC, "broker 1", at, at + 480)));
            all.addAll(fold.takeOver(400 * MILLI, (second + 1) * SECOND));
        }
        assertThat(all).hasSize(719);
        assertThat(all.get(700).causes()).extracting(SlowMoment.Cause::event).containsExactly(Kind.GC.word());
        assertThat(all).isSortedAccordingTo(Comparator.comparingDouble(SlowMoment::fromSeconds));
        assertThat(fold.incidents().incidents()).hasSizeLessThan(200);
    }

    @Test
    void endlessSlownessIsReportedInParts() {
        List<SlowMoment> all = new ArrayList<>();
        for (long second = 1; second <= 200; second++) {
            long at = 1000 * second;
            fold.accept(List.of(stalled(1, at, at + 990)), (second + 1) * SECOND);
            all.addAll(fold.takeOver(400 * MILLI, (second + 1) * SECOND));
        }
        assertThat(all).hasSize(3).allSatisfy(m -> assertThat(m.toSeconds() - m.fromSeconds())
                .isCloseTo(61, within(2.0)));
    }

    /** The timeout of a lost packet is 200 ms at least: it explains half a second around it, but not 30 ms before it. */
    @Test
    void retransmissionExplainsOnlyWaitOfItsTimeout() {
        fold.incidents()
                .happened(List.of(
                        incident(Kind.RETRANSMIT, "host", 5200, 5300), incident(Kind.RETRANSMIT, "host", 2050, 2150)));
        fold.accept(List.of(stalled(1, 5000, 5500), stalled(1, 2000, 2030)), 6 * SECOND);
        assertThat(moments())
                .satisfiesExactly(
                        slowest -> assertThat(slowest.causes())
                                .extracting(SlowMoment.Cause::event)
                                .containsExactly(Kind.RETRANSMIT.word()),
                        other -> assertThat(other.causes()).isEmpty());
    }

    /** The host counts the retransmissions of all connections; a socket names the broker. */
    @Test
    void attributesRetransmissionsToBrokerOfConnection() {
        fold.accept(List.of(stalled(1, 5000, 5500)), 6 * SECOND);
        fold.happened(List.of(
                incident(Kind.RETRANSMIT, "host", 5200, 5400),
                incident(Kind.RETRANSMIT, "broker 1", 5250, 5450),
                incident(Kind.RETRANSMIT, "broker 2", 2250, 2450)));
        assertThat(moments().get(0).causes())
                .extracting(SlowMoment.Cause::where)
                .containsExactly("broker 1");
    }

    /** A transaction of many partitions is one cause; one of other partitions, or of writers, is none. */
    @Test
    void openTransactionExplainsLateFetchesOfItsPartitions() {
        fold.accept(
                List.of(
                        batch(1, 5000, Map.of(Stage.FETCH, 900L)),
                        batch(2, 5000, Map.of(Stage.FETCH, 950L)),
                        batch(3, 9000, Map.of(Stage.REPLICATION, 900L))),
                10 * SECOND);
        fold.happened(List.of(
                transaction("orders-0", "settlement", 5000, 5900),
                transaction("orders-1", "settlement", 5000, 5900),
                transaction("orders-2", "settlement", 5000, 5900),
                transaction("orders-7", "other", 5000, 5900),
                transaction("orders-3", "settlement", 9000, 9900)));
        assertThat(moments()).hasSize(2).anySatisfy(m -> {
            assertThat(m.stage()).isEqualTo(Stage.FETCH.word());
            assertThat(m.causes()).singleElement().satisfies(cause -> {
                assertThat(cause.event()).isEqualTo(Kind.OPEN_TRANSACTION.word());
                assertThat(cause.detail()).isEqualTo("settlement");
                assertThat(cause.confidence()).isGreaterThan(0.8);
            });
        });
        assertThat(moments())
                .filteredOn(m -> m.stage().equals(Stage.REPLICATION.word()))
                .allSatisfy(m -> assertThat(m.causes()).isEmpty());
    }

    private static Incident transaction(String partition, String id, long fromMillis, long toMillis) {
        return new Incident(Kind.OPEN_TRANSACTION, partition, fromMillis * MILLI, toMillis * MILLI, 100 * MILLI, id);
    }

    /** A host that is short of CPU acknowledges late: its retransmissions prove no loss. */
    @Test
    void retransmissionsAreNoCauseUnderCpuPressure() {
        fold.accept(List.of(stalled(1, 5000, 5600)), 6 * SECOND);
        fold.incidents().happened(List.of(incident(Kind.RETRANSMIT, "host", 5100, 5500)));
        assertThat(moments().get(0).causes())
                .extracting(SlowMoment.Cause::event)
                .containsExactly(Kind.RETRANSMIT.word());
        fold.incidents().happened(List.of(incident(Kind.CPU_PRESSURE, "host", 2000, 9000)));
        assertThat(moments().get(0).causes())
                .extracting(SlowMoment.Cause::event)
                .doesNotContain(Kind.RETRANSMIT.word());
    }

    /** A leader is elected at the end of a change; that its clients lost their connections says less than that it went down. */
    @Test
    void brokerLossSupersedesElectionAndDisconnect() {
        fold.accept(List.of(batch(2, 5000, Map.of(Stage.RETRY, 900L, Stage.REQUEST, 5L))), 7 * SECOND);
        fold.incidents().happened(List.of(incident(Kind.LEADER_CHANGE, "broker 2", 5700, 5700)));
        assertThat(moments().get(0).causes())
                .extracting(SlowMoment.Cause::event)
                .containsExactly(Kind.LEADER_CHANGE.word());
        fold.incidents()
                .happened(List.of(
                        incident(Kind.BROKER_DOWN, "broker 1", 5100, 9000),
                        incident(Kind.DISCONNECT, "generator", 5000, 5900)));
        assertThat(moments().get(0).causes())
                .extracting(SlowMoment.Cause::event)
                .containsExactly(Kind.BROKER_DOWN.word());
    }

    @Test
    void separatesTwoStallsAndLeavesOneUnexplained() {
        fold.accept(List.of(stalled(1, 1000, 1300), stalled(3, 4000, 4200)), 6 * SECOND);
        fold.incidents().happened(List.of(incident(Kind.PROCESS_PAUSE, "broker 3", 3990, 4190)));
        assertThat(moments())
                .hasSize(2)
                .satisfiesExactly(slowest -> assertThat(slowest.causes()).isEmpty(), other -> assertThat(other.causes())
                        .extracting(SlowMoment.Cause::where)
                        .containsExactly("broker 3"));
    }

    /** A state of minutes, such as a busy host, does not explain a stall of 0.2 s. */
    @Test
    void longStateIsNoCauseOfShortMoment() {
        fold.accept(List.of(stalled(1, 60_000, 60_200)), 70 * SECOND);
        fold.incidents().happened(List.of(incident(Kind.CPU_PRESSURE, "host", 0, 120_000)));
        assertThat(moments()).singleElement().satisfies(m -> assertThat(m.causes())
                .isEmpty());
    }

    @Test
    void warmupHasNoMoments() {
        fold.accept(List.of(stalled(1, 300, 900)), 2 * SECOND);
        assertThat(moments()).isEmpty();
    }

    @Test
    void usualLatencyIsNoMoment() {
        fold.accept(List.of(stalled(1, 1000, 1019)), 2 * SECOND);
        assertThat(moments()).isEmpty();
        fold.accept(List.of(stalled(1, 3000, 3400)), 4 * SECOND);
        assertThat(fold.moments(0, 201_000, 0, Map.of())).isEmpty();
    }

    /** A stall of half of a run raises the median. */
    @Test
    void hundredSlowestRecordsMustExceedTwiceTheMedian() {
        fold.accept(
                List.of(stalled(1, 1000, 1490), records(99, stalled(2, 1600, 2000)), stalled(1, 3000, 3390)),
                4 * SECOND);
        assertThat(fold.moments(0, 100_000, 0, Map.of()))
                .extracting(SlowMoment::records)
                .containsExactly(3L, 99L);
        assertThat(fold.moments(0, 78_000, 0, Map.of())).hasSize(3);
        assertThat(fold.moments(0, 210_000, 0, Map.of())).hasSize(1);
    }

    private static SlowBatch records(int records, SlowBatch batch) {
        return new SlowBatch(
                batch.of(),
                batch.partition(),
                batch.broker(),
                batch.offset(),
                records,
                batch.fromNanos(),
                batch.stages());
    }

    /** The broker's request times of the second divide the time of the request. */
    @Test
    void excessBrokerTimeDeterminesStage() {
        for (int second = 0; second < 8; second++) {
            double remote = second == 5 ? 500 : 20;
            fold.accept(new Observation(
                    "broker 2",
                    "jmx",
                    second * SECOND,
                    (second + 1) * SECOND,
                    Map.of("produce.requests", 100.0, "produce.localMs", 30.0, "produce.remoteMs", remote),
                    Map.of()));
        }
        fold.accept(List.of(stalled(2, 5100, 5500)), 8 * SECOND);
        assertThat(moments()).singleElement().satisfies(m -> assertThat(m.stage())
                .isEqualTo(Stage.REPLICATION.word()));
    }

    private void observed(String figure, double usualMillis, double millis) {
        for (int second = 0; second < 8; second++) {
            Map<String, Double> sums = new HashMap<>(Map.of("produce.requests", 100.0));
            sums.put("produce.remoteMs", 0.0);
            sums.put(figure, second == 5 ? millis : usualMillis);
            fold.accept(new Observation("broker 2", "jmx", second * SECOND, (second + 1) * SECOND, sums, Map.of()));
        }
    }

    /** Some exporters have counts and percentiles of requests, but neither means nor sums. */
    @Test
    void requestCountsWithoutTimesDoNotDivideRequest() {
        for (int second = 0; second < 8; second++) {
            Map<String, Double> sums = Map.of("produce.requests", 100.0);
            fold.accept(
                    new Observation("broker 2", "prometheus", second * SECOND, (second + 1) * SECOND, sums, Map.of()));
        }
        fold.accept(List.of(stalled(2, 5100, 5500)), 8 * SECOND);
        assertThat(moments()).singleElement().satisfies(m -> assertThat(m.stage())
                .isEqualTo(Stage.REQUEST.word()));
    }

    /** A broker that freezes after a reading is not observed while it has the request. */
    @Test
    void keepsRequestTimeIfNoStageHasAny() {
        SlowBatch batch = stalled(2, 5100, 5500);
        assertThat(batch.divided(Map.of(Stage.APPEND, 0.0, Stage.NETWORK, 0.0))).isEqualTo(batch);
        assertThat(batch.divided(Map.of(Stage.APPEND, 1.0, Stage.NETWORK, 3.0)).nanos())
                .isEqualTo(batch.nanos());
    }

    /** A response that the broker cannot send waits in the network, and so do the requests behind it. */
    @Test
    void slowResponseSendIsNetworkTime() {
        observed("produce.responseSendMs", 20, 350);
        fold.accept(
                IntStream.range(0, 4).mapToObj(i -> stalled(2, 5100 + i, 5500)).toList(), 8 * SECOND);
        assertThat(moments()).singleElement().satisfies(m -> assertThat(m.stage())
                .isEqualTo(Stage.NETWORK.word()));
    }

    /** A broker handles one request of a connection after the other, so it never saw three of these four. */
    @Test
    void requestsBehindSlowAppendWaitForAppend() {
        observed("produce.localMs", 20, 350);
        fold.accept(
                IntStream.range(0, 4).mapToObj(i -> stalled(2, 5100 + i, 5500)).toList(), 8 * SECOND);
        assertThat(moments()).singleElement().satisfies(m -> assertThat(m.stage())
                .isEqualTo(Stage.APPEND.word()));
    }

    /** While requests are unanswered, the client holds later records back; they are sent after the stall. */
    @Test
    void heldBackRecordsDetermineNeitherStageNorEnd() {
        List<SlowBatch> slow = IntStream.range(0, 12)
                .mapToObj(i -> batch(2, 5105 + i, Map.of(Stage.BATCH, 398L - i, Stage.REQUEST, 90L)))
                .collect(Collectors.toList());
        slow.add(stalled(2, 5100, 5500));
        fold.accept(slow, 8 * SECOND);
        assertThat(moments()).singleElement().satisfies(m -> {
            assertThat(m.stage()).isEqualTo(Stage.REQUEST.word());
            assertThat(m.fromSeconds()).isCloseTo(5.1, within(1e-9));
            assertThat(m.toSeconds()).isCloseTo(5.5, within(1e-9));
            assertThat(m.records()).isEqualTo(39);
            assertThat(m.worstMicros()).isEqualTo(488_000);
        });
    }

    /** No request was unanswered during that time: the client itself held them back. */
    @Test
    void recordsWithoutPendingRequestWaitInClient() {
        fold.accept(
                List.of(
                        batch(2, 5100, Map.of(Stage.BATCH, 400L, Stage.REQUEST, 5L)),
                        batch(1, 5100, Map.of(Stage.REQUEST, 300L))),
                8 * SECOND);
        assertThat(moments()).singleElement().satisfies(m -> assertThat(m.stage())
                .isEqualTo(Stage.BATCH.word()));
    }

    /** A broker that knows nothing of the delay did not cause it. */
    @Test
    void unexplainedRequestTimeIsNetworkTime() {
        for (int second = 0; second < 8; second++) {
            fold.accept(new Observation(
                    "broker 2",
                    "jmx",
                    second * SECOND,
                    (second + 1) * SECOND,
                    Map.of("produce.requests", 100.0, "produce.localMs", 30.0),
                    Map.of()));
        }
        fold.accept(List.of(stalled(2, 5100, 5500)), 8 * SECOND);
        assertThat(moments()).singleElement().satisfies(m -> assertThat(m.stage())
                .isEqualTo(Stage.NETWORK.word()));
    }

    /** One long outage does not displace the stalls of other times, and is one moment. */
    @Test
    void longOutageLeavesRoomForOtherMoments() {
        fold.accept(List.of(stalled(1, 1000, 1100)), 2 * SECOND);
        for (int second = 20; second < 400; second++) {
            long at = second * 1000L;
            fold.accept(
                    IntStream.range(0, 32)
                            .mapToObj(i -> stalled(2, at - 1000 + i, at))
                            .toList(),
                    second * SECOND);
        }
        fold.accept(List.of(), 3_000 * SECOND);
        assertThat(moments()).extracting(SlowMoment::brokers).containsExactly(List.of(2), List.of(1));
    }
}
