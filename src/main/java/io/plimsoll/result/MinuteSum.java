package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.ObservationSum;
import io.plimsoll.measure.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
    /** By what it is of, and the source. */
    private final Map<List<String>, ObservationSum> clients = new LinkedHashMap<>();

    private final Map<List<String>, ObservationSum> observed = new LinkedHashMap<>();
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
        s.clients().forEach(o -> add(clients, o));
        busiest.add(s);
        clockError = Snapshot.Stretch.worst(clockError, s.stretch().clockErrorNanos());
        appendError = Snapshot.Stretch.worst(appendError, s.stretch().appendErrorNanos());
        lag = s.whole().total(Consumed.LAG) >= Counts.total(lag) ? s.whole().get(Consumed.LAG) : lag;
        last = s;
    }

    void add(Observation o) {
        add(observed, o);
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
                together(clients));
    }

    /** What was observed meanwhile; {@link Snapshot#clients()} are not among it. */
    List<Observation> observations() {
        return together(observed);
    }

    private static List<Observation> together(Map<List<String>, ObservationSum> seen) {
        List<Observation> all = new ArrayList<>();
        seen.forEach((of, sum) -> all.add(sum.together(of.get(0), of.get(1))));
        return all;
    }

    private static void add(Map<List<String>, ObservationSum> seen, Observation o) {
        seen.computeIfAbsent(List.of(o.what(), o.source()), of -> new ObservationSum())
                .add(o);
    }
}
