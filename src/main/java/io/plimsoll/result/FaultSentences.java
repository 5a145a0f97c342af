package io.plimsoll.result;

import io.plimsoll.scenario.FaultKind.Outage;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Effects of the faults of a trial, as its verdict. */
final class FaultSentences {
    /** Silences that differ by less are as good as equal. */
    private static final double ALIKE = 0.05;

    private static final double ROSE = 2;
    private static final long ROSE_MICROS = 1000;

    private FaultSentences() {}

    /** The fault that did most; empty if none took effect, or nothing was produced. */
    static Optional<Sentence> of(TrialResult trial) {
        List<FaultResult> faults = trial.detail().faults().stream()
                .filter(f -> f.span().inEffect() != null && f.silenced() != null)
                .toList();
        Optional<Sentence> worst = faults.stream()
                .max(Comparator.<FaultResult>comparingDouble(
                                f -> orZero(f.silenced().longestSeconds()))
                        .thenComparingDouble(f -> f.effect().longestGapSeconds())
                        .thenComparingDouble(f -> orZero(f.effect().worstResponseMicros())))
                .map(f -> Sentence.of("result.faulted", who(f), effects(f, trial)));
        return faults.size() <= 1 ? worst : worst.map(s -> Sentence.of("result.worstFault", faults.size(), s));
    }

    private static double orZero(Number value) {
        return value == null ? 0 : value.doubleValue();
    }

    private static Sentence who(FaultResult fault) {
        FaultResult.Deed deed = fault.deed();
        return FaultResult.outage(deed.action()) != Outage.NONE && deed.broker() != null
                ? Sentence.of("result.faultOf." + deed.action(), deed.broker())
                : Sentence.of("result.anyFault", deed.what());
    }

    private static List<Sentence> effects(FaultResult fault, TrialResult trial) {
        AuditResult audit = trial.audit();
        List<Sentence> effects = new ArrayList<>();
        effects.add(silenced(fault.silenced()));
        if (fault.silenced().partitions() == 0) {
            rose(fault.response()).ifPresent(effects::add);
        }
        back(fault, trial.detail().faults()).ifPresent(effects::add);
        Long lost = fault.effect().lost();
        // Records that were not examined may be lost.
        if (lost != null && (lost > 0 || (audit != null && audit.complete()))) {
            effects.add(
                    lost == 0 ? Sentence.of("result.nothingLost") : Sentence.of("result.someLost", Units.count(lost)));
        }
        return effects;
    }

    /** Empty without a baseline. */
    private static Optional<Sentence> back(FaultResult fault, List<FaultResult> all) {
        Double back = fault.backSeconds();
        if (fault.response() != null && Boolean.FALSE.equals(fault.response().steadyBefore())) {
            // Without a baseline, only throughput can recover.
            return back == null || back <= 0
                    ? Optional.empty()
                    : Optional.of(Sentence.of("result.throughputBackAfter", Units.duration(back)));
        }
        if (back != null) {
            return Optional.of(
                    back > 0 ? Sentence.of("result.backAfter", Units.duration(back)) : Sentence.of("result.neverFell"));
        }
        if (fault.response() != null && fault.response().before() == null) {
            return Optional.empty();
        }
        boolean last =
                all.stream().noneMatch(f -> f.span().asked() > fault.span().asked());
        return Optional.of(Sentence.of(last ? "result.notBack" : "result.notBackBeforeNext"));
    }

    private static Sentence silenced(FaultResult.Silenced s) {
        if (s.partitions() == 0) {
            return Sentence.of("result.silencedNone");
        }
        boolean alike = s.longestSeconds() - s.medianSeconds() <= ALIKE * s.longestSeconds();
        return Sentence.of(
                alike ? "result.silenced" : "result.silencedUpTo",
                s.partitions(),
                s.of(),
                Units.duration(s.longestSeconds()));
    }

    private static Optional<Sentence> rose(FaultResult.Response r) {
        Long before = r == null || r.before() == null ? null : r.before().p99();
        Long during = r == null || r.during() == null ? null : r.during().p99();
        return before != null && during != null && during > ROSE * before + ROSE_MICROS
                ? Optional.of(Sentence.of("result.p99Rose", Units.micros(before), Units.micros(during)))
                : Optional.empty();
    }

    /** Why the baseline of the first fault is not reliable; empty if it is. */
    static Optional<Sentence> noBaseline(TrialResult trial) {
        List<FaultResult> faults = trial.detail().faults();
        FaultResult.Response first = faults.isEmpty() ? null : faults.get(0).response();
        if (first == null || Boolean.TRUE.equals(first.steadyBefore())) {
            return Optional.empty();
        }
        FaultResult.Around before = first.steadyBefore() == null ? null : first.before();
        return Optional.of(
                before == null || before.p99() == null
                        ? Sentence.of("result.shortBaseline")
                        : Sentence.of("result.noBaseline", Units.micros(before.p50()), Units.micros(before.p99())));
    }
}
