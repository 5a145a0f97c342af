package io.plimsoll.fleet.plan;

import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.measure.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Merges the snapshots of several workers into the snapshots of a single worker with the total load. Snapshots with the
 * same number cover the same second. A snapshot that arrives after its second was passed on is added to the next one,
 * so that the sum of all merged snapshots equals the sum of all snapshots. Not thread-safe.
 */
public final class SnapshotMerger {
    private final String name;
    private final Map<String, Long> newest = new HashMap<>();
    private final Set<String> running;
    private final TreeMap<Long, Second> waiting = new TreeMap<>();
    /** The last reported groups of each worker, used in seconds without a report. */
    private final Map<String, Lags> lags = new HashMap<>();

    private long next;
    private long fromNanos;

    /** @param workers workers that must all report */
    public SnapshotMerger(String name, Set<String> workers) {
        this.name = name;
        this.running = new HashSet<>(workers);
        workers.forEach(w -> newest.put(w, -1L));
    }

    /** @return the merged snapshots that this one completes */
    public List<Snapshot> add(Snapshot snapshot) {
        newest.merge(snapshot.worker(), snapshot.sequence(), Math::max);
        // Merged on arrival, because storing the histograms of a thousand agents would need a gigabyte.
        waiting.computeIfAbsent(Math.max(next, snapshot.sequence()), k -> new Second())
                .add(snapshot);
        return upTo(complete());
    }

    /** Reports that no more snapshots will arrive from this worker; returns the merged snapshots that are now complete. */
    public List<Snapshot> ended(String worker) {
        running.remove(worker);
        return upTo(complete());
    }

    /** Like {@link #ended}, for a lost worker: its group members no longer read. */
    public List<Snapshot> lost(String worker) {
        lags.remove(worker);
        waiting.values().forEach(second -> second.lags.remove(worker));
        return ended(worker);
    }

    /** Stops waiting for seconds that are at least this number behind the newest second; 0 for all seconds. */
    public List<Snapshot> giveUpOn(int behind) {
        return upTo(waiting.isEmpty() ? -1 : waiting.lastKey() - behind);
    }

    private long complete() {
        return running.stream().mapToLong(newest::get).min().orElse(waiting.isEmpty() ? -1 : waiting.lastKey());
    }

    private List<Snapshot> upTo(long last) {
        List<Snapshot> merged = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.firstKey() <= last) {
            Map.Entry<Long, Second> second = waiting.pollFirstEntry();
            lags.putAll(second.getValue().lags);
            Snapshot whole = second.getValue().toSnapshot(name, second.getKey(), fromNanos, lags.values());
            merged.add(whole);
            fromNanos = whole.toNanos();
            next = second.getKey() + 1;
        }
        return merged;
    }

    /** The lag of each group at the end of a second, and the minimum within it. */
    private record Lags(Map<String, Long> now, Map<String, Long> least) {
        /** Members of one group on several workers read different partitions. */
        static Map<String, Long> sum(Collection<Lags> all, Function<Lags, Map<String, Long>> of) {
            Map<String, Long> sum = new HashMap<>();
            all.forEach(lags -> of.apply(lags).forEach((group, records) -> sum.merge(group, records, Long::sum)));
            return sum;
        }
    }

    private static final class Second {
        private final Map<String, Lags> lags = new HashMap<>();
        private final ClientFigures clients = new ClientFigures();
        private final Counts.Sum warmup = Counts.Sum.acrossWorkers();
        private final Counts.Sum measured = Counts.Sum.acrossWorkers();
        private final Counts.Sum whole = Counts.Sum.acrossWorkers();
        private final List<SlowBatch> slow = new ArrayList<>();
        private String trial = "";
        private Busiest busiest = Busiest.NONE;
        private Phase phase = Phase.DRAIN;
        private long toNanos;
        private @Nullable Long appendError;

        void add(Snapshot s) {
            trial = s.trial();
            warmup.add(s.warmup());
            measured.add(s.measured());
            whole.add(s.whole());
            slow.addAll(s.slow());
            Busiest other = s.busiest();
            busiest = busiest.greater(
                    other.thread().isEmpty() ? other : new Busiest(s.worker() + ": " + other.thread(), other.share()));
            phase = s.phase().compareTo(phase) < 0 ? s.phase() : phase;
            toNanos = Math.max(toNanos, s.toNanos());
            appendError = Snapshot.worst(appendError, s.appendErrorNanos());
            // Of two values from one worker, the later value applies.
            Map<String, Long> lag = s.whole().get(Consumed.LAG);
            if (!lag.isEmpty()) {
                lags.put(s.worker(), new Lags(lag, s.whole().get(Consumed.LEAST_LAG)));
            }
            s.clients().forEach(clients::addWorker);
        }

        Snapshot toSnapshot(String worker, long sequence, long fromNanos, Collection<Lags> lags) {
            long to = Math.max(fromNanos, toNanos);
            List<Observation> seen = clients.observations(fromNanos, to);
            Counts sum = whole.total()
                    .with(Consumed.LAG, Lags.sum(lags, Lags::now))
                    .with(Consumed.LEAST_LAG, Lags.sum(lags, Lags::least));
            return new Snapshot(
                    worker,
                    trial,
                    sequence,
                    phase,
                    fromNanos,
                    to,
                    null,
                    appendError,
                    warmup.total(),
                    measured.total(),
                    sum,
                    busiest,
                    seen,
                    slow);
        }
    }
}
