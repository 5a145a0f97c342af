package io.plimsoll.result;

import io.plimsoll.audit.Verdict;
import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.scenario.FaultKind.Outage;
import io.plimsoll.stats.Spread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Attributes events of a trial to its faults: each event belongs to the most recent fault. */
final class FaultsFold {
    private final List<Entry> entries = new ArrayList<>();
    private final AckTimes acks = new AckTimes();
    private final PartitionSilences silences = new PartitionSilences();
    private final PartitionSilences appendSilences = new PartitionSilences();
    /** The end of each period without any acknowledgment, by its start. */
    private final Map<Long, Long> gaps = new HashMap<>();

    private final List<HandOver> handOvers = new ArrayList<>();
    private final List<Observation> coordinated = new ArrayList<>();

    private final ResponseAround responses;
    private long loadEndNanos;
    private int underReplicated;
    private boolean produces;
    /** Whether the timeline contains silent partitions; timelines of earlier versions do not. */
    private boolean hasSilences;

    private static final class Entry {
        private final FaultMark asked;
        private final Map<String, Long> errors = new TreeMap<>();
        private FaultMark last;
        private @Nullable Long inEffectNanos;
        private @Nullable Long overNanos;
        private int mostUnderReplicated;
        private long isrFullNanos = -1;
        private long worstMicros = -1;

        Entry(FaultMark asked, int underReplicated) {
            this.asked = asked;
            this.last = asked;
            this.mostUnderReplicated = underReplicated;
        }

        void accept(FaultMark mark) {
            last = mark;
            inEffectNanos = mark.state() == FaultState.IN_EFFECT ? Long.valueOf(mark.atNanos()) : inEffectNanos;
            overNanos = mark.state() == FaultState.OVER ? Long.valueOf(mark.atNanos()) : overNanos;
        }

        boolean loses() {
            FaultKind kind = FaultKind.all().get(asked.deed().action());
            return inEffectNanos != null && kind != null && kind.mayLoseRecords();
        }
    }

    FaultsFold(boolean openLoop) {
        responses = new ResponseAround(openLoop);
    }

    void accept(FaultMark mark) {
        if (mark.state() == FaultState.ASKED) {
            entries.add(new Entry(mark, underReplicated));
            responses.begin(mark.atNanos());
            silences.asked(mark.atNanos());
            appendSilences.asked(mark.atNanos());
            return;
        }
        entries.stream()
                .filter(e -> e.asked.deed().fault() == mark.deed().fault())
                .forEach(e -> e.accept(mark));
    }

    void accept(List<HandOver> more) {
        handOvers.addAll(more);
    }

    void accept(Observation o) {
        if (o.what().startsWith(GroupsFold.COORDINATED)) {
            coordinated.add(o);
        }
    }

    void accept(TimelineEvent.Replicas replicas) {
        underReplicated = Math.max(replicas.underReplicated(), replicas.leaderless());
        Entry entry = at(replicas.atNanos());
        if (entry != null) {
            entry.mostUnderReplicated = Math.max(entry.mostUnderReplicated, underReplicated);
            entry.isrFullNanos = underReplicated == 0 ? replicas.atNanos() : -1;
        }
    }

    void accept(AckPulse pulse) {
        produces = true;
        acks.accept(pulse);
        if (pulse.silences() != null) {
            hasSilences = true;
            pulse.silences().forEach(silences::accept);
            silences.until(pulse.toNanos(), pulse.bucketNanos());
        }
        if (pulse.appendSilences() != null) {
            pulse.appendSilences().forEach(appendSilences::accept);
            appendSilences.until(pulse.toNanos(), 0);
        }
        // A gap that continues is reported in each pulse, with a later end.
        if (!entries.isEmpty()) {
            gaps.merge(pulse.gapFromNanos(), pulse.gapToNanos(), Math::max);
        }
    }

    /** The longest gap that ended during each fault, in ns. Gaps after the end of the load do not count. */
    private Map<Entry, Long> longestGaps() {
        Map<Entry, Long> longest = new HashMap<>();
        gaps.forEach((from, to) -> {
            Entry entry = at(to);
            if (entry != null && (loadEndNanos == 0 || from < loadEndNanos)) {
                longest.merge(entry, to - from, Math::max);
            }
        });
        return longest;
    }

