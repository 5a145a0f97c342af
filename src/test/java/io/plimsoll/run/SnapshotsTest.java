package io.plimsoll.run;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.Producers;
import io.plimsoll.load.Slice;
import io.plimsoll.load.VirtualTime;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireUse;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.result.Json;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.testing.Scenarios;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Snapshots of a trial: contents, contiguity, and times. */
class SnapshotsTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);

    private final VirtualTime time = new VirtualTime();
    private final TrialClock clock =
            new TrialClock(time.nanoTime(), time.nanoTime() + SECOND, time.nanoTime() + 3 * SECOND, 0);
    private final List<Snapshot> snapshots = new ArrayList<>();
    private long acknowledged;
    private Map<TopicPartition, Long> ends = Map.of(P0, 50L);

    private static final LoadContext CONTEXT =
            new LoadContext(Map.of("bootstrap.servers", "127.0.0.1:1"), "test", 1, 1, text -> {});

    private static ProducerSpec spec() {
        String yaml = "topics: [{name: t, partitions: 1}]\nproducers: [{topic: t, rate: 1/s}]\n";
        return Scenarios.producer(yaml);
    }

    /** Producers with counts set by the test only. */
    private final class Counted extends Producers {
        Counted(String name) {
            super(
                    new ProducerKind.Entry(
                            CONTEXT,
                            spec(),
                            Slice.all(1),
                            name,
                            WarmupEnd.after(SECOND),
                            topics -> new int[] {1},
                            Set.of()),
                    time);
        }

        @Override
        public void read(MeterReading into) {
            into.whole()
                    .add(WireUse.REQUESTS, 1)
                    .add(WireUse.BATCHES, 2)
                    .add(GeneratorUse.TICKS, 9)
                    .add(GeneratorUse.LATE_TICKS, 2);
            into.appendError(1_300_000L);
            into.clients().add(part, "requests", 3);
        }

        @Override
        public Map<String, Long> acknowledgedByPartition() {
            return Map.of("t-0", acknowledged);
        }

        @Override
        protected void readClients(MeterReading into) {}

        @Override
        public void prepare(Duration timeout) {}

        @Override
        public boolean drain(Duration timeout) {
            return true;
        }

        @Override
        protected List<Sender> senders() {
            return List.of();
        }

        @Override
        protected int[] partitions() {
            return new int[] {1};
        }

        @Override
        protected void abandon() {}
    }

    /** The same for consumers. */
    private final class CountedToo extends Consumers {
        CountedToo() {
            super(
                    new ConsumerKind.Entry(
                            CONTEXT,
                            ConsumerSpec.of(List.of("t")),
                            Slice.all(1),
                            "consumers-0",
                            EndToEndSource.STAMP,
                            null,
                            topics -> new int[] {1}),
                    time);
        }

        @Override
        public Map<String, Long> consumedByPartition() {
            return Map.of("t-0", acknowledged / 2);
        }

        @Override
        public Map<String, Long> lag(Map<TopicPartition, Long> endOffsets) {
            return Map.of("g", 7L);
        }

        @Override
        public void prepare(Duration timeout) {}

        @Override
        public boolean done() {
            return true;
        }

        @Override
        public void stop() {}

        @Override
        protected long figures(ClientFigures figures) {
            return 5;
        }

        @Override
        protected void wakeup() {}

        @Override
        protected void end() {}
    }

    private SnapshotMaker maker(TrialClock of) {
        return new SnapshotMaker(
                "local",
                "trial",
                List.of(new Counted("producers-0"), new Counted("producers-1")),
                List.of(new CountedToo()),
                List.of(),
                into -> {},
                whole -> {
                    Map<String, Long> lag = ends.isEmpty() ? Map.of() : new CountedToo().lag(ends);
                    whole.add(Consumed.LAG, lag).add(Consumed.LEAST_LAG, lag);
                },
                of,
                time::nanoTime);
    }

    @Test
    void snapshotSumsEntriesSincePreviousOne() {
        SnapshotMaker maker = maker(clock);
        acknowledged = 10;
        time.park(SECOND);
        Snapshot first = maker.next(Phase.WARMUP);
        acknowledged = 16;
        time.park(SECOND + 3 * MILLI);
        ends = Map.of();
        Snapshot second = maker.next(Phase.MEASURE);
        assertThat(first.whole().get(WireUse.REQUESTS)).isEqualTo(2);
        assertThat(first.whole().get(WireUse.BATCHES)).isEqualTo(4);
        assertThat(first.whole().get(WireUse.FETCH_REQUESTS)).isEqualTo(5);
        assertThat(first.appendErrorNanos()).isEqualTo(1_300_000);
        assertThat(first.whole().get(GeneratorUse.TICKS)).isEqualTo(18);
        assertThat(first.whole().get(GeneratorUse.LATE_TICKS)).isEqualTo(4);
        assertThat(first.whole().get(Produced.BY_PARTITION)).containsEntry("t-0", 20L);
        assertThat(first.whole().get(Consumed.BY_PARTITION)).containsEntry("t-0", 5L);
        assertThat(first.whole().get(Consumed.LAG)).containsEntry("g", 7L);
        assertThat(first.fromNanos()).isZero();
        assertThat(first.toNanos()).isEqualTo(SECOND).isEqualTo(second.fromNanos());
        assertThat(second.toNanos()).isEqualTo(2 * SECOND + 3 * MILLI);
        assertThat(second.whole().get(Produced.BY_PARTITION)).containsEntry("t-0", 12L);
        assertThat(second.whole().get(Consumed.BY_PARTITION)).containsEntry("t-0", 3L);
        assertThat(second.whole().get(Consumed.LAG))
                .as("where the ends are unknown")
                .isEmpty();
        assertThat(second.sequence()).isEqualTo(1);
        assertThat(first.clients()).hasSize(2);
    }

    @Test
    void snapshotInTimelineKeepsLag() throws IOException {
        SnapshotMaker maker = maker(clock);
        time.park(SECOND);
        Snapshot taken = maker.next(Phase.MEASURE);
        Snapshot read = Json.MAPPER.readValue(Json.line(taken), Snapshot.class);
        assertThat(read.whole().get(Consumed.LAG)).isEqualTo(Map.of("g", 7L));
        assertThat(read.whole().get(Consumed.LEAST_LAG)).isEqualTo(Map.of("g", 7L));
    }

    @Test
    void snapshotsAlignToWholeSecondsDespiteDelay() {
        List<Long> asked = new ArrayList<>();
        Worker.Listener slow = snapshot -> {
            snapshots.add(snapshot);
            time.park(snapshots.size() == 2 ? 1200 * MILLI : MILLI);
        };
        maker(clock).run(slow, () -> false, () -> {}, due -> {
            asked.add(due - clock.startNanos());
            time.passTo(due);
            return asked.size() > 4;
        });
        assertThat(asked).containsExactly(SECOND, 2 * SECOND, 3 * SECOND, 4 * SECOND, 5 * SECOND);
        assertThat(snapshots)
                .extracting(Snapshot::phase)
                .containsExactly(Phase.WARMUP, Phase.MEASURE, Phase.MEASURE, Phase.DRAIN);
        // The second took 1.2 s to deliver: the next one was created at once.
        assertThat(snapshots)
                .extracting(Snapshot::toNanos)
                .containsExactly(SECOND, 2 * SECOND, 3200 * MILLI, 4 * SECOND);
    }

    @Test
    void recordBoundTrialDrainsWhenWorkerIsDone() {
        SnapshotMaker maker = maker(clock.withWindow(Long.MAX_VALUE));
        maker.run(snapshots::add, () -> snapshots.size() > 2, () -> {}, due -> {
            time.passTo(due);
            return snapshots.size() == 4;
        });
        assertThat(snapshots)
                .extracting(Snapshot::phase)
                .containsExactly(Phase.WARMUP, Phase.MEASURE, Phase.MEASURE, Phase.DRAIN);
    }

    @Test
    void reportsFailureAtOnceAndThrowsAtEnd() {
        List<String> told = new ArrayList<>();
        IllegalStateException fullDisk = new IllegalStateException("planted");
        Worker.Listener failing = snapshot -> {
            throw fullDisk;
        };
        SnapshotMaker maker = maker(clock);
        maker.run(failing, () -> false, () -> told.add("failed"), due -> {
            time.passTo(due);
            return false;
        });
        assertThat(told).containsExactly("failed");
        assertThatThrownBy(maker::end).isSameAs(fullDisk);
    }
}
