package io.plimsoll.result;

import io.plimsoll.Exit;
import io.plimsoll.result.Remarks.Remark;
import io.plimsoll.result.RunResult.Verdict;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a run comes to: whether it passed, in one sentence, and the exit code. Pure. */
public final class Verdicts {
    private Verdicts() {}

    /** Loss, corruption or a broken guarantee wins over a failed check, which wins over an invalid measurement. */
    static Exit exit(List<TrialResult> trials, List<CrossCheckResult> between) {
        if (trials.stream().anyMatch(t -> violated(t.audit()))) {
            return Exit.AUDIT_FAILED;
        }
        boolean valid = trials.stream().allMatch(t -> t.course().valid());
        if (checks(trials).anyMatch(c -> !c.passed()) || between.stream().anyMatch(c -> failed(c, valid))) {
            return Exit.CHECK_FAILED;
        }
        return valid ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
    }

    /** Between trials that are all valid, what cannot be told is what nothing shows to hold. */
    private static boolean failed(CrossCheckResult between, boolean valid) {
        return Boolean.FALSE.equals(between.holds()) || (between.holds() == null && valid);
    }

    /** Whether the audit or a check of this trial failed. */
    public static boolean failed(TrialResult trial) {
        return violated(trial.audit()) || trial.judgement().checks().stream().anyMatch(c -> !c.passed());
    }

    static boolean violated(AuditResult audit) {
        return audit != null && audit.violated();
    }

    /** @param notes of the run as a whole, added to the warnings */
    static Verdict of(List<TrialResult> trials, List<CrossCheckResult> between, List<Sentence> notes) {
        Exit exit = exit(trials, between);
        List<Sentence> said = new ArrayList<>();
        switch (exit) {
            case AUDIT_FAILED -> said.add(damage(trials));
            case CHECK_FAILED -> said.add(failedChecks(trials, between));
            case INVALID_MEASUREMENT -> said.add(invalid(trials));
            default -> {}
        }
        said.add(Sentences.of(trials));
        return new Verdict(exit == Exit.PASSED, Sentence.joined(said), warnings(trials, notes));
    }

    /** @param reason why the run did not do all it was asked for, without a full stop */
    static Verdict cutShort(List<TrialResult> trials, Sentence reason, List<Sentence> notes) {
        boolean measured = trials.stream().anyMatch(t -> t.course().measuredSeconds() > 0);
        Sentence cut = measured
                ? Sentence.of("result.untilThen", reason, Sentences.of(trials))
                : Sentence.of("result.beforeAnything", reason);
        return new Verdict(false, withDamage(trials, cut), warnings(trials, notes));
    }

    /** What else is to be said, behind what the audit holds against the run. */
    static Sentence withDamage(List<TrialResult> trials, Sentence sentence) {
        boolean damaged = trials.stream().anyMatch(t -> violated(t.audit()));
        return damaged ? Sentence.joined(List.of(damage(trials), sentence)) : sentence;
    }

    private static Sentence damage(List<TrialResult> trials) {
        long acknowledged = sum(trials, a -> a.counts().acknowledged());
        long lost = sum(trials, a -> a.counts().lost());
        long corrupted =
                sum(trials, a -> a.counts().corrupted() == null ? 0 : a.counts().corrupted());
        List<Sentence> parts = new ArrayList<>();
        if (lost > 0) {
            parts.add(Sentence.of("result.notInLog", Units.count(lost), Units.count(acknowledged)));
        }
        if (corrupted > 0) {
            parts.add(Sentence.of("result.cameBackCorrupted", Units.count(corrupted)));
        }
        long violations = sum(
                trials,
                a -> a.identified().violations() == null ? 0 : a.identified().violations());
        if (violations > lost + corrupted) {
            parts.add(Sentence.of("result.breaksPromise", Units.count(violations - lost - corrupted)));
        }
        List<String> where = trials.stream()
                .filter(t -> violated(t.audit()))
                .map(TrialResult::name)
                .toList();
        Sentence in = trials.size() == 1 ? Sentence.NONE : Sentence.of("result.where", Sentences.list(where));
        String what = lost > 0 ? "result.lost" : corrupted > 0 ? "result.corrupted" : "result.broken";
        return Sentence.of(what, parts, in);
    }

