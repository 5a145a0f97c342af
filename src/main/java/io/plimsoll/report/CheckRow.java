package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.CheckResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * A check as a row of a table.
 *
 * @param measured as text; a range where several trials have passed it
 * @param trial its name; of several, how many
 */
record CheckRow(boolean passed, String check, Object measured, Object trial) {

    /** @param each how many trials may have a row for each of their checks; of more, what passed is put together */
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

    /** @param each as of {@link #of} */
    static Table<CheckRow> table(List<TrialResult> trials, int each) {
        List<Column<CheckRow>> columns = new ArrayList<>(List.of(
                Column.text("", r -> Mark.of(r.passed())),
                Column.text("check", CheckRow::check),
                Column.number("measured", CheckRow::measured)));
        if (trials.size() > 1) {
            columns.add(Column.text("trial", 1, CheckRow::trial));
        }
        return new Table<>(columns, of(trials, each));
    }

    static Object measured(CheckResult check) {
        return check.measured() == null
                ? Sentence.of("report.notMeasured")
                : Units.figure(check.measured(), check.unit());
    }
}
