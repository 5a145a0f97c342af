package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.measure.Observation;
import io.plimsoll.result.SlowMoment.Cause;
import io.plimsoll.result.TimelineEvent.Deed;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Faults, moves of partitions and counters of a second are incidents, too, unless an exact source reports them. */
class DerivedIncidentsTest {
    private static final long SECOND = 1_000_000_000L;

    private final IncidentFold fold = new IncidentFold(incident -> true);

    private static FaultMark mark(int fault, Integer broker, FaultState state, long atNanos) {
        Deed deed = new Deed(fault, "pause", Sentence.NONE, broker);
        return new FaultMark(Instant.EPOCH, "trial", atNanos, deed, state, null);
    }

    @Test
    void faultLastsUntilItIsOver() {
        fold.accept(mark(0, 2, FaultState.ASKED, 1));
        fold.accept(mark(0, 2, FaultState.IN_EFFECT, 2));
        fold.accept(mark(1, null, FaultState.IN_EFFECT, 3));
        fold.accept(mark(0, 2, FaultState.OVER, 9));
        assertThat(fold.incidents())
                .containsExactly(
                        new Incident(Kind.FAULT, "broker 2", 2, 9, 0, "pause"),
                        new Incident(Kind.FAULT, "cluster", 3, Long.MAX_VALUE / 2, 0, "pause"));
    }

    @Test
    void movedPartitionIsARebalance() {
        fold.handedOver(List.of(new HandOver(null, "t-3", 5, 7, 9, 0)));
        assertThat(fold.incidents()).containsExactly(new Incident(Kind.REBALANCE, "t-3", 5, 9, 0, null));
    }

    @Test
    void mergesSimultaneousMovesOfAGroupIntoOneRebalance() {
        fold.handedOver(List.of(
                new HandOver("g", "t-1", 6, 7, 12, 0),
                new HandOver("g", "t-0", 5, 7, 9, 0),
                new HandOver("other", "t-0", 5, 7, 8, 0),
                new HandOver("g", "t-0", 20, 21, 22, 0)));
        assertThat(fold.incidents())
                .containsExactlyInAnyOrder(
                        new Incident(Kind.REBALANCE, "group g", 5, 12, 0, null),
                        new Incident(Kind.REBALANCE, "group other", 5, 8, 0, "t-0"),
                        new Incident(Kind.REBALANCE, "group g", 20, 22, 0, "t-0"));
    }

    /** Without JMX, the Admin client of a run counts changes of the ISR. */
    @Test
    void countersOfTheClusterAreIncidents() {
        fold.accept(second(4, Map.of("isrExpansions", 1.0)));
        assertThat(fold.incidents()).extracting(Incident::kind).containsExactly(Kind.ISR_EXPAND);
    }

    @Test
    void exactTimesReplaceCountersPerSecond() {
        fold.accept(second(4, Map.of("isrShrinks", 1.0, "produce.throttleMs", 9.0)));
        fold.accept(second(8, Map.of("isrShrinks", 2.0, "produce.throttleMs", 300.0)));
        fold.accept(second(12, Map.of("fetch.throttleMs", 300.0)));
        fold.happened(
                List.of(new Incident(Kind.ISR_SHRINK, "broker 1", 4 * SECOND + 5, 4 * SECOND + 5, 1_000_000, "t-0")));
        assertThat(fold.incidents())
                .extracting(Incident::kind, Incident::fromNanos)
                .containsExactlyInAnyOrder(
                        tuple(Kind.ISR_SHRINK, 4 * SECOND + 5),
                        tuple(Kind.ISR_SHRINK, 8 * SECOND),
                        tuple(Kind.QUOTA, 8 * SECOND),
                        tuple(Kind.QUOTA, 12 * SECOND));
    }

    /** Another client beyond its quota throughout the trial explains no moment of it. */
    @Test
    void constantStateIsNoIncident() {
        for (int second = 0; second < 30; second++) {
            double millis = second == 20 ? 700 : 300 + second % 3;
            fold.accept(second(second, Map.of("fetch.throttleMs", millis)));
        }
        assertThat(fold.incidents())
                .filteredOn(incident -> incident.fromNanos() >= 3 * SECOND)
                .singleElement()
                .satisfies(incident -> {
                    assertThat(incident.fromNanos()).isEqualTo(20 * SECOND);
                    assertThat(incident.toNanos() - incident.fromNanos()).isBetween(390_000_000L, 400_000_000L);
                });
    }

    private static Observation second(long from, Map<String, Double> sums) {
        return new Observation("broker 1", "jmx", from * SECOND, (from + 1) * SECOND, sums, Map.of());
    }

    /** Each kind has words for an instant and for a duration, with and without a detail. */
    @Test
    void everyKindIsDescribed() {
        for (Kind kind : Kind.values()) {
            assertThat(IncidentWords.of(new Cause(kind.word(), "broker 1", 1, 1.213, "orders-3", 1))
                            .english())
                    .contains("broker 1", "(orders-3), 213 ms");
            assertThat(IncidentWords.of(new Cause(kind.word(), "broker 1", 1, 1, null, 1))
                            .english())
                    .endsWith(Sentence.of("result.incident." + kind.word(), "broker 1")
                            .english());
        }
    }
}
