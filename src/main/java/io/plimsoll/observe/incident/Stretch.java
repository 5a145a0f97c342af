package io.plimsoll.observe.incident;

import io.plimsoll.measure.Incident;
import org.jspecify.annotations.Nullable;

/**
 * Turns a counter of lost time, read at intervals, into incidents. Adjacent intervals in which more than half of the
 * time was lost are one incident; the lost time of the intervals before and after extends the incident. Used by one
 * thread.
 */
public final class Stretch {
    private static final double HALF = 0.5;
    /** Length in ns after which a part of an incident is reported, so that the incident is known while it lasts. */
    private static final long PART_NANOS = 10_000_000_000L;

    private final Incident.Kind kind;
    private final String where;
    private final long leastNanos;
    private long lostBefore;
    private long intervalNanos;
    /** Start of the current incident; -1 outside of an incident. */
    private long fromNanos = -1;

    private long toNanos;
    private @Nullable String detail;

    /** @param leastNanos minimum length of a reported incident */
    public Stretch(Incident.Kind kind, String where, long leastNanos) {
        this.kind = kind;
        this.where = where;
        this.leastNanos = leastNanos;
    }

    /** @param lostNanos time lost within the interval */
    public void look(long from, long to, long lostNanos, @Nullable String newest, IncidentSink sink) {
        intervalNanos = Math.max(1, to - from);
        long lost = Math.min(lostNanos, intervalNanos);
        if (lost > HALF * intervalNanos) {
            if (fromNanos < 0) {
                fromNanos = Math.min(from - lostBefore, to - lostNanos);
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
