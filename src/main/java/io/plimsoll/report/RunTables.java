package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.report.TrialColumns.Distribution;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.AuditResult.GroupAudit;
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
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of a run that only a report in full has. */
public final class RunTables {
    private RunTables() {}

    /** The tables of a trial that a page shows as they are, by name. */
    public static Map<String, Grid> ofTrial(TrialResult trial) {
        List<TrialResult> one = List.of(trial);
        return Map.of(
                "brokers",
                Grid.of(ObservedTables.brokers(one)),
                "workers",
                Grid.of(ObservedTables.workers(one)),
                "topics",
                Grid.of(ObservedTables.topics(one)),
                "foreign",
                Grid.of(ObservedTables.groups(one)));
    }

    /** Those of a run, likewise. */
    public static Map<String, Grid> ofRun(RunResult result) {
        return Map.of(
                "faults",
                Grid.of(FaultTable.numbered(result)),
                "rebalances",
                Grid.of(FaultTable.rebalances(result)),
                "groups",
                Grid.of(groups(result.trials())),
                "scaling",
                Grid.of(ScalingTable.of(result)),
                "sources",
                Grid.of(SourceTable.of(result)));
    }

    /** @param trial that it belongs to */
    record Of<T>(TrialResult trial, T one) {
        String name() {
            return trial.name();
        }

        static <T> List<Of<T>> each(List<TrialResult> trials, Function<TrialResult, Stream<T>> all) {
            return trials.stream()
                    .flatMap(t -> all.apply(t).map(one -> new Of<>(t, one)))
                    .toList();
        }
    }

    @SafeVarargs
    private static <T> Table<Of<T>> table(List<Of<T>> rows, Column<T>... columns) {
        List<Column<Of<T>>> all = new ArrayList<>(List.of(Column.text("trial", Of::name)));
        for (Column<T> column : columns) {
            all.add(column.of(Of::one));
        }
        return new Table<>(all, rows);
    }

    static Table<?> latencies(List<TrialResult> trials) {
        List<Column<Distribution>> columns = new ArrayList<>(TrialColumns.latencyColumns("latency"));
        columns.add(0, Column.text("trial", d -> d.trial().name()));
        columns.add(Column.number("samples", 0, Units::count, d -> d.latency().count()));
        return new Table<>(
                columns,
                trials.stream().flatMap(t -> TrialColumns.latencies(t).stream()).toList());
    }

    /** What groups have read, and what an audit found of those with commits. */
    static Table<?> groups(List<TrialResult> trials) {
        List<Of<Group>> rows = Of.each(trials, t -> t.consume() == null ? Stream.of() : t.consume().groups().stream());
        List<Column<Of<Group>>> audited = List.of(
                Column.number("processedTwice", g -> audited(g, GroupAudit::processedTwice)),
                Column.number("skipped", g -> audited(g, GroupAudit::skipped)),
                Column.number("givenUp", g -> audited(g, GroupAudit::givenUp)));
        Table<Of<Group>> table = table(
                rows,
                Column.text("group", Group::id),
                Column.number("members", 0, Table::count, g -> g.members()),
                Column.number("records", 0, Table::count, g -> g.records()),
                Column.number(
                        "lagAtEnd",
                        g -> g.lagAtEnd() == null ? Sentence.of("report.unknown") : Table.count(g.lagAtEnd())),
                Column.number("commits", 0, Table::count, g -> g.commits()),
                Column.number("rebalances", 0, Table::count, g -> g.rebalances()));
        return new Table<>(
                Stream.concat(table.columns().stream(), audited.stream().filter(c -> c.isIn(rows)))
                        .toList(),
                rows);
    }

    private static Object audited(Of<Group> group, Function<GroupAudit, Long> count) {
        AuditResult audit = group.trial().audit();
        return audit == null || audit.groups() == null
                ? null
                : audit.groups().stream()
                        .filter(a -> Objects.equals(a.group(), group.one().id()))
                        .findFirst()
                        .map(a -> Table.count(count.apply(a)))
                        .orElse(null);
    }

    private record Counted(Sentence doing, String kind, long count) {}

    static Table<?> errors(List<TrialResult> trials) {
        return table(
                Of.each(trials, RunTables::counted),
                Column.text("while", Counted::doing),
                Column.text("kind", Counted::kind),
                Column.number("count", 0, Units::count, c -> c.count()));
    }

