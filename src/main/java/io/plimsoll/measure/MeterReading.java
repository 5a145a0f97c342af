package io.plimsoll.measure;

import io.plimsoll.measure.GeneratorUse.Busiest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One reading of all meters of a worker, by trial window or by interval. Used by one thread. */
public final class MeterReading {
    private Counts.Sum warmup = Counts.Sum.overTime();
    private Counts.Sum measured = Counts.Sum.overTime();
    private Counts.Sum whole = Counts.Sum.overTime();
    private final ClientFigures clients = new ClientFigures();
    private Busiest busiest = Busiest.NONE;
    private @Nullable Long appendErrorNanos;
    private final Map<Metric<Latencies>, List<SlowBatch>> slow = new HashMap<>();

    public Counts.Sum window(boolean inMeasured) {
        return inMeasured ? measured : warmup;
    }

    /** Reads meters of clients with these labels, such as {@code team=payments}; without labels, this adds no cost. */
    public void labeled(Collection<String> labels, Consumer<MeterReading> read) {
        if (labels.isEmpty()) {
            read.accept(this);
            return;
        }
        Counts.Sum early = warmup;
        Counts.Sum late = measured;
        Counts.Sum all = whole;
        warmup = Counts.Sum.overTime();
        measured = Counts.Sum.overTime();
        whole = Counts.Sum.overTime();
        read.accept(this);
        warmup = early.add(warmup.total(), labels);
        measured = late.add(measured.total(), labels);
        whole = all.add(whole.total(), labels);
    }

    /** Counts of the interval since the last reading. */
    public Counts.Sum whole() {
        return whole;
    }

    public ClientFigures clients() {
        return clients;
    }

    /** Sets the busiest thread of this process. */
    public void busiest(Busiest thread) {
        busiest = thread;
    }

    /** @param nanos see {@link Snapshot#appendErrorNanos()} */
    public void appendError(@Nullable Long nanos) {
        appendErrorNanos = Snapshot.worst(appendErrorNanos, nanos);
    }

    /** Adds batches that waited long, with the distribution to which their times belong. */
    public void slow(Metric<Latencies> times, List<SlowBatch> batches) {
        slow.computeIfAbsent(times, t -> new ArrayList<>()).addAll(batches);
    }

    private static List<SlowBatch> standingOut(Map<Metric<Latencies>, List<SlowBatch>> slow, Counts both) {
        List<SlowBatch> kept = new ArrayList<>();
        slow.forEach((times, batches) ->
                kept.addAll(SlowBatch.standingOut(batches, both.get(times).percentileMicros(50) * 1000)));
        return kept;
    }

    /** Builds the snapshot. Do not add to this reading afterward. */
    public Snapshot toSnapshot(String worker, String trial, long sequence, Phase phase, long fromNanos, long toNanos) {
        List<Observation> seen = clients.observations(fromNanos, toNanos);
        Counts early = warmup.total();
        Counts late = measured.total();
        return new Snapshot(
                worker,
                trial,
                sequence,
                phase,
                fromNanos,
                toNanos,
                null,
                appendErrorNanos,
                early,
                late,
                whole.total(),
                busiest,
                seen,
                standingOut(slow, early.plus(late)));
    }
}
