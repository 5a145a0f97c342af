package io.plimsoll.report;

import io.plimsoll.report.Table.Column;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.LatencyFigures;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/** One row a trial: what distinguishes it, then what it reached. */
final class TrialColumns {
    static final String NONE = "–";

    private TrialColumns() {}

    static List<Column<TrialResult>> of(List<TrialResult> trials) {
        List<Column<TrialResult>> columns = new ArrayList<>(identity(trials));
        boolean consumes = trials.stream().anyMatch(t -> t.consume() != null);
        boolean produces = trials.stream().anyMatch(t -> t.produce() != null);
        if (produces) {
            if (trials.stream()
                    .anyMatch(t -> t.produce() != null && t.produce().schedule().offeredRecordsPerSecond() != null)) {
                columns.add(number("report.label.offeredPerSecond", 5, TrialColumns::offered));
            }
            columns.add(number("report.label.recordsPerSecond", 0, t -> t.produce() == null ? NONE : rate(t)));
            columns.add(number(
                    "report.label.megabytes",
                    2,
                    t -> produced(t, p -> Units.megabytes(p.volume().bytesPerSecond()))));
            columns.addAll(ofLatency(trials));
        }
        if (consumes) {
            int rank = produces ? 7 : 0;
            columns.add(number(
                    "report.label.consumedPerSecond",
                    rank,
                    t -> consumed(t, c -> Units.rate(c.volume().recordsPerSecond()))));
            columns.add(number(
                    "report.label.consumedMegabytes",
                    rank,
                    t -> consumed(t, c -> Units.megabytes(c.volume().bytesPerSecond()))));
            columns.add(number("report.label.e2eP99", 3, t -> consumed(t, TrialColumns::endToEndP99)));
        }
        columns.addAll(declared(trials));
        columns.add(number("report.label.errors", 0, TrialColumns::errorsShown));
        columns.add(new Column<>(
                Sentence.of("report.label.audit"), false, 0, t -> t.audit() == null ? NONE : audit(t.audit())));
        return columns;
    }

    /** Figures that are declared with a column, where any trial has them. */
    private static List<Column<TrialResult>> declared(List<TrialResult> trials) {
        return FigureCatalogue.columns().stream()
                .map(f -> new Column<TrialResult>(
                        Sentence.verbatim(f.label(Language.EN)), true, f.columnRank(), t -> shown(t, f)))
                .filter(c -> trials.stream().anyMatch(t -> !c.cell().apply(t).equals(NONE)))
                .toList();
    }

    private static String shown(TrialResult trial, Figure figure) {
        OptionalDouble value = FigureCatalogue.value(trial, figure.id(), figure.shownDimension());
        return value.isEmpty() ? NONE : Units.figure(value.getAsDouble(), Units.of(figure.shownDimension()));
    }

    /** The response time; where no trial has it, since other tools do not measure it, the service time. */
    private static List<Column<TrialResult>> ofLatency(List<TrialResult> trials) {
        boolean response = trials.stream()
                .anyMatch(t -> t.produce() != null && t.produce().times().responseTime() != null);
        String name = response ? "report.resp." : "report.service.";
        Function<TrialResult, Latency> latency = t -> t.produce() == null
                ? null
                : response
                        ? t.produce().times().responseTime()
                        : t.produce().times().serviceTime();
        return List.of(
                number(
                        name + "p50",
                        1,
                        t -> micros(latency.apply(t), l -> l.percentiles().p50())),
                number(
                        name + "p90",
                        9,
                        t -> micros(latency.apply(t), l -> l.percentiles().p90())),
                number(
                        name + "p99",
                        0,
                        t -> micros(latency.apply(t), l -> l.percentiles().p99())),
                number(
                        name + "p999",
                        8,
                        t -> micros(latency.apply(t), l -> l.percentiles().p999())),
                number(name + "max", 4, t -> micros(latency.apply(t), Latency::max)));
    }

    private static String micros(Latency latency, Function<Latency, Number> figure) {
        return latency == null ? NONE : micros(figure.apply(latency));
    }

    /** The parameters if these tell the trials apart and their names say nothing else, otherwise the names. */
    private static List<Column<TrialResult>> identity(List<TrialResult> trials) {
        Set<String> parameters = new LinkedHashSet<>();
        trials.forEach(t -> parameters.addAll(t.detail().parameters().keySet()));
        boolean all = !parameters.isEmpty()
                && trials.stream()
                        .allMatch(t -> t.detail().parameters().keySet().equals(parameters))
                && trials.stream().allMatch(TrialColumns::namedByParameters);
        if (!all) {
            return List.of(new Column<>(Sentence.of("report.label.trial"), false, 0, TrialResult::name));
        }
        List<Column<TrialResult>> columns = new ArrayList<>();
        for (String path : parameters) {
            columns.add(new Column<>(Sentence.verbatim(shortName(path, parameters)), false, 0, t -> t.detail()
                    .parameters()
                    .get(path)));
        }
        return columns;
    }

    /** A cell of a matrix is named by what was set; a trial of the list {@code trials} has a name of its own. */
    private static boolean namedByParameters(TrialResult t) {
        return t.detail().parameters().values().stream()
                .allMatch(value -> t.name().contains("=" + value));
    }

