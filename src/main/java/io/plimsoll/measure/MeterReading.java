package io.plimsoll.measure;

import io.plimsoll.measure.GeneratorUse.Busiest;
import java.util.List;

/**
 * What the meters of a worker counted since they were last read, as they are read one after the other: by the window that it
 * belongs to, or by the time in which it happened. Used by one thread.
 */
public final class MeterReading {
    private final Counts.Sum warmup = Counts.Sum.overTime();
    private final Counts.Sum measured = Counts.Sum.overTime();
    private final Counts.Sum whole = Counts.Sum.overTime();
    private final ClientFigures clients = new ClientFigures();
    private Busiest busiest = Busiest.NONE;
    private Long appendErrorNanos;

    /** What belongs to a window of the trial. */
    public Counts.Sum window(boolean inMeasured) {
        return inMeasured ? measured : warmup;
    }

    /** What belongs to the time since the last reading. */
    public Counts.Sum whole() {
        return whole;
    }

    /** What the clients say of themselves. */
    public ClientFigures clients() {
        return clients;
    }

    /** The busiest thread of this process. */
    public void busiest(Busiest thread) {
        busiest = thread;
    }

    /** @param nanos see {@link Snapshot.Stretch#appendErrorNanos()} */
    public void appendError(Long nanos) {
        appendErrorNanos = Snapshot.Stretch.worst(appendErrorNanos, nanos);
    }

    /** All of it; nothing is read into this one afterwards. */
    public Snapshot toSnapshot(String worker, String trial, long sequence, Phase phase, long fromNanos, long toNanos) {
        List<Observation> seen = clients.observations(fromNanos, toNanos);
        return new Snapshot(
                new Snapshot.Stretch(worker, trial, sequence, phase, fromNanos, toNanos, null, appendErrorNanos),
                warmup.take(),
                measured.take(),
                whole.take(),
                busiest,
                seen);
    }
}
