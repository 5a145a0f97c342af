package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
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
    private final Counts.Sum warmup = Counts.Sum.overTime();
    private final Counts.Sum measured = Counts.Sum.overTime();
    private final Counts.Sum whole = Counts.Sum.overTime();
    private final Seen clients = new Seen();
    private final Seen observed = new Seen();
    private final BusiestThreads busiest = new BusiestThreads();
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
        whole.add(s.whole());
        s.clients().forEach(clients::add);
        busiest.add(s);
        clockError = Snapshot.Stretch.worst(clockError, s.stretch().clockErrorNanos());
        appendError = Snapshot.Stretch.worst(appendError, s.stretch().appendErrorNanos());
        lag = s.whole().total(Consumed.LAG) >= Counts.total(lag) ? s.whole().get(Consumed.LAG) : lag;
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
                whole.total().with(Consumed.LAG, lag),
                busiest.mostOfTheTime(),
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
