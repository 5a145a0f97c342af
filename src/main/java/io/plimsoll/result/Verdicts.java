package io.plimsoll.result;

import io.plimsoll.Exit;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.result.RunResult.Verdict;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The verdict of a run: whether it passed, in one sentence, and the exit code. Pure. */
public final class Verdicts {
    /**
     * The exit code. Loss, corruption or a violated guarantee takes precedence over a failed check, which takes
     * precedence over an invalid measurement. Trials of a search are expected to fail above the ceiling and do not
     * count, except for their audits.
     */
    static Exit exit(List<TrialResult> trials, List<CrossCheckResult> between, List<Ceiling> ceilings) {
        if (damaged(trials)) {
            return Exit.AUDIT_FAILED;
        }
        if (!ceilings.isEmpty()) {
            return exitOfSearch(ceilings);
        }
        boolean valid = trials.stream().noneMatch(Verdicts::isInvalid);
        if (checks(trials).anyMatch(c -> !c.passed()) || between.stream().anyMatch(c -> failed(c, valid))) {
            return Exit.CHECK_FAILED;
        }
        return valid ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
    }

    /** Whether a check between trials failed. If all trials are valid, an undecided check fails, too. */
    private static boolean failed(CrossCheckResult between, boolean valid) {
        return Boolean.FALSE.equals(between.holds()) || (between.holds() == null && valid);
    }

    private static boolean isInvalid(TrialResult trial) {
        return Boolean.FALSE.equals(trial.course().valid());
    }

    static boolean damaged(List<TrialResult> trials) {
        return trials.stream().anyMatch(t -> violated(t.audit()));
    }

    /** Whether the audit or a check of this trial failed. */
    public static boolean failed(TrialResult trial) {
        return violated(trial.audit()) || trial.judgement().checks().stream().anyMatch(c -> !c.passed());
    }

    static boolean violated(@Nullable AuditResult audit) {
        return audit != null && audit.violated();
    }

    /** @param notes notes about the whole run, which are added to the warnings */
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

    /** @param reason why the run was incomplete, without a period at the end */
    static Verdict cutShort(List<TrialResult> trials, List<Ceiling> ceilings, Sentence reason, List<Sentence> notes) {
        // An imported trial was not measured by this run.
        boolean measured = !ceilings.isEmpty()
                || trials.stream()
                        .anyMatch(t -> t.course().valid() != null && t.course().measuredSeconds() > 0);
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
        long further = sum(trials, Verdicts::furtherViolations);
        Sentence.addIf(further > 0, parts, "result.breaksPromise", Units.count(further));
        List<String> where = trials.stream()
                .filter(t -> violated(t.audit()))
                .map(TrialResult::name)
                .toList();
        Sentence in = trials.size() == 1 ? Sentence.NONE : Sentence.of("result.where", Sentences.list(where));
        String what = lost > 0 ? "result.lost" : corrupted > 0 ? "result.corrupted" : "result.broken";
        return Sentence.of(what, parts, in);
    }

    /** Violations without lost and corrupted records. An audit by end offsets counts losses, but no violations. */
    private static long furtherViolations(AuditResult audit) {
        Long all = audit.identified().violations();
        Long corrupted = audit.counts().corrupted();
        return all == null ? 0 : Math.max(0, all - audit.counts().lost() - (corrupted == null ? 0 : corrupted));
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
        boolean valid = trials.stream().noneMatch(Verdicts::isInvalid);
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
        List<TrialResult> invalid = trials.stream().filter(Verdicts::isInvalid).toList();
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
        Remarks.RankedRemarks remarks = Remarks.of(ceilings.isEmpty() ? trials : List.of());
        List<Sentence> all = new ArrayList<>(notes);
        all.addAll(remarks.warnings());
        for (Ceiling c : ceilings) {
            String name = SettingNames.joined(c.parameters());
            c.remarks().forEach(r -> all.add(ceilings.size() == 1 ? r : Sentence.of("result.ofOne", name, r)));
        }
        return new Verdict(passed, sentence, List.copyOf(all), remarks.notes());
    }

