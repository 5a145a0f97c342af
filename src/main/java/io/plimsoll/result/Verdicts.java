package io.plimsoll.result;

import io.plimsoll.Exit;
import io.plimsoll.result.Remarks.Remark;
import io.plimsoll.result.RunResult.Verdict;
import io.plimsoll.result.TrialResult.CheckResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a run comes to: whether it passed, in one sentence, and the exit code. Pure. */
public final class Verdicts {
    private Verdicts() {}

    /** Loss, corruption or a broken guarantee wins over a failed check, which wins over an invalid measurement. */
    public static Exit exit(List<TrialResult> trials) {
        if (trials.stream().anyMatch(t -> violated(t.audit()))) {
            return Exit.AUDIT_FAILED;
        }
        if (checks(trials).anyMatch(c -> !c.passed())) {
            return Exit.CHECK_FAILED;
        }
        return trials.stream().allMatch(t -> t.course().valid()) ? Exit.PASSED : Exit.INVALID_MEASUREMENT;
    }

    /** Whether the audit or a check of this trial failed. */
    public static boolean failed(TrialResult trial) {
        return violated(trial.audit()) || trial.judgement().checks().stream().anyMatch(c -> !c.passed());
    }

    static boolean violated(AuditResult audit) {
        return audit != null && audit.violated();
    }

    /** @param notes of the run as a whole, added to the warnings */
    static Verdict of(List<TrialResult> trials, List<String> notes) {
        Exit exit = exit(trials);
        String judgement =
                switch (exit) {
                    case AUDIT_FAILED -> damage(trials) + " ";
                    case CHECK_FAILED -> failedChecks(trials) + " ";
                    case INVALID_MEASUREMENT -> invalid(trials) + " ";
                    default -> "";
                };
        return new Verdict(exit == Exit.PASSED, judgement + Sentences.of(trials), warnings(trials, notes));
    }

    /** @param reason why the run did not do all it was asked for, without a full stop */
    static Verdict cutShort(List<TrialResult> trials, String reason, List<String> notes) {
        StringBuilder sentence = new StringBuilder();
        if (exit(trials) == Exit.AUDIT_FAILED) {
            sentence.append(damage(trials)).append(' ');
        }
        boolean measured = trials.stream().anyMatch(t -> t.course().measuredSeconds() > 0);
        if (measured) {
            sentence.append(reason).append("; until then: ").append(Sentences.of(trials));
        } else {
            sentence.append(reason).append(" before anything was measured.");
        }
        return new Verdict(false, sentence.toString(), warnings(trials, notes));
    }

    static String damage(List<TrialResult> trials) {
        long acknowledged = sum(trials, a -> a.counts().acknowledged());
        long lost = sum(trials, a -> a.counts().lost());
        long corrupted =
                sum(trials, a -> a.counts().corrupted() == null ? 0 : a.counts().corrupted());
        List<String> parts = new ArrayList<>();
        if (lost > 0) {
            parts.add(Units.count(lost) + " of " + Units.count(acknowledged) + " acknowledged records "
                    + (lost == 1 ? "is" : "are") + " not in the log");
        }
        if (corrupted > 0) {
            parts.add(Units.count(corrupted) + (corrupted == 1 ? " record came" : " records came") + " back corrupted");
        }
        long violations = sum(
                trials,
                a -> a.identified().violations() == null ? 0 : a.identified().violations());
        if (violations > lost + corrupted) {
            long others = violations - lost - corrupted;
            parts.add(
                    Units.count(others) + (others == 1 ? " record breaks" : " records break") + " what Kafka promises");
        }
        List<String> where = trials.stream()
                .filter(t -> violated(t.audit()))
                .map(TrialResult::name)
                .toList();
        String in = trials.size() == 1 ? "" : " (" + Sentences.list(where) + ")";
        String what =
                lost > 0 ? "Data was lost: " : corrupted > 0 ? "Data was corrupted: " : "A guarantee was broken: ";
        return what + String.join(", ", parts) + in + ".";
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

    private static String failedChecks(List<TrialResult> trials) {
        long all = checks(trials).count();
        List<String> failed = new ArrayList<>();
        for (TrialResult trial : trials) {
            String in = trials.size() == 1 ? "" : " in " + trial.name();
            for (CheckResult check : trial.judgement().checks()) {
                if (!check.passed()) {
                    String was = check.measured() == null
                            ? "could not be measured"
                            : "was " + Units.figure(check.measured(), check.unit());
                    failed.add(check.check() + " " + was + in);
                }
            }
        }
        String more = failed.size() > 1 ? ", and " + (failed.size() - 1) + " more" : "";
        return failed.size() + " of " + all + (all == 1 ? " check" : " checks") + " failed: " + failed.get(0) + more
                + ".";
    }

    private static Stream<CheckResult> checks(List<TrialResult> trials) {
        return trials.stream().flatMap(t -> t.judgement().checks().stream());
    }

    private static String invalid(List<TrialResult> trials) {
        List<String> names = trials.stream()
                .filter(t -> !t.course().valid())
                .map(TrialResult::name)
                .toList();
        String which = trials.size() == 1 ? "" : " in " + Sentences.list(names);
        return "Not a measure of the cluster: the load generator was the limit" + which + ".";
    }

    private static List<String> warnings(List<TrialResult> trials, List<String> notes) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(warnings(trials));
        return List.copyOf(all);
    }

    /** What is to be known of these trials, each thing once. */
    public static List<String> warnings(List<TrialResult> trials) {
        return Remarks.told(
                trials.stream().map(TrialResult::name).toList(),
                trials.stream()
                        .flatMap(t -> t.judgement().warnings().stream().map(w -> new Remark(t.name(), w)))
                        .toList());
    }
}
