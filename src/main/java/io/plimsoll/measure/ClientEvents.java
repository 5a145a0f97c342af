package io.plimsoll.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Incidents that the clients of a trial observe, with times of {@link System#nanoTime}. Bounded and thread-safe. */
public final class ClientEvents {
    private static final int MOST = 1_000;
    /** Equal incidents at most this far apart are one. */
    private static final long APART_NANOS = 10_000_000;

    private List<Incident> found = new ArrayList<>();
    /** Number of the last incident of a kind at a place. */
    private final Map<Incident, Integer> last = new HashMap<>();

    /**
     * Adds an incident, or prolongs the last one of its kind at its place. Drops incidents beyond {@value #MOST} between two
     * calls of {@link #take}.
     */
    public synchronized void add(Incident incident) {
        Incident key = new Incident(incident.kind(), incident.where(), 0, 0, 0, incident.detail());
        Integer number = last.get(key);
        Incident before = number == null ? null : found.get(number);
        if (before != null && incident.fromNanos() - before.toNanos() <= APART_NANOS) {
            found.set(number, before.with(incident));
        } else if (found.size() < MOST) {
            last.put(key, found.size());
            found.add(incident);
        }
    }

    /** Adds an incident at a broker. */
    public void add(Incident.Kind kind, int broker, long fromNanos, long toNanos) {
        add(new Incident(kind, "broker " + broker, fromNanos, toNanos, 0, null));
    }

    /** The incidents since the last call. */
    public synchronized List<Incident> take() {
        List<Incident> taken = found;
        found = new ArrayList<>();
        last.clear();
        return taken;
    }
}
