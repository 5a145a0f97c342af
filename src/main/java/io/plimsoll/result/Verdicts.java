package io.plimsoll.result;

import io.plimsoll.Exit;
import io.plimsoll.result.RunResult.Verdict;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Verdict of a run: whether it passed, in one sentence, and the exit code. Pure. */
public final class Verdicts {
    private Verdicts() {}

    /**
     * Loss, corruption or a violated guarantee takes precedence over a failed check, which takes precedence over an
     * invalid measurement. Trials of a search are expected to fail above the ceiling and do not count, except for their
     * audits.
     */
    static Exit exit(List<TrialResult> trials, List<CrossCheckResult> between, List<Ceiling> ceilings) {
        if (damaged(trials)) {
            return Exit.AUDIT_FAILED;
        }
        if (!ceilings.isEmpty()) {
            return exitOfSearch(ceilings);
        }
        boolean valid = trials.stream().allMatch(t -> t.course().valid());
        if (checks(trials).anyMatch(c -> !c.passed()) || between.stream().anyMatch(c -> failed(c, valid))) {
            return Exit.CHECK_FAILED;
        }
        return valid ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
    }

    /** Between valid trials, an undecided check fails. */
    private static boolean failed(CrossCheckResult between, boolean valid) {
        return Boolean.FALSE.equals(between.holds()) || (between.holds() == null && valid);
    }

    static boolean damaged(List<TrialResult> trials) {
        return trials.stream().anyMatch(t -> violated(t.audit()));
    }

    /** Whether the audit or a check of this trial failed. */
    public static boolean failed(TrialResult trial) {
        return violated(trial.audit()) || trial.judgement().checks().stream().anyMatch(c -> !c.passed());
    }

    static boolean violated(AuditResult audit) {
        return audit != null && audit.violated();
    }

    /**
     * @param ceilings that were searched; empty in a run without a search
     * @param notes of the run as a whole, added to the warnings
     */
    static Verdict of(
            List<TrialResult> trials, List<CrossCheckResult> between, List<Ceiling> ceilings, List<Sentence> notes) {
        Exit exit = exit(trials, between, ceilings);
        List<Sentence> said = new ArrayList<>();
        if (exit == Exit.AUDIT_FAILED) {
            said.add(damage(trials));
        } else if (ceilings.isEmpty() && exit == Exit.CHECK_FAILED) {
            said.add(failedChecks(trials, between));
        } else if (ceilings.isEmpty() && exit == Exit.INVALID_MEASUREMENT) {
            said.add(invalid(trials));
        }
        said.add(measured(trials, between, ceilings));
        return verdict(exit == Exit.PASSED, Sentence.joined(said), trials, ceilings, notes);
    }

    private static Sentence measured(List<TrialResult> trials, List<CrossCheckResult> between, List<Ceiling> ceilings) {
        return ceilings.isEmpty() ? Sentences.of(trials, between) : CeilingSentences.of(ceilings);
    }

    /** @param reason why the run did not do all it was asked for, without a full stop */
    static Verdict cutShort(List<TrialResult> trials, List<Ceiling> ceilings, Sentence reason, List<Sentence> notes) {
        boolean measured =
                !ceilings.isEmpty() || trials.stream().anyMatch(t -> t.course().measuredSeconds() > 0);
        Sentence cut = measured
                ? Sentence.of("result.untilThen", reason, measured(trials, List.of(), ceilings))
                : Sentence.of("result.beforeAnything", reason);
        Sentence sentence = damaged(trials) ? Sentence.joined(List.of(damage(trials), cut)) : cut;
        return verdict(false, sentence, trials, ceilings, notes);
    }

