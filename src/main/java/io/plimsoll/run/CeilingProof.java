package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.diagnose.Diagnosis.Change;
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
 * Tests suspected causes of a ceiling by experiment: each trial changes a single factor at a load slightly above the
 * ceiling. A factor is the limit if its change carries that load, or clearly more of it than an unchanged control
 * trial. Confined to one thread.
 *
 * @param upper lowest load that failed
 * @param done trials of the search, to estimate the noise between trials at the same load
 * @param brokers ids of all brokers
 * @param trials runs a changed scenario, named after the change, at a load
 * @param budget whether the search has time left for a trial at this load
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
    /** Load of a proof trial, as a multiple of the lowest failed load. */
    private static final double ABOVE = 1.1;
    /** Smallest significant difference, even if trials agree better. */
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

    /** Changes that would relieve the likeliest suspects, without duplicates. */
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

    /** Engines that need less CPU for this load. */
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
                // Unsupported by the engine or the cluster: skip this change.
                return Optional.empty();
            }
            throw e;
        }
        Judgement with = criteria.judge(changed);
        Judgement without = criteria.judge(unchanged);
        if (with.hostTaken() || without.hostTaken()) {
            // The difference can come from other programs on this host.
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

    /** A load in records per second, by the trial's mean record size. */
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

    /** Relative difference between trials at the failed load, times a safety factor of 1.5. */
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
     * Determines the cause from suspects and probes.
     *
     * @param probes empty if none ran
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

    /** The likeliest suspect with a change that moved the ceiling. */
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
