package io.plimsoll.result;

import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.scenario.FaultKind.Outage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Attributes events of a trial to its faults: each event belongs to the most recent fault. */
final class FaultsFold {
    private final List<Entry> entries = new ArrayList<>();
    private final AckTimes acks = new AckTimes();
    private final PartitionSilences silences = new PartitionSilences();
    private final PartitionSilences appendSilences = new PartitionSilences();
    /** When nothing was acknowledged at all: the end of each gap, by its beginning. */
    private final Map<Long, Long> gaps = new HashMap<>();

    private final RebalanceFold rebalances = new RebalanceFold();
    private final ResponseAround responses;
    private long loadEndNanos;
    private int underReplicated;
    private boolean produces;
    /** Timelines of earlier versions know nothing of partitions. */
    private boolean tellsSilences;

    /** One fault and the events in its time. */
    private static final class Entry {
        private final FaultMark asked;
        private final Map<String, Long> errors = new TreeMap<>();
        private FaultMark last;
        private Long inEffectNanos;
        private Long overNanos;
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

        FaultCharges.Fault charged() {
            String action = asked.deed().action();
            boolean happened = inEffectNanos != null;
            return new FaultCharges.Fault(action, last.deed().what(), happened, asked.atNanos(), overNanos);
        }
    }

    /** @param openLoop whether a schedule exists */
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

    RebalanceFold rebalances() {
        return rebalances;
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
            tellsSilences = true;
            pulse.silences().forEach(silences::accept);
            silences.until(pulse.toNanos(), pulse.bucketNanos());
        }
        if (pulse.appendSilences() != null) {
            pulse.appendSilences().forEach(appendSilences::accept);
            appendSilences.until(pulse.toNanos(), 0);
        }
        // A gap that continues is reported again with a later end in each pulse.
        if (!entries.isEmpty()) {
            gaps.merge(pulse.gapFromNanos(), pulse.gapToNanos(), Math::max);
        }
    }

    /** The longest gap that ended during a fault; gaps after the end of the load do not count. */
    private long longestGapNanos(int i) {
        return gaps.entrySet().stream()
                .filter(gap -> at(gap.getValue()) == entries.get(i))
                .filter(gap -> loadEndNanos == 0 || gap.getKey() < loadEndNanos)
                .mapToLong(gap -> gap.getValue() - gap.getKey())
                .max()
                .orElse(0);
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

    /** The fault that was asked for last before a time; null if none was. */
    private Entry at(long nanos) {
        return entries.stream()
                .filter(e -> e.asked.atNanos() <= nanos)
                .reduce((before, after) -> after)
                .orElse(null);
    }

    /** Whether a fault took effect and can explain the result. */
    boolean any() {
        return entries.stream().anyMatch(e -> e.inEffectNanos != null);
    }

    /** Whether a fault that was asked for could not be made, or not be undone. */
    boolean failed() {
        return entries.stream().anyMatch(e -> e.last.state() == FaultState.FAILED);
    }

    /** @param audit null without an audit, or before it */
    List<FaultResult> results(AuditResult audit, Instant startedAt) {
        List<FaultResult> results = new ArrayList<>();
        FaultCharges charges = audit == null ? null : charges(audit, startedAt);
        double baseline = 0;
        boolean disturbed = false;
        for (int i = 0; i < entries.size(); i++) {
            long asked = entries.get(i).asked.atNanos();
            long end = Math.min(next(i), Math.max(loadEndNanos, asked));
            // Until the effects of the last fault are over, the throughput is not a baseline.
            baseline = disturbed ? baseline : acks.before(asked);
            long back = baseline > 0 ? acks.backNanos(baseline, asked, end) : -1;
            disturbed = baseline > 0 && back < 0;
            results.add(result(i, back, charges));
        }
        return List.copyOf(results);
    }

    private long next(int i) {
        return i + 1 < entries.size() ? entries.get(i + 1).asked.atNanos() : Long.MAX_VALUE;
    }

    private FaultResult.Silenced silenced(int i) {
        if (!produces || !tellsSilences) {
            return null;
        }
        long first = entries.get(0).asked.atNanos();
        long from = entries.get(i).asked.atNanos();
        long end = i + 1 < entries.size() || loadEndNanos == 0 ? next(i) : loadEndNanos;
        return silences.between(first, from, end).withAppends(appendSilences.between(first, from, end));
    }

    /** @param backNanos when throughput was back; negative if it was not */
    private FaultResult.Response response(int i, long backNanos) {
        Entry entry = entries.get(i);
        // A broker that stays down is recovered from when other brokers do its work.
        boolean gone =
                entry.overNanos == null && FaultResult.outage(entry.asked.deed().action()) == Outage.GONE;
        long from = gone ? entry.asked.atNanos() + 1 : 0;
        boolean overcome = backNanos >= from && (gone || entry.overNanos != null);
        long over = !overcome ? Long.MAX_VALUE : gone ? backNanos : Math.max(entry.overNanos, backNanos);
        return responses.around(entry.asked.atNanos(), over, next(i));
    }

    /** The same audit with the fault of each finding. */
    AuditResult charged(AuditResult audit, Instant startedAt) {
        return entries.isEmpty() || audit.anomalies() == null
                ? audit
                : audit.withAnomalies(charges(audit, startedAt).anomalies());
    }

    private FaultCharges charges(AuditResult audit, Instant startedAt) {
        List<FaultCharges.Fault> faults = entries.stream().map(Entry::charged).toList();
        return new FaultCharges(faults, audit, startedAt);
    }

    private FaultResult result(int i, long backNanos, FaultCharges charges) {
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
                        produces ? seconds(longestGapNanos(i)) : null,
                        backNanos < 0 ? null : seconds(backNanos - asked),
                        e.mostUnderReplicated,
                        full ? seconds(e.isrFullNanos - asked) : null,
                        TrialResult.Errors.of(e.errors),
                        e.worstMicros < 0 ? null : e.worstMicros,
                        charges == null ? null : charges.lost(i),
                        charges == null ? null : charges.duplicated(i)),
                silenced(i),
                produces ? response(i, backNanos) : null,
                rebalances.between(asked, Math.min(next(i), Math.max(loadEndNanos, asked))));
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

    /** To a millisecond. */
    static double rounded(double seconds) {
        return Math.round(seconds * 1e3) / 1e3;
    }
}