    void accept(Snapshot s) {
        responses.accept(s);
        s.whole().get(Produced.BY_PARTITION).keySet().forEach(silences::known);
        if (s.phase() != Phase.DRAIN) {
            loadEndNanos = Math.max(loadEndNanos, s.toNanos());
        }
        Entry entry = at(s.fromNanos() / 2 + s.toNanos() / 2);
        if (entry == null) {
            return;
        }
        Counts both = s.warmup().plus(s.measured());
        both.get(Produced.ERRORS).forEach((kind, n) -> entry.errors.merge(kind, n, Long::sum));
        both.get(Consumed.ERRORS).forEach((kind, n) -> entry.errors.merge(kind, n, Long::sum));
        entry.worstMicros =
                Math.max(entry.worstMicros, both.get(Produced.RESPONSE_TIME).maxMicros());
    }

    /** The last fault that was requested before this time; null if none. */
    private @Nullable Entry at(long nanos) {
        // From the end, because nearly all events belong to one of the latest faults.
        for (int i = entries.size() - 1; i >= 0; i--) {
            if (entries.get(i).asked.atNanos() <= nanos) {
                return entries.get(i);
            }
        }
        return null;
    }

    /** Whether a fault took effect and can explain the result. */
    boolean any() {
        return entries.stream().anyMatch(e -> e.inEffectNanos != null);
    }

    /** Whether a requested fault could not be injected or undone. */
    boolean failed() {
        return entries.stream().anyMatch(e -> e.last.state() == FaultState.FAILED);
    }

    /** @param audit null without an audit, or before the audit has ended */
    List<FaultResult> results(@Nullable AuditResult audit, Instant startedAt) {
        List<FaultResult> results = new ArrayList<>();
        Charges charges = audit == null ? null : new Charges(audit, startedAt);
        Map<Entry, Long> longestGaps = longestGaps();
        double baseline = 0;
        boolean disturbed = false;
        for (int i = 0; i < entries.size(); i++) {
            long asked = entries.get(i).asked.atNanos();
            long end = Math.min(next(i), Math.max(loadEndNanos, asked));
            // Until the effects of the previous fault are over, the throughput cannot be a baseline.
            baseline = disturbed ? baseline : acks.before(asked);
            long back = baseline > 0 ? acks.backNanos(baseline, asked, end) : -1;
            disturbed = baseline > 0 && back < 0;
            results.add(result(i, back, longestGaps.getOrDefault(entries.get(i), 0L), charges));
        }
        return List.copyOf(results);
    }

    private long next(int i) {
        return i + 1 < entries.size() ? entries.get(i + 1).asked.atNanos() : Long.MAX_VALUE;
    }

    private FaultResult.@Nullable Silenced silenced(int i) {
        if (!produces || !hasSilences) {
            return null;
        }
        long first = entries.get(0).asked.atNanos();
        long from = entries.get(i).asked.atNanos();
        long end = i + 1 < entries.size() || loadEndNanos == 0 ? next(i) : loadEndNanos;
        return silences.between(first, from, end).withAppends(appendSilences.between(first, from, end));
    }

    /** @param backNanos time at which throughput had recovered; negative if it did not recover */
    private FaultResult.Response response(int i, long backNanos) {
        Entry entry = entries.get(i);
        // If a broker stays down, recovery means that other brokers took over its load.
        boolean gone =
                entry.overNanos == null && FaultResult.outage(entry.asked.deed().action()) == Outage.GONE;
        long from = gone ? entry.asked.atNanos() + 1 : 0;
        long ended = entry.overNanos != null ? entry.overNanos : gone ? backNanos : Long.MAX_VALUE;
        long over = backNanos < from ? Long.MAX_VALUE : Math.max(ended, backNanos);
        return responses.around(entry.asked.atNanos(), over, next(i));
    }

    AuditResult charged(AuditResult audit, Instant startedAt) {
        List<Anomaly> anomalies = audit.anomalies();
        return entries.isEmpty() || anomalies == null
                ? audit
                : audit.withAnomalies(new Charges(audit, startedAt).charged(anomalies));
    }

