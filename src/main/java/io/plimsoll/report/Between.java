package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.ConclusionResult;
import io.plimsoll.result.CrossCheckResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A check between trials as a row of a table: of the scenario, or below a conclusion of a published report.
 *
 * @param conclusion empty for a check of the scenario's own
 * @param check empty where no trial can tell
 * @param holds null if it cannot be told
 * @param said what was measured on both sides, or why nothing can be told
 */
public record Between(Sentence conclusion, String check, Boolean holds, Sentence said) {

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
        return new Table<>(
                List.of(
                        Column.text("", c -> Mark.of(c.holds())),
                        Column.text("check", CrossCheckResult::check),
                        Column.text("measured", CrossCheckResult::said)),
                result.published().comparisons());
    }

    /** How many of a report's conclusions hold, do not, and cannot be told. */
    static Sentence summary(RunResult result) {
        List<ConclusionResult> all = result.published().conclusions();
        return Sentence.of("report.between.summary", count(all, true), count(all, false), count(all, null));
    }

    private static long count(List<ConclusionResult> all, Boolean holds) {
        return all.stream().filter(c -> Objects.equals(c.holds(), holds)).count();
    }

    /**
     * A sentence of a published report as pages show it.
     *
     * @param holds null if it cannot be told
     */
    public record Conclusion(Sentence text, Boolean holds, List<Sentence> evidence) {}

    public static List<Conclusion> conclusions(RunResult result) {
        return result.published().conclusions().stream()
                .map(c -> new Conclusion(c.text(), c.holds(), evidence(c)))
                .toList();
    }

    /** What was compared for a conclusion, in words; why nothing can be told of it otherwise. */
    static List<Sentence> evidence(ConclusionResult conclusion) {
        return conclusion.checks().isEmpty()
                ? List.of(Sentence.of("report.between.noTrial"))
                : conclusion.checks().stream().map(CrossCheckResult::evidence).toList();
    }
}
