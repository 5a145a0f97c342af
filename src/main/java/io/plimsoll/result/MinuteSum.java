package io.plimsoll.result;

import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window.WindowSum;
import io.plimsoll.measure.WireCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the seconds of a minute told, as one snapshot and one observation of each that was observed. Counts and histograms
 * lose nothing; of gauges mean and maximum remain. Used by one thread.
 */
final class MinuteSum {
    private final Folding folding;
    private final Snapshot first;
    private final WindowSum warmup = new WindowSum();
    private final WindowSum measured = new WindowSum();
    private final Map<String, Snapshot.Partition> partitions = new TreeMap<>();
    private final Seen clients = new Seen();
    private final Seen observed = new Seen();
    private final Map<String, Long> busiest = new HashMap<>();
    private double busyNanos;
    private WireCounts wire = WireCounts.ZERO;
    private GeneratorSample generator = GeneratorSample.ZERO;
    private Snapshot last;
    /** Of the second with the most of it. */
    private Map<String, Long> lag = Map.of();

    private Long clockError;
    private Long appendError;

    MinuteSum(Folding folding, Snapshot first) {
        this.folding = folding;
        this.first = first;
        this.appendError = first.stretch().appendErrorNanos();
        add(first);
    }

    /** Whether a snapshot belongs to the same minute, and the same phase of the trial. */
    boolean takes(Snapshot s) {
        return s.trial().equals(first.trial())
                && s.phase() == first.phase()
                && folding.minuteOf(s) == folding.minuteOf(first);
    }

    void add(Snapshot s) {
        warmup.add(s.warmup());
        measured.add(s.measured());
        s.partitions().forEach((name, counts) -> partitions.merge(name, counts, Snapshot.Partition::plus));
        s.clients().forEach(clients::add);
        wire = wire.plus(s.wire());
        generator = generator.plus(s.generator());
        busiest.merge(s.generator().busiestThread(), s.generator().elapsedNanos(), Long::sum);
        busyNanos += s.generator().busiestThreadShare() * s.generator().elapsedNanos();
        clockError = Snapshot.Stretch.worst(clockError, s.stretch().clockErrorNanos());
        appendError = Snapshot.Stretch.worst(appendError, s.stretch().appendErrorNanos());
        lag = Sums.total(s.lag()) >= Sums.total(lag) ? s.lag() : lag;
        last = s;
    }

    void add(Observation o) {
        observed.add(o);
    }

    long toNanos() {
        return last.toNanos();
    }

    Snapshot snapshot() {
        Snapshot.Stretch s = first.stretch();
        String thread = busiest.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
        return new Snapshot(
                new Snapshot.Stretch(
                        s.worker(),
                        s.trial(),
                        s.sequence(),
                        s.phase(),
                        s.fromNanos(),
                        last.toNanos(),
                        clockError,
                        appendError),
                warmup.total(),
                measured.total(),
                wire,
                generator.busiest(thread, busyNanos / Math.max(1, generator.elapsedNanos())),
                lag,
                partitions,
                clients.all());
    }

    /** What was observed meanwhile; {@link Snapshot#clients()} are not among it. */
    List<Observation> observations() {
        return observed.all();
    }

    /** Observations, one of each source of each that they are of. */
    private static final class Seen {
        private final Map<List<String>, One> all = new LinkedHashMap<>();

        private static final class One {
            private final Map<String, Double> sums = new TreeMap<>();
            private final Map<String, Double> gauges = new TreeMap<>();
            private final Map<String, Integer> times = new HashMap<>();
            private final Map<String, Double> most = new TreeMap<>();
            private long fromNanos = Long.MAX_VALUE;
            private long toNanos;
        }

        void add(Observation o) {
            One one = all.computeIfAbsent(List.of(o.what(), o.source()), k -> new One());
            o.sums().forEach((name, value) -> one.sums.merge(name, value, Double::sum));
            o.gauges().forEach((name, value) -> {
                one.gauges.merge(name, value, Double::sum);
                one.times.merge(name, 1, Integer::sum);
                one.most.merge(name, o.most(name), Math::max);
            });
            one.fromNanos = Math.min(one.fromNanos, o.fromNanos());
            one.toNanos = Math.max(one.toNanos, o.toNanos());
        }

        List<Observation> all() {
            List<Observation> folded = new ArrayList<>();
            all.forEach((key, one) -> {
                one.gauges.replaceAll((name, sum) -> sum / one.times.get(name));
                one.times.replaceAll((name, n) -> 1);
                folded.add(new Observation(
                        key.get(0), key.get(1), one.fromNanos, one.toNanos, one.sums, one.gauges, one.most));
            });
            return folded;
        }
    }
}
