package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.result.WorkerResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What each agent of a fleet did, a row for each trial and agent. */
final class WorkersTable {
    record Row(String trial, WorkerResult worker) {}

    private WorkersTable() {}

    static List<Row> rows(List<TrialResult> trials) {
        return trials.stream()
                .flatMap(t -> t.observed().workers().stream().map(w -> new Row(t.name(), w)))
                .toList();
    }

    static Table<Row> table(List<TrialResult> trials) {
        List<Row> rows = rows(trials);
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(new Column<>("worker", false, 0, r -> r.worker().name() + mark(r.worker())));
        if (trials.size() > 1) {
            columns.add(new Column<>("trial", false, 1, Row::trial));
        }
        columns.add(text(
                "host",
                7,
                w -> w.part().host() + ", " + w.part().cores() + (w.part().cores() == 1 ? " core" : " cores")));
        columns.add(text("has", 6, WorkersTable::has));
        columns.add(number("offered/s", 3, w -> rate(w.flow().offeredRecordsPerSecond())));
        columns.add(number(
                "records/s",
                0,
                w -> w.part().producers().isEmpty()
                        ? TrialColumns.NONE
                        : rate(w.flow().recordsPerSecond())));
        columns.add(number(
                "consumed/s",
                2,
                w -> w.part().consumers().isEmpty()
                        ? TrialColumns.NONE
                        : rate(w.flow().consumedPerSecond())));
        columns.add(number("resp p99", 1, w -> TrialColumns.micros(w.tails().responseP99())));
        columns.add(number("delay p99", 5, w -> TrialColumns.micros(w.tails().sendDelayP99())));
        columns.add(number("CPU", 1, w -> Units.decimals(w.usage().cpuCores(), 2)));
        columns.add(number(
                "late",
                4,
                w -> w.usage().lateShare() == null
                        ? TrialColumns.NONE
                        : Units.percent(w.usage().lateShare())));
        columns.add(number("clock", 3, WorkersTable::clock));
        columns.add(number(
                "own e2e p50",
                5,
                w -> w.clock().ownEndToEnd() == null
                        ? TrialColumns.NONE
                        : TrialColumns.micros(
                                w.clock().ownEndToEnd().percentiles().p50())));
        return new Table<>(columns, rows);
    }

    private static String mark(WorkerResult w) {
        return w.lost() != null ? " (lost)" : w.straggler() ? " (straggler)" : "";
    }

    private static String has(WorkerResult w) {
        return String.join(
                ", ",
                Stream.concat(w.part().producers().stream(), w.part().consumers().stream())
                        .toList());
    }

    /** Only the error is of use to a reader: the offset is taken off already. */
    private static String clock(WorkerResult w) {
        return w.clock().clockErrorMicros() == null
                ? TrialColumns.NONE
                : "± " + Units.micros(w.clock().clockErrorMicros());
    }

    private static String rate(Double perSecond) {
        return perSecond == null ? TrialColumns.NONE : Units.rate(perSecond);
    }

    private static Column<Row> text(String header, int rank, Function<WorkerResult, String> cell) {
        return new Column<>(header, false, rank, r -> cell.apply(r.worker()));
    }

    private static Column<Row> number(String header, int rank, Function<WorkerResult, String> cell) {
        return new Column<>(header, true, rank, r -> cell.apply(r.worker()));
    }
}