    private interface Count {
        long of(AuditResult audit);
    }

    private static long sum(List<TrialResult> trials, Count count) {
        return trials.stream()
                .filter(t -> t.audit() != null)
                .mapToLong(t -> count.of(t.audit()))
                .sum();
    }

    private static Sentence failedChecks(List<TrialResult> trials, List<CrossCheckResult> between) {
        long all = checks(trials).count() + between.size();
        List<Sentence> failed = new ArrayList<>();
        for (TrialResult trial : trials) {
            Sentence in = trials.size() == 1 ? Sentence.NONE : Sentence.of("result.inTrials", trial.name());
            for (CheckResult check : trial.judgement().checks()) {
                if (!check.passed()) {
                    failed.add(
                            check.measured() == null
                                    ? Sentence.of("result.checkUnknown", check.check(), in)
                                    : Sentence.of(
                                            "result.checkWas",
                                            check.check(),
                                            Units.figure(check.measured(), check.unit()),
                                            in));
                }
            }
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
        List<String> names = trials.stream()
                .filter(t -> !t.course().valid())
                .map(TrialResult::name)
                .toList();
        return trials.size() == 1
                ? Sentence.of("result.invalid")
                : Sentence.of("result.invalidIn", Sentences.list(names));
    }

    private static List<Sentence> warnings(List<TrialResult> trials, List<Sentence> notes) {
        List<Sentence> all = new ArrayList<>(notes);
        all.addAll(warnings(trials));
        return List.copyOf(all);
    }

    /** What is to be known of these trials, each thing once. */
    public static List<Sentence> warnings(List<TrialResult> trials) {
        return Remarks.told(
                trials.stream().map(TrialResult::name).toList(),
                trials.stream()
                        .flatMap(t -> t.judgement().warnings().stream().map(w -> new Remark(t.name(), w)))
                        .toList());
    }

    /**
     * What a run that searched for ceilings comes to. Its trials are meant to fail beyond the ceiling, so that they do not
     * count; what the audit found in any of them does.
     */
    static Exit exitOfSearch(List<TrialResult> trials, List<Ceiling> ceilings) {
        if (trials.stream().anyMatch(t -> violated(t.audit()))) {
            return Exit.AUDIT_FAILED;
        }
        if (ceilings.stream().anyMatch(c -> c.course().end().equals(Ceiling.NOTHING_PASSES))) {
            return Exit.CHECK_FAILED;
        }
        boolean answered = ceilings.stream()
                .allMatch(c -> c.course().end().equals(Ceiling.FOUND)
                        || c.course().end().equals(Ceiling.MOST_REACHED));
        return answered ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
    }

    static Verdict ofSearch(List<TrialResult> trials, List<Ceiling> ceilings, List<Sentence> notes) {
        return new Verdict(
                exitOfSearch(trials, ceilings) == Exit.PASSED,
                withDamage(trials, CeilingSentences.of(ceilings)),
                remarks(ceilings, notes));
    }

    /** @param reason why the run did not do all it was asked for, without a full stop */
    static Verdict cutShort(List<TrialResult> trials, List<Ceiling> ceilings, Sentence reason, List<Sentence> notes) {
        return new Verdict(
                false,
                withDamage(trials, Sentence.of("result.untilThen", reason, CeilingSentences.of(ceilings))),
                remarks(ceilings, notes));
    }

    private static List<Sentence> remarks(List<Ceiling> ceilings, List<Sentence> notes) {
        List<Sentence> all = new ArrayList<>(notes);
        for (Ceiling c : ceilings) {
            String name = CeilingSentences.name(c.parameters());
            c.remarks().forEach(r -> all.add(ceilings.size() == 1 ? r : Sentence.of("result.ofOne", name, r)));
        }
        return List.copyOf(all);
    }
}