    private static Sentence damage(List<TrialResult> trials) {
        long acknowledged = sum(trials, a -> a.counts().acknowledged());
        long lost = sum(trials, a -> a.counts().lost());
        long corrupted = sum(trials, a -> a.counts().corrupted());
        List<Sentence> parts = new ArrayList<>();
        Sentence.addIf(lost > 0, parts, "result.notInLog", Units.count(lost), Units.count(acknowledged));
        Sentence.addIf(corrupted > 0, parts, "result.cameBackCorrupted", Units.count(corrupted));
        long violations = sum(trials, a -> a.identified().violations());
        Sentence.addIf(
                violations > lost + corrupted,
                parts,
                "result.breaksPromise",
                Units.count(violations - lost - corrupted));
        List<String> where = trials.stream()
                .filter(t -> violated(t.audit()))
                .map(TrialResult::name)
                .toList();
        Sentence in = trials.size() == 1 ? Sentence.NONE : Sentence.of("result.where", Sentences.list(where));
        String what = lost > 0 ? "result.lost" : corrupted > 0 ? "result.corrupted" : "result.broken";
        return Sentence.of(what, parts, in);
    }

    private static long sum(List<TrialResult> trials, Function<AuditResult, Long> count) {
        return trials.stream()
                .map(TrialResult::audit)
                .filter(Objects::nonNull)
                .map(count)
                .filter(Objects::nonNull)
                .mapToLong(n -> n)
                .sum();
    }

    private static Sentence failedChecks(List<TrialResult> trials, List<CrossCheckResult> between) {
        long all = checks(trials).count() + between.size();
        List<Sentence> failed = new ArrayList<>();
        for (TrialResult trial : trials) {
            Sentence in = trials.size() == 1 ? Sentence.NONE : Sentence.of("result.inTrials", trial.name());
            trial.judgement().checks().stream()
                    .filter(c -> !c.passed())
                    .map(c -> c.measured() == null
                            ? Sentence.of("result.checkUnknown", c.check(), in)
                            : Sentence.of("result.checkWas", c.check(), Units.figure(c.measured(), c.unit()), in))
                    .forEach(failed::add);
        }
        boolean valid = trials.stream().allMatch(t -> t.course().valid());
        between.stream()
                .filter(c -> failed(c, valid))
                .forEach(c -> failed.add(Sentence.of("result.checkWas", c.check(), c.said(), Sentence.NONE)));
        Sentence more = failed.size() > 1 ? Sentence.of("result.andMore", failed.size() - 1) : Sentence.NONE;
        return Sentence.of("result.checksFailed", failed.size(), all, failed.get(0), more);
    }

    private static Stream<CheckResult> checks(List<TrialResult> trials) {
        return trials.stream().flatMap(t -> t.judgement().checks().stream());
    }

    private static Sentence invalid(List<TrialResult> trials) {
        List<TrialResult> invalid =
                trials.stream().filter(t -> !t.course().valid()).toList();
        List<String> names = invalid.stream().map(TrialResult::name).toList();
        Set<Invalidity> why = invalid.stream()
                .flatMap(t -> Invalidity.of(t).stream())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Invalidity.class)));
        return why.size() == 1
                ? why.iterator().next().said(names, trials.size() == 1)
                : Sentence.of("result.invalidAmong", Sentences.list(names));
    }

    private static Verdict verdict(
            boolean passed, Sentence sentence, List<TrialResult> trials, List<Ceiling> ceilings, List<Sentence> notes) {
        Remarks.RankedRemarks told = Remarks.of(ceilings.isEmpty() ? trials : List.of());
        List<Sentence> all = new ArrayList<>(notes);
        all.addAll(told.warnings());
        for (Ceiling c : ceilings) {
            String name = CeilingSentences.name(c.parameters());
            c.remarks().forEach(r -> all.add(ceilings.size() == 1 ? r : Sentence.of("result.ofOne", name, r)));
        }
        return new Verdict(passed, sentence, List.copyOf(all), told.notes());
    }

    /** Verdict of imported trials, with each warning once. */
    public static Verdict imported(Sentence sentence, List<TrialResult> trials) {
        return verdict(true, sentence, trials, List.of(), List.of());
    }

    private static Exit exitOfSearch(List<Ceiling> ceilings) {
        if (ceilings.stream().anyMatch(Ceiling::nothingPasses)) {
            return Exit.CHECK_FAILED;
        }
        boolean answered = ceilings.stream().allMatch(c -> c.course().answered());
        return answered ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
    }
}
