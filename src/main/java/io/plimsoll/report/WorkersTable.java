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

    static Table<Row> table(List<TrialResult> trials) {
        List<Row> rows = trials.stream()
                .flatMap(t -> t.observed().workers().stream().map(w -> new Row(t.name(), w)))
                .toList();
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(Column.text("report.label.worker", r -> mark(r.worker())));
        if (trials.size() > 1) {
            columns.add(Column.text("report.label.trial", 1, Row::trial));
        }
        Stream.of(
                        Column.<WorkerResult>text("report.label.host", 7, WorkersTable::host),
                        Column.text("report.label.has", 6, WorkersTable::has),
                        number(
                                "report.label.offeredPerSecond",
                                3,
                                w -> Table.rate(w.flow().offeredRecordsPerSecond())),
                        number("report.label.recordsPerSecond", 0, WorkersTable::produced),
                        number("report.label.consumedPerSecond", 2, WorkersTable::consumed),
                        number(
                                "report.label.respP99",
                                1,
                                w -> Table.micros(w.tails().responseP99())),
                        number(
                                "report.label.delayP99",
                                5,
                                w -> Table.micros(w.tails().sendDelayP99())),
                        number(
                                "report.label.cpu",
                                1,
                                w -> Units.decimals(w.usage().cpuCores(), 2)),
                        number("report.label.late", 4, WorkersTable::late),
                        number("report.label.clock", 3, WorkersTable::clock),
                        number("report.label.ownE2eP50", 5, WorkersTable::ownEndToEnd))
                .forEach(column -> columns.add(column.of(Row::worker)));
        return new Table<>(columns, rows);
    }

    private static Column<WorkerResult> number(String key, int rank, Function<WorkerResult, ?> cell) {
        return Column.number(key, rank, cell);
    }

    private static Object mark(WorkerResult w) {
        if (w.lost() != null) {
            return Sentence.of("report.lostWorker", w.name());
        }
        return w.straggler() ? Sentence.of("report.straggler", w.name()) : w.name();
    }

    private static Sentence host(WorkerResult w) {
        return Sentence.of("report.hostOfCores", w.part().host(), w.part().cores());
    }

    private static String has(WorkerResult w) {
        return String.join(
                ", ",
                Stream.concat(w.part().producers().stream(), w.part().consumers().stream())
                        .toList());
    }

    private static String produced(WorkerResult w) {
        return w.part().producers().isEmpty() ? null : Units.rate(w.flow().recordsPerSecond());
    }

    private static String consumed(WorkerResult w) {
        return w.part().consumers().isEmpty() ? null : Units.rate(w.flow().consumedPerSecond());
    }

    private static String late(WorkerResult w) {
        return w.usage().lateShare() == null ? null : Units.percent(w.usage().lateShare());
    }

    /** Only the error is of use to a reader: the offset is taken off already. */
    private static String clock(WorkerResult w) {
        Double error = w.clock().clockErrorMicros();
        return error == null ? null : "± " + Units.micros(error);
    }

    private static String ownEndToEnd(WorkerResult w) {
        TrialResult.Latency own = w.clock().ownEndToEnd();
        return own == null ? null : Table.micros(own.percentiles().p50());
    }
}
