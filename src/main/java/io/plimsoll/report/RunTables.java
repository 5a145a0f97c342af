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
                Grid.of(groups(result.trials())));
    }

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

    /** What groups have read, and what an audit found of those with commits. */
    static Table<?> groups(List<TrialResult> trials) {
        List<Of<Group>> rows =
                each(trials, t -> t.consume() == null ? List.of() : t.consume().groups());
        List<Column<Of<Group>>> audited = List.of(
                Column.number("report.label.processedTwice", g -> audited(g, GroupAudit::processedTwice)),
                Column.number("report.label.skipped", g -> audited(g, GroupAudit::skipped)),
                Column.number("report.label.givenUp", g -> audited(g, GroupAudit::givenUp)));
        Table<Of<Group>> table = table(
                rows,
                Column.text("report.label.group", Group::id),
                Column.number("report.label.members", g -> Table.count(g.members())),
                Column.number("report.label.records", g -> Table.count(g.records())),
                Column.number(
                        "report.label.lagAtEnd",
                        g -> g.lagAtEnd() == null ? Sentence.of("report.unknown") : Table.count(g.lagAtEnd())),
                Column.number("report.label.commits", g -> Table.count(g.commits())),
                Column.number("report.label.rebalances", g -> Table.count(g.rebalances())));
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

    /** The partitions that a broker leads. */
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
                        Column.text("report.label.trial", Leader::trial),
                        Column.number("report.label.broker", Leader::broker),
                        Column.number("report.label.leads", r -> r.led().size()),
                        Column.number("report.label.produced", r -> sum(r, PartitionResult::produced)),
                        Column.number(
                                "report.label.producedPerSecondAPartition",
                                r -> mean(r, PartitionResult::producedPerSecond)),
                        Column.number("report.label.consumed", r -> sum(r, PartitionResult::consumed)),
                        Column.number(
                                "report.label.consumedPerSecondAPartition",
                                r -> mean(r, PartitionResult::consumedPerSecond))),
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
