package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What each broker was seen to do, a row for each trial and broker. */
final class BrokerTable {
    private static final String ID = "id";

    record Row(String trial, Map<String, Object> broker) {
        /** NaN if it is not available. */
        double number(String figure) {
            return broker.get(figure) instanceof Number n ? n.doubleValue() : Double.NaN;
        }
    }

    private BrokerTable() {}

    static List<Row> rows(List<TrialResult> trials) {
        return trials.stream()
                .flatMap(t -> t.observed().brokers().stream()
                        .filter(b -> b.containsKey("sources"))
                        .map(b -> new Row(t.name(), b)))
                .toList();
    }

    static Table<Row> table(List<TrialResult> trials) {
        List<Row> rows = rows(trials);
        List<Column<Row>> columns = new ArrayList<>();
        columns.add(new Column<>(
                Sentence.of("report.label.broker"),
                true,
                0,
                r -> String.valueOf(r.broker().get(ID))));
        if (trials.size() > 1) {
            columns.add(new Column<>(Sentence.of("report.label.trial"), false, 1, Row::trial));
        }
        columns.add(number("report.label.cpu", 0, r -> decimals(r.number("cpu"), 2)));
        columns.add(number("report.label.inMegabytes", 1, r -> megabytes(r.number("bytesIn"))));
        columns.add(number("report.label.outMegabytes", 2, r -> megabytes(r.number("bytesOut"))));
        columns.add(number("report.label.handlersIdle", 0, r -> percent(r.number("handlerIdle"))));
        columns.add(number("report.label.networkIdle", 1, r -> percent(r.number("networkIdle"))));
        columns.add(number("report.label.queueMs", 2, r -> decimals(r.number("requestQueueMs"), 1)));
        columns.add(number("report.label.localMs", 0, r -> decimals(r.number("localMs"), 1)));
        columns.add(number("report.label.remoteMs", 1, r -> decimals(r.number("remoteMs"), 1)));
        columns.add(number("report.label.throttleMs", 2, r -> decimals(r.number("throttleMs"), 1)));
        columns.add(number("report.label.sendMs", 3, r -> decimals(r.number("responseSendMs"), 1)));
        columns.add(number("report.label.underReplicated", 3, r -> decimals(r.number("underReplicated"), 0)));
        // Of brokers that are watched from outside only some is known.
        columns.removeIf(
                column -> rows.stream().map(column.cell()).allMatch(TrialColumns.NONE::equals) && !rows.isEmpty());
        return new Table<>(columns, rows);
    }

    private static Column<Row> number(String key, int rank, Function<Row, ?> cell) {
        return new Column<>(Table.label(key), true, rank, cell);
    }

    private static String decimals(double value, int digits) {
        return Double.isNaN(value) ? TrialColumns.NONE : Units.decimals(value, digits);
    }

    private static String megabytes(double bytesPerSecond) {
        return Double.isNaN(bytesPerSecond) ? TrialColumns.NONE : Units.megabytes(bytesPerSecond);
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? TrialColumns.NONE : Units.decimals(share * 100, 0) + " %";
    }
}
