package io.plimsoll.observe.incident;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.TrialClock.WallClock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the incidents of a trial on its time axis. Drops incidents that ended before the trial, and incidents beyond
 * {@link #MOST} between two calls of {@link #take}. Thread-safe.
 */
public final class IncidentSink {
    static final int MOST = 2_000;
    private static final long MILLI = 1_000_000L;

    private final long startNanos;
    private final long epochOffsetNanos;
    private List<Incident> found = new ArrayList<>();

    /** @param startNanos start of the trial on the clock of {@link System#nanoTime} */
    public IncidentSink(long startNanos) {
        this(startNanos, WallClock.epochOffsetNanos());
    }

    /** @param epochOffsetNanos see {@link WallClock} */
    public IncidentSink(long startNanos, long epochOffsetNanos) {
        this.startNanos = startNanos;
        this.epochOffsetNanos = epochOffsetNanos;
    }

    /** Adds an incident with times on the clock of {@link System#nanoTime}. */
    public void add(
            Incident.Kind kind,
            String where,
            long fromNanoTime,
            long toNanoTime,
            long errorNanos,
            @Nullable String detail) {
        long from = fromNanoTime - startNanos;
        long to = Math.max(from, toNanoTime - startNanos);
        if (to >= 0) {
            keep(new Incident(kind, where, from, to, errorNanos, detail));
        }
    }

    /** Adds an incident like {@link #add(Incident.Kind, String, long, long, long, String)}. */
    public void add(Incident i) {
        add(i.kind(), i.where(), i.fromNanos(), i.toNanos(), i.errorNanos(), i.detail());
    }

    private synchronized void keep(Incident incident) {
        if (found.size() < MOST) {
            found.add(incident);
        }
    }

    /** Converts nanoseconds since 1970 to {@link System#nanoTime}. */
    public long nanoTime(long epochNanos) {
        return epochNanos - epochOffsetNanos;
    }

    /** Converts the middle of a millisecond since 1970 to {@link System#nanoTime}. */
    public long nanoTimeOfMillis(long epochMillis) {
        return nanoTime(epochMillis * MILLI + MILLI / 2);
    }

    /** Takes the incidents since the last call. */
    public synchronized List<Incident> take() {
        List<Incident> taken = found;
        found = new ArrayList<>();
        return taken;
    }
}
