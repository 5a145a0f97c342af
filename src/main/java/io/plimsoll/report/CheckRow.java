package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.CheckResult;
import io.plimsoll.result.ConclusionResult;
import io.plimsoll.result.CrossCheckResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * @param measured measured value, or a range for several passed trials
 * @param trial name of the trial, or the number of trials
 */
public record CheckRow(boolean passed, String check, Object measured, Object trial) {

    /** @param each maximum number of trials with one row per check; beyond it, passed checks are summarized */
    static List<CheckRow> of(List<TrialResult> trials, int each) {
        List<CheckRow> rows = new ArrayList<>();
        Map<String, List<CheckResult>> passed = new LinkedHashMap<>();
        for (TrialResult trial : trials) {
            for (CheckResult check : trial.judgement().checks()) {
                if (check.passed() && trials.size() > each) {
                    passed.computeIfAbsent(check.check(), c -> new ArrayList<>())
                            .add(check);
                } else {
                    rows.add(new CheckRow(check.passed(), check.check(), measured(check), trial.name()));
                }
            }
        }
        passed.values().forEach(same -> rows.add(together(same, trials.size())));
        return rows;
    }

    private static CheckRow together(List<CheckResult> same, int trials) {
        String least = Units.figure(measured(same).min().orElse(0), same.get(0).unit());
        String most = Units.figure(measured(same).max().orElse(0), same.get(0).unit());
        Object range = least.equals(most) ? least : Sentence.of("report.range", least, most);
        Sentence where = same.size() == trials
                ? Sentence.of("report.allOf", trials)
                : Sentence.of("report.someOf", same.size(), trials);
        return new CheckRow(true, same.get(0).check(), range, where);
    }

    private static DoubleStream measured(List<CheckResult> same) {
        return same.stream().mapToDouble(CheckResult::measured);
    }

    static Table<CheckRow> table(List<TrialResult> trials, int each) {
        return Table.of(
                of(trials, each),
                Column.text("", r -> Mark.of(r.passed())),
                Column.text("check", CheckRow::check),
                Column.number("measured", CheckRow::measured),
                trials.size() > 1 ? Column.text("trial", 1, CheckRow::trial) : null);
    }

    static Object measured(CheckResult check) {
        return check.measured() == null
                ? Sentence.of("report.notMeasured")
                : Units.figure(check.measured(), check.unit());
    }

    /**
     * A check between trials, from the scenario or from a conclusion of a published report.
     *
     * @param check text of the check; empty if no trial covers the conclusion
     * @param holds null if undecided
     * @param said the measurements of both sides, or the reason why the check is undecided
     */
    public record Between(
            Sentence conclusion, String check, @Nullable Boolean holds, Sentence said) {

        static List<Between> of(RunResult result) {
            List<Between> rows = new ArrayList<>();
            result.published().comparisons().forEach(c -> rows.add(of(Sentence.NONE, c)));
            for (ConclusionResult conclusion : result.published().conclusions()) {
                conclusion.checks().forEach(c -> rows.add(of(conclusion.text(), c)));
                if (conclusion.checks().isEmpty()) {
                    rows.add(new Between(conclusion.text(), "", null, Sentence.of("report.between.noTrial")));
                }
            }
            return rows;
        }

        private static Between of(Sentence conclusion, CrossCheckResult c) {
            return new Between(conclusion, c.check(), c.holds(), c.said());
        }

        static Table<CrossCheckResult> table(RunResult result) {
            return Table.of(
                    result.published().comparisons(),
                    Column.text("", c -> Mark.of(c.holds())),
                    Column.text("check", CrossCheckResult::check),
                    Column.text("measured", CrossCheckResult::said));
        }

        static Sentence summary(RunResult result) {
            List<ConclusionResult> all = result.published().conclusions();
            return Sentence.of("report.between.summary", count(all, true), count(all, false), count(all, null));
        }

        private static long count(List<ConclusionResult> all, @Nullable Boolean holds) {
            return all.stream().filter(c -> Objects.equals(c.holds(), holds)).count();
        }

        /** @param holds null if undecided */
        public record Conclusion(Sentence text, @Nullable Boolean holds, List<Sentence> evidence) {}

        public static List<Conclusion> conclusions(RunResult result) {
            return result.published().conclusions().stream()
                    .map(c -> new Conclusion(c.text(), c.holds(), evidence(c)))
                    .toList();
        }

        /** The comparisons that support a conclusion, or the reason why it is undecided. */
        static List<Sentence> evidence(ConclusionResult conclusion) {
            return conclusion.checks().isEmpty()
                    ? List.of(Sentence.of("report.between.noTrial"))
                    : conclusion.checks().stream()
                            .map(CrossCheckResult::evidence)
                            .toList();
        }
    }
}