    private static Stream<Counted> counted(TrialResult trial) {
        Stream<Counted> producing = trial.produce() == null
                ? Stream.of()
                : Stream.concat(
                        byKind("report.while.producing", kinds(trial.produce().errors())),
                        byKind(
                                "report.while.producingNoFailure",
                                trial.produce().events()));
        return trial.consume() == null
                ? producing
                : Stream.concat(
                        producing,
                        byKind("report.while.consuming", kinds(trial.consume().errors())));
    }

    private static Stream<Counted> byKind(String doing, Map<String, Long> kinds) {
        return kinds.entrySet().stream().map(e -> new Counted(Sentence.of(doing), e.getKey(), e.getValue()));
    }

    private static Map<String, Long> kinds(Errors errors) {
        return errors == null ? Map.of() : errors.byKind();
    }

    static Table<?> partitions(List<TrialResult> trials, int most) {
        List<Of<PartitionResult>> all = Of.each(trials, t -> t.detail().partitions().stream());
        return table(
                all.subList(0, Math.min(all.size(), most)),
                Column.text("topic", PartitionResult::topic),
                Column.number("partition", PartitionResult::partition),
                Column.number("leader", PartitionResult::leader),
                Column.number("produced", 0, Units::count, p -> p.produced()),
                Column.number("producedPerSecond", 0, Table::rate, p -> p.producedPerSecond()),
                Column.number("consumed", 0, Units::count, p -> p.consumed()),
                Column.number("consumedPerSecond", 0, Table::rate, p -> p.consumedPerSecond()));
    }

    private record Leader(String trial, int broker, List<PartitionResult> led) {}

    /** Brokers of trials whose partitions are led by more than one, so that a slow one stands out. */
    static Table<?> leaders(List<TrialResult> trials) {
        List<Leader> rows = new ArrayList<>();
        for (TrialResult trial : trials) {
            Map<Integer, List<PartitionResult>> byLeader = trial.detail().partitions().stream()
                    .filter(p -> p.leader() != null)
                    .collect(Collectors.groupingBy(PartitionResult::leader, TreeMap::new, Collectors.toList()));
            if (byLeader.size() > 1) {
                byLeader.forEach((broker, led) -> rows.add(new Leader(trial.name(), broker, led)));
            }
        }
        return new Table<>(
                List.of(
                        Column.text("trial", Leader::trial),
                        Column.number("broker", Leader::broker),
                        Column.number("leads", r -> r.led().size()),
                        Column.number("produced", r -> sum(r, PartitionResult::produced)),
                        Column.number("producedPerSecondAPartition", r -> mean(r, PartitionResult::producedPerSecond)),
                        Column.number("consumed", r -> sum(r, PartitionResult::consumed)),
                        Column.number("consumedPerSecondAPartition", r -> mean(r, PartitionResult::consumedPerSecond))),
                rows);
    }

    private static Object sum(Leader leader, ToLongFunction<PartitionResult> count) {
        return Table.count(leader.led().stream().mapToLong(count).sum());
    }

    private static Object mean(Leader leader, Function<PartitionResult, Double> rate) {
        OptionalDouble mean = leader.led().stream()
                .map(rate)
                .filter(Objects::nonNull)
                .mapToDouble(r -> r)
                .average();
        return mean.isEmpty() ? null : Table.rate(mean.getAsDouble());
    }

    private record Setting(String part, String key, String value) {}

    static Table<?> settings(List<TrialResult> trials) {
        return table(
                Of.each(trials, t -> t.detail().setup().entrySet().stream()
                        .flatMap(part -> part.getValue().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(e -> new Setting(part.getKey(), e.getKey(), e.getValue())))),
                Column.text("part", Setting::part),
                Column.text("setting", Setting::key),
                Column.text("value", Setting::value));
    }

    static Table<?> brokers(RunResult result) {
        return new Table<>(
                List.of(
                        Column.text("id", Broker::id),
                        Column.text("address", b -> b.host() + ":" + b.port()),
                        Column.text("rack", Broker::rack)),
                EnvironmentText.brokers(result));
    }

    static Table<?> facts(RunResult result) {
        return new Table<>(
                List.of(
                        Column.text("fact", Map.Entry::getKey),
                        Column.text("value", e -> EnvironmentText.value(e.getValue()))),
                EnvironmentText.facts(result));
    }
}
