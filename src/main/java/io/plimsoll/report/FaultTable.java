package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What each fault of a run did, a row each. */
final class FaultTable {

    record Row(String trial, FaultResult fault) {}

    private FaultTable() {}

    static List<Row> rows(RunResult result) {
        return result.trials().stream()
                .flatMap(t -> t.detail().faults().stream().map(f -> new Row(t.name(), f)))
                .toList();
    }

    static List<Column<Row>> columns(RunResult result) {
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(new Column<>("Faults", false, 0, r -> r.fault().deed().what()));
        if (result.trials().size() > 1) {
            columns.add(new Column<>("trial", false, 2, Row::trial));
        }
        columns.add(number("at", 5, r -> seconds(r.fault().span().asked())));
        columns.add(number("longest gap", 0, r -> seconds(r.fault().effect().longestGapSeconds())));
        columns.add(number("back after", 0, r -> back(r.fault())));
        columns.add(number("ISR full after", 1, r -> isr(r.fault())));
        columns.add(number(
                "worst resp", 3, r -> TrialColumns.micros(r.fault().effect().worstResponseMicros())));
        columns.add(
                number("errors", 4, r -> Units.count(r.fault().effect().errors().total())));
        columns.add(number("lost", 0, r -> count(r.fault().effect().lost())));
        if (rows(result).stream().anyMatch(r -> r.fault().effect().duplicated() != null)) {
            columns.add(number("duplicated", 0, r -> count(r.fault().effect().duplicated())));
        }
        return columns;
    }

    private static Column<Row> number(String header, int rank, java.util.function.Function<Row, String> cell) {
        return new Column<>(header, true, rank, cell);
    }

    /** What the figures do not say: a fault that did not happen, or did not end, and errors by kind. */
    static List<String> remarks(RunResult result) {
        List<String> remarks = new ArrayList<>();
        for (Row row : rows(result)) {
            FaultResult fault = row.fault();
            if (fault.deed().detail() != null) {
                remarks.add(fault.deed().what() + ": " + fault.deed().outcome() + ", "
                        + fault.deed().detail());
            }
            if (fault.effect().errors().total() > 0) {
                remarks.add(fault.deed().what() + ": "
                        + fault.effect().errors().byKind().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(e -> Units.count(e.getValue()) + " " + e.getKey())
                                .collect(Collectors.joining(", ")));
            }
        }
        return remarks;
    }

    private static String back(FaultResult fault) {
        if (fault.effect().longestGapSeconds() == null || happenedNot(fault)) {
            return TrialColumns.NONE;
        }
        return fault.effect().throughputBackSeconds() == null
                ? "not back"
                : seconds(fault.effect().throughputBackSeconds());
    }

    private static String isr(FaultResult fault) {
        if (fault.effect().underReplicated() == 0) {
            return TrialColumns.NONE;
        }
        return fault.effect().isrFullSeconds() == null
                ? "not full"
                : seconds(fault.effect().isrFullSeconds());
    }

    private static boolean happenedNot(FaultResult fault) {
        return fault.span().inEffect() == null;
    }

    private static String seconds(Double seconds) {
        return seconds == null ? TrialColumns.NONE : Units.decimals(seconds, seconds < 1 ? 2 : 1) + " s";
    }

    private static String count(Long count) {
        return count == null ? TrialColumns.NONE : Units.count(count);
    }
}
