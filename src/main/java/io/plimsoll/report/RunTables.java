package io.plimsoll.report;

import io.plimsoll.report.Table.Cell;
import io.plimsoll.report.Table.Column;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.GroupName;
import io.plimsoll.result.ObservedSource;
import io.plimsoll.result.ProduceFigures;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Scaling;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.Units;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of a run. */
public final class RunTables {
    /** The tables of a trial that the HTML page shows unchanged, by name. */
    public static Map<String, ?> ofTrial(TrialResult trial) {
        List<TrialResult> one = List.of(trial);
        return Map.of(
                "labels", labels(one).grid(),
                "brokers", brokers(one).grid(),
                "workers", workers(one).grid(),
                "topics", topics(one).grid(),
                "slow", SlowText.table(one).grid(),
                "foreign", observedGroups(one).grid());
    }

    /** The tables of a run that the HTML page shows unchanged, by name. */
    public static Map<String, ?> ofRun(RunResult result) {
        return Map.of(
                "faults", FaultTable.numbered(result).grid(),
                "rebalances", FaultTable.rebalances(result).grid(),
                "groups", groups(result.trials()).grid(),
                "scaling", scaling(result).grid(),
                "sources", sources(result).grid());
    }

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
        List<Column<TrialDetails.Distribution>> columns = new ArrayList<>(TrialDetails.latencyColumns("latency"));
        columns.add(0, Column.text("trial", d -> d.trial().name()));
        columns.add(Column.number("samples", Units::count, d -> d.latency().count()));
        return new Table<>(
                columns,
                trials.stream().flatMap(t -> TrialDetails.latencies(t).stream()).toList());
    }

    /** The progress of consumer groups, and the audit of groups with commits. */
    static Table<?> groups(List<TrialResult> trials) {
        List<Of<Group>> rows = Of.each(trials, t -> t.consume() == null ? Stream.of() : t.consume().groups().stream());
        return Table.of(
                rows,
                Column.text("trial", Of::name),
                Column.text("group", g -> GroupName.withProtocol(g.trial(), g.one())),
                Column.number("members", g -> Table.count(g.one().members())),
                Column.number("records", g -> Table.count(g.one().records())),
                Column.number(
                        "lagAtEnd",
                        g -> g.one().lagAtEnd() == null
                                ? Sentence.of("report.unknown")
                                : Table.count(g.one().lagAtEnd())),
                Column.number("commits", g -> Table.count(g.one().commits())),
                Column.number("rebalances", g -> Table.count(g.one().rebalances())),
                audited("processedTwice", GroupAudit::processedTwice).ifIn(rows),
                audited("skipped", GroupAudit::skipped).ifIn(rows),
                audited("givenUp", GroupAudit::givenUp).ifIn(rows));
    }

    private static Column<Of<Group>> audited(String key, Function<GroupAudit, Long> count) {
        return Column.number(key, g -> audited(g, count));
    }

    private static @Nullable Object audited(Of<Group> group, Function<GroupAudit, Long> count) {
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
                Column.number("count", Units::count, c -> c.count()));
    }

    private static Stream<Counted> counted(TrialResult trial) {
        Produce p = trial.produce();
        Consume c = trial.consume();
        Stream<Stream<Counted>> all = Stream.of(
                byKind("report.while.producing", p == null ? Map.of() : kinds(p.errors())),
                byKind("report.while.producingNoFailure", p == null ? Map.of() : p.events()),
                byKind("report.while.consuming", c == null ? Map.of() : kinds(c.errors())));
        return all.flatMap(s -> s);
    }

    private static Stream<Counted> byKind(String doing, Map<String, Long> kinds) {
        return kinds.entrySet().stream().map(e -> new Counted(Sentence.of(doing), e.getKey(), e.getValue()));
    }

    private static Map<String, Long> kinds(TrialResult.@Nullable Errors errors) {
        return errors == null ? Map.of() : errors.byKind();
    }

    static Table<?> partitions(List<TrialResult> trials, int most) {
        List<Of<PartitionResult>> all = Of.each(trials, t -> t.detail().partitions().stream());
        return table(
                all.subList(0, Math.min(all.size(), most)),
                Column.text("topic", PartitionResult::topic),
                Column.number("partition", PartitionResult::partition),
                Column.number("leader", PartitionResult::leader),
                Column.number("produced", Units::count, p -> p.produced()),
                Column.number("producedPerSecond", Table::rate, p -> p.producedPerSecond()),
                Column.number("consumed", Units::count, p -> p.consumed()),
                Column.number("consumedPerSecond", Table::rate, p -> p.consumedPerSecond()));
    }

    private record Leader(String trial, int broker, List<PartitionResult> led) {}

    /** Load by leader, for trials with more than one leader, to expose a slow broker. */
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
        return Table.of(
                rows,
                Column.text("trial", Leader::trial),
                Column.number("broker", Leader::broker),
                Column.number("leads", r -> r.led().size()),
                Column.number("produced", r -> sum(r, PartitionResult::produced)),
                Column.number("producedPerSecondAPartition", r -> mean(r, PartitionResult::producedPerSecond)),
                Column.number("consumed", r -> sum(r, PartitionResult::consumed)),
                Column.number("consumedPerSecondAPartition", r -> mean(r, PartitionResult::consumedPerSecond)));
    }

    private static @Nullable Object sum(Leader leader, ToLongFunction<PartitionResult> count) {
        return Table.count(leader.led().stream().mapToLong(count).sum());
    }

    private static @Nullable Object mean(Leader leader, Function<PartitionResult, Double> rate) {
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
        RunResult.Environment environment = result.environment();
        return Table.of(
                environment == null || environment.cluster() == null
                        ? List.of()
                        : environment.cluster().brokers(),
                Column.text("id", RunResult.Broker::id),
                Column.text("address", b -> b.host() + ":" + b.port()),
                Column.text("rack", RunResult.Broker::rack));
    }

    /** The host of the load generator, with a row for each subject of {@code plimsoll host} that the run recorded. */
    static Table<?> facts(RunResult result) {
        RunResult.Environment environment = result.environment();
        Map<?, ?> host = environment == null ? Map.of() : map(environment.host());
        Map<?, ?> virtual = map(host.get("virtualisation"));
        Map<String, @Nullable Object> rows = new LinkedHashMap<>();
        rows.put("name", host.get("name"));
        rows.put("cpu", cpu(map(host.get("cpu"))));
        rows.put("memory", size(map(host.get("memory")).get("totalBytes")));
        rows.put("network", each(host.get("networks"), RunTables::card));
        rows.put("disks", each(host.get("disks"), RunTables::disk));
        rows.put(
                "directory",
                words("fileSystem", host.get("fileSystem"), "directory type device mountPoint usableBytes totalBytes"));
        rows.put("system", words("system", host.get("os"), "name kernel architecture"));
        rows.put("virtualised", virtual.get("by"));
        rows.put("container", virtual.get("container"));
        rows.put("limits", words("limits", host.get("limits"), "cpuCores memoryBytes"));
        rows.put("jvm", words("jvm", host.get("jvm"), "name version collector maxHeapBytes"));
        rows.values().removeIf(Objects::isNull);
        return Table.of(
                List.copyOf(rows.entrySet()),
                Column.text("fact", e -> Sentence.of("observe.topic." + e.getKey())),
                Column.text("value", Map.Entry::getValue));
    }

    /** A sentence as {@code plimsoll host} prints it, from stored facts; null without stored facts. */
    private static @Nullable Sentence words(String key, @Nullable Object facts, String names) {
        Stream<String> parts = Stream.of(names.split(" "))
                .map(name -> name.endsWith("Bytes") && map(facts).get(name) instanceof Number bytes
                        ? size(bytes)
                        : text(map(facts).get(name)));
        return map(facts).isEmpty() ? null : Sentence.of("observe." + key, parts.toArray());
    }

    private record Scaled(String what, Scaling.Step step) {
        private Cell shown(double value, String figure) {
            return new Cell(value, step.atLeast() ? "≥ " + figure : figure);
        }
    }

    /** How throughput scales with the numbers that differ between trials: a row for each trial, with speed-up and efficiency. */
    static Table<?> scaling(RunResult result) {
        return Table.of(
                Scaling.of(result).stream()
                        .flatMap(scaling -> scaling.steps().stream().map(step -> new Scaled(scaling.what(), step)))
                        .toList(),
                Column.text("trial", r -> r.step.name()),
                Column.text("scaledBy", 1, r -> r.what + " = " + r.step.number()),
                Column.number(
                        "recordsPerSecond",
                        r -> r.shown(r.step.recordsPerSecond(), Units.rate(r.step.recordsPerSecond()))),
                Column.number("speedUp", r -> r.shown(r.step.speedUp(), Units.decimals(r.step.speedUp(), 2) + " ×")),
                Column.number("efficiency", r -> r.shown(r.step.efficiency(), Units.percent(r.step.efficiency()))));
    }

    static Table<ObservedSource> sources(RunResult result) {
        List<ObservedSource> rows =
                result.environment() == null ? List.of() : result.environment().sources();
        List<Column<ObservedSource>> columns = new ArrayList<>(List.of(
                Column.number("broker", s -> s.broker()),
                Column.text("observedBy", RunTables::by),
                Column.text("host", 1, s -> s.host().get("name")),
                Column.text("cpu", 2, s -> cpu(map(s.host().get("cpu")))),
                Column.text("memory", 3, s -> size(map(s.host().get("memory")).get("totalBytes"))),
                Column.text("networkCards", 4, s -> each(s.host().get("networks"), RunTables::card)),
                Column.text("disks", 5, s -> each(s.host().get("disks"), RunTables::disk))));
        columns.removeIf(column -> !column.isIn(rows));
        return new Table<>(columns, rows);
    }

    private static Sentence by(ObservedSource source) {
        if ("prometheus".equals(source.by()) && source.names().isEmpty()) {
            return Sentence.of("report.observedBy.nothing");
        }
        List<Sentence> names = source.names().stream()
                .map(name -> Sentence.term("report.names.", name))
                .toList();
        return Sentence.of(
                "report.observedByNames",
                Sentence.term("report.observedBy.", String.valueOf(source.by())),
                names.isEmpty() ? Sentence.NONE : Sentence.of("report.namesOf", names));
    }

    public static Sentence line(ObservedSource source) {
        return Sentence.of("report.observedSource", source.broker(), by(source));
    }

    private static @Nullable Sentence cpu(Map<?, ?> cpu) {
        List<Object> parts = new ArrayList<>(List.of(text(cpu.get("model"))));
        if (cpu.get("physicalCores") instanceof Number n) {
            parts.add(Sentence.of("observe.cores", n));
        }
        if (cpu.get("logicalCores") instanceof Number n) {
            parts.add(Sentence.of("observe.threads", n));
        }
        return cpu.isEmpty() ? null : Sentence.of("observe.parts", parts);
    }

    private static Sentence card(Map<?, ?> card) {
        List<Object> parts = new ArrayList<>(List.of(text(card.get("name"))));
        if (card.get("bitsPerSecond") instanceof Number n) {
            parts.add(Units.decimals(n.doubleValue() / 1e9, 1) + " Gbit/s");
        }
        parts.add(text(card.get("driver")));
        return Sentence.of("observe.parts", parts);
    }

    private static Sentence disk(Map<?, ?> disk) {
        Object size = text(size(disk.get("sizeBytes")));
        List<Object> parts = new ArrayList<>(List.of(text(disk.get("name")), text(disk.get("model")), size));
        if (disk.get("rotational") instanceof Boolean turns) {
            parts.add(Sentence.of(turns ? "observe.rotational" : "observe.notRotational"));
        }
        return Sentence.of("observe.parts", parts);
    }

    private static @Nullable Sentence each(@Nullable Object list, Function<Map<?, ?>, Sentence> one) {
        if (!(list instanceof List<?> all) || all.isEmpty()) {
            return null;
        }
        return Sentence.of(
                "report.each", all.stream().map(o -> one.apply(map(o))).toList());
    }

    private static @Nullable String size(@Nullable Object bytes) {
        return bytes instanceof Number n ? Units.bytes(n.doubleValue()) : null;
    }

    private static String text(@Nullable Object value) {
        return value == null ? "?" : value.toString();
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private record Bounds(Ceiling ceiling, @Nullable Object what, Ceiling.Bound bound) {}

    /** Two rows for a ceiling with criteria set by the user, otherwise one row. */
    static Table<?> bounds(List<Ceiling> ceilings) {
        List<Bounds> rows = new ArrayList<>();
        Set<String> parameters = new LinkedHashSet<>();
        for (Ceiling c : ceilings) {
            if (c.found().withinSlo() != null) {
                rows.add(new Bounds(c, c.found().slo(), c.found().withinSlo()));
            }
            rows.add(new Bounds(c, Sentence.of("report.sustained"), c.found().sustained()));
            parameters.addAll(c.parameters().keySet());
        }
        List<Column<Bounds>> columns = new ArrayList<>();
        for (String path : parameters) {
            String name = TrialDetails.shortName(path, parameters);
            columns.add(Column.named(name, false, 0, r -> r.ceiling.parameters().getOrDefault(path, Table.NONE)));
        }
        columns.addAll(List.of(
                Column.text("ceiling", Bounds::what),
                Column.number("passed", r -> lower(r) + perSecond(r.bound.lowerRecordsPerSecond())),
                Column.number("failed", r -> perSecond(r.bound.upperRecordsPerSecond())),
                Column.number("megabytes", 2, r -> megabytes(r.bound)),
                Column.number("fullTrials", 4, r -> String.valueOf(r.bound.trials())),
                Column.text("found", 1, r -> found(r.ceiling.course()))));
        return new Table<>(columns, rows);
    }

    private static String lower(Bounds row) {
        boolean least = row.ceiling.course().generatorLimited() || row.bound.upperRecordsPerSecond() == null;
        return least && row.bound.lowerRecordsPerSecond() != null ? "≥ " : "";
    }

    private static String megabytes(Ceiling.Bound bound) {
        return Stream.of(bound.lowerBytesPerSecond(), bound.upperBytesPerSecond())
                .filter(Objects::nonNull)
                .map(Units::megabytes)
                .collect(Collectors.joining("–"));
    }

    private static String perSecond(@Nullable Double recordsPerSecond) {
        return recordsPerSecond == null ? Table.NONE : Units.rate(recordsPerSecond) + "/s";
    }

    private static Sentence found(Ceiling.Course c) {
        return Sentence.of(
                switch (c.end()) {
                    case Ceiling.FOUND ->
                        c.irregular()
                                ? "report.found.irregular"
                                : c.confirmed() ? "report.found.confirmed" : "report.found.yes";
                    case Ceiling.MOST_REACHED -> "report.found.most";
                    case Ceiling.NOTHING_PASSES -> "report.found.nothing";
                    case Ceiling.GENERATOR_LIMITED -> "report.found.generator";
                    case Ceiling.OUT_OF_TIME -> "report.found.outOfTime";
                    default -> "report.found.stopped";
                });
    }

    private static Object acknowledged(CurvePoint p) {
        String rate = Units.rate(p.recordsPerSecond());
        return ProduceFigures.aboveOffered(p.recordsPerSecond(), p.offeredRecordsPerSecond())
                ? Sentence.of("report.withBacklog", rate)
                : rate;
    }

    static Table<CurvePoint> curve(Ceiling ceiling) {
        return Table.of(
                ceiling.curve(),
                Column.text("", p -> Mark.of(p.passed())),
                Column.number("offeredPerSecond", Units::rate, p -> p.offeredRecordsPerSecond()),
                Column.number("recordsPerSecond", 0, RunTables::acknowledged),
                Column.number("megabytes", 3, Units::megabytes, p -> p.bytesPerSecond()),
                Column.number("respP50", 2, Table::micros, p -> p.p50()),
                Column.number("respP99", Table::micros, p -> p.p99()),
                Column.text("whyNot", 1, RunTables::whyNot));
    }

    private static Sentence whyNot(CurvePoint p) {
        return p.passed() || p.reasons().isEmpty() ? Sentence.NONE : p.reasons().get(0);
    }

    private record Part(String label, TrialResult figures) {}

    /**
     * A row for each label of a trial and, if it has several consumer groups, for each group, with the columns of
     * trials.
     */
    static Table<?> labels(List<TrialResult> trials) {
        List<Of<Part>> rows =
                Of.each(trials, t -> t.detail().labels().stream().map(l -> new Part(l.label(), t.of(l.label()))));
        List<TrialResult> parts = rows.stream().map(row -> row.one().figures()).toList();
        List<Column<Part>> columns = new ArrayList<>();
        FigureCatalogue.columns(parts).stream()
                .filter(c -> parts.stream().anyMatch(c::isIn))
                .forEach(c -> columns.add(new Column<>(c::label, true, c.rank(), p -> cell(c, p.figures()))));
        columns.add(
                Column.number("lagAtEnd", 2, p -> Table.count(FigureCatalogue.value(p.figures(), "consume.lagAtEnd"))));
        columns.add(Column.number("errors", 1, p -> TrialDetails.errorsShown(p.figures())));
        return table(trials, Column.text("label", Part::label), columns, rows);
    }

    /** A figure with its sort key. A value below the clock error has no sort key. */
    private static @Nullable Object cell(Figure.Column column, TrialResult trial) {
        Number value = column.value(trial);
        String shown = column.shown(trial);
        return value == null || shown == null ? shown : new Cell(value.doubleValue(), shown);
    }

    static Table<?> brokers(List<TrialResult> trials) {
        List<Of<Map<String, Object>>> rows =
                Of.each(trials, t -> t.observed().brokers().stream().filter(b -> b.containsKey("sources")));
        return observed(trials, Column.number("broker", b -> b.get("id")), FigureCatalogue.ofBrokers(), rows);
    }

    static Table<?> observedGroups(List<TrialResult> trials) {
        var rows = Of.each(trials, t -> t.observed().groups().stream());
        return observed(trials, OBSERVED_GROUP, FigureCatalogue.ofGroups(), rows);
    }

    private static final Column<Map<String, Object>> OBSERVED_GROUP = Column.text("group", g -> g.get("id"));

    static Table<?> topics(List<TrialResult> trials) {
        var rows = Of.each(trials, t -> t.observed().topics().stream());
        return observed(trials, Column.text("topic", t -> t.get("id")), FigureCatalogue.ofTopics(), rows);
    }

    private static Table<?> observed(
            List<TrialResult> trials,
            Column<Map<String, Object>> name,
            List<Figure> shown,
            List<Of<Map<String, Object>>> rows) {
        List<Map<String, Object>> found = rows.stream().map(Of::one).toList();
        return table(trials, name, figures(shown, found), rows);
    }

    private static List<Column<Map<String, Object>>> figures(List<Figure> shown, List<Map<String, Object>> rows) {
        List<Column<Map<String, Object>>> figures = new ArrayList<>();
        for (Figure figure : shown) {
            figures.add(new Column<>(figure::label, true, figure.brokerRank(), o -> shown(figure, figure.ofBroker(o))));
        }
        // For brokers observed from outside, only some figures are known.
        figures.removeIf(column -> !rows.isEmpty() && !column.isIn(rows));
        return figures;
    }

    private static @Nullable Object shown(Figure figure, @Nullable Double value) {
        if (figure.id().equals("group.drain") && value != null && value == 0) {
            return Sentence.of("report.caughtUp");
        }
        return switch (figure.shownDimension()) {
            case BYTES_PER_SECOND -> Table.megabytes(value);
            case RATIO -> Table.percent(value);
            case MICROSECONDS -> Table.duration(value);
            case RECORDS_PER_SECOND -> Table.rate(value);
            case BYTES -> Table.bytes(value);
            case COUNT -> Table.number(value);
        };
    }

    private static final int MOST_WORKERS = 16;
    private static final Map<String, Double> DISTRIBUTION = new TreeMap<>(
            Map.of("report.others.1least", 0.0, "report.others.2median", 0.5, "report.others.3greatest", 1.0));

    static Table<?> workers(List<TrialResult> trials) {
        List<Column<WorkerResult>> columns = List.of(
                Column.text("host", 7, RunTables::host),
                Column.text("has", 6, RunTables::has),
                Column.number("offeredPerSecond", 3, Table::rate, w -> w.flow().offeredRecordsPerSecond()),
                Column.number(
                        "recordsPerSecond",
                        0,
                        w -> w.part().producers().isEmpty()
                                ? null
                                : Table.rate(w.flow().recordsPerSecond())),
                Column.number(
                        "consumedPerSecond",
                        2,
                        w -> w.part().consumers().isEmpty()
                                ? null
                                : Table.rate(w.flow().consumedPerSecond())),
                Column.number("respP99", 1, Table::micros, w -> w.tails().responseP99()),
                Column.number("delayP99", 5, Table::micros, w -> w.tails().sendDelayP99()),
                Column.number("cpu", 1, Table::number, w -> w.usage().cpuCores()),
                Column.number("hostCpu", 8, Table::percent, w -> w.usage().hostCpuShare()),
                Column.number("late", 4, Table::percent, w -> w.usage().lateShare()),
                Column.number("clock", 3, RunTables::clock),
                Column.number("ownE2eP50", 5, RunTables::ownEndToEnd),
                Column.text("version", 9, w -> w.part().version()));
        return table(
                trials,
                Column.text("worker", WorkerRow::name),
                columns.stream()
                        .map(c -> new Column<WorkerRow>(c.header(), c.numeric(), c.rank(), row -> row.cell(c)))
                        .toList(),
                Of.each(trials, t -> rows(t.observed().workers())));
    }

    /** With many workers: the workers that stand out, and the distribution of each figure over the other workers. */
    private static Stream<WorkerRow> rows(List<WorkerResult> all) {
        Predicate<WorkerResult> standsOut = w -> w.straggler() || w.lost() != null;
        List<WorkerResult> rest = all.stream().filter(standsOut.negate()).toList();
        boolean summed = all.size() > MOST_WORKERS && rest.size() > DISTRIBUTION.size();
        Stream<WorkerRow> named =
                all.stream().filter(w -> !summed || standsOut.test(w)).map(w -> new WorkerRow(mark(w), List.of(w), 0));
        Stream<WorkerRow> distribution = DISTRIBUTION.entrySet().stream()
                .map(at -> new WorkerRow(Sentence.of(at.getKey(), rest.size()), rest, at.getValue()));
        return summed ? Stream.concat(named, distribution) : named;
    }

    /** One worker, or a quantile from 0 to 1 of each figure of several workers. */
    private record WorkerRow(Object name, List<WorkerResult> of, double at) {
        @Nullable
        Object cell(Column<WorkerResult> column) {
            if (of.size() == 1) {
                return column.cell().apply(of.get(0));
            }
            List<Cell> cells = of.stream()
                    .map(column.cell())
                    .filter(Cell.class::isInstance)
                    .map(Cell.class::cast)
                    .sorted(Comparator.comparingDouble(Cell::value))
                    .toList();
            return cells.isEmpty() ? null : cells.get((int) Math.round(at * (cells.size() - 1)));
        }
    }

    private static <T> Table<Of<T>> table(
            List<TrialResult> trials, Column<T> name, List<Column<T>> others, List<Of<T>> rows) {
        List<Column<Of<T>>> columns = new ArrayList<>();
        columns.add(name.of(Of::one));
        if (trials.size() > 1) {
            columns.add(Column.text("trial", 1, Of::name));
        }
        others.forEach(column -> columns.add(column.of(Of::one)));
        return new Table<>(columns, rows);
    }

    private static Object mark(WorkerResult w) {
        if (w.lost() != null) {
            return Sentence.of("report.lostWorker", w.name());
        }
        return w.straggler() ? Sentence.of("report.straggler", w.name()) : w.name();
    }

    private static Sentence host(WorkerResult w) {
        return Sentence.of("report.hostOfCores", w.part().host(), w.part().cores());
    }

    private static String has(WorkerResult w) {
        List<String> parts = new ArrayList<>(w.part().producers());
        parts.addAll(w.part().consumers());
        parts.addAll(w.part().connections());
        return String.join(", ", parts);
    }

    /** The clock error of a worker. The offset is already subtracted. */
    private static @Nullable Cell clock(WorkerResult w) {
        Cell error = Table.micros(w.clock().clockErrorMicros());
        return error == null ? null : new Cell(error.value(), "± " + error);
    }

    private static @Nullable Cell ownEndToEnd(WorkerResult w) {
        TrialResult.Latency own = w.clock().ownEndToEnd();
        return own == null ? null : Table.micros(own.percentiles().p50());
    }

    /** @param each whether to list the partitions of each group */
    public static String observedGroups(List<Map<String, Object>> groups, boolean each, Look look) {
        List<Column<Map<String, Object>>> columns = new ArrayList<>(List.of(OBSERVED_GROUP));
        columns.addAll(figures(FigureCatalogue.ofGroups(), groups));
        Document document = new Document().add(Block.rows(new Table<>(columns, groups)));
        for (Map<String, Object> group : each ? groups : List.<Map<String, Object>>of()) {
            List<?> rows = group.get("partitions") instanceof List<?> all ? all : List.of();
            document.add(Block.rows(Table.of(
                    List.copyOf(rows),
                    Column.named("" + group.get("id"), false, 0, p -> ((Map<?, ?>) p).get("partition")),
                    Column.number("consumedPerSecond", 1, p -> Table.rate(number(p, "consumed"))),
                    Column.number("committed", 5, p -> Table.count(number(p, "committed"))),
                    Column.number("logEnd", 4, p -> Table.count(number(p, "end"))),
                    Column.number("lagRecords", RunTables::unread),
                    Column.number("lagTime", p -> millis(p, "lagAtEndMs")),
                    Column.number("mostRecords", 3, p -> Table.count(number(p, "lag"))),
                    Column.number("mostTime", 2, p -> millis(p, "lagMs")))));
        }
        return TerminalText.of(document, look);
    }

    /** The number of unread records, as an upper bound if no commit shows which records the group has read. */
    private static Table.@Nullable Cell unread(Object of) {
        Double unknown = number(of, "unknownRecords");
        return unknown == null
                ? Table.count(number(of, "lagAtEnd"))
                : new Table.Cell(unknown, "≤ " + Table.count(unknown));
    }

    private static @Nullable Double number(Object of, String key) {
        return ((Map<?, ?>) of).get(key) instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    private static Table.@Nullable Cell millis(Object of, String key) {
        Double millis = number(of, key);
        return millis == null ? null : Table.duration(millis * 1e3);
    }
}