    /** The verdict on imported trials; equal warnings are included once. */
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

    /** Describes the results of ceiling searches. Pure. */
    private static final class CeilingSentences {
        static Sentence of(List<Ceiling> ceilings) {
            List<Ceiling> whole =
                    ceilings.stream().filter(c -> c.outage() == null).toList();
            if (whole.size() == ceilings.size()) {
                return ofSettings(ceilings);
            }
            List<Sentence> parts = new ArrayList<>();
            if (!whole.isEmpty()) {
                parts.add(ofSettings(whole));
            }
            ceilings.stream().filter(c -> c.outage() != null).forEach(c -> parts.add(without(c, whole)));
            return Sentence.joined(parts);
        }

        private static Sentence without(Ceiling c, List<Ceiling> whole) {
            String name = SettingNames.joined(c.parameters());
            if (!isAnswered(c)) {
                return Sentence.of("result.withoutUnsure", name, of(c));
            }
            return Sentence.of(
                    "result.without",
                    name,
                    range(c),
                    whole.stream()
                            .filter(w -> settings(w).equals(settings(c)))
                            .findFirst()
                            .flatMap(w -> share(c, w))
                            .map(share -> Sentence.of("result.asMuch", Units.percent(share)))
                            .orElse(Sentence.NONE));
        }

        /** The remaining share of a ceiling, from the midpoint of its bounds if both are known. */
        private static Optional<Double> share(Ceiling left, Ceiling whole) {
            return middle(left).flatMap(l -> middle(whole).map(w -> l / w));
        }

        private static Optional<Double> middle(Ceiling c) {
            Double lower = c.found().decisive().lowerRecordsPerSecond();
            Double upper = c.found().decisive().upperRecordsPerSecond();
            return isClosed(c) && lower != null && upper != null ? Optional.of((lower + upper) / 2) : Optional.empty();
        }

        private static Map<String, String> settings(Ceiling c) {
            Map<String, String> settings = new HashMap<>(c.parameters());
            settings.remove(Ceiling.Outage.PARAMETER);
            return settings;
        }

        private static Sentence ofSettings(List<Ceiling> ceilings) {
            if (ceilings.size() == 1) {
                return of(ceilings.get(0));
            }
            List<Ceiling> answered = ceilings.stream()
                    .filter(CeilingSentences::isAnswered)
                    .sorted(Comparator.comparing(CeilingSentences::passed))
                    .toList();
            List<String> unsure = ceilings.stream()
                    .filter(c -> !answered.contains(c))
                    .map(c -> SettingNames.joined(c.parameters()))
                    .toList();
            if (answered.isEmpty()) {
                boolean none = ceilings.stream().allMatch(Ceiling::nothingPasses);
                return Sentence.of(none ? "result.noneCarried" : "result.noneAnswered", ceilings.size());
            }
            if (answered.size() == 1) {
                Ceiling only = answered.get(0);
                return Sentence.of(
                        "result.oneAnswered", ceilings.size(), SettingNames.joined(only.parameters()), range(only));
            }
            Sentence compared = compared(ceilings.size(), answered);
            return unsure.isEmpty()
                    ? compared
                    : Sentence.joined(List.of(compared, Sentence.of("result.noAnswerFor", unsure)));
        }

        private static boolean isAnswered(Ceiling c) {
            return c.found().decisive().lowerRecordsPerSecond() != null
                    && Set.of(Ceiling.FOUND, Ceiling.MOST_REACHED, Ceiling.GENERATOR_LIMITED)
                            .contains(c.course().end());
        }

        private static Sentence compared(int all, List<Ceiling> answered) {
            Ceiling least = answered.get(0);
            Ceiling most = answered.get(answered.size() - 1);
            long open = answered.stream().filter(c -> !isClosed(c)).count();
            Double low = least.found().decisive().upperRecordsPerSecond();
            Double high = most.found().decisive().upperRecordsPerSecond();
            String best = SettingNames.joined(most.parameters());
            if (open > 1 || (open == 1 && isClosed(most))) {
                return Sentence.of("result.carryMore", open, all, Units.about(passed(most)), best);
            }
            if (open == 0 && low != null && high != null && low >= passed(most)) {
                return Sentence.of("result.carryTheSame", all, Units.about(passed(least)), Units.about(high));
            }
            return Sentence.of(
                    "result.carriesMost",
                    all,
                    best,
                    range(most),
                    SettingNames.joined(least.parameters()),
                    range(least));
        }

