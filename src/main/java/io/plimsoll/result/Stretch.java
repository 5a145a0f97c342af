package io.plimsoll.result;

import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window.WindowSum;
import io.plimsoll.measure.WireCounts;
import java.util.HashMap;
import java.util.Map;

/**
 * A second of a trial, of all workers: snapshots with the same sequence number, and a stretch behind them that is too
 * short for a rate, such as the rest at the end of a trial. Used by one thread.
 */
public final class Stretch {
    static final long SHORTEST_NANOS = 200_000_000;

    private final Snapshot first;
    private final WindowSum window = new WindowSum();
    private long measuredDue;
    private long produced;
    private long consumed;
    private final Map<String, Long> lag = new HashMap<>();
    private long toNanos;
    private WireCounts wire = WireCounts.ZERO;
    private GeneratorSample generator = GeneratorSample.ZERO;
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
        window.add(s.warmup());
        window.add(s.measured());
        measuredDue += s.measured().produce().due();
        produced += s.measured().produce().volume().arrived();
        consumed += s.measured().consume().arrived();
        wire = wire.plus(s.wire());
        generator = generator.plus(s.generator());
        lag.putAll(s.lag());
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
                window.total(),
                wire,
                generator,
                lag.isEmpty() ? null : Sums.total(lag),
                clockError == null ? null : Double.valueOf(clockError / 1e3));
    }
}
