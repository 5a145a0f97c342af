package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** What each broker was seen to do, and what went through the partitions that it leads: a row for each trial and broker. */
final class BrokerTable {
    record Row(String trial, Map<String, Object> broker) {}

    /** The partitions that a broker leads. */
    record Leader(String trial, int broker, List<PartitionResult> led) {}

    private BrokerTable() {}

    static Table<Row> table(List<TrialResult> trials) {
        List<Row> rows = trials.stream()
                .flatMap(t -> t.observed().brokers().stream()
                        .filter(b -> b.containsKey("sources"))
                        .map(b -> new Row(t.name(), b)))
                .toList();
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(Column.number("report.label.broker", r -> r.broker().get("id")));
        if (trials.size() > 1) {
            columns.add(Column.text("report.label.trial", 1, Row::trial));
        }
        columns.add(figure("report.label.cpu", 0, "cpu", v -> Units.decimals(v, 2)));
        columns.add(figure("report.label.inMegabytes", 1, "bytesIn", Units::megabytes));
        columns.add(figure("report.label.outMegabytes", 2, "bytesOut", Units::megabytes));
        columns.add(figure("report.label.handlersIdle", 0, "handlerIdle", BrokerTable::percent));
        columns.add(figure("report.label.networkIdle", 1, "networkIdle", BrokerTable::percent));
        columns.add(figure("report.label.queueMs", 2, "requestQueueMs", BrokerTable::millis));
        columns.add(figure("report.label.localMs", 0, "localMs", BrokerTable::millis));
        columns.add(figure("report.label.remoteMs", 1, "remoteMs", BrokerTable::millis));
        columns.add(figure("report.label.throttleMs", 2, "throttleMs", BrokerTable::millis));
        columns.add(figure("report.label.sendMs", 3, "responseSendMs", BrokerTable::millis));
        columns.add(figure("report.label.underReplicated", 3, "underReplicated", v -> Units.decimals(v, 0)));
        // Of brokers that are watched from outside only some is known.
        columns.removeIf(column -> !rows.isEmpty() && !column.isIn(rows));
        return new Table<>(columns, rows);
    }

    private static Column<Row> figure(String key, int rank, String figure, DoubleFunction<String> shown) {
        return Column.number(
                key, rank, r -> r.broker().get(figure) instanceof Number n ? shown.apply(n.doubleValue()) : null);
    }

    private static String millis(double value) {
        return Units.decimals(value, 1);
    }

    private static String percent(double share) {
        return Units.decimals(share * 100, 0) + " %";
    }

    /** Of trials whose partitions are led by more than one broker, so that a slow one stands out. */
    static Table<Leader> leaders(List<TrialResult> trials) {
        List<Leader> rows = new ArrayList<>();
        for (TrialResult trial : trials) {
            Map<Integer, List<PartitionResult>> byLeader = new TreeMap<>();
            for (PartitionResult p : trial.detail().partitions()) {
                if (p.leader() != null) {
                    byLeader.computeIfAbsent(p.leader(), l -> new ArrayList<>()).add(p);
                }
            }
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

    private static String sum(Leader leader, Function<PartitionResult, Long> count) {
        return Units.count(leader.led().stream().mapToLong(count::apply).sum());
    }

    private static String mean(Leader leader, Function<PartitionResult, Double> rate) {
        OptionalDouble mean = leader.led().stream()
                .map(rate)
                .filter(Objects::nonNull)
                .mapToDouble(r -> r)
                .average();
        return mean.isEmpty() ? null : Units.rate(mean.getAsDouble());
    }
}
