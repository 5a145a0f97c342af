package io.plimsoll.result;

import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.measure.Observation;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Collects the incidents of a trial, with exact times or only counted per second. Not thread-safe. */
final class IncidentFold {
    /**
     * Maximum number of incidents, to limit memory in trials of days. Beyond it, incidents without a slow record near
     * them are dropped, then later incidents.
     */
    private static final int MOST_INCIDENTS = 20_000;

    private static final int LEAST_ROOM = MOST_INCIDENTS / 10;

    /** Names of sums that count the incidents of a second, with the kind of incident. */
    private static final Map<String, Kind> COUNTED = Map.of(
            "leaderChanges", Kind.LEADER_CHANGE,
            "isrShrinks", Kind.ISR_SHRINK,
            "isrExpands", Kind.ISR_EXPAND,
            "isrExpansions", Kind.ISR_EXPAND);
    /** Names of sums with the duration of incidents in ms, at an unknown time in the second. */
    private static final Map<String, Kind> TIMED =
            Map.of("flushMs", Kind.FLUSH, "produce.throttleMs", Kind.QUOTA, "fetch.throttleMs", Kind.QUOTA);

    private static final double LEAST_MILLIS = 10;
    /** Number of earlier observations from which the usual time is derived. */
    private static final int LEAST_KNOWN = 3;

    private static final int MOST_KNOWN = 60;
    private static final long SECOND = 1_000_000_000L;
    /** End time of a fault that is still in effect. */
    private static final long UNENDED = Long.MAX_VALUE / 2;

    private final Predicate<Incident> slow;
    private final List<Incident> incidents = new ArrayList<>();
    private boolean full;
    /**
     * Incidents with times known to about a second; {@link #incidents()} omits them if an incident with an exact time
     * matches.
     */
    private final List<Incident> counted = new ArrayList<>();

    /** Milliseconds per nanosecond in the last observations, by source and figure. */
    private final Map<String, ArrayDeque<Double>> recent = new HashMap<>();

    private final Map<Integer, FaultMark> faults = new HashMap<>();

    /** @param slow returns whether records were slow near an incident */
    IncidentFold(Predicate<Incident> slow) {
        this.slow = slow;
    }

    void happened(List<Incident> more) {
        if (incidents.size() + more.size() > MOST_INCIDENTS && !full) {
            incidents.removeIf(slow.negate());
            full = incidents.size() > MOST_INCIDENTS - LEAST_ROOM;
        }
        more.stream().limit(Math.max(0, MOST_INCIDENTS - incidents.size())).forEach(incidents::add);
    }

    void forgetBefore(long nanos) {
        incidents.removeIf(incident -> incident.toNanos() < nanos);
        counted.removeIf(incident -> incident.toNanos() < nanos);
        full = false;
    }

    void accept(FaultMark mark) {
        FaultMark begun = faults.remove(mark.deed().fault());
        if (begun != null) {
            happened(List.of(incident(begun, mark.atNanos())));
        }
        if (mark.state() == FaultState.IN_EFFECT) {
            faults.put(mark.deed().fault(), mark);
        }
    }

    private static Incident incident(FaultMark mark, long toNanos) {
        Integer broker = mark.deed().broker();
        String where = broker == null ? "cluster" : "broker " + broker;
        return new Incident(
                Kind.FAULT,
                where,
                mark.atNanos(),
                Math.max(mark.atNanos(), toNanos),
                0,
                mark.deed().action());
    }

    void handedOver(List<HandOver> handOvers) {
        List<Incident> rebalances = new ArrayList<>();
        handOvers.stream()
                .filter(h -> h.toNanos() >= h.fromNanos())
                .map(h -> h.group() == null
                        ? new Incident(Kind.REBALANCE, h.partition(), h.fromNanos(), h.toNanos(), 0, null)
                        : new Incident(
                                Kind.REBALANCE, "group " + h.group(), h.fromNanos(), h.toNanos(), 0, h.partition()))
                .sorted(Comparator.comparing(Incident::where).thenComparingLong(Incident::fromNanos))
                .forEach(moved -> {
                    int last = rebalances.size() - 1;
                    Incident before = last < 0 ? null : rebalances.get(last);
                    // Partitions that are reassigned together are one rebalance.
                    if (before != null
                            && before.where().equals(moved.where())
                            && moved.fromNanos() <= before.toNanos()) {
                        rebalances.set(last, before.with(moved));
                    } else {
                        rebalances.add(moved);
                    }
                });
        happened(rebalances);
    }

    /** Adds the incidents counted in a one-second observation of a broker or the cluster. */
    void accept(Observation seen) {
        if (!seen.what().startsWith("broker ") && !seen.what().equals("cluster")) {
            return;
        }
        long second = seen.toNanos() - seen.fromNanos();
        seen.sums().forEach((figure, sum) -> {
            if (TIMED.containsKey(figure)) {
                double millis = unusual(seen.what() + ' ' + figure, sum, second);
                if (millis >= LEAST_MILLIS) {
                    count(TIMED.get(figure), seen, Math.min(second, Math.round(millis * 1e6)));
                }
            } else if (COUNTED.containsKey(figure) && sum >= 1) {
                count(COUNTED.get(figure), seen, second);
            }
        });
    }

    private void count(Kind kind, Observation seen, long nanos) {
        if (counted.size() < MOST_INCIDENTS) {
            long from = seen.fromNanos();
            counted.add(new Incident(kind, seen.what(), from, from + nanos, seen.toNanos() - from, null));
        }
    }

    /** Milliseconds beyond the usual time. A constant state, such as another client beyond its quota, explains no moment. */
    private double unusual(String of, double millis, long nanos) {
        ArrayDeque<Double> known = recent.computeIfAbsent(of, figure -> new ArrayDeque<>());
        double usual =
                known.size() < LEAST_KNOWN ? 0 : SlowFold.usual(known.stream().mapToDouble(Double::doubleValue));
        known.addLast(millis / nanos);
        if (known.size() > MOST_KNOWN) {
            known.removeFirst();
        }
        return millis - usual * nanos;
    }

    List<Incident> incidents() {
        Stream<Incident> open = faults.values().stream().map(mark -> incident(mark, UNENDED));
        Stream<Incident> only = counted.stream().filter(c -> incidents.stream()
                .noneMatch(exact -> exact.kind() == c.kind()
                        && exact.fromNanos() < c.toNanos() + SECOND
                        && exact.toNanos() > c.fromNanos() - SECOND));
        return Stream.of(incidents.stream(), only, open).flatMap(all -> all).toList();
    }
}
