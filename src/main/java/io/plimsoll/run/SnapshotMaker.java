package io.plimsoll.run;

import io.plimsoll.load.Connections;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.ConsumeCounts;
import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.NamedCounts;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.Window;
import io.plimsoll.measure.WireCounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/** Makes the snapshots of one trial. Owned by one thread at a time. */
final class SnapshotMaker {
    private final String worker;
    private final String trial;
    private final List<Producers> producers;
    private final List<Consumers> consumers;
    private final Supplier<GeneratorSample> self;
    private final Supplier<Map<TopicPartition, Long>> endOffsets;
    private final TrialClock clock;
    private final LongSupplier nanoTime;
    private List<Connections> connections = List.of();
    private Map<String, Long> producedBefore = Map.of();
    private Map<String, Long> consumedBefore = Map.of();
    private long sequence;
    private long fromNanos;

    SnapshotMaker(
            String worker,
            String trial,
            List<Producers> producers,
            List<Consumers> consumers,
            Supplier<GeneratorSample> self,
            Supplier<Map<TopicPartition, Long>> endOffsets,
            TrialClock clock,
            LongSupplier nanoTime) {
        this.worker = worker;
        this.trial = trial;
        this.producers = producers;
        this.consumers = consumers;
        this.self = self;
        this.endOffsets = endOffsets;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** Beside producers and consumers. */
    SnapshotMaker with(List<Connections> others) {
        connections = others;
        return this;
    }

    Snapshot next(Phase phase) {
        ClientFigures figures = new ClientFigures();
        ProduceCounts warmup = ProduceCounts.ZERO;
        ProduceCounts measured = ProduceCounts.ZERO;
        WireCounts wire = WireCounts.ZERO;
        GeneratorSample.WakeUps wakeUps = GeneratorSample.WakeUps.NONE;
        Long appendError = null;
        NamedCounts warmupReply = null;
        NamedCounts measuredReply = null;
        for (Producers entry : producers) {
            Producers.Reading reading = entry.read();
            warmup = warmup.plus(reading.warmup());
            measured = measured.plus(reading.measured());
            wire = wire.plus(reading.wire());
            wakeUps = wakeUps.plus(reading.wakeUps());
            warmupReply = NamedCounts.sum(warmupReply, reading.warmupReply());
            measuredReply = NamedCounts.sum(measuredReply, reading.measuredReply());
            appendError = Snapshot.Stretch.worst(appendError, reading.appendErrorNanos());
            entry.figures(figures);
        }
        ConsumeCounts warmupRead = ConsumeCounts.ZERO;
        ConsumeCounts measuredRead = ConsumeCounts.ZERO;
        Map<String, Long> lag = new TreeMap<>();
        Map<TopicPartition, Long> ends = endOffsets.get();
        for (Consumers entry : consumers) {
            Consumers.Reading reading = entry.read();
            warmupRead = warmupRead.plus(reading.warmup());
            measuredRead = measuredRead.plus(reading.measured());
            wire = wire.plus(reading.wire());
            entry.figures(figures);
            if (!ends.isEmpty()) {
                lag.putAll(entry.lag(ends));
            }
        }
        NamedCounts connected = connections.stream()
                .map(Connections::read)
                .reduce(NamedCounts::plus)
                .orElse(null);
        long toNanos = nanoTime.getAsLong() - clock.startNanos();
        GeneratorSample sample = self.get().with(wakeUps);
        Snapshot snapshot = new Snapshot(
                new Snapshot.Stretch(worker, trial, sequence++, phase, fromNanos, toNanos, null, appendError),
                new Window(warmup, warmupRead, null, warmupReply),
                new Window(measured, measuredRead, connected, measuredReply),
                wire,
                sample,
                lag,
                partitions(),
                figures.observations(fromNanos, toNanos));
        fromNanos = toNanos;
        return snapshot;
    }

    private Map<String, Snapshot.Partition> partitions() {
        Map<String, Long> produced = new HashMap<>();
        Map<String, Long> consumed = new HashMap<>();
        producers.forEach(p -> p.acknowledgedByPartition().forEach((k, v) -> produced.merge(k, v, Long::sum)));
        consumers.forEach(c -> c.consumedByPartition().forEach((k, v) -> consumed.merge(k, v, Long::sum)));
        Map<String, Snapshot.Partition> deltas = new TreeMap<>();
        produced.forEach((k, v) -> add(deltas, k, v - producedBefore.getOrDefault(k, 0L), 0));
        consumed.forEach((k, v) -> add(deltas, k, 0, v - consumedBefore.getOrDefault(k, 0L)));
        producedBefore = produced;
        consumedBefore = consumed;
        return deltas;
    }

    private static void add(Map<String, Snapshot.Partition> deltas, String key, long produced, long consumed) {
        if (produced != 0 || consumed != 0) {
            deltas.merge(key, new Snapshot.Partition(produced, consumed), Snapshot.Partition::plus);
        }
    }
}
