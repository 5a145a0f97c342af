package io.plimsoll.run;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.load.Consumers;
import io.plimsoll.load.Producers;
import io.plimsoll.load.VirtualTime;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.ConsumeCounts;
import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireCounts;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Guards the snapshots of a trial: what is in each, that they follow each other without gap, and when they are made. */
class SnapshotsTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);

    private final VirtualTime time = new VirtualTime();
    private final TrialClock clock =
            new TrialClock(time.nanoTime(), time.nanoTime() + SECOND, time.nanoTime() + 3 * SECOND, 0);
    private final List<Snapshot> snapshots = new ArrayList<>();
    private long acknowledged;
    private Map<TopicPartition, Long> ends = Map.of(P0, 50L);

    /** Producers that say what this test has counted, and nothing else. */
    private Producers producers(String name) {
        return (Producers) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Producers.class}, (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "read":
                            return new Producers.Reading(
                                    ProduceCounts.ZERO,
                                    ProduceCounts.ZERO,
                                    new WireCounts(1, new WireCounts.Written(2, 3, 4, 5), 6, 7, 8, 0, 9, 0),
                                    9,
                                    2,
                                    1_300_000L);
                        case "acknowledgedByPartition":
                            return Map.of("t-0", acknowledged);
                        case "figures":
                            ((ClientFigures) args[0]).add(name, "requests", 3);
                            return null;
                        default:
                            throw new UnsupportedOperationException(method.getName());
                    }
                });
    }

    private Consumers consumers() {
        return (Consumers) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Consumers.class}, (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "read":
                            return new Consumers.Reading(
                                    ConsumeCounts.ZERO,
                                    ConsumeCounts.ZERO,
                                    new WireCounts(0, WireCounts.Written.NOTHING, 0, 0, 0, 5, 0, 0));
                        case "consumedByPartition":
                            return Map.of("t-0", acknowledged / 2);
                        case "lag":
                            return Map.of("g", 7L);
                        case "figures":
                            return null;
                        default:
                            throw new UnsupportedOperationException(method.getName());
                    }
                });
    }

    private SnapshotMaker maker() {
        return new SnapshotMaker(
                "local",
                "trial",
                List.of(producers("producers-0"), producers("producers-1")),
                List.of(consumers()),
                () -> GeneratorSample.ZERO,
                () -> ends,
                clock,
                time::nanoTime);
    }

    @Test
    void aSnapshotHasWhatAllEntriesDidSinceTheOneBefore() {
        SnapshotMaker maker = maker();
        acknowledged = 10;
        time.park(SECOND);
        Snapshot first = maker.next(Phase.WARMUP);
        acknowledged = 16;
        time.park(SECOND + 3 * MILLI);
        ends = Map.of();
        Snapshot second = maker.next(Phase.MEASURE);
        assertThat(first.wire())
                .isEqualTo(new WireCounts(2, new WireCounts.Written(4, 6, 8, 10), 12, 14, 16, 5, 18, 0));
        assertThat(first.stretch().appendErrorNanos()).isEqualTo(1_300_000);
        assertThat(first.generator().ticks()).isEqualTo(18);
        assertThat(first.generator().lateTicks()).isEqualTo(4);
        assertThat(first.partitions()).containsEntry("t-0", new Snapshot.Partition(20, 5));
        assertThat(first.lag()).containsEntry("g", 7L);
        assertThat(first.fromNanos()).isZero();
        assertThat(first.toNanos()).isEqualTo(SECOND).isEqualTo(second.fromNanos());
        assertThat(second.toNanos()).isEqualTo(2 * SECOND + 3 * MILLI);
        assertThat(second.partitions()).containsEntry("t-0", new Snapshot.Partition(12, 3));
        assertThat(second.lag()).as("where the ends are unknown").isEmpty();
        assertThat(second.sequence()).isEqualTo(1);
        assertThat(first.clients()).hasSize(2);
    }

    @Test
    void theyAreMadeOnWholeSecondsOfTheTrialHoweverLateOneWas() {
        List<Long> asked = new ArrayList<>();
        Ticker ticker = new Ticker(
                maker(),
                snapshot -> {
                    snapshots.add(snapshot);
                    time.park(snapshots.size() == 2 ? 1200 * MILLI : MILLI);
                },
                clock,
                () -> false,
                () -> {});
        ticker.run(due -> {
            asked.add(due - clock.startNanos());
            time.passTo(due);
            return asked.size() > 4;
        });
        assertThat(asked).containsExactly(SECOND, 2 * SECOND, 3 * SECOND, 4 * SECOND, 5 * SECOND);
        assertThat(snapshots)
                .extracting(Snapshot::phase)
                .containsExactly(Phase.WARMUP, Phase.MEASURE, Phase.MEASURE, Phase.DRAIN);
        // The second took 1.2 s to deliver: the next was made at once.
        assertThat(snapshots)
                .extracting(Snapshot::toNanos)
                .containsExactly(SECOND, 2 * SECOND, 3200 * MILLI, 4 * SECOND);
    }

    @Test
    void aTrialBoundByRecordsDrainsWhenItsWorkerSaysSo() {
        Ticker ticker = new Ticker(
                maker(), snapshots::add, clock.withMeasureEnd(Long.MAX_VALUE), () -> snapshots.size() > 2, () -> {});
        ticker.run(due -> {
            time.passTo(due);
            return snapshots.size() == 4;
        });
        assertThat(snapshots)
                .extracting(Snapshot::phase)
                .containsExactly(Phase.WARMUP, Phase.MEASURE, Phase.MEASURE, Phase.DRAIN);
    }

    @Test
    void whatGoesWrongIsToldAtOnceAndThrownAtTheEnd() {
        List<String> told = new ArrayList<>();
        IllegalStateException fullDisk = new IllegalStateException("planted");
        Ticker ticker = new Ticker(
                maker(),
                snapshot -> {
                    throw fullDisk;
                },
                clock,
                () -> false,
                () -> told.add("failed"));
        ticker.run(due -> {
            time.passTo(due);
            return false;
        });
        assertThat(told).containsExactly("failed");
        assertThatThrownBy(ticker::end).isSameAs(fullDisk);
    }
}
