package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Observation.ObservationSum;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.measure.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges several snapshots. The sum of a second merges the snapshots of all workers with the same sequence number, and
 * a following interval that is too short for a rate, such as the end of a trial. The sum of a minute merges its
 * seconds, with one observation per subject. Counts and histograms stay exact; gauges keep their mean and maximum. Used
 * by one thread.
 */
public final class SnapshotSum {
    public static final long SHORTEST_NANOS = 200_000_000;

    private final Snapshot first;
    /** Assigns snapshots to minutes; null in the sum of a second. */
    private final @Nullable Folding minutes;

    private final Counts.Sum warmup = Counts.Sum.overTime();
    private final Counts.Sum measured = Counts.Sum.overTime();
    private final Counts.Sum whole = Counts.Sum.overTime();
    private final List<SlowBatch> slow = new ArrayList<>();
    private final Map<List<String>, ObservationSum> clients = new LinkedHashMap<>();

    private final Map<List<String>, ObservationSum> observed = new LinkedHashMap<>();
    private final BusiestThreads threads = new BusiestThreads();
    private Busiest busiest = Busiest.NONE;
    private long toNanos;
    private @Nullable Long clockError;
    private @Nullable Long appendError;
    /** Lag in the second with the largest total lag. */
    private Map<String, Long> lag = Map.of();

    private final Map<String, Long> leastLag = new TreeMap<>();

    /** Creates a sum of the snapshots of one second. */
    public SnapshotSum(Snapshot first) {
        this(first, null);
    }

    /** Creates a sum of the seconds of one minute. */
    SnapshotSum(Snapshot first, @Nullable Folding minutes) {
        this.first = first;
        this.minutes = minutes;
        add(first);
    }

    /** Whether a snapshot belongs to the same second, or the same minute and phase of the trial. */
    public boolean takes(Snapshot s) {
        return minutes == null
                ? s.sequence() == first.sequence() || s.toNanos() - Math.max(s.fromNanos(), toNanos) < SHORTEST_NANOS
                : s.trial().equals(first.trial())
                        && s.phase() == first.phase()
                        && minutes.minuteOf(s) == minutes.minuteOf(first);
    }

    public void add(Snapshot s) {
        warmup.add(s.warmup());
        measured.add(s.measured());
        whole.add(s.whole());
        slow.addAll(s.slow());
        busiest = busiest.greater(s.busiest());
        clockError = Snapshot.worst(clockError, s.clockErrorNanos());
        appendError = Snapshot.worst(appendError, s.appendErrorNanos());
        if (minutes == null) {
            toNanos = Math.max(toNanos, s.toNanos());
        } else {
            toNanos = s.toNanos();
            threads.add(s);
            s.clients().forEach(o -> add(clients, o));
            lag = s.whole().total(Consumed.LAG) >= Counts.total(lag) ? s.whole().get(Consumed.LAG) : lag;
            s.whole().get(Consumed.LEAST_LAG).forEach((group, least) -> leastLag.merge(group, least, Math::min));
        }
    }

    void add(Observation o) {
        add(observed, o);
    }

    private static void add(Map<List<String>, ObservationSum> seen, Observation o) {
        seen.computeIfAbsent(List.of(o.what(), o.source()), of -> new ObservationSum())
                .add(o);
    }

    /** All added snapshots, merged into one. */
    public Snapshot snapshot() {
        boolean second = minutes == null;
        return new Snapshot(
                first.worker(),
                first.trial(),
                first.sequence(),
                first.phase(),
                first.fromNanos(),
                toNanos,
                clockError,
                appendError,
                warmup.total(),
                measured.total(),
                second
                        ? whole.total()
                        : whole.total().with(Consumed.LAG, lag).with(Consumed.LEAST_LAG, Map.copyOf(leastLag)),
                second ? busiest : threads.mostOfTheTime(),
                together(clients),
                slow);
    }

    /** The observations of this period, without {@link Snapshot#clients()}. */
    List<Observation> observations() {
        return together(observed);
    }

    private static List<Observation> together(Map<List<String>, ObservationSum> seen) {
        return seen.entrySet().stream()
                .map(e -> e.getValue().together(e.getKey().get(0), e.getKey().get(1)))
                .toList();
    }

    /** The number of the second; 0 for the first second of the trial. */
    public int second() {
        return numberOf(first.fromNanos(), toNanos);
    }

    /** The number of the second that contains the midpoint of an interval; 0 for the first second of the trial. */
    public static int numberOf(long fromNanos, long toNanos) {
        return (int) Math.max(0, (fromNanos + toNanos) / 2 / 1_000_000_000L);
    }

    /** Determines which thread of the load generator was busiest in each second. Not thread-safe. */
    static final class BusiestThreads {
        private final Map<String, Long> nanosByName = new TreeMap<>();
        private long nanos;
        private double busyNanos;

        void add(Snapshot s) {
            Busiest busiest = s.busiest();
            if (!busiest.thread().isEmpty()) {
                long elapsed = s.whole().get(GeneratorUse.ELAPSED_NANOS);
                nanosByName.merge(busiest.thread(), elapsed, Long::sum);
                nanos += elapsed;
                busyNanos += busiest.share() * elapsed;
            }
        }

        /** The thread that was the busiest in most seconds, with the mean share of the busiest thread of each second. */
        Busiest mostOfTheTime() {
            return nanosByName.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(most -> new Busiest(most.getKey(), busyNanos / Math.max(1, nanos)))
                    .orElse(Busiest.NONE);
        }
    }
}
