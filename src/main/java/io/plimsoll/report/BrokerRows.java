package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One line a broker and trial: what went through the partitions that it leads, so that a slow broker stands out. */
final class BrokerRows {
    private BrokerRows() {}

    record Row(String trial, int broker, List<PartitionResult> led) {
        private long produced() {
            return led.stream().mapToLong(PartitionResult::produced).sum();
        }

        private long consumed() {
            return led.stream().mapToLong(PartitionResult::consumed).sum();
        }
    }

    /** Of trials whose partitions are led by more than one broker. */
    static List<Row> of(List<TrialResult> trials) {
        List<Row> rows = new ArrayList<>();
        for (TrialResult trial : trials) {
            Map<Integer, List<PartitionResult>> byLeader = new TreeMap<>();
            trial.detail().partitions().stream().filter(p -> p.leader() != null).forEach(p -> byLeader.computeIfAbsent(
                            p.leader(), l -> new ArrayList<>())
                    .add(p));
            if (byLeader.size() > 1) {
                byLeader.forEach((broker, led) -> rows.add(new Row(trial.name(), broker, led)));
            }
        }
        return rows;
    }

    static List<Column<Row>> columns() {
        return List.of(
                new Column<>(Sentence.of("report.label.trial"), false, 0, Row::trial),
                new Column<>(Sentence.of("report.label.broker"), true, 0, r -> String.valueOf(r.broker())),
                new Column<>(
                        Sentence.of("report.label.leads"),
                        true,
                        0,
                        r -> Units.count(r.led().size())),
                new Column<>(Sentence.of("report.label.produced"), true, 0, r -> Units.count(r.produced())),
                new Column<>(
                        Sentence.of("report.label.producedPerSecondAPartition"),
                        true,
                        0,
                        r -> mean(r.led().stream()
                                .map(PartitionResult::producedPerSecond)
                                .toList())),
                new Column<>(Sentence.of("report.label.consumed"), true, 0, r -> Units.count(r.consumed())),
                new Column<>(
                        Sentence.of("report.label.consumedPerSecondAPartition"),
                        true,
                        0,
                        r -> mean(r.led().stream()
                                .map(PartitionResult::consumedPerSecond)
                                .toList())));
    }

    private static String mean(List<Double> rates) {
        double[] known =
                rates.stream().filter(r -> r != null).mapToDouble(r -> r).toArray();
        return known.length == 0
                ? TrialColumns.NONE
                : Units.rate(java.util.Arrays.stream(known).average().orElse(0));
    }
}
