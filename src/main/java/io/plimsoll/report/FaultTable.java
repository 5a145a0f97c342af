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
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The effect of each fault of a run, one row per fault. */
final class FaultTable {

    record Row(int number, String trial, FaultResult fault) {}

    private FaultTable() {}

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

    /** With the fault numbers of the charts and the outcome of each fault. */
    static Table<Row> numbered(RunResult result) {
        Table<Row> table = of(result);
        List<Column<Row>> columns = new ArrayList<>(table.columns());
        columns.add(0, Column.number("number", Row::number));
        columns.add(Column.number("p50Around", r -> around(r.fault().response(), Around::p50)));
        columns.add(Column.number("p99Around", r -> around(r.fault().response(), Around::p99)));
        columns.add(Column.number("maxAround", r -> around(r.fault().response(), Around::max)));
        columns.add(Column.text("outcome", r -> outcome(r.fault().deed())));
        return new Table<>(columns, table.rows());
    }

    private static Sentence outcome(FaultResult.Deed deed) {
        Sentence outcome = Sentence.term("report.outcome.", String.valueOf(deed.outcome()));
        return deed.detail() == null ? outcome : Sentence.of("report.fault.outcome", outcome, deed.detail());
    }

    static Table<Row> of(RunResult result) {
        return of(result, rows(result));
    }

    /** With several trials, omits member faults that did not affect producers: the rebalance table covers them. */
    static Table<Row> worthTelling(RunResult result) {
        return of(
                result,
                rows(result).stream().filter(r -> isWorthTelling(result, r)).toList());
    }

    private static boolean isWorthTelling(RunResult result, Row row) {
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

    private static boolean isSome(Long records) {
        return records != null && records > 0;
    }

    private static Table<Row> of(RunResult result, List<Row> rows) {
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(Column.text("faults", r -> r.fault().deed().what()));
        if (result.trials().size() > 1) {
            columns.add(Column.text("trial", 2, Row::trial));
        }
        columns.add(Column.number("at", 5, Table::seconds, r -> r.fault().span().asked()));
        columns.add(Column.number("silent", 0, r -> silent(r.fault().silenced())));
        columns.add(Column.number("silentFor", 0, r -> silentFor(r.fault().silenced())));
        Column<Row> byAppends =
                Column.number("silentAppends", 2, r -> silentAppends(r.fault().silenced()));
        if (byAppends.isIn(rows)) {
            columns.add(byAppends);
        }
        columns.add(effect("longestGap", 3, e -> Table.seconds(e.longestGapSeconds())));
        columns.add(Column.number("backAfter", 0, r -> back(r.fault())));
        columns.add(effect("isrFullAfter", 1, FaultTable::isr));
        columns.add(effect("worstResp", 3, e -> Table.micros(e.worstResponseMicros())));
        columns.add(effect("errors", 4, e -> Table.count(e.errors().total())));
        columns.add(effect("lost", 0, e -> Table.count(e.lost())));
        Column<Row> duplicated = effect("duplicated", 0, e -> Table.count(e.duplicated()));
        if (duplicated.isIn(rows)) {
            columns.add(duplicated);
        }
        return new Table<>(columns, rows);
    }

    private static Object silent(FaultResult.Silenced s) {
        return s == null ? null : Sentence.of("report.silent", s.partitions(), s.of());
    }

    private static Object silentFor(FaultResult.Silenced s) {
        return s == null ? null : Table.seconds(s.longestSeconds());
    }

    private static Object silentAppends(FaultResult.Silenced s) {
        return s == null ? null : Table.seconds(s.longestAppendSeconds());
    }

    static Table<Row> rebalances(RunResult result) {
        List<Row> rows =
                rows(result).stream().filter(r -> r.fault().rebalance() != null).toList();
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(Column.text("rebalances", r -> r.fault().deed().what()));
        if (result.trials().size() > 1) {
            columns.add(Column.text("trial", 0, Row::trial));
        }
        columns.add(rebalance("partitionsGiven", 1, r -> Table.count(r.partitions())));
        columns.add(rebalance("silentMost", 0, r -> Table.seconds(r.longestSeconds())));
        columns.add(rebalance("silentMedian", 1, r -> Table.seconds(r.medianSeconds())));
        columns.add(rebalance("silentAll", 3, r -> Table.seconds(r.silentSeconds())));
        columns.add(rebalance("readAgain", 0, r -> Table.count(r.readAgain())));
        columns.add(rebalance("stableAfter", 0, r -> Table.seconds(r.stableSeconds())));
        columns.add(rebalance("coordinator", 2, r -> Table.seconds(r.coordinatorSeconds())));
        return new Table<>(columns, rows);
    }

    /** A row for each trial and a column for each fault; empty unless there are several of both, the same faults in each trial. */
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
                        .mapToLong(f -> f.rebalance().readAgain())
                        .sum())));
        return Optional.of(
                new Table<>(columns, IntStream.range(0, byTrial.size()).boxed().toList()));
    }

    private static List<String> actions(List<FaultResult> faults) {
        return faults.stream().map(f -> f.deed().action()).toList();
    }

    private static Sentence price(FaultResult fault) {
        FaultResult.Rebalance r = fault.rebalance();
        return Sentence.of("report.rebalance.price", seconds(r.longestSeconds()), seconds(r.stableSeconds()));
    }

    private static String seconds(double seconds) {
        return Units.decimals(seconds, seconds < 1 ? 2 : 1);
    }

    private static Column<Row> rebalance(String key, int rank, Function<FaultResult.Rebalance, ?> cell) {
        return Column.number(key, rank, r -> cell.apply(r.fault().rebalance()));
    }

    private static String around(FaultResult.Response r, Function<Around, Long> figure) {
        return r == null
                ? null
                : Stream.of(r.before(), r.during(), r.after())
                        .map(a -> a == null || figure.apply(a) == null ? Table.NONE : Units.micros(figure.apply(a)))
                        .collect(Collectors.joining(" → "));
    }

    private static Column<Row> effect(String key, int rank, Function<FaultResult.Effect, ?> cell) {
        return Column.number(key, rank, r -> cell.apply(r.fault().effect()));
    }

    /** Remarks beside the figures: faults that failed or did not end, and errors by kind. */
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
            if (response != null && response.during() != null && isWorthTelling(result, row)) {
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

    private static Object back(FaultResult fault) {
        if (fault.effect().longestGapSeconds() == null || fault.span().inEffect() == null) {
            return null;
        }
        Double back = fault.backSeconds();
        return back == null ? Sentence.of("report.notBack") : Table.seconds(back);
    }

    private static Object isr(FaultResult.Effect effect) {
        if (effect.underReplicated() == 0) {
            return null;
        }
        return effect.isrFullSeconds() == null ? Sentence.of("report.notFull") : Table.seconds(effect.isrFullSeconds());
    }
}
