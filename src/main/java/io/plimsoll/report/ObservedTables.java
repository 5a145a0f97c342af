package io.plimsoll.report;

import io.plimsoll.report.Table.Cell;
import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The tables of brokers and of the agents of a fleet: a row for each trial and broker, or agent. */
final class ObservedTables {
    /** One that was observed in a trial. */
    record Row<T>(String trial, T one) {}

    private ObservedTables() {}

    static Table<?> brokers(List<TrialResult> trials) {
        List<Row<Map<String, Object>>> rows =
                rows(trials, t -> t.observed().brokers().stream().filter(b -> b.containsKey("sources")));
        return observed(
                trials, Column.number("report.label.broker", b -> b.get("id")), FigureCatalogue.ofBrokers(), rows);
    }

    static Table<?> groups(List<TrialResult> trials) {
        return observed(
                trials,
                Column.text("report.label.group", g -> g.get("id")),
                FigureCatalogue.ofGroups(),
                rows(trials, t -> t.observed().groups().stream()));
    }

    /** The same of groups that belong to no trial. */
    static Table<?> groupsAlone(List<Map<String, Object>> groups) {
        return observed(
                List.of(),
                Column.text("report.label.group", g -> g.get("id")),
                FigureCatalogue.ofGroups(),
                groups.stream().map(g -> new Row<>("", g)).toList());
    }

    private static Table<?> observed(
            List<TrialResult> trials,
            Column<Map<String, Object>> name,
            List<Figure> shown,
            List<Row<Map<String, Object>>> rows) {
        List<Column<Map<String, Object>>> figures = new ArrayList<>();
        for (Figure figure : shown) {
            figures.add(new Column<>(figure::label, true, figure.brokerRank(), o -> shown(figure, figure.ofBroker(o))));
        }
        // Of brokers that are watched from outside only some is known.
        figures.removeIf(column ->
                !rows.isEmpty() && rows.stream().allMatch(r -> column.cell().apply(r.one()) == null));
        return table(trials, name, figures, rows);
    }

    private static Cell shown(Figure figure, Double value) {
        return switch (figure.shownDimension()) {
            case BYTES_PER_SECOND -> Table.megabytes(value);
            case RATIO -> Table.percent(value);
            case MICROSECONDS -> Table.micros(value);
            case RECORDS_PER_SECOND -> Table.rate(value);
            default -> Table.number(value);
        };
    }

    static Table<?> workers(List<TrialResult> trials) {
        return table(
                trials,
                Column.text("report.label.worker", ObservedTables::mark),
                List.of(
                        Column.text("report.label.host", 7, ObservedTables::host),
                        Column.text("report.label.has", 6, ObservedTables::has),
                        Column.number(
                                "report.label.offeredPerSecond",
                                3,
                                w -> Table.rate(w.flow().offeredRecordsPerSecond())),
                        Column.number(
                                "report.label.recordsPerSecond",
                                0,
                                w -> w.part().producers().isEmpty()
                                        ? null
                                        : Table.rate(w.flow().recordsPerSecond())),
                        Column.number(
                                "report.label.consumedPerSecond",
                                2,
                                w -> w.part().consumers().isEmpty()
                                        ? null
                                        : Table.rate(w.flow().consumedPerSecond())),
                        Column.number(
                                "report.label.respP99",
                                1,
                                w -> Table.micros(w.tails().responseP99())),
                        Column.number(
                                "report.label.delayP99",
                                5,
                                w -> Table.micros(w.tails().sendDelayP99())),
                        Column.number(
                                "report.label.cpu",
                                1,
                                w -> Table.number(w.usage().cpuCores())),
                        Column.number(
                                "report.label.hostCpu",
                                8,
                                w -> Table.percent(w.usage().hostCpuShare())),
                        Column.number(
                                "report.label.late",
                                4,
                                w -> Table.percent(w.usage().lateShare())),
                        Column.number("report.label.clock", 3, ObservedTables::clock),
                        Column.number("report.label.ownE2eP50", 5, ObservedTables::ownEndToEnd),
                        Column.text("report.label.version", 9, w -> w.part().version())),
                rows(trials, t -> t.observed().workers().stream()));
    }

    private static <T> List<Row<T>> rows(List<TrialResult> trials, Function<TrialResult, Stream<T>> all) {
        return trials.stream()
                .flatMap(t -> all.apply(t).map(one -> new Row<>(t.name(), one)))
                .toList();
    }

    private static <T> Table<Row<T>> table(
            List<TrialResult> trials, Column<T> name, List<Column<T>> others, List<Row<T>> rows) {
        List<Column<Row<T>>> columns = new ArrayList<>();
        columns.add(name.of(Row::one));
        if (trials.size() > 1) {
            columns.add(Column.text("report.label.trial", 1, Row::trial));
        }
        others.forEach(column -> columns.add(column.of(Row::one)));
        return new Table<>(columns, rows);
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
        List<String> parts = new ArrayList<>(w.part().producers());
        parts.addAll(w.part().consumers());
        return String.join(", ", parts);
    }

    /** Only the error is of use to a reader: the offset is taken off already. */
    private static Cell clock(WorkerResult w) {
        Cell error = Table.micros(w.clock().clockErrorMicros());
        return error == null ? null : new Cell(error.value(), "± " + error);
    }

    private static Cell ownEndToEnd(WorkerResult w) {
        TrialResult.Latency own = w.clock().ownEndToEnd();
        return own == null ? null : Table.micros(own.percentiles().p50());
    }
}
