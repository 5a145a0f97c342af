package io.plimsoll.observe.incident;

import io.plimsoll.measure.Incident;

/**
 * Turns a counter of lost time, read at intervals, into incidents: adjacent intervals are merged in which more than half
 * of the time was lost. The lost time of the intervals before and after them adjoins them. Confined to one thread.
 */
public final class Stretch {
    private static final double HALF = 0.5;
    /** Longer incidents are reported in parts, so that they are known while they last. */
    private static final long PART_NANOS = 10_000_000_000L;

    private final Incident.Kind kind;
    private final String where;
    private final long leastNanos;
    private long lostBefore;
    private long intervalNanos;
    /** Start of the current incident; -1 outside of an incident. */
    private long fromNanos = -1;

    private long toNanos;
    private String detail = "";

    /** @param leastNanos shorter ones are not reported */
    public Stretch(Incident.Kind kind, String where, long leastNanos) {
        this.kind = kind;
        this.where = where;
        this.leastNanos = leastNanos;
    }

    /** @param lostNanos time lost within the interval */
    public void look(long from, long to, long lostNanos, String newest, IncidentSink sink) {
        intervalNanos = Math.max(1, to - from);
        long lost = Math.min(lostNanos, intervalNanos);
        if (lost > HALF * intervalNanos) {
            if (fromNanos < 0) {
                fromNanos = from - lostBefore;
                detail = newest;
            }
            toNanos = to;
            if (to - fromNanos > PART_NANOS) {
                end(sink);
            }
        } else if (fromNanos >= 0) {
            toNanos += lost;
            end(sink);
        }
        lostBefore = lost > HALF * intervalNanos ? 0 : lost;
    }

    /** Reports an incident that is still in progress. */
    public void end(IncidentSink sink) {
        if (fromNanos >= 0 && toNanos - fromNanos >= leastNanos) {
            sink.add(kind, where, fromNanos, toNanos, intervalNanos, detail);
        }
        fromNanos = -1;
    }
}
