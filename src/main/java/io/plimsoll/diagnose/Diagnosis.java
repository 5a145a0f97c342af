package io.plimsoll.diagnose;

import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.TrialResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says what held a trial back. Pure. */
public final class Diagnosis {
    private static final double OF_ABOVE = 0.75;

    private Diagnosis() {}

    /** All causes that the figures of a trial speak for, the likeliest first. */
    public static Limits of(TrialResult trial) {
        TrialEvidence seen = new TrialEvidence(trial);
        SuspectList findings = new SuspectList();
        ClientRules.judge(seen, findings);
        GeneratorRules.judge(seen, findings);
        PlacementRules.judge(seen, findings);
        NetworkRules.judge(seen, findings);
        BrokerRules.judge(seen, findings);
        DiskRules.judge(seen, findings);
        ConsumerRules.judge(seen, findings);
        return new Limits(findings.ranked(), StageSum.of(seen), findings.notAvailable());
    }

    /**
     * What the limit is between a load that was carried and one that was not: what weighs in the higher one, and a little
     * what is near its limit in the lower one already.
     *
     * @param below null if no load was carried
     */
    public static Limits between(TrialResult below, TrialResult above) {
        Limits high = of(above);
        if (below == null) {
            return high;
        }
        Map<String, Double> low = new LinkedHashMap<>();
        of(below).causes().forEach(s -> low.putIfAbsent(s.limit() + " " + s.where(), s.score()));
        List<Suspect> joined = new ArrayList<>();
        for (Suspect s : high.causes()) {
            double before = low.getOrDefault(s.limit() + " " + s.where(), 0.0);
            double score = OF_ABOVE * s.score() + (1 - OF_ABOVE) * before;
            joined.add(new Suspect(s.limit(), s.where(), Math.round(score * 100) / 100.0, s.sentence(), s.evidence()));
        }
        joined.sort(Comparator.comparingDouble(Suspect::score).reversed());
        return new Limits(joined, high.stages(), high.notAvailable());
    }

    /** Whether there is anything to explain: a closed loop, or a load that was not carried. */
    public static boolean wanted(TrialResult trial) {
        TrialEvidence seen = new TrialEvidence(trial);
        Double achieved = seen.achieved();
        boolean missed = achieved != null && achieved < 0.99;
        boolean failed = trial.judgement().checks().stream().anyMatch(c -> !c.passed());
        return seen.closedLoop() || missed || failed || ConsumerRules.behind(seen) > TrialEvidence.BEHIND;
    }
}
