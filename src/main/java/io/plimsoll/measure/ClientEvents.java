package io.plimsoll.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Incidents that the clients of a trial observe, with timestamps of {@link System#nanoTime}. Bounded and thread-safe. */
public final class ClientEvents {
    private static final int MOST = 1_000;
    /** Maximum gap in ns between incidents that are merged. */
    private static final long APART_NANOS = 10_000_000;

    private List<Incident> found = new ArrayList<>();
    /** Index of the last incident of each kind, place and detail. */
    private final Map<Incident, Integer> last = new HashMap<>();

    /**
     * Adds an incident, or extends the last incident of the same kind, place and detail. Drops incidents beyond {@value
     * #MOST} between two calls of {@link #take}.
     */
    public synchronized void add(Incident incident) {
        Incident key = new Incident(incident.kind(), incident.where(), 0, 0, 0, incident.detail());
        Integer number = last.get(key);
        if (number != null && incident.fromNanos() - found.get(number).toNanos() <= APART_NANOS) {
            found.set(number, found.get(number).with(incident));
        } else if (found.size() < MOST) {
            last.put(key, found.size());
            found.add(incident);
        }
    }

    /** Adds an incident at a broker. */
    public void add(Incident.Kind kind, int broker, long fromNanos, long toNanos) {
        add(new Incident(kind, "broker " + broker, fromNanos, toNanos, 0, null));
    }

    /** Takes the incidents since the last call. */
    public synchronized List<Incident> take() {
        List<Incident> taken = found;
        found = new ArrayList<>();
        last.clear();
        return taken;
    }
}
