package io.plimsoll.report;

import io.plimsoll.report.Block.Fact;
import io.plimsoll.report.Table.Column;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Backlog;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Generator;
import io.plimsoll.result.GroupName;
import io.plimsoll.result.GroupPace;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.ProduceFigures;
import io.plimsoll.result.Statistic;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.Units;
import io.plimsoll.result.WarmupResult;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class TrialDetails {
    private static final int MOST_PRODUCERS = 12;
    /**
     * Minimum share of process pauses and minimum number of spinning cores to report. The share of garbage collection
     * alone is usually lower.
     */
    private static final double WORTH_TELLING = 0.02;

    /** Schema ID or file, and the time at which producers change to it. A file name can also contain an at sign. */
    private static final Pattern CHANGED_SCHEMA =
            Pattern.compile("(.*)@([1-9][0-9]*(?:ns|us|ms|s|m|h|d))", Pattern.DOTALL);

    private static final Set<String> KEY_LATENCIES = Set.of("produce.response", "consume.endToEnd");

    /** Throughput, p99 latency and loss: the figures to read first. */
    static List<Fact> keyFigures(TrialResult trial) {
        List<Fact> facts = new ArrayList<>();
        Produce p = trial.produce();
        TrialResult.Consume c = trial.consume();
        TrialResult.Volume volume = p != null ? p.volume() : c == null ? null : c.volume();
        if (volume != null && volume.recordsPerSecond() != null) {
            String rate = Units.rate(volume.recordsPerSecond());
            Object shown = p == null ? rate : qualified(trial, rate);
            // Another tool may have measured only records, not bytes.
            Sentence throughput = volume.bytesPerSecond() == null
                    ? Sentence.of("report.key.records", shown)
                    : Sentence.of("report.key.throughput", shown, Units.byteRate(volume.bytesPerSecond()));
            facts.add(new Fact(Sentence.of("report.facts.throughput"), throughput));
        }
        List<Sentence> p99 = latencies(trial).stream()
                .filter(d -> KEY_LATENCIES.contains(d.figure().id()) && d.shown(Statistic.P99) != null)
                .map(d -> Sentence.of(
                        "report.key.latency",
                        String.valueOf(d.shown(Statistic.P99)),
                        Sentence.term("figure.label.", d.figure().id())))
                .toList();
        if (!p99.isEmpty()) {
            facts.add(new Fact(Sentence.of("report.label.p99"), Sentence.of("report.parts", p99)));
        }
        AuditResult audit = trial.audit();
        if (audit != null) {
            long lost = audit.counts().lost();
            Sentence found = audit.complete() || lost > 0
                    ? Sentence.of(
                            "report.key.lost",
                            Units.count(lost),
                            Units.count(audit.counts().acknowledged()))
                    : Sentence.of("report.partial");
            facts.add(new Fact(Sentence.of("report.label.audit"), found));
        }
        return facts;
    }

    static Sentence heading(TrialResult trial) {
        List<String> parameters = trial.detail().parameters().entrySet().stream()
                .map(e -> shortName(e.getKey(), trial.detail().parameters().keySet()) + "=" + e.getValue())
                .filter(p -> !trial.name().contains(p))
                .toList();
        String name = trial.name() + (parameters.isEmpty() ? "" : " (" + String.join(", ", parameters) + ")");
        List<Sentence> parts = new ArrayList<>();
        parts.add(measured(trial.course(), Units.duration(trial.course().measuredSeconds())));
        // A trial with faults is not expected to be steady.
        if (trial.course().steady() != null && trial.detail().faults().isEmpty()) {
            parts.add(Sentence.of(trial.course().steady() ? "report.steady" : "report.notSteady"));
        }
        return Sentence.of("report.heading", name, parts);
    }

    private static Sentence measured(TrialResult.Course course, String measured) {
        if (course.warmupSeconds() == null || course.warmupSeconds() <= 0) {
            return Sentence.of("report.measured", measured);
        }
        if (course.warmup() != null
                && Warmup.Until.NONE.word().equals(course.warmup().until())) {
            return Sentence.of("report.measuredCold", measured);
        }
        String warmup = Units.duration(course.warmupSeconds());
        String ended = course.warmup() == null ? null : course.warmup().ended();
        return WarmupResult.STEADY.equals(ended)
                ? Sentence.of("report.measuredAfterSteady", measured, warmup)
                : Sentence.of("report.measuredAfter", measured, warmup);
    }

    private record Flow(
            Sentence name,
            @Nullable Object offered,
            TrialResult.Volume volume,
            @Nullable Object perSecond,
            double seconds,
            TrialResult.@Nullable Errors errors) {}

    static Table<?> flow(TrialResult trial) {
        List<Flow> flows = new ArrayList<>();
        Produce p = trial.produce();
        if (p != null) {
            flows.add(new Flow(
                    Sentence.of("report.produced"),
                    offered(trial),
                    p.volume(),
                    qualified(
                            trial,
                            Optional.ofNullable(p.volume().recordsPerSecond())
                                    .map(Units::rate)
                                    .orElse(null)),
                    trial.course().measuredSeconds(),
                    p.errors()));
        }
        TrialResult.Consume c = trial.consume();
        if (c != null) {
            Object perSecond = Table.rate(c.volume().recordsPerSecond());
            double seconds = Objects.requireNonNullElse(
                    c.reading().rateSeconds(), trial.course().measuredSeconds());
            flows.add(new Flow(Sentence.of("report.consumed"), "", c.volume(), perSecond, seconds, c.errors()));
        }
        boolean lengths = flows.stream().mapToDouble(Flow::seconds).distinct().count() > 1;
        return Table.of(
                flows,
                Column.named(Text.left("", TerminalText.LABEL - 3), false, 0, Flow::name),
                Column.number("offeredPerSecond", p == null ? 9 : 1, Flow::offered),
                Column.number("recordsPerSecond", Flow::perSecond),
                Column.number("megabytes", Table::megabytes, f -> f.volume().bytesPerSecond()),
                Column.number("records", 2, Table::count, f -> f.volume().records()),
                lengths ? Column.number("rateSeconds", f -> Table.seconds(f.seconds())) : null,
                Column.number("errors", f -> count(f.errors())));
    }

    static List<Fact> facts(TrialResult trial) {
        List<Fact> facts = new ArrayList<>();
        BiConsumer<String, List<Sentence>> add = (label, parts) -> {
            if (!parts.isEmpty()) {
                facts.add(new Fact(Sentence.of(label), Sentence.of("report.parts", parts)));
            }
        };
        add.accept("report.facts.cold", cold(trial));
        if (trial.detail().figures().containsKey("connect.standing")) {
            add.accept("report.facts.connections", List.of(connections(trial)));
        }
        Produce p = trial.produce();
        if (p != null && p.wire().requests() != null) {
            add.accept("report.facts.batches", batches(p));
            List<TrialResult.ProducerShare> shares = p.sources().producers();
            if (shares.size() > 1 && shares.size() <= MOST_PRODUCERS) {
                add.accept("report.facts.producers", producers(shares));
            }
            if (event(p, "waitedOver50ms") + event(p, "waitTimedOut") > 0) {
                add.accept("report.facts.waits", List.of(waits(p)));
            }
        }
        add.accept("report.facts.schemas", p == null ? List.of() : schemas(p.events()));
        add.accept("report.facts.encoding", encoding(trial.detail().figures()));
        TrialResult.Consume c = trial.consume();
        if (c != null) {
            add.accept("report.facts.decoded", schemas(c.events()));
            Backlog backlog = c.reading().backlog();
            if (backlog != null) {
                add.accept("report.facts.backlog", List.of(backlog(backlog)));
            }
            c.groups().forEach(g -> add.accept("report.facts.group", List.of(group(trial, g))));
        }
        add.accept("report.facts.client", ofOtherTool(trial));
        if (trial.observed().generator() != null) {
            add.accept("report.facts.generator", generator(trial.observed().generator()));
        }
        return facts;
    }

    /** Time and CPU time to encode a record with a schema. */
    private static List<Sentence> encoding(Map<String, Double> figures) {
        List<Sentence> parts = new ArrayList<>();
        for (String name : List.of("serializeTime", "serializeCpu")) {
            Double micros = figures.get("produce." + name);
            if (micros != null) {
                parts.add(Sentence.of("report.encoding." + name, perRecord(micros)));
            }
        }
        return parts;
    }

    private static String perRecord(double micros) {
        return Units.decimals(micros, micros < 99.95 ? 1 : 0) + " µs";
    }

    /** Client metrics printed by Kafka's own tools; other clients are named after scenario entries. */
    private static List<Sentence> ofOtherTool(TrialResult trial) {
        String tool = trial.produce() != null
                ? trial.produce().sources().engine()
                : trial.consume() == null ? "" : trial.consume().engine();
        Map<String, Double> figures = trial.observed().clients().getOrDefault(tool, Map.of());
        return Stream.of("requestMs", "queueMs", "fetchMs", "recordsPerRequest", "bytesPerFetch")
                .filter(figures::containsKey)
                .map(name -> {
                    double value = figures.getOrDefault(name, 0.0);
                    String shown = name.endsWith("Ms")
                            ? Units.micros(value * 1000)
                            : name.startsWith("bytes") ? Units.bytes(value) : Units.rate(value);
                    return Sentence.of("report.client." + name, shown);
                })
                .toList();
    }

    private static List<Sentence> producers(List<TrialResult.ProducerShare> shares) {
        return shares.stream()
                .map(s -> Sentence.of("report.shareOf", s.name(), Units.rate(s.recordsPerSecond())))
                .toList();
    }

    private static Sentence waits(Produce p) {
        return Sentence.of(
                "report.waits",
                Units.count(event(p, "waitedOver50ms")),
                Units.count(event(p, "waitedOver100ms")),
                Units.count(event(p, "waitTimedOut")),
                Units.count(p.errors() == null ? 0 : p.errors().total()));
    }

    /** Number of records by schema ID or file. */
    static List<Sentence> schemas(Map<String, Long> events) {
        return events.entrySet().stream()
                .filter(e -> e.getKey().startsWith(SchemaSpec.COUNTED))
                .map(e -> {
                    String name = e.getKey().substring(SchemaSpec.COUNTED.length());
                    Matcher changed = CHANGED_SCHEMA.matcher(name);
                    boolean later = changed.matches();
                    String schema = later ? changed.group(1) : name;
                    Object which = schema.matches("\\d+") ? Sentence.of("report.schema.id", schema) : schema;
                    Sentence since = later
                            ? Sentence.of(
                                    "report.schema.since",
                                    Units.duration(Quantities.duration(changed.group(2))
                                                    .toMillis()
                                            / 1e3))
                            : Sentence.NONE;
                    return Sentence.of("report.schema", which, Units.count(e.getValue()), since);
                })
                .toList();
    }

    private static long event(Produce p, String kind) {
        return p.events().getOrDefault(kind, 0L);
    }

    private static Sentence backlog(Backlog b) {
        Sentence p99 = b.responseP99Before() == null || b.responseP99During() == null
                ? Sentence.NONE
                : Sentence.of(
                        "report.backlog.p99", Units.micros(b.responseP99Before()), Units.micros(b.responseP99During()));
        return Sentence.of(
                b.drained() ? "report.backlog.drained" : "report.backlog.left",
                Units.count(b.records()),
                Units.duration(b.drainSeconds()),
                Units.rate(b.recordsPerSecond()),
                Units.byteRate(b.bytesPerSecond()),
                p99);
    }

    private static List<Sentence> batches(Produce p) {
        List<Sentence> parts = new ArrayList<>();
        TrialResult.Wire wire = p.wire();
        if (wire.requestsPerSecond() != null) {
            parts.add(Sentence.of("report.requests", Units.rate(wire.requestsPerSecond())));
        }
        if (wire.recordsPerBatch() != null && wire.bytesPerBatch() != null) {
            parts.add(
                    Sentence.of("report.batch", Units.rate(wire.recordsPerBatch()), Units.bytes(wire.bytesPerBatch())));
        }
        double ratio = Objects.requireNonNullElse(p.wire().compressionRatio(), 1.0);
        Sentence.addIf(ratio < 0.995, parts, "report.compressed", Units.percent(ratio));
        double waited = Objects.requireNonNullElse(p.waits().bufferWaitSeconds(), 0.0);
        Sentence.addIf(waited >= 0.05, parts, "report.waited", Units.duration(waited));
        double throttled = Objects.requireNonNullElse(p.waits().throttledSeconds(), 0.0);
        Sentence.addIf(throttled >= 0.05, parts, "report.throttled", Units.duration(throttled));
        long retries = Objects.requireNonNullElse(p.wire().retries(), 0L);
        Sentence.addIf(retries > 0, parts, "report.sentAgain", Units.count(retries));
        return parts;
    }

    private static List<Sentence> cold(TrialResult trial) {
        List<Sentence> parts = new ArrayList<>();
        for (String figure :
                List.of("metadata", "connected", "firstRecord", "firstSecond.throughput", "firstSecond.p99")) {
            boolean rate = figure.endsWith("throughput");
            FigureCatalogue.value(trial, "cold." + figure, rate ? Dimension.RECORDS_PER_SECOND : Dimension.MICROSECONDS)
                    .ifPresent(value -> parts.add(
                            Sentence.of("report.cold." + figure, rate ? Units.rate(value) : Units.micros(value))));
        }
        return parts;
    }

    private static Sentence connections(TrialResult trial) {
        Map<String, Double> figures = trial.detail().figures();
        OptionalDouble cpu = FigureCatalogue.value(trial, "connect.brokerCpu", Dimension.MICROSECONDS);
        return Sentence.of(
                "report.connections",
                Units.rate(figures.getOrDefault("connect.standing", 0.0)),
                Units.rate(figures.getOrDefault("connect.rate", 0.0)),
                Units.rate(figures.getOrDefault("connect.dropped", 0.0)),
                Units.rate(figures.getOrDefault("connect.failures", 0.0)),
                cpu.isEmpty()
                        ? Sentence.NONE
                        : Sentence.of("report.connections.brokerCpu", Units.micros(cpu.getAsDouble())));
    }

    private static Sentence group(TrialResult trial, TrialResult.Group g) {
        Sentence lag = g.lagAtEnd() == null
                ? Sentence.of("report.group.lagUnknown")
                : Sentence.of("report.group.lag", Units.count(g.lagAtEnd()));
        GroupPace pace = g.paceOrUnknown();
        return Sentence.of(
                "report.group",
                GroupName.withProtocol(trial, g),
                g.members(),
                pace.isBehind() ? Sentence.of("report.group.behind", Units.rate(pace.behindPerSecond()), lag) : lag,
                Units.count(g.commits()),
                Units.count(g.rebalances()));
    }

    private static List<Sentence> generator(Generator g) {
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("report.cores", Units.decimals(g.cpu().cpuCores(), 2)));
        double spun = g.wakeUps().spunCores();
        Sentence.addIf(spun >= WORTH_TELLING, parts, "report.spun", Units.decimals(spun, 2));
        if (g.cpu().cpuMicrosPerRecord() != null) {
            parts.add(Sentence.of("report.cpuARecord", perRecord(g.cpu().cpuMicrosPerRecord())));
        }
        Generator.BusiestThread busiest = g.cpu().busiestThread();
        if (busiest != null) {
            parts.add(Sentence.of("report.busiestThread", busiest.name(), Units.percent(busiest.share())));
        }
        long ticks = g.wakeUps().ticks();
        double late = (double) g.wakeUps().lateTicks() / Math.max(1, ticks);
        Sentence.addIf(ticks > 0, parts, "report.wakeUpsLate", Units.percent(late));
        double stood = g.part().stoodShare();
        Sentence.addIf(stood >= WORTH_TELLING, parts, "report.stood", Units.percent(stood));
        return parts;
    }

    static List<Column<TrialResult>> of(List<TrialResult> trials) {
        List<Column<TrialResult>> columns = new ArrayList<>(identity(trials));
        boolean produces = trials.stream().allMatch(t -> t.produce() != null);
        // The most important figure of runs without producers.
        String first = !produces
                ? "consume.throughput"
                : trials.stream().allMatch(TrialResult::variesConsumers) ? "consume.endToEnd" : null;
        FigureCatalogue.columns(trials).stream()
                .filter(c -> trials.stream().anyMatch(c::isIn))
                .map(c -> new Column<TrialResult>(
                        c::label, true, c.figure().id().equals(first) ? 0 : c.rank(), t -> shown(c, t)))
                .forEach(columns::add);
        columns.add(Column.number("errors", 1, TrialDetails::errorsShown));
        columns.add(Column.text("audit", t -> audit(t.audit())));
        return columns;
    }

    private static @Nullable Object shown(Figure.Column column, TrialResult trial) {
        return switch (column.figure().id()) {
            case "produce.offered" -> offered(trial);
            case "produce.throughput" ->
                column.rank() == 0 ? qualified(trial, column.shown(trial)) : column.shown(trial);
            default -> column.shown(trial);
        };
    }

    /** The parameters if they identify the trials and the names add no information, otherwise the names. */
    private static List<Column<TrialResult>> identity(List<TrialResult> trials) {
        Set<String> parameters = new LinkedHashSet<>();
        trials.forEach(t -> parameters.addAll(t.detail().parameters().keySet()));
        boolean all = !parameters.isEmpty()
                && trials.stream()
                        .allMatch(t -> t.detail().parameters().keySet().equals(parameters))
                && trials.stream().allMatch(TrialDetails::namedByParameters);
        if (!all) {
            return List.of(Column.text("trial", TrialResult::name));
        }
        return parameters.stream()
                .map(path -> Column.<TrialResult>named(shortName(path, parameters), false, 0, t -> t.detail()
                        .parameters()
                        .get(path)))
                .toList();
    }

    /** Whether a trial is named by its settings, as matrix cells are; a trial of the list {@code trials} has its own name. */
    private static boolean namedByParameters(TrialResult t) {
        return SettingNames.ownName(t.name(), t.detail().parameters()).isEmpty();
    }

    /**
     * The end of a path, such as {@code linger.ms} for {@code producers[0].config.linger.ms}, unless another path has
     * the same end.
     */
    static String shortName(String path, Set<String> all) {
        return Text.printable(SettingNames.shortName(path, all));
    }

    /**
     * Marks a throughput that is a lower bound ({@link Invalidity#isThroughputLowerBound}), or includes a backlog from
     * before the window.
     */
    static @Nullable Object qualified(TrialResult t, @Nullable String figure) {
        if (figure != null && t.produce() != null && ProduceFigures.aboveOffered(t.produce())) {
            return Sentence.of("report.withBacklog", figure);
        }
        return figure != null && Invalidity.isThroughputLowerBound(t) ? "≥ " + figure : figure;
    }

    static @Nullable Object offered(TrialResult t) {
        Double offered = t.produce() == null ? null : t.produce().schedule().offeredRecordsPerSecond();
        return offered == null && t.pushed() ? Sentence.of("report.unlimited") : Table.rate(offered);
    }

    static @Nullable String count(TrialResult.@Nullable Errors errors) {
        return errors == null ? null : Units.count(errors.total());
    }

    static Table.@Nullable Cell errorsShown(TrialResult t) {
        long sum = t.errors().mapToLong(TrialResult.Errors::total).sum();
        return t.errors().findAny().isEmpty() ? null : Table.count(sum);
    }

    private static @Nullable Sentence audit(@Nullable AuditResult audit) {
        if (audit == null) {
            return null;
        }
        if (audit.counts().lost() > 0) {
            return Sentence.of("report.lost", Units.count(audit.counts().lost()));
        }
        if (audit.counts().corrupted() != null && audit.counts().corrupted() > 0) {
            return Sentence.of("report.corrupted", Units.count(audit.counts().corrupted()));
        }
        Long violations = audit.identified().violations();
        if (violations != null && violations > 0) {
            return Sentence.of("report.violations", Units.count(violations));
        }
        return Sentence.of(audit.complete() ? "report.ok" : "report.partial");
    }

    record Distribution(TrialResult trial, Figure figure, TrialResult.Latency latency) {
        /** A latency as shown: null with too few samples, {@code < x} for a latency below the clock error x. */
        @Nullable
        Object shown(Statistic statistic) {
            Double hidden = figure.hidingBelow(trial, statistic);
            return hidden == null ? Table.micros(statistic.of(latency)) : "< " + Units.micros(hidden);
        }
    }

    static List<Distribution> latencies(TrialResult t) {
        List<Distribution> all = new ArrayList<>();
        for (Figure figure : FigureCatalogue.latencies()) {
            TrialResult.Latency latency = figure.latency(t);
            if (latency != null && latency.count() > 0) {
                all.add(new Distribution(t, figure, latency));
            }
        }
        return all;
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
