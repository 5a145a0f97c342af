package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.report.TrialColumns.Distribution;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.RunResult.Broker;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Errors;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The tables of a run that only a report in full has. */
final class RunTables {
    private RunTables() {}

    /** Something that belongs to a trial. */
    private record Of<T>(TrialResult trial, T one) {
        String name() {
            return trial.name();
        }
    }

    private static <T> List<Of<T>> each(List<TrialResult> trials, Function<TrialResult, List<T>> all) {
        return trials.stream()
                .flatMap(t -> all.apply(t).stream().map(one -> new Of<>(t, one)))
                .toList();
    }

    /** The columns of what belongs to trials, behind their names. */
    @SafeVarargs
    private static <T> Table<Of<T>> table(List<Of<T>> rows, Column<T>... columns) {
        List<Column<Of<T>>> all = new ArrayList<>(List.of(Column.text("report.label.trial", Of::name)));
        for (Column<T> column : columns) {
            all.add(column.of(Of::one));
        }
        return new Table<>(all, rows);
    }

    static Table<?> latencies(List<TrialResult> trials) {
        List<Column<Distribution>> columns = new ArrayList<>(TrialColumns.latencyColumns("report.label.latency"));
        columns.add(0, Column.text("report.label.trial", d -> d.trial().name()));
        columns.add(Column.number(
                "report.label.samples", d -> Units.count(d.latency().count())));
        return new Table<>(
                columns,
                trials.stream().flatMap(t -> TrialColumns.latencies(t).stream()).toList());
    }

    static Table<?> checks(List<TrialResult> trials) {
        return new Table<>(
                List.of(
                        Column.text("", r -> r.passed() ? "✅" : "❌"),
                        Column.text("report.label.check", CheckRow::check),
                        Column.number("report.label.measured", CheckRow::measured),
                        Column.text("report.label.trial", CheckRow::trial)),
                CheckRow.of(trials, Integer.MAX_VALUE));
    }

    static Table<?> groups(List<TrialResult> trials) {
        return table(
                RunTables.<Group>each(
                        trials,
                        t -> t.consume() == null ? List.of() : t.consume().groups()),
                Column.text("report.label.group", Group::id),
                Column.number("report.label.members", g -> Units.count(g.members())),
                Column.number("report.label.records", g -> Units.count(g.records())),
                Column.number(
                        "report.label.lagAtEnd",
                        g -> g.lagAtEnd() == null ? Sentence.of("report.unknown") : Units.count(g.lagAtEnd())),
                Column.number("report.label.commits", g -> Units.count(g.commits())),
                Column.number("report.label.rebalances", g -> Units.count(g.rebalances())));
    }

    private record Counted(Sentence doing, String kind, long count) {}

    static Table<?> errors(List<TrialResult> trials) {
        return table(
                each(trials, RunTables::counted),
                Column.text("report.label.while", Counted::doing),
                Column.text("report.label.kind", Counted::kind),
                Column.number("report.label.count", c -> Units.count(c.count())));
    }

    private static List<Counted> counted(TrialResult trial) {
        List<Counted> all = new ArrayList<>();
        if (trial.produce() != null) {
            add(all, "report.while.producing", kinds(trial.produce().errors()));
            add(all, "report.while.producingNoFailure", trial.produce().events());
        }
        if (trial.consume() != null) {
            add(all, "report.while.consuming", kinds(trial.consume().errors()));
        }
        return all;
    }

    private static void add(List<Counted> all, String doing, Map<String, Long> kinds) {
        kinds.forEach((kind, n) -> all.add(new Counted(Sentence.of(doing), kind, n)));
    }

    /** None where it is not known. */
    private static Map<String, Long> kinds(Errors errors) {
        return errors == null ? Map.of() : errors.byKind();
    }

    /** @param most how many rows it may have */
    static Table<?> partitions(List<TrialResult> trials, int most) {
        List<Of<PartitionResult>> all = each(trials, t -> t.detail().partitions());
        return table(
                all.subList(0, Math.min(all.size(), most)),
                Column.text("report.label.topic", PartitionResult::topic),
                Column.number("report.label.partition", PartitionResult::partition),
                Column.number("report.label.leader", PartitionResult::leader),
                Column.number("report.label.produced", p -> Units.count(p.produced())),
                Column.number("report.label.producedPerSecond", p -> Table.rate(p.producedPerSecond())),
                Column.number("report.label.consumed", p -> Units.count(p.consumed())),
                Column.number("report.label.consumedPerSecond", p -> Table.rate(p.consumedPerSecond())));
    }

    private record Setting(String part, String key, String value) {}

    static Table<?> settings(List<TrialResult> trials) {
        return table(
                each(trials, t -> t.detail().setup().entrySet().stream()
                        .flatMap(part -> part.getValue().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(e -> new Setting(part.getKey(), e.getKey(), e.getValue())))
                        .toList()),
                Column.text("report.label.part", Setting::part),
                Column.text("report.label.setting", Setting::key),
                Column.text("report.label.value", Setting::value));
    }

    static Table<?> brokers(RunResult result) {
        return new Table<>(
                List.of(
                        Column.text("report.label.id", Broker::id),
                        Column.text("report.label.address", b -> b.host() + ":" + b.port()),
                        Column.text("report.label.rack", Broker::rack)),
                EnvironmentText.brokers(result));
    }

    static Table<?> facts(RunResult result) {
        return new Table<>(
                List.of(
                        Column.text("report.label.fact", Map.Entry::getKey),
                        Column.text("report.label.value", e -> EnvironmentText.value(e.getValue()))),
                EnvironmentText.facts(result));
    }
}
