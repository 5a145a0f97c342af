package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.text.Sentence;
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
        columns.add(new Column<>(Sentence.of("report.label.worker"), false, 0, r -> mark(r.worker())));
        if (trials.size() > 1) {
            columns.add(new Column<>(Sentence.of("report.label.trial"), false, 1, Row::trial));
        }
        columns.add(text(
                "report.label.host",
                7,
                w -> Sentence.of("report.hostOfCores", w.part().host(), w.part().cores())));
        columns.add(text("report.label.has", 6, WorkersTable::has));
        columns.add(
                number("report.label.offeredPerSecond", 3, w -> rate(w.flow().offeredRecordsPerSecond())));
        columns.add(number(
                "report.label.recordsPerSecond",
                0,
                w -> w.part().producers().isEmpty()
                        ? TrialColumns.NONE
                        : rate(w.flow().recordsPerSecond())));
        columns.add(number(
                "report.label.consumedPerSecond",
                2,
                w -> w.part().consumers().isEmpty()
                        ? TrialColumns.NONE
                        : rate(w.flow().consumedPerSecond())));
        columns.add(number(
                "report.label.respP99", 1, w -> TrialColumns.micros(w.tails().responseP99())));
        columns.add(number(
                "report.label.delayP99", 5, w -> TrialColumns.micros(w.tails().sendDelayP99())));
        columns.add(number("report.label.cpu", 1, w -> Units.decimals(w.usage().cpuCores(), 2)));
        columns.add(number(
                "report.label.late",
                4,
                w -> w.usage().lateShare() == null
                        ? TrialColumns.NONE
                        : Units.percent(w.usage().lateShare())));
        columns.add(number("report.label.clock", 3, WorkersTable::clock));
        columns.add(number(
                "report.label.ownE2eP50",
                5,
                w -> w.clock().ownEndToEnd() == null
                        ? TrialColumns.NONE
                        : TrialColumns.micros(
                                w.clock().ownEndToEnd().percentiles().p50())));
        return new Table<>(columns, rows);
    }

    private static Object mark(WorkerResult w) {
        if (w.lost() != null) {
            return Sentence.of("report.lostWorker", w.name());
        }
        return w.straggler() ? Sentence.of("report.straggler", w.name()) : w.name();
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

    private static Column<Row> text(String key, int rank, Function<WorkerResult, ?> cell) {
        return new Column<>(Table.label(key), false, rank, r -> cell.apply(r.worker()));
    }

    private static Column<Row> number(String key, int rank, Function<WorkerResult, ?> cell) {
        return new Column<>(Table.label(key), true, rank, r -> cell.apply(r.worker()));
    }
}
