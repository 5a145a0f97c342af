package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Scaling;
import io.plimsoll.result.Units;
import java.util.List;

/** How throughput grows with numbers that trials differ by: a row each, with speed-up and efficiency. */
final class ScalingTable {
    private ScalingTable() {}

    private record Row(String what, Scaling.Step step) {
        private String shown(String figure) {
            return step.atLeast() ? "≥ " + figure : figure;
        }
    }

    static Table<?> of(RunResult result) {
        return new Table<>(
                List.of(
                        Column.text("trial", row -> row.step().name()),
                        Column.text(
                                "scaledBy",
                                1,
                                row -> row.what() + " = " + row.step().number()),
                        Column.number(
                                "recordsPerSecond",
                                row -> row.shown(Units.rate(row.step().recordsPerSecond()))),
                        Column.number(
                                "speedUp",
                                row -> row.shown(Units.decimals(row.step().speedUp(), 2)) + " ×"),
                        Column.number(
                                "efficiency",
                                row -> row.shown(Units.percent(row.step().efficiency())))),
                Scaling.of(result).stream()
                        .flatMap(scaling -> scaling.steps().stream().map(step -> new Row(scaling.what(), step)))
                        .toList());
    }
}
