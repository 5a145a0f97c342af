package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.diagnose.Change;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.diagnose.ProbedLoad;
import io.plimsoll.load.LoadKind;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Cause;
import io.plimsoll.result.Ceiling.Probe;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.run.CellSearch.Done;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.search.Criteria;
import io.plimsoll.search.Criteria.Judgement;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.DoublePredicate;
import java.util.stream.Stream;

/**
 * Holds suspected causes of a ceiling against trials: each changes one factor alone at a load a little above the ceiling. A
 * factor whose change carries that load, or clearly more of it than an unchanged trial just then, is what the limit was.
 * Used by one thread.
 *
 * @param upper the lowest load that failed
 * @param done what the search has tried, for how much trials at the same load differ
 * @param brokers ids of all
 * @param trials makes a trial of a changed scenario, named by it, at a load
 * @param budget whether the search has time left for a trial at a load
 */
record CeilingProof(
        Plan.Trial cell,
        Criteria criteria,
        boolean inBytes,
        double upper,
        List<Done> done,
        List<Integer> brokers,
        BiFunction<Plan.Trial, Double, TrialResult> trials,
        DoublePredicate budget) {
    /** The load of a proof, as a multiple of the lowest that failed. */
    private static final double ABOVE = 1.1;
    /** A difference below this is none, however well trials agree. */
    private static final double LEAST_NOISE = 0.03;

    private static final double WORTH_TRYING = 0.15;
    private static final int MOST_SUSPECTS = 3;
    private static final int MOST_CHANGES_EACH = 2;
    private static final int MOST_PROBES = 5;

    List<Probe> probe(Limits limits) {
        List<Change> wanted = wanted(limits);
        List<Probe> probes = new ArrayList<>();
        double load = upper * ABOVE;
        if (wanted.isEmpty() || !budget.test(load)) {
            return List.of();
        }
        TrialResult unchanged = trials.apply(new Plan.Trial("unchanged", cell.parameters(), cell.scenario()), load);
        for (Change change : wanted) {
            if (budget.test(load)) {
                attempt(change, load, unchanged).ifPresent(probes::add);
            }
        }
        return List.copyOf(probes);
    }

    /** The changes that would lift the likeliest suspects; none twice. */
    private List<Change> wanted(Limits limits) {
        ProbedLoad load = new ProbedLoad(cell.scenario(), brokers, lighter(cell.scenario()));
        Set<Sentence> tried = new HashSet<>();
        return limits.causes().stream()
                .filter(s -> s.score() >= WORTH_TRYING && tried.add(s.limit()))
                .limit(MOST_SUSPECTS)
                .flatMap(s -> Diagnosis.changes(load, s).limit(MOST_CHANGES_EACH))
                .distinct()
                .limit(MOST_PROBES)
                .toList();
    }

    /** The engines that make this load with less of the host. */
    private static List<String> lighter(Scenario scenario) {
        return LoadKind.all().stream()
                .filter(kind -> kind.producers()
                        .filter(p -> scenario.producers().stream().allMatch(p::lightens))
                        .isPresent())
                .map(LoadKind::name)
                .toList();
    }

    private Optional<Probe> attempt(Change change, double load, TrialResult unchanged) {
        TrialResult changed;
        try {
            changed =
                    trials.apply(new Plan.Trial(change.change().english(), cell.parameters(), change.scenario()), load);
        } catch (PlimsollException e) {
            if (e.exit() == Exit.USAGE) {
                // What the engines or the cluster do not do cannot be tried.
                return Optional.empty();
            }
            throw e;
        }
        Judgement with = criteria.judge(changed);
        Judgement without = criteria.judge(unchanged);
        if (with.hostTaken() || without.hostTaken()) {
            // What differs may be what other programs left of the host.
            return Optional.empty();
        }
        double before = carried(unchanged);
        double after = carried(changed);
        boolean passes = with.withinSlo() && !without.withinSlo();
        boolean moved = passes || after > before * (1 + noise());
        return Optional.of(new Probe(
                change.factor(),
                change.change(),
                change.limits(),
                records(load, changed),
                after,
                before,
                moved,
                sentence(change, load, before, after, passes, moved)));
    }

    private Sentence sentence(Change change, double load, double before, double after, boolean passes, boolean moved) {
        return Sentence.of(
                "run.tried",
                change.change(),
                CeilingResult.load(load, inBytes),
                Sentence.of(!moved ? "run.noDifference" : passes ? "run.carried" : "run.moved"),
                Units.about(after),
                Units.about(before));
    }

    private static double carried(TrialResult result) {
        return result.produce() == null ? 0 : result.produce().volume().recordsPerSecond();
    }

    /** A load in records; the mean size of records is the trial's own. */
    private Double records(double load, TrialResult result) {
        if (!inBytes) {
            return load;
        }
        boolean known = result.produce() != null && result.produce().volume().bytes() > 0;
        return known
                ? load
                        * result.produce().volume().records()
                        / result.produce().volume().bytes()
                : null;
    }

    /** The share by which trials at the failing load differ from each other, with one and a half times that to be sure. */
    private double noise() {
        List<Double> carried = done.stream()
                .filter(d -> d.step().load() == upper)
                .map(d -> carried(d.result()))
                .toList();
        double most = carried.stream().mapToDouble(d -> d).max().orElse(0);
        double least = carried.stream().mapToDouble(d -> d).min().orElse(0);
        return Math.max(LEAST_NOISE, most > 0 ? 1.5 * (most - least) / most : 0);
    }

    /**
     * Finds the cause from suspects and from trials that changed what they are suspected of.
     *
     * @param probes empty if none were made
     */
    static Cause cause(Limits limits, List<Probe> probes) {
        Optional<Suspect> proved = proved(limits, probes);
        Suspect first = proved.orElse(limits.first());
        List<Ceiling.Suspect> others = limits.causes().stream()
                .filter(s -> !s.equals(first) && s.score() >= Limits.NAMED / 2)
                .map(s -> new Ceiling.Suspect(
                        s.where() == null ? s.limit() : Sentence.of("diagnose.causeAt", s.limit(), s.where()),
                        Sentence.of("diagnose.figures", s.evidence())))
                .toList();
        return new Cause(
                new Ceiling.Named(first == null ? null : first.limit(), first == null ? null : first.where()),
                proved.isPresent(),
                first == null ? List.of() : first.evidence(),
                others,
                first == null ? null : first.sentence(),
                limits.stages(),
                probes,
                probes.isEmpty() ? null : proof(proved, probes));
    }

    /** The likeliest of those that a change lifts which moved the ceiling. */
    private static Optional<Suspect> proved(Limits limits, List<Probe> probes) {
        return limits.causes().stream()
                .filter(s -> s.score() >= Limits.NAMED / 2)
                .filter(s -> moving(s, probes).findAny().isPresent())
                .findFirst();
    }

    private static Stream<Probe> moving(Suspect suspect, List<Probe> probes) {
        return probes.stream()
                .filter(p -> p.moved() && p.limits().contains(suspect.limit().english()));
    }

    private static Sentence proof(Optional<Suspect> proved, List<Probe> probes) {
        return proved.flatMap(s -> moving(s, probes).findFirst())
                .map(p -> Sentence.of("run.proved", p.factor()))
                .orElse(Sentence.of("run.notProved"));
    }
}
