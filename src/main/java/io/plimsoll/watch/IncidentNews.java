package io.plimsoll.watch;

import io.plimsoll.watch.WatchStatus.Incident;
import io.plimsoll.watch.WatchStatus.Outage;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Tells each incident once when it begins and once when it is over, however many signals are out. The time is an argument:
 * nanoseconds that never go back. Used by one thread.
 */
public final class IncidentNews {
    /** That it is a broker which is down is seen later than what follows from it. */
    private static final long HOLD_NANOS = 1_000_000_000L;
    /** What was out with a broker comes back a moment after it. */
    private static final long REST_NANOS = 3_000_000_000L;

    private final BiConsumer<Incident, State> told;
    private final Map<Key, Known> known = new HashMap<>();
    private List<Outage> seen = List.of();

    /** How much of an incident has been told; each state follows on one before it. */
    public enum State {
        /** Nothing: it may turn out to be part of another one. */
        SEEN,
        /** That it goes on. */
        TOLD,
        /** That its broker answers again; something else is still out. */
        BACK,
        /** That nothing of it is out any more. */
        OVER
    }

    private record Key(Signal signal, int broker, Instant from) {
        static Key of(Incident incident) {
            Outage first = incident.outages().stream()
                    .filter(o -> o.signal() == Signal.METADATA)
                    .findFirst()
                    .orElse(incident.outages().get(0));
            return new Key(first.signal(), first.broker(), first.from());
        }
    }

    private static final class Known {
        private State state;
        /** When it was seen first, or to be over. */
        private long nanos;

        private boolean ended;

        Known(State state, long nanos) {
            this.state = state;
            this.nanos = nanos;
        }
    }

    /**
     * Begins with what is known already.
     *
     * @param outages of an earlier process: those that are over, and that they go on, was told
     * @param told is given each incident with the state that is reached by telling it
     */
    IncidentNews(List<Outage> outages, BiConsumer<Incident, State> told) {
        this.told = told;
        seen = outages;
        for (Incident incident : Incidents.of(outages)) {
            boolean over = incident.outages().stream().noneMatch(Outage::goesOn);
            known.put(Key.of(incident), new Known(over ? State.OVER : State.TOLD, 0));
        }
    }

    /** Looks whether there is something to tell. */
    void look(long nowNanos, List<Outage> outages) {
        boolean waits =
                known.values().stream().anyMatch(k -> k.state == State.SEEN || (k.ended && k.state == State.TOLD));
        if (!waits && outages.equals(seen)) {
            return;
        }
        seen = outages;
        Map<Key, Incident> now = new HashMap<>();
        Incidents.of(outages).forEach(incident -> now.put(Key.of(incident), incident));
        known.keySet().retainAll(now.keySet());
        now.entrySet().stream()
                .sorted(Map.Entry.comparingByValue((a, b) -> a.from().compareTo(b.from())))
                .forEach(e -> look(
                        nowNanos,
                        e.getValue(),
                        known.computeIfAbsent(e.getKey(), k -> new Known(State.SEEN, nowNanos))));
    }

    private void look(long nowNanos, Incident incident, Known k) {
        boolean over = incident.outages().stream().noneMatch(Outage::goesOn);
        if (incident.to() != null && !k.ended) {
            k.ended = true;
            k.nanos = k.state == State.SEEN ? k.nanos : nowNanos;
        }
        State next =
                switch (k.state) {
                    case SEEN -> {
                        boolean held = nowNanos - k.nanos < HOLD_NANOS;
                        State told = over ? State.OVER : State.TOLD;
                        yield incident.broker() == null && held ? State.SEEN : told;
                    }
                    case TOLD -> {
                        boolean rests = k.ended && nowNanos - k.nanos >= REST_NANOS;
                        State told = rests ? State.BACK : State.TOLD;
                        yield over ? State.OVER : told;
                    }
                    case BACK -> over ? State.OVER : State.BACK;
                    case OVER -> State.OVER;
                };
        if (next != k.state) {
            told.accept(incident, next);
            k.state = next;
        }
    }
}
