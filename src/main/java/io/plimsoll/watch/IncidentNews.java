package io.plimsoll.watch;

import io.plimsoll.watch.WatchStatus.Incident;
import io.plimsoll.watch.WatchStatus.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports the start and the end of each incident once, regardless of the number of affected signals. Time is an
 * argument in monotonic nanoseconds. Used by one thread.
 */
public final class IncidentNews {
    /** Wait in ns before a report, because the failure of a broker is detected after its consequences. */
    private static final long HOLD_NANOS = 1_000_000_000L;
    /** Wait in ns after a broker has recovered, because its signals recover slightly later. */
    private static final long REST_NANOS = 3_000_000_000L;

    private final BiConsumer<Incident, State> listener;
    private final Map<Key, Known> known = new HashMap<>();
    private List<Outage> seen = List.of();

    /** The reporting state of an incident; states follow each other in this order. */
    public enum State {
        /** Not yet reported, because it can be part of another incident. */
        SEEN,
        TOLD,
        /** The recovery of the broker is reported, but other signals still have an outage. */
        BACK,
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
        /** Time at which the incident was detected, or ended. */
        private long nanos;

        private boolean ended;

        Known(State state, long nanos) {
            this.state = state;
            this.nanos = nanos;
        }
    }

    /** @param outages outages that an earlier process reported: their start and, if they are over, their end */
    IncidentNews(List<Outage> outages, BiConsumer<Incident, State> listener) {
        this.listener = listener;
        seen = outages;
        for (Incident incident : Incidents.of(outages)) {
            boolean over = incident.outages().stream().noneMatch(Outage::ongoing);
            known.put(Key.of(incident), new Known(over ? State.OVER : State.TOLD, 0));
        }
    }

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
        boolean over = incident.outages().stream().noneMatch(Outage::ongoing);
        if (incident.to() != null && !k.ended) {
            k.ended = true;
            k.nanos = k.state == State.SEEN ? k.nanos : nowNanos;
        }
        State next =
                switch (k.state) {
                    case SEEN -> {
                        boolean held = nowNanos - k.nanos < HOLD_NANOS;
                        State reported = over ? State.OVER : State.TOLD;
                        yield incident.broker() == null && held ? State.SEEN : reported;
                    }
                    case TOLD -> {
                        boolean rests = k.ended && nowNanos - k.nanos >= REST_NANOS;
                        State reported = rests ? State.BACK : State.TOLD;
                        yield over ? State.OVER : reported;
                    }
                    case BACK -> over ? State.OVER : State.BACK;
                    case OVER -> State.OVER;
                };
        if (next != k.state) {
            listener.accept(incident, next);
            k.state = next;
        }
    }

    /** Groups outages by cause: a broker that is down also interrupts signals of other brokers. Stateless. */
    static final class Incidents {
        /** Tolerance in time for consequences that are detected before or after the failure of a broker. */
        private static final Duration SLACK = Duration.ofSeconds(2);

        private static final class Parts {
            /** The outage of the broker's metadata signal; null if all brokers respond. */
            private final @Nullable Outage down;

            private final List<Outage> outages = new ArrayList<>();

            Parts(@Nullable Outage down) {
                this.down = down;
            }

            Instant from() {
                return down != null ? down.from() : outages.get(0).from();
            }

            @Nullable
            Instant to() {
                if (down != null) {
                    return down.to();
                }
                boolean ongoing = outages.stream().anyMatch(Outage::ongoing);
                return ongoing
                        ? null
                        : outages.stream()
                                .map(Outage::to)
                                .max(Comparator.naturalOrder())
                                .orElseThrow();
            }

            boolean takes(Outage outage) {
                boolean link = outage.signal() == Signal.CONNECT;
                if (down != null && link && outage.broker() != down.broker()) {
                    return false;
                }
                Instant to = to();
                return !outage.from().isBefore(from().minus(SLACK))
                        && (to == null || !outage.from().isAfter(to.plus(SLACK)));
            }

            Incident make() {
                outages.sort(Comparator.comparing(Outage::from));
                String error = down != null && down.error() != null
                        ? down.error()
                        : outages.stream()
                                .map(Outage::error)
                                .filter(Objects::nonNull)
                                .findFirst()
                                .orElse(null);
                return new Incident(down == null ? null : down.broker(), from(), to(), error, List.copyOf(outages));
            }
        }

        /** Incidents by start time; each outage belongs to exactly one. */
        static List<Incident> of(List<Outage> outages) {
            List<Outage> sorted =
                    outages.stream().sorted(Comparator.comparing(Outage::from)).toList();
            List<Parts> down = new ArrayList<>();
            for (Outage outage : sorted) {
                if (outage.signal() == Signal.METADATA) {
                    down.add(new Parts(outage));
                }
            }
            down.forEach(parts -> parts.outages.add(parts.down));
            List<Parts> others = new ArrayList<>();
            for (Outage outage : sorted) {
                if (outage.signal() != Signal.METADATA) {
                    List<Parts> possible =
                            down.stream().filter(parts -> parts.takes(outage)).toList();
                    possible.stream()
                            .filter(parts -> parts.down != null && parts.down.broker() == outage.broker())
                            .findFirst()
                            .or(() -> possible.stream().findFirst())
                            .or(() -> others.stream()
                                    .filter(parts -> parts.takes(outage))
                                    .findFirst())
                            .orElseGet(() -> {
                                others.add(new Parts(null));
                                return others.get(others.size() - 1);
                            })
                            .outages
                            .add(outage);
                }
            }
            List<Parts> all = new ArrayList<>(down);
            all.addAll(others);
            return all.stream()
                    .map(Parts::make)
                    .sorted(Comparator.comparing(Incident::from))
                    .toList();
        }
    }
}
