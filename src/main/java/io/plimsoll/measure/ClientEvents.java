package io.plimsoll.measure;

import java.util.ArrayList;
import java.util.List;

/** Incidents that the clients of a trial observe, with times of {@link System#nanoTime}. Bounded and thread-safe. */
public final class ClientEvents {
    private static final int MOST = 1_000;

    private List<Incident> found = new ArrayList<>();

    /** Drops incidents beyond {@value #MOST} between two calls of {@link #take}. */
    public synchronized void add(Incident incident) {
        if (found.size() < MOST) {
            found.add(incident);
        }
    }

    /** The incidents since the last call. */
    public synchronized List<Incident> take() {
        List<Incident> taken = found;
        found = new ArrayList<>();
        return taken;
    }
}
