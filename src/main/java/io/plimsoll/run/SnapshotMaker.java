package io.plimsoll.run;

import io.plimsoll.load.Connections;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Takes the snapshots of one trial. Owned by one thread at a time. */
final class SnapshotMaker {
    private final String worker;
    private final String trial;
    private final List<Producers> producers;
    private final List<Consumers> consumers;
    private final List<Connections> connections;
    private final Consumer<MeterReading> self;
    private final Consumer<Counts.Sum> lags;
    private final TrialClock clock;
    private final LongSupplier nanoTime;
    private Map<String, Long> producedBefore = Map.of();
    private Map<String, Long> consumedBefore = Map.of();
    private long sequence;
    private long fromNanos;

    SnapshotMaker(
            String worker,
            String trial,
            List<Producers> producers,
            List<Consumers> consumers,
            List<Connections> connections,
            Consumer<MeterReading> self,
            Consumer<Counts.Sum> lags,
            TrialClock clock,
            LongSupplier nanoTime) {
        this.worker = worker;
        this.trial = trial;
        this.producers = producers;
        this.consumers = consumers;
        this.connections = connections;
        this.self = self;
        this.lags = lags;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    Snapshot next(Phase phase) {
        MeterReading reading = new MeterReading();
        producers.forEach(entry -> entry.read(reading));
        consumers.forEach(entry -> entry.read(reading));
        connections.forEach(entry -> entry.read(reading.window(true)));
        lags.accept(reading.whole());
        partitions(reading.whole());
        long toNanos = nanoTime.getAsLong() - clock.startNanos();
        self.accept(reading);
        Snapshot snapshot = reading.toSnapshot(worker, trial, sequence++, phase, fromNanos, toNanos);
        fromNanos = toNanos;
        return snapshot;
    }

    private void partitions(Counts.Sum whole) {
        Map<String, Long> produced = new TreeMap<>();
        Map<String, Long> consumed = new TreeMap<>();
        producers.forEach(p -> p.acknowledgedByPartition().forEach((k, v) -> produced.merge(k, v, Long::sum)));
        consumers.forEach(c -> c.consumedByPartition().forEach((k, v) -> consumed.merge(k, v, Long::sum)));
        whole.add(Produced.BY_PARTITION, added(produced, producedBefore))
                .add(Consumed.BY_PARTITION, added(consumed, consumedBefore));
        producedBefore = produced;
        consumedBefore = consumed;
    }

    private static Map<String, Long> added(Map<String, Long> now, Map<String, Long> before) {
        Map<String, Long> added = new TreeMap<>();
        now.forEach((partition, count) -> {
            long more = count - before.getOrDefault(partition, 0L);
            if (more != 0) {
                added.put(partition, more);
            }
        });
        return added;
    }
}
