package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
        columns.add(new Column<>(Sentence.of("report.label.faults"), false, 0, r -> r.fault()
                .deed()
                .what()));
        if (result.trials().size() > 1) {
            columns.add(new Column<>(Sentence.of("report.label.trial"), false, 2, Row::trial));
        }
        columns.add(number("report.label.at", 5, r -> seconds(r.fault().span().asked())));
        columns.add(number(
                "report.label.longestGap", 0, r -> seconds(r.fault().effect().longestGapSeconds())));
        columns.add(number("report.label.backAfter", 0, r -> back(r.fault())));
        columns.add(number("report.label.isrFullAfter", 1, r -> isr(r.fault())));
        columns.add(number(
                "report.label.worstResp",
                3,
                r -> TrialColumns.micros(r.fault().effect().worstResponseMicros())));
        columns.add(number(
                "report.label.errors",
                4,
                r -> Units.count(r.fault().effect().errors().total())));
        columns.add(number("report.label.lost", 0, r -> count(r.fault().effect().lost())));
        if (rows(result).stream().anyMatch(r -> r.fault().effect().duplicated() != null)) {
            columns.add(number(
                    "report.label.duplicated", 0, r -> count(r.fault().effect().duplicated())));
        }
        return columns;
    }

    private static Column<Row> number(String key, int rank, java.util.function.Function<Row, ?> cell) {
        return new Column<>(Table.label(key), true, rank, cell);
    }

    /** What the figures do not say: a fault that did not happen, or did not end, and errors by kind. */
    static List<Sentence> remarks(RunResult result) {
        List<Sentence> remarks = new ArrayList<>();
        for (Row row : rows(result)) {
            FaultResult fault = row.fault();
            if (fault.deed().detail() != null) {
                remarks.add(Sentence.of(
                        "report.fault.remark",
                        fault.deed().what(),
                        Sentence.term("report.outcome.", fault.deed().outcome()),
                        fault.deed().detail()));
            }
            if (fault.effect().errors().total() > 0) {
                remarks.add(Sentence.of(
                        "report.fault.errors",
                        fault.deed().what(),
                        fault.effect().errors().byKind().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(e -> Units.count(e.getValue()) + " " + e.getKey())
                                .toList()));
            }
        }
        return remarks;
    }

    private static Object back(FaultResult fault) {
        if (fault.effect().longestGapSeconds() == null || happenedNot(fault)) {
            return TrialColumns.NONE;
        }
        return fault.effect().throughputBackSeconds() == null
                ? Sentence.of("report.notBack")
                : seconds(fault.effect().throughputBackSeconds());
    }

    private static Object isr(FaultResult fault) {
        if (fault.effect().underReplicated() == 0) {
            return TrialColumns.NONE;
        }
        return fault.effect().isrFullSeconds() == null
                ? Sentence.of("report.notFull")
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