        /** The highest load that passed, in records/s, for a ceiling that {@link #isAnswered}. */
        private static double passed(Ceiling c) {
            return Objects.requireNonNull(c.found().decisive().lowerRecordsPerSecond());
        }

        private static boolean isClosed(Ceiling c) {
            return c.course().answered() && c.found().decisive().upperRecordsPerSecond() != null;
        }

        private static Sentence of(Ceiling c) {
            Sentence sustained = sustained(c);
            Bound within = c.found().withinSlo();
            return within == null ? sustained : Sentence.joined(List.of(within(c, within), sustained));
        }

        private static Sentence within(Ceiling c, Bound slo) {
            if (slo.lowerRecordsPerSecond() == null) {
                return slo.upperRecordsPerSecond() == null
                        ? Sentence.of("result.sloUnknown", c.found().slo())
                        : Sentence.of("result.sloNever", upper(slo), c.found().slo());
            }
            return slo.upperRecordsPerSecond() == null
                    ? Sentence.of("result.sloToTheEnd", c.found().slo(), lower(slo))
                    : Sentence.of("result.sloBetween", c.found().slo(), lower(slo), upper(slo));
        }

        private static Sentence sustained(Ceiling c) {
            Bound b = c.found().sustained();
            boolean passed = b.lowerRecordsPerSecond() != null;
            return switch (c.course().end()) {
                case Ceiling.MOST_REACHED -> Sentence.of("result.carriesAll", lower(b));
                case Ceiling.GENERATOR_LIMITED ->
                    passed
                            ? Sentence.of("result.carriesAtLeast", lower(b))
                            : Sentence.of("result.generatorAtEveryLoad");
                case Ceiling.NOTHING_PASSES -> Sentence.of("result.notEven", upper(b));
                // Without an upper bound, higher loads failed only the user's criteria.
                case Ceiling.FOUND ->
                    b.upperRecordsPerSecond() == null && b.upperBytesPerSecond() == null
                            ? Sentence.of("result.carriesMore", lower(b))
                            : Sentence.of("result.carriesBetween", lower(b), upper(b));
                default -> passed ? unfinished(b) : Sentence.of("result.endedBeforeAny");
            };
        }

        private static Sentence unfinished(Bound b) {
            return b.upperRecordsPerSecond() == null
                    ? Sentence.of("result.unsureNothingHigher", lower(b))
                    : Sentence.of("result.unsureBetween", lower(b), upper(b));
        }

        /**
         * The range of a ceiling: only a lower bound if no load failed, or if the load generator failed before the
         * cluster.
         */
        private static Sentence range(Ceiling c) {
            String lower = Units.about(passed(c));
            Double upper = c.found().decisive().upperRecordsPerSecond();
            Sentence range = upper == null
                    ? Sentence.of("result.records", lower)
                    : Sentence.of("result.recordsFromTo", lower, Units.about(upper));
            return isClosed(c) ? range : Sentence.of("result.atLeastThat", range);
        }

        private static Sentence lower(Bound b) {
            return load(b.lowerRecordsPerSecond(), b.lowerBytesPerSecond());
        }

        private static Sentence upper(Bound b) {
            return load(b.upperRecordsPerSecond(), b.upperBytesPerSecond());
        }

        /** A load such as {@code 91,200 records/s (91.2 MB/s)}; only bytes if the record size is unknown. */
        private static Sentence load(@Nullable Double records, @Nullable Double bytes) {
            if (records == null) {
                return Sentence.verbatim(Units.byteRate(Sums.orZero(bytes)));
            }
            return bytes == null
                    ? Sentence.of("result.records", Units.about(records))
                    : Sentence.of("result.load", Units.about(records), Units.byteRate(bytes));
        }
    }
}
