package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;

/**
 * A second of a trial, of all workers: snapshots with the same sequence number, and a stretch behind them that is too
 * short for a rate, such as the rest at the end of a trial. Used by one thread.
 */
public final class Stretch {
    static final long SHORTEST_NANOS = 200_000_000;

    private final Snapshot first;
    private final Counts.Sum sum = Counts.Sum.overTime();
    private long measuredDue;
    private long produced;
    private long consumed;
    private long toNanos;
    private Busiest busiest = Busiest.NONE;
    private Long clockError;

    public Stretch(Snapshot first) {
        this.first = first;
    }

    /** Whether a snapshot belongs to the same second. */
    public boolean takes(Snapshot s) {
        return s.sequence() == first.sequence() || s.toNanos() - Math.max(s.fromNanos(), toNanos) < SHORTEST_NANOS;
    }

    public void add(Snapshot s) {
        toNanos = Math.max(toNanos, s.toNanos());
        busiest = busiest.greater(s.busiest());
        sum.add(s.warmup()).add(s.measured()).add(s.whole());
        measuredDue += s.measured().get(Produced.DUE);
        produced += s.measured().get(Produced.ARRIVED);
        consumed += s.measured().get(Consumed.ARRIVED);
        clockError = Snapshot.Stretch.worst(clockError, s.stretch().clockErrorNanos());
    }

    /** The number of the second, 0 for the first of the trial. */
    public int second() {
        return numberOf(first.fromNanos(), toNanos);
    }

    /** The number of the second in which a stretch has its middle. */
    public static int numberOf(long fromNanos, long toNanos) {
        return (int) Math.max(0, (fromNanos + toNanos) / 2 / 1_000_000_000L);
    }

    Snapshot first() {
        return first;
    }

    /** Records of the measured window that were due in this stretch. */
    long measuredDue() {
        return measuredDue;
    }

    /** Those that were acknowledged in it, or that arrived. */
    long arrived(boolean produces) {
        return produces ? produced : consumed;
    }

    long toNanos() {
        return toNanos;
    }

    /** What was counted, whichever window it belongs to. */
    public Sums sums() {
        return new Sums(
                Math.max(toNanos - first.fromNanos(), 1) / 1e9,
                sum.total(),
                busiest.share(),
                clockError == null ? null : Double.valueOf(clockError / 1e3));
    }
}
