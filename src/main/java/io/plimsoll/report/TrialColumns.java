package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.ProduceFigures;
import io.plimsoll.result.Statistic;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** One row per trial: its parameters or name, then the columns that the figures declare. */
final class TrialColumns {
    private TrialColumns() {}

    static List<Column<TrialResult>> of(List<TrialResult> trials) {
        List<Column<TrialResult>> columns = new ArrayList<>(identity(trials));
        boolean produces = trials.stream().allMatch(t -> t.produce() != null);
        // The key figure of runs about consumers.
        String first = !produces
                ? "consume.throughput"
                : trials.stream().allMatch(TrialColumns::setsConsumers) ? "consume.endToEnd" : null;
        FigureCatalogue.columns(trials).stream()
                .filter(c -> trials.stream().anyMatch(c::isIn))
                .map(c -> new Column<TrialResult>(
                        c::label, true, c.figure().id().equals(first) ? 0 : c.rank(), t -> shown(c, t)))
                .forEach(columns::add);
        columns.add(Column.number("errors", 1, TrialColumns::errorsShown));
        columns.add(Column.text("audit", t -> audit(t.audit())));
        return columns;
    }

    private static boolean setsConsumers(TrialResult trial) {
        return trial.detail().parameters().keySet().stream().anyMatch(key -> key.startsWith("consumers"));
    }

    private static Object shown(Figure.Column column, TrialResult trial) {
        return switch (column.figure().id()) {
            case "produce.offered" -> offered(trial);
            case "produce.throughput" ->
                column.rank() == 0 ? qualified(trial, column.shown(trial)) : column.shown(trial);
            default -> column.shown(trial);
        };
    }

    /** The parameters if they identify the trials and the names add no information; otherwise the names. */
    private static List<Column<TrialResult>> identity(List<TrialResult> trials) {
        Set<String> parameters = new LinkedHashSet<>();
        trials.forEach(t -> parameters.addAll(t.detail().parameters().keySet()));
        boolean all = !parameters.isEmpty()
                && trials.stream()
                        .allMatch(t -> t.detail().parameters().keySet().equals(parameters))
                && trials.stream().allMatch(TrialColumns::namedByParameters);
        if (!all) {
            return List.of(Column.text("trial", TrialResult::name));
        }
        return parameters.stream()
                .map(path -> Column.<TrialResult>named(shortName(path, parameters), false, 0, t -> t.detail()
                        .parameters()
                        .get(path)))
                .toList();
    }

    /** A matrix cell is named by its settings; a trial of the list {@code trials} has its own name. */
    private static boolean namedByParameters(TrialResult t) {
        return SettingNames.ownName(t.name(), t.detail().parameters()).isEmpty();
    }

    /** Such as {@code linger.ms} for {@code producers[0].config.linger.ms}, unless another ends likewise. */
    static String shortName(String path, Set<String> all) {
        return Text.printable(SettingNames.shortName(path, all));
    }

    /**
     * Marks a lower bound (the load generator or other processes on its host were the limit, and the offered load was not
     * reached) and a rate that includes a backlog from before the window.
     */
    static Object qualified(TrialResult t, String figure) {
        if (figure != null && t.produce() != null && ProduceFigures.aboveOffered(t.produce())) {
            return Sentence.of("report.withBacklog", figure);
        }
        boolean reached = t.paced() && t.course().valid();
        return figure != null && Invalidity.isLowerBound(t) && !reached ? "≥ " + figure : figure;
    }

    static Object offered(TrialResult t) {
        Double offered = t.produce() == null ? null : t.produce().schedule().offeredRecordsPerSecond();
        boolean unlimited = t.pushed();
        return offered == null && unlimited ? Sentence.of("report.unlimited") : Table.rate(offered);
    }

    static String count(TrialResult.Errors errors) {
        return errors == null ? null : Units.count(errors.total());
    }

    private static String errorsShown(TrialResult t) {
        boolean known = errors(t).findAny().isPresent();
        return known
                ? Units.count(errors(t).mapToLong(TrialResult.Errors::total).sum())
                : null;
    }

    private static Stream<TrialResult.Errors> errors(TrialResult t) {
        return Stream.of(
                        t.produce() == null ? null : t.produce().errors(),
                        t.consume() == null ? null : t.consume().errors())
                .filter(Objects::nonNull);
    }

    /** Null without an audit. */
    private static Sentence audit(AuditResult audit) {
        if (audit == null) {
            return null;
        }
        if (audit.counts().lost() > 0) {
            return Sentence.of("report.lost", Units.count(audit.counts().lost()));
        }
        if (audit.counts().corrupted() != null && audit.counts().corrupted() > 0) {
            return Sentence.of("report.corrupted", Units.count(audit.counts().corrupted()));
        }
        if (audit.violated()) {
            return Sentence.of(
                    "report.violations", Units.count(audit.identified().violations()));
        }
        return Sentence.of(audit.complete() ? "report.ok" : "report.partial");
    }

    record Distribution(TrialResult trial, Figure figure) {
        TrialResult.Latency latency() {
            return figure.latency(trial);
        }

        /** Null with too few samples; {@code < x} for a latency below the clock error x. */
        Object shown(Statistic statistic) {
            Double hidden = figure.hidingBelow(trial, statistic);
            return hidden == null ? Table.micros(statistic.of(latency())) : "< " + Units.micros(hidden);
        }
    }

    static List<Distribution> latencies(TrialResult t) {
        return FigureCatalogue.latencies().stream()
                .filter(f -> f.latency(t) != null && f.latency(t).count() > 0)
                .map(f -> new Distribution(t, f))
                .toList();
    }

    static List<Column<Distribution>> latencyColumns(String header) {
        return List.of(
                Column.text(header, d -> (Table.Label) d.figure()::label),
                latency(Statistic.P50, 0),
                latency(Statistic.P90, 3),
                latency(Statistic.P99, 0),
                latency(Statistic.P999, 2),
                latency(Statistic.P9999, 4),
                Column.number("max", 1, d -> d.shown(Statistic.MAX)),
                Column.number("mean", 5, d -> d.shown(Statistic.MEAN)));
    }

    private static Column<Distribution> latency(Statistic statistic, int rank) {
        return Column.named(statistic.text(), true, rank, d -> d.shown(statistic));
    }
}