    private FaultResult result(int i, long backNanos, long longestGapNanos, @Nullable Charges charges) {
        Entry e = entries.get(i);
        long asked = e.asked.atNanos();
        boolean full = e.mostUnderReplicated > 0 && e.isrFullNanos >= 0;
        TimelineEvent.Deed deed = e.last.deed();
        Double inEffect = e.inEffectNanos == null ? null : Double.valueOf(seconds(e.inEffectNanos));
        Double over = e.overNanos == null ? null : Double.valueOf(seconds(e.overNanos));
        return new FaultResult(
                new FaultResult.Deed(
                        deed.action(), deed.what(), deed.broker(), outcome(e.last.state()), e.last.detail()),
                new FaultResult.Span(seconds(asked), inEffect, over),
                new FaultResult.Effect(
                        produces ? seconds(longestGapNanos) : null,
                        backNanos < 0 ? null : seconds(backNanos - asked),
                        e.mostUnderReplicated,
                        full ? seconds(e.isrFullNanos - asked) : null,
                        TrialResult.Errors.of(e.errors),
                        e.worstMicros < 0 ? null : e.worstMicros,
                        charges == null ? null : charges.lost(i),
                        charges == null ? null : charges.duplicated(i)),
                silenced(i),
                produces ? response(i, backNanos) : null,
                rebalance(asked, Math.min(next(i), Math.max(loadEndNanos, asked))));
    }

    /** The cost of the rebalances in this interval; null if none. */
    private FaultResult.@Nullable Rebalance rebalance(long fromNanos, long toNanos) {
        List<HandOver> within = handOvers.stream()
                .filter(h -> h.givenNanos() >= fromNanos && h.givenNanos() < toNanos)
                .toList();
        if (within.isEmpty()) {
            return null;
        }
        Map<String, Double> silent = new TreeMap<>();
        within.forEach(h -> silent.merge(h.partition(), (h.toNanos() - h.fromNanos()) / 1e9, Double::sum));
        double unstable = coordinated.stream()
                .filter(o -> o.toNanos() >= fromNanos && o.toNanos() < toNanos)
                .mapToDouble(o -> o.sums().getOrDefault(GroupsFold.UNSTABLE, 0.0))
                .sum();
        double[] each = silent.values().stream().mapToDouble(s -> s).toArray();
        LongStream silences = within.stream().mapToLong(h -> h.toNanos() - h.fromNanos());
        long last = within.stream().mapToLong(HandOver::givenNanos).max().orElse(fromNanos);
        return new FaultResult.Rebalance(
                silent.size(),
                seconds(silences.max().orElse(0)),
                rounded(Spread.median(each)),
                rounded(DoubleStream.of(each).sum()),
                within.stream().mapToLong(HandOver::again).sum(),
                seconds(last - fromNanos),
                rounded(unstable));
    }

    private static String outcome(FaultState state) {
        return switch (state) {
            case OVER -> "over";
            case FAILED -> "failed";
            case SKIPPED -> "skipped";
            default -> "not over";
        };
    }

    static double seconds(long nanos) {
        return rounded(nanos / 1e9);
    }

    /** A time rounded to a millisecond. */
    static double rounded(double seconds) {
        return Math.round(seconds * 1e3) / 1e3;
    }

    /** The acknowledgments of a trial over time, in buckets, so that memory depends only on the trial's length. */
    private static final class AckTimes {
        private static final double RESTORED = 0.95;
        private static final double WINDOW_SECONDS = 1;
        /** Time for which throughput must stay restored; a burst of waiting records is not a recovery. */
        private static final double SUSTAINED_SECONDS = 3;

        private static final double BASELINE_SECONDS = 5;

        private long[] buckets = new long[600];
        private int count;
        private long bucketNanos = 100_000_000;

        void accept(AckPulse pulse) {
            bucketNanos = pulse.bucketNanos();
            for (long acknowledged : pulse.acknowledged()) {
                if (count == buckets.length) {
                    buckets = Arrays.copyOf(buckets, 2 * count);
                }
                buckets[count++] = acknowledged;
            }
        }

        /** Mean records/s in the last seconds before a time; 0 if none. */
        double before(long nanos) {
            int end = Math.min(count, (int) (nanos / bucketNanos));
            return mean(Math.max(0, end - buckets(BASELINE_SECONDS)), end);
        }

