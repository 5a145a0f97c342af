package io.plimsoll.diagnose;

import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.ReadGaps;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names the causes that limited a trial. Pure. */
public final class Diagnosis {
    /** All rules in order of precedence: among causes with equal scores, the earlier rule is named first. */
    static final List<Rule<?>> RULES = Stream.of(
                    FailureRules.RULES,
                    StallRules.RULES,
                    ClientRules.RULES,
                    GeneratorRules.RULES,
                    NetworkRules.RULES,
                    OthersRules.RULES,
                    BrokerRules.RULES,
                    ObservedGroup.RULES,
                    ConsumerRules.RULES)
            .<Rule<?>>flatMap(Collection::stream)
            .toList();

    private static final double OF_ABOVE = 0.75;

    /** All causes that a trial's figures support, most likely first; causes with equal scores are in the order of the rules. */
    public static Limits of(TrialResult trial) {
        TrialEvidence evidence = new TrialEvidence(trial);
        List<Suspect> suspects = new ArrayList<>();
        List<Sentence> notAvailable = new ArrayList<>();
        RULES.forEach(rule -> rule.ask(evidence, suspects, notAvailable));
        return new Limits(ranked(suspects), StageSum.of(evidence), notAvailable);
    }

    private static List<Suspect> ranked(List<Suspect> suspects) {
        return suspects.stream()
                .sorted(Comparator.comparingDouble(Suspect::score).reversed())
                .toList();
    }

    /**
     * A scenario that differs from a given one in a single factor.
     *
     * @param factor such as {@code acks}
     * @param change such as {@code acks all → 1}
     * @param limits names of the causes that the change removes or reduces
     */
    public record Change(Sentence factor, Sentence change, List<String> limits, Scenario scenario) {}

    /**
     * A change of a scenario that can remove a cause.
     *
     * @param name name of the changed factor, as in the probes of results
     * @param path of the key, in the form that {@code --set} expects
     * @param before current value, or the default
     */
    public record Advice(String name, String path, String before, String after, Sentence effect) {}

    /** A cause at a place, without its figures. */
    private record Named(Sentence limit, @Nullable Sentence where) {
        Named(Suspect s) {
            this(s.limit(), s.where());
        }
    }

    /**
     * The limit between a sustained load and a higher one that was not sustained: mainly the causes found at the higher
     * load, and to a small degree the causes found at the lower load.
     *
     * @param below null if no load was sustained
     */
    public static Limits between(@Nullable TrialResult below, TrialResult above) {
        Limits high = of(above);
        if (below == null) {
            return high;
        }
        Limits under = of(below);
        Map<Named, Double> low = new HashMap<>();
        under.causes().forEach(s -> low.putIfAbsent(new Named(s), s.score()));
        List<Suspect> joined = high.causes().stream()
                .map(s -> {
                    double score = OF_ABOVE * s.score() + (1 - OF_ABOVE) * low.getOrDefault(new Named(s), 0.0);
                    return new Suspect(
                            s.limit(), s.where(), Math.round(score * 100) / 100.0, s.sentence(), s.evidence());
                })
                .toList();
        return new Limits(
                ranked(joined),
                high.stages(),
                high.notAvailable(),
                List.of(),
                Limits.Growth.between(under.stages(), high.stages()));
    }

    /** Describes each rule: cause, evidence and score. */
    public static List<Sentence> rules() {
        return RULES.stream()
                .map(rule -> Sentence.of("diagnose.rule", rule.cause(), rule.reads(), rule.speaks()))
                .toList();
    }

    /** Whether the trial needs an explanation, for example because it ran in a closed loop or missed its load. */
    public static boolean wanted(TrialResult trial) {
        TrialEvidence evidence = new TrialEvidence(trial);
        Double achieved = evidence.achieved();
        boolean missed = achieved != null && achieved < 0.99;
        boolean failed = trial.judgement().checks().stream().anyMatch(c -> !c.passed());
        boolean nothing = evidence.produces()
                && trial.course().complete()
                && trial.course().measuredSeconds() <= 0;
        boolean unread = trial.consume() != null
                && (ReadGaps.partitions(trial) > 0 || ReadGaps.deleted(trial) > TrialEvidence.BEHIND);
        return evidence.closedLoop()
                || missed
                || failed
                || nothing
                || unread
                || evidence.groupLate() > 0
                || evidence.behind() > TrialEvidence.BEHIND;
    }

    /**
     * The changes of a load that would remove a suspected cause, most conclusive first, as far as the load allows them.
     */
    public static Stream<Change> changes(ProbedLoad load, Suspect suspect) {
        Stream<Perturbation> proofs = RULES.stream()
                .filter(rule -> rule.cause().equals(suspect.limit()))
                .flatMap(rule -> rule.proofs.stream())
                .distinct();
        return proofs.flatMap(p -> {
            Perturbation.Changed changed = p.change().apply(load, suspect.where());
            return changed == null
                    ? Stream.empty()
                    : Stream.of(new Change(p.factor(), changed.change(), liftedBy(p), changed.scenario()));
        });
    }

    /** The changes that can remove a cause, most effective first, as far as the scenario permits them. */
    public static Stream<Advice> advice(Scenario scenario, Sentence limit) {
        return RULES.stream()
                .filter(rule -> rule.cause().english().equals(limit.english()))
                .flatMap(rule -> rule.remedies.stream())
                .distinct()
                .flatMap(remedy -> remedy.in(scenario).stream());
    }

    /** Names of the causes that a change would remove, as in results. */
    static List<String> liftedBy(Perturbation change) {
        return RULES.stream()
                .filter(rule -> rule.proofs.contains(change))
                .map(rule -> rule.cause().english())
                .distinct()
                .toList();
    }
}
