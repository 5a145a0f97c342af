package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.measure.SlowBatch.Stage;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.wire.ClusterView;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Slow records of a watch get a stage, a place, and the event that the watch observed. */
class WatchedMomentsTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final Uuid TOPIC = new Uuid(1, 2);

    /** Acknowledgments are timed by the clock of this process: the test has begun 100 s after the statistics. */
    private final long begun = System.nanoTime();

    private final long start = begun - 100 * SECOND;
    private final WatchedMoments moments = new WatchedMoments("watched", start, 400 * MILLI, List.of());

    /** A record that is acknowledged now. */
    private void acknowledged(int partition, int leader, long waitedMillis) {
        long due = System.nanoTime() - waitedMillis * MILLI;
        moments.acknowledged(partition, leader, 7, due, due);
    }

    private List<SlowMoment> later(int seconds) {
        moments.look(begun + SECOND);
        return moments.look(System.nanoTime() + seconds * SECOND);
    }

    private static ClusterView.Topic view(int leader, int inSync) {
        return new ClusterView.Topic(TOPIC, new int[] {leader}, new int[] {inSync}, null);
    }

    private static List<String> events(SlowMoment moment) {
        return moment.causes().stream().map(SlowMoment.Cause::event).toList();
    }

    @Test
    void brokerOutageExplainsDelayedRecords() {
        acknowledged(0, 2, 700);
        moments.down(2, begun - 690 * MILLI, begun - 690 * MILLI);
        moments.down(2, begun - 690 * MILLI, begun - 5 * MILLI);
        assertThat(later(5)).singleElement().satisfies(m -> {
            assertThat(m.stage()).isEqualTo(Stage.ANSWER.word());
            assertThat(m.brokers()).containsExactly(2);
            assertThat(m.partitions()).containsExactly("watched-0");
            assertThat(m.fromSeconds()).isCloseTo(99.3, within(1.0));
            assertThat(events(m)).containsExactly(Kind.BROKER_DOWN.word());
            assertThat(m.causes().get(0).where()).isEqualTo("broker 2");
        });
        assertThat(later(6)).as("reported once").isEmpty();
        assertThat(moments.last()).hasSize(1);
    }

    @Test
    void reportsOnlyLongWaitsAndOnlyOnceOver() {
        acknowledged(0, 1, 300);
        assertThat(later(5)).isEmpty();
        acknowledged(0, 1, 500);
        assertThat(moments.look(System.nanoTime() + SECOND)).isEmpty();
        assertThat(later(5)).singleElement().satisfies(m -> assertThat(m.causes())
                .isEmpty());
    }

    /** It would look like an election at each of its answers. */
    @Test
    void laggingBrokerDoesNotRepeatLeaderChange() {
        for (int millis = 5000; millis >= 0; millis -= 100) {
            moments.seen(1, millis > 4500 ? view(3, 3) : view(1, 2), begun - millis * MILLI);
            moments.seen(2, view(3, 3), begun - millis * MILLI);
        }
        acknowledged(0, 1, 600);
        assertThat(later(5)).singleElement().satisfies(m -> assertThat(m.causes())
                .isEmpty());
    }

    @Test
    void reportedElectionIsCauseAtItsPartition() {
        long changed = begun - 100 * MILLI;
        for (int broker = 1; broker <= 2; broker++) {
            moments.seen(broker, view(3, 3), begun - 5 * SECOND);
            moments.seen(broker, view(3, 3), changed - 100 * MILLI);
        }
        moments.seen(1, view(1, 2), changed);
        moments.seen(2, view(3, 3), changed);
        moments.seen(2, view(-1, 3), changed + 20 * MILLI);
        moments.seen(2, view(1, 2), changed + 40 * MILLI);
        acknowledged(0, 1, 600);
        assertThat(later(5)).singleElement().satisfies(m -> {
            assertThat(events(m)).containsExactlyInAnyOrder(Kind.LEADER_CHANGE.word(), Kind.ISR_SHRINK.word());
            assertThat(m.causes()).extracting(SlowMoment.Cause::where).containsOnly("watched-0");
            assertThat(m.causes())
                    .allSatisfy(c -> assertThat(c.toSeconds() - c.fromSeconds()).isLessThan(0.1));
        });
    }

    /** Otherwise each stall of a broker would be reported twice. */
    @Test
    void onlyDelayAfterAcknowledgmentCountsAsSlowRead() {
        moments.read(0, 1, 7, begun - 900 * MILLI, begun - 100 * MILLI, begun);
        assertThat(later(5)).isEmpty();
        moments.read(0, 1, 8, begun - 900 * MILLI, begun - 800 * MILLI, begun);
        moments.happened(List.of(
                new Incident(Kind.PROCESS_PAUSE, "generator", 99_210 * MILLI, 99_990 * MILLI, 5 * MILLI, null)));
        assertThat(later(5)).singleElement().satisfies(m -> {
            assertThat(m.stage()).isEqualTo(Stage.FETCH.word());
            assertThat(m.of()).containsExactly(Signal.END_TO_END.id());
            assertThat(m.brokers()).containsExactly(1);
            assertThat(events(m)).containsExactly(Kind.PROCESS_PAUSE.word());
        });
    }

    /** A watch runs for months. */
    @Test
    void keepsOnlyLatestMoments() {
        for (int i = 0; i < 120; i++) {
            acknowledged(i, 1, 500);
            moments.look(System.nanoTime() + 4 * SECOND);
        }
        assertThat(moments.last()).hasSize(50);
        assertThat(moments.last().get(49).partitions()).containsExactly("watched-119");
    }
}
