package io.plimsoll.report;

import io.plimsoll.report.RunTables.Of;
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

/** The tables of brokers and of the agents of a fleet: a row for each trial and broker, or agent. */
final class ObservedTables {
    private ObservedTables() {}

    static Table<?> brokers(List<TrialResult> trials) {
        List<Of<Map<String, Object>>> rows =
                Of.each(trials, t -> t.observed().brokers().stream().filter(b -> b.containsKey("sources")));
        return observed(trials, Column.number("broker", b -> b.get("id")), FigureCatalogue.ofBrokers(), rows);
    }

    static Table<?> groups(List<TrialResult> trials) {
        return observed(
                trials,
                Column.text("group", g -> g.get("id")),
                FigureCatalogue.ofGroups(),
                Of.each(trials, t -> t.observed().groups().stream()));
    }

    static Table<?> topics(List<TrialResult> trials) {
        return observed(
                trials,
                Column.text("topic", t -> t.get("id")),
                FigureCatalogue.ofTopics(),
                Of.each(trials, t -> t.observed().topics().stream()));
    }

    static Table<?> groupsAlone(List<Map<String, Object>> groups) {
        return observed(
                List.of(),
                Column.text("group", g -> g.get("id")),
                FigureCatalogue.ofGroups(),
                groups.stream().map(g -> new Of<>(null, g)).toList());
    }

    private static Table<?> observed(
            List<TrialResult> trials,
            Column<Map<String, Object>> name,
            List<Figure> shown,
            List<Of<Map<String, Object>>> rows) {
        List<Column<Map<String, Object>>> figures = new ArrayList<>();
        for (Figure figure : shown) {
            figures.add(new Column<>(figure::label, true, figure.brokerRank(), o -> shown(figure, figure.ofBroker(o))));
        }
        // Of brokers that are watched from outside only some is known.
        figures.removeIf(column ->
                !rows.isEmpty() && rows.stream().allMatch(r -> column.cell().apply(r.one()) == null));
        return table(trials, name, figures, rows);
    }

    private static Object shown(Figure figure, Double value) {
        if (figure.id().equals("group.drain") && value != null && value == 0) {
            return Sentence.of("report.caughtUp");
        }
        return switch (figure.shownDimension()) {
            case BYTES_PER_SECOND -> Table.megabytes(value);
            case RATIO -> Table.percent(value);
            case MICROSECONDS -> Table.duration(value);
            case RECORDS_PER_SECOND -> Table.rate(value);
            default -> Table.number(value);
        };
    }

    static Table<?> workers(List<TrialResult> trials) {
        return table(
                trials,
                Column.text("worker", ObservedTables::mark),
                List.of(
                        Column.text("host", 7, ObservedTables::host),
                        Column.text("has", 6, ObservedTables::has),
                        Column.number("offeredPerSecond", 3, Table::rate, w -> w.flow()
                                .offeredRecordsPerSecond()),
                        Column.number(
                                "recordsPerSecond",
                                0,
                                w -> w.part().producers().isEmpty()
                                        ? null
                                        : Table.rate(w.flow().recordsPerSecond())),
                        Column.number(
                                "consumedPerSecond",
                                2,
                                w -> w.part().consumers().isEmpty()
                                        ? null
                                        : Table.rate(w.flow().consumedPerSecond())),
                        Column.number(
                                "respP99", 1, Table::micros, w -> w.tails().responseP99()),
                        Column.number(
                                "delayP99", 5, Table::micros, w -> w.tails().sendDelayP99()),
                        Column.number("cpu", 1, Table::number, w -> w.usage().cpuCores()),
                        Column.number(
                                "hostCpu", 8, Table::percent, w -> w.usage().hostCpuShare()),
                        Column.number("late", 4, Table::percent, w -> w.usage().lateShare()),
                        Column.number("clock", 3, ObservedTables::clock),
                        Column.number("ownE2eP50", 5, ObservedTables::ownEndToEnd),
                        Column.text("version", 9, w -> w.part().version())),
                Of.each(trials, t -> t.observed().workers().stream()));
    }

    private static <T> Table<Of<T>> table(
            List<TrialResult> trials, Column<T> name, List<Column<T>> others, List<Of<T>> rows) {
        List<Column<Of<T>>> columns = new ArrayList<>();
        columns.add(name.of(Of::one));
        if (trials.size() > 1) {
            columns.add(Column.text("trial", 1, Of::name));
        }
        others.forEach(column -> columns.add(column.of(Of::one)));
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
