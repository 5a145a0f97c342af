package io.plimsoll.run;

import io.plimsoll.Daemon;
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
import io.plimsoll.scenario.Labels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Takes a snapshot of one trial each second, on whole seconds of the trial's time. Owned by one thread at a time. */
final class SnapshotMaker {
    private static final long EVERY_NANOS = 1_000_000_000L;

    private final String worker;
    private final String trial;
    private final List<Producers> producers;
    private final List<Consumers> consumers;
    private final List<Connections> connections;
    private final Consumer<MeterReading> self;
    private final Consumer<Counts.Sum> lags;
    private final TrialClock clock;
    private final LongSupplier nanoTime;
    private final boolean byGroup;
    private Map<String, Long> producedBefore = Map.of();
    private Map<String, Long> consumedBefore = Map.of();
    private long sequence;
    private long fromNanos;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Thread thread;
    private volatile @Nullable RuntimeException failure;

    interface Wait {
        boolean endedBefore(long nanoTime) throws InterruptedException;
    }

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
        long groups = consumers.stream()
                .flatMap(entry -> entry.groupNames().stream())
                .distinct()
                .count();
        byGroup = groups > 1 && groups <= Labels.MOST;
    }

    Snapshot next(Phase phase) {
        MeterReading reading = new MeterReading();
        producers.forEach(entry -> reading.labeled(entry.labels(), entry::read));
        consumers.forEach(entry -> reading.labeled(entry.labels(byGroup), into -> entry.read(into, byGroup)));
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

    /** @param onFailure called if a snapshot fails; {@link #end} then throws its error */
    void start(Worker.Listener listener, BooleanSupplier draining, Runnable onFailure) {
        Wait wait = due -> ended.await(Math.max(0, due - System.nanoTime()), TimeUnit.NANOSECONDS);
        thread = Daemon.start("plimsoll-ticker", () -> run(listener, draining, onFailure, wait));
    }

    void run(Worker.Listener listener, BooleanSupplier draining, Runnable onFailure, Wait wait) {
        try {
            for (long k = 1; !wait.endedBefore(clock.startNanos() + k * EVERY_NANOS); k++) {
                long middle = clock.startNanos() + k * EVERY_NANOS - EVERY_NANOS / 2;
                Phase phase =
                        draining.getAsBoolean() && clock.endsWithLastRecord() ? Phase.DRAIN : clock.phaseAt(middle);
                listener.snapshot(next(phase));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure = e;
            onFailure.run();
        }
    }

    /** @throws RuntimeException the thread's error, such as a full disk */
    void end() {
        ended.countDown();
        if (thread != null) {
            Daemon.join(thread, 0);
        }
        if (failure != null) {
            throw failure;
        }
    }
}
