package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.FaultResult.Around;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class FaultTable {

    record Row(int number, String trial, FaultResult fault) {}

    private static List<Row> rows(RunResult result) {
        List<Row> rows = new ArrayList<>();
        for (TrialResult trial : result.trials()) {
            int number = 1;
            for (FaultResult fault : trial.detail().faults()) {
                rows.add(new Row(number++, trial.name(), fault));
            }
        }
        return rows;
    }

    /** The table of faults, with the fault numbers of the charts and the outcome of each fault. */
    static Table<Row> numbered(RunResult result) {
        List<Row> rows = rows(result);
        List<Column<Row>> columns = new ArrayList<>(of(result, rows).columns());
        columns.add(0, Column.number("number", Row::number));
        columns.add(Column.number("p50Around", r -> around(r.fault().response(), Around::p50)));
        columns.add(Column.number("p99Around", r -> around(r.fault().response(), Around::p99)));
        columns.add(Column.number("maxAround", r -> around(r.fault().response(), Around::max)));
        columns.add(Column.text("outcome", r -> outcome(r.fault().deed())));
        return new Table<>(columns, rows);
    }

    private static Sentence outcome(FaultResult.Deed deed) {
        Sentence outcome = Sentence.term("report.outcome.", String.valueOf(deed.outcome()));
        return deed.detail() == null ? outcome : Sentence.of("report.fault.outcome", outcome, deed.detail());
    }

    /** With several trials, omits member faults that did not affect producers: the rebalance table covers them. */
    static Table<Row> notable(RunResult result) {
        return of(
                result, rows(result).stream().filter(r -> isNotable(result, r)).toList());
    }

    private static boolean isNotable(RunResult result, Row row) {
        FaultResult fault = row.fault();
        boolean ofMember = fault.rebalance() != null && fault.deed().broker() == null;
        return result.trials().size() == 1 || !ofMember || isFelt(fault);
    }

    private static boolean isFelt(FaultResult fault) {
        FaultResult.Effect effect = fault.effect();
        return (fault.silenced() != null && fault.silenced().partitions() > 0)
                || effect.errors().total() > 0
                || isSome(effect.lost())
                || isSome(effect.duplicated());
    }

    private static boolean isSome(@Nullable Long records) {
        return records != null && records > 0;
    }

    private static Table<Row> of(RunResult result, List<Row> rows) {
        return Table.of(
                rows,
                Column.text("faults", r -> r.fault().deed().what()),
                trial(result, 2),
                Column.number("at", 5, Table::seconds, r -> r.fault().span().asked()),
                silenced("silent", 0, s -> Sentence.of("report.silent", s.partitions(), s.of())),
                silenced("silentFor", 0, s -> Table.seconds(s.longestSeconds())),
                silenced("silentAppends", 2, s -> Table.seconds(s.longestAppendSeconds()))
                        .ifIn(rows),
                effect("longestGap", 3, e -> Table.seconds(e.longestGapSeconds())),
                Column.number("backAfter", r -> back(r.fault())),
                effect("isrFullAfter", 1, FaultTable::isr),
                effect("worstResp", 3, e -> Table.micros(e.worstResponseMicros())),
                effect("errors", 4, e -> Table.count(e.errors().total())),
                effect("lost", 0, e -> Table.count(e.lost())),
                effect("duplicated", 0, e -> Table.count(e.duplicated())).ifIn(rows));
    }

    private static @Nullable Column<Row> trial(RunResult result, int rank) {
        return result.trials().size() > 1 ? Column.text("trial", rank, Row::trial) : null;
    }

    private static Column<Row> silenced(String key, int rank, Function<FaultResult.Silenced, ?> cell) {
        return Column.number(key, rank, cell, r -> r.fault().silenced());
    }

    private static Column<Row> effect(String key, int rank, Function<FaultResult.Effect, ?> cell) {
        return Column.number(key, rank, cell, r -> r.fault().effect());
    }

    private static Column<Row> rebalance(String key, int rank, Function<FaultResult.Rebalance, ?> cell) {
        return Column.number(key, rank, cell, r -> r.fault().rebalance());
    }

    static Table<Row> rebalances(RunResult result) {
        return Table.of(
                rows(result).stream().filter(r -> r.fault().rebalance() != null).toList(),
                Column.text("rebalances", r -> r.fault().deed().what()),
                trial(result, 0),
                rebalance("partitionsGiven", 1, r -> Table.count(r.partitions())),
                rebalance("silentMost", 0, r -> Table.seconds(r.longestSeconds())),
                rebalance("silentMedian", 1, r -> Table.seconds(r.medianSeconds())),
                rebalance("silentAll", 3, r -> Table.seconds(r.silentSeconds())),
                rebalance("readAgain", 0, r -> Table.count(r.readAgain())),
                rebalance("stableAfter", 0, r -> Table.seconds(r.stableSeconds())),
                rebalance("coordinator", 2, r -> Table.seconds(r.coordinatorSeconds())));
    }

    /**
     * A row for each trial and a column for each fault. Empty unless the run has several trials and all of them had
     * rebalances after the same two or more faults.
     */
    static Optional<Table<Integer>> rebalancesByTrial(RunResult result) {
        List<List<FaultResult>> byTrial = result.trials().stream()
                .map(t -> t.detail().faults().stream()
                        .filter(f -> f.rebalance() != null)
                        .toList())
                .toList();
        List<String> actions = byTrial.isEmpty() ? List.of() : actions(byTrial.get(0));
        boolean same = byTrial.size() > 1
                && actions.size() > 1
                && byTrial.stream().allMatch(faults -> actions(faults).equals(actions));
        if (!same) {
            return Optional.empty();
        }
        List<Column<Integer>> columns = new ArrayList<>();
        columns.add(Column.text("rebalances", t -> result.trials().get(t).name()));
        for (int i = 0; i < actions.size(); i++) {
            int fault = i;
            columns.add(new Column<>(
                    Sentence.term("report.rebalance.", actions.get(i))::in,
                    true,
                    0,
                    t -> price(byTrial.get(t).get(fault))));
        }
        columns.add(Column.number(
                "readAgain",
                1,
                t -> Table.count(byTrial.get(t).stream()
                        .map(FaultResult::rebalance)
                        .filter(Objects::nonNull)
                        .mapToLong(FaultResult.Rebalance::readAgain)
                        .sum())));
        return Optional.of(
                new Table<>(columns, IntStream.range(0, byTrial.size()).boxed().toList()));
    }

    private static List<String> actions(List<FaultResult> faults) {
        return faults.stream().map(f -> f.deed().action()).toList();
    }

    private static @Nullable Sentence price(FaultResult fault) {
        FaultResult.Rebalance r = fault.rebalance();
        return r == null
                ? null
                : Sentence.of("report.rebalance.price", seconds(r.longestSeconds()), seconds(r.stableSeconds()));
    }

    private static String seconds(double seconds) {
        return Units.decimals(seconds, seconds < 1 ? 2 : 1);
    }

    private static @Nullable String around(FaultResult.@Nullable Response r, Function<Around, Long> figure) {
        return r == null
                ? null
                : Stream.of(r.before(), r.during(), r.after())
                        .map(a -> a == null || figure.apply(a) == null ? Table.NONE : Units.micros(figure.apply(a)))
                        .collect(Collectors.joining(" → "));
    }

    /** Remarks below the table: faults that failed or did not end, and errors by kind. */
    static List<Sentence> remarks(RunResult result) {
        List<Sentence> remarks = new ArrayList<>();
        for (Row row : rows(result)) {
            FaultResult fault = row.fault();
            if (fault.deed().detail() != null) {
                remarks.add(Sentence.of(
                        "report.fault.remark",
                        fault.deed().what(),
                        Sentence.term("report.outcome.", fault.deed().outcome()),
                        fault.deed().detail()));
            }
            FaultResult.Response response = fault.response();
            if (response != null && response.during() != null && isNotable(result, row)) {
                remarks.add(Sentence.of(
                        "report.fault.response",
                        fault.deed().what(),
                        around(response, Around::p50),
                        around(response, Around::p99),
                        around(response, Around::max)));
            }
            if (fault.effect().errors().total() > 0) {
                remarks.add(Sentence.of(
                        "report.fault.errors",
                        fault.deed().what(),
                        fault.effect().errors().byKind().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(e -> Units.count(e.getValue()) + " " + e.getKey())
                                .toList()));
            }
        }
        return remarks;
    }

    private static @Nullable Object back(FaultResult fault) {
        if (fault.effect().longestGapSeconds() == null || fault.span().inEffect() == null) {
            return null;
        }
        Double back = fault.backSeconds();
        return back == null ? Sentence.of("report.notBack") : Table.seconds(back);
    }

    private static @Nullable Object isr(FaultResult.Effect effect) {
        if (effect.underReplicated() == 0) {
            return null;
        }
        return effect.isrFullSeconds() == null ? Sentence.of("report.notFull") : Table.seconds(effect.isrFullSeconds());
    }
}
