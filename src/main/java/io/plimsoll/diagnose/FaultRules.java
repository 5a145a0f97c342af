package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;

import io.plimsoll.result.FaultResult;
import io.plimsoll.result.FaultResult.Around;
import io.plimsoll.result.FaultResult.Silenced;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;

/** A fault that was asked for is what held a trial back while it lasted. */
final class FaultRules {
    /** Response times that were so much longer during a fault are its doing. */
    private static final double ROSE = 2;

    private static final Rule<FaultResult> FAULT = Rule.named("fault", FaultRules::worst)
            .where(e -> !e.trial().detail().faults().isEmpty())
            .silently()
            .judged((e, fault) -> {
                Double gap = fault.effect().longestGapSeconds();
                return Sign.at(fault.deed().what(), 1)
                        .says("diagnose.says.fault", fault.deed().what(), Units.duration(lasted(e, fault)))
                        .with(silence(fault.silenced()))
                        .with("diagnose.faultGap", gap == null ? null : Units.duration(gap));
            });

    static final List<Rule<?>> RULES = List.of(FAULT);

    private FaultRules() {}

    /** The one with the longest effect; null if none had any. */
    private static FaultResult worst(TrialEvidence e) {
        return e.trial().detail().faults().stream()
                .filter(FaultRules::held)
                .max(Comparator.comparingDouble(f -> lasted(e, f)))
                .orElse(null);
    }

    private static boolean held(FaultResult fault) {
        Double back = fault.effect().throughputBackSeconds();
        boolean fell = fault.effect().longestGapSeconds() != null && (back == null || back > 0);
        boolean silenced = fault.silenced() != null && fault.silenced().partitions() > 0;
        return fault.span().inEffect() != null && (fell || silenced || slowed(fault.response()));
    }

    private static boolean slowed(FaultResult.Response r) {
        return r != null && p99(r.before()) > 0 && p99(r.during()) > ROSE * p99(r.before());
    }

    private static long p99(Around around) {
        return around == null || around.p99() == null ? 0 : around.p99();
    }

    /**
     * Seconds from when it was asked for until throughput was back and no partition was silent; of a fault that only made
     * responses slower, until it was over. At most until the load ended.
     */
    private static double lasted(TrialEvidence e, FaultResult fault) {
        double asked = fault.span().asked();
        double end = orElse(e.trial().course().warmupSeconds(), 0) + e.seconds() - asked;
        double over = fault.span().over() == null ? end : fault.span().over() - asked;
        double normal = orElse(fault.backSeconds(), end);
        return Math.max(0, Math.min(end, normal > 0 ? normal : over));
    }

    private static Sentence silence(Silenced s) {
        return s == null || s.partitions() == 0
                ? Sentence.of("diagnose.silencedNone")
                : Sentence.of("diagnose.silenced", s.partitions(), s.of(), Units.duration(s.longestSeconds()));
    }
}