    /** Such as {@code linger.ms} for {@code producers[0].config.linger.ms}, unless another ends likewise. */
    static String shortName(String path, Set<String> all) {
        String name = lastPart(path);
        boolean unique = all.stream().filter(p -> lastPart(p).equals(name)).count() == 1;
        return Text.printable(unique ? name : path);
    }

    private static String lastPart(String path) {
        int config = path.lastIndexOf(".config.");
        return path.substring(config >= 0 ? config + ".config.".length() : path.lastIndexOf('.') + 1);
    }

    private static <T> Column<T> number(String key, int rank, Function<T, ?> cell) {
        return new Column<>(Table.label(key), true, rank, cell);
    }

    private static String rate(TrialResult t) {
        return (isLowerBound(t) ? "≥ " : "") + Units.rate(t.produce().volume().recordsPerSecond());
    }

    /** The generator was the limit, and not because all that was asked for was reached. */
    static boolean isLowerBound(TrialResult t) {
        if (t.observed().generator() == null) {
            return false;
        }
        boolean reached = t.produce() != null
                && !t.produce().schedule().closedLoop()
                && t.course().valid();
        return t.observed().generator().limited() && !reached;
    }

    static Object offered(TrialResult t) {
        Double offered = t.produce() == null ? null : t.produce().schedule().offeredRecordsPerSecond();
        if (offered != null) {
            return Units.rate(offered);
        }
        return t.produce() != null && Boolean.TRUE.equals(t.produce().schedule().closedLoop())
                ? Sentence.of("report.unlimited")
                : NONE;
    }

    private static String produced(TrialResult t, Function<Produce, String> cell) {
        return t.produce() == null ? NONE : cell.apply(t.produce());
    }

    private static String consumed(TrialResult t, Function<Consume, String> cell) {
        return t.consume() == null ? NONE : cell.apply(t.consume());
    }

    static String micros(Number micros) {
        return micros == null ? NONE : Units.micros(micros.doubleValue());
    }

    static String count(TrialResult.Errors errors) {
        return errors == null ? NONE : Units.count(errors.total());
    }

    private static String errorsShown(TrialResult t) {
        boolean unknown = (t.produce() == null || t.produce().errors() == null)
                && (t.consume() == null || t.consume().errors() == null);
        return unknown ? NONE : Units.count(errors(t));
    }

    static long errors(TrialResult t) {
        long produce = t.produce() == null || t.produce().errors() == null
                ? 0
                : t.produce().errors().total();
        return produce
                + (t.consume() == null || t.consume().errors() == null
                        ? 0
                        : t.consume().errors().total());
    }

    /** Null without an audit. */
    static Sentence audit(AuditResult audit) {
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

    /** A trial's latency distributions by name, those without samples left out. */
    static List<Named> latencies(TrialResult t) {
        List<Named> all = new ArrayList<>();
        if (t.produce() != null) {
            all.add(new Named("report.latency.response", t.produce().times().responseTime(), null));
            all.add(new Named("report.latency.service", t.produce().times().serviceTime(), null));
            all.add(new Named("report.latency.sendDelay", t.produce().times().sendDelay(), null));
        }
        if (t.consume() != null) {
            Consume c = t.consume();
            Double error =
                    c.times().endToEndUnknown() == null ? null : c.times().clockErrorMicros();
            all.add(new Named("report.latency.endToEnd", c.times().endToEnd(), error));
            all.add(new Named("report.latency.ownEndToEnd", c.times().ownEndToEnd(), null));
        }
        return all.stream()
                .filter(n -> n.latency() != null && n.latency().count() > 0)
                .toList();
    }

    private static String endToEndP99(Consume c) {
        return c.times().endToEnd() == null
                ? NONE
                : orLess(
                        "p99",
                        c.times().endToEnd().percentiles().p99(),
                        c.times().endToEnd(),
                        c.times().endToEndUnknown() == null ? null : c.times().clockErrorMicros());
    }

    /** What is less than clocks can tell is said to be; what has too few samples is not. */
    private static String orLess(String figure, Number micros, Latency of, Double errorMicros) {
        boolean hidden = micros == null && errorMicros != null && LatencyFigures.enough(of.count(), figure);
        return hidden ? "< " + Units.micros(errorMicros) : micros(micros);
    }

    /** @param errorMicros figures that are null are less than it; null if they are unknown */
    record Named(String key, Latency latency, Double errorMicros) {}

    static List<Column<Named>> latencyColumns() {
        return List.of(
                new Column<>(Sentence.NONE, false, 0, n -> Sentence.of(n.key())),
                latency("p50", 0, l -> l.percentiles().p50()),
                latency("p90", 3, l -> l.percentiles().p90()),
                latency("p99", 0, l -> l.percentiles().p99()),
                latency("p99.9", 2, l -> l.percentiles().p999()),
                latency("p99.99", 4, l -> l.percentiles().p9999()),
                number("report.label.max", 1, n -> micros(n.latency().max())),
                number("report.label.mean", 5, n -> micros(n.latency().mean())));
    }

    private static Column<Named> latency(String header, int rank, Function<Latency, Number> value) {
        return new Column<>(
                Sentence.verbatim(header),
                true,
                rank,
                n -> orLess(header, value.apply(n.latency()), n.latency(), n.errorMicros()));
    }
}