        /**
         * Time at which throughput was restored after a disturbance; {@code fromNanos} if it never dropped, -1 if it was
         * not restored or there was too little time to decide.
         */
        long backNanos(double perSecond, long fromNanos, long endNanos) {
            int from = (int) (fromNanos / bucketNanos);
            int end = Math.min(count, (int) (endNanos / bucketNanos));
            int window = buckets(WINDOW_SECONDS);
            double enough = RESTORED * perSecond;
            if (from + window > end) {
                return -1;
            }
            int fell = from;
            while (fell + window <= end && mean(fell, fell + window) >= enough) {
                fell++;
            }
            if (fell + window > end) {
                return fromNanos;
            }
            for (int i = fell; i + window <= end; i++) {
                if (buckets[i] / (bucketNanos / 1e9) >= enough
                        && mean(i, i + window) >= enough
                        && mean(i, Math.min(end, i + buckets(SUSTAINED_SECONDS))) >= enough) {
                    return Math.max(fromNanos, i * bucketNanos);
                }
            }
            return -1;
        }

        private int buckets(double seconds) {
            return (int) Math.round(seconds * 1e9 / bucketNanos);
        }

        private double mean(int from, int to) {
            return to > from ? Arrays.stream(buckets, from, to).sum() / ((to - from) * (bucketNanos / 1e9)) : 0;
        }
    }

    /**
     * Attributes the findings of an audit to faults. A lost record is charged to the first fault that can lose records
     * and was not over when the record was acknowledged. The acknowledgment can be older than the fault, because
     * records with a single replica are lost with their broker. All other findings are charged to the most recent
     * fault.
     */
    private final class Charges {
        private static final int NO_FAULT = -1;

        private final AuditResult audit;
        private final Instant startedAt;

        Charges(AuditResult audit, Instant startedAt) {
            this.audit = audit;
            this.startedAt = startedAt;
        }

        private long records(Verdict verdict, Predicate<Anomaly> of) {
            return Stream.ofNullable(audit.anomalies())
                    .flatMap(List::stream)
                    .filter(a -> a.verdict().equals(verdict.toString()) && of.test(a))
                    .mapToLong(Anomaly::records)
                    .sum();
        }

        private int culprit(Anomaly anomaly) {
            Instant at = anomaly.origin().at();
            Long nanos = at == null
                    ? null
                    : Long.valueOf(Duration.between(startedAt, at).toNanos());
            if (anomaly.verdict().equals(Verdict.LOST.toString())) {
                return whatLost(nanos);
            }
            return nanos == null ? NO_FAULT : entries.indexOf(at(nanos));
        }

        private int whatLost(@Nullable Long nanos) {
            List<Entry> able = entries.stream().filter(Entry::loses).toList();
            // If only one fault can lose records, it is charged regardless of the time.
            Entry last = able.isEmpty() || (nanos == null && able.size() > 1) ? null : able.get(able.size() - 1);
            return entries.indexOf(able.stream()
                    .filter(e -> nanos != null && (e.overNanos == null || e.overNanos >= nanos))
                    .findFirst()
                    .orElse(last));
        }

        /** Acknowledged records lost to a fault; null if unknown. */
        @Nullable
        Long lost(int fault) {
            long all = audit.counts().lost();
            if (records(Verdict.LOST, a -> true) == all && records(Verdict.LOST, a -> culprit(a) != NO_FAULT) == all) {
                return records(Verdict.LOST, a -> culprit(a) == fault);
            }
            // A count has no time, so it is charged only if a single fault can lose records.
            boolean alone = entries.stream().filter(Entry::loses).count() == 1;
            return alone && entries.get(fault).loses() ? Long.valueOf(all) : null;
        }

        /** Records duplicated in the log during a fault; null if unknown. */
        @Nullable
        Long duplicated(int fault) {
            Long all = audit.counts().duplicated();
            boolean known = all != null
                    && all == records(Verdict.DUPLICATED, a -> a.origin().at() != null);
            return known ? Long.valueOf(records(Verdict.DUPLICATED, a -> culprit(a) == fault)) : null;
        }

        List<Anomaly> charged(List<Anomaly> anomalies) {
            return anomalies.stream()
                    .map(a -> culprit(a) == NO_FAULT
                            ? a
                            : a.withFault(entries.get(culprit(a)).last.deed().what()))
                    .toList();
        }
    }
}
