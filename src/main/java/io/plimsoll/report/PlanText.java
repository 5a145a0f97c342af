package io.plimsoll.report;

import io.plimsoll.Secrets;
import io.plimsoll.report.Table.Column;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.LoadEstimate;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows the plan of a dry run. */
public final class PlanText {
    private static final Pattern DIGITS = Pattern.compile("\\d+");
    /** Settings that the text states in separate sentences. */
    private static final Set<Key<?>> TOLD = Set.of(
            ProducerSpec.TOPIC,
            ProducerSpec.RECORDS,
            ProducerSpec.DURATION,
            ProducerSpec.RATE,
            ProducerSpec.RECORD,
            ProducerSpec.ENGINE,
            ProducerSpec.CLIENTS,
            ProducerSpec.THREADS,
            ProducerSpec.CONFIG,
            ConsumerSpec.TOPIC,
            ConsumerSpec.GROUPS,
            ConsumerSpec.MEMBERS,
            ConsumerSpec.RECORDS,
            ConsumerSpec.ENGINE,
            ConsumerSpec.START,
            ConsumerSpec.CONFIG,
            TopicSpec.PARTITIONS,
            TopicSpec.REPLICATION,
            TopicSpec.BROKERS,
            TopicSpec.KEEP,
            TopicSpec.EXISTING,
            TopicSpec.CONFIG);

    /** Duration and volume, such as {@code about 14 min, writes 220 GB}. */
    public static Sentence size(Plan plan) {
        return size(LoadEstimate.of(plan));
    }

    private static Sentence size(LoadEstimate estimate) {
        return Sentence.of(
                estimate.assumed() ? "report.plan.sizeUpTo" : "report.plan.size",
                Units.duration(rounded(estimate.seconds())),
                Units.bytes(estimate.bytes()));
    }

    /** The duration, in whole minutes if it is at least 90 s, because an estimate is not exact to the second. */
    private static double rounded(double seconds) {
        return seconds < 90 ? Math.ceil(seconds) : Math.ceil(seconds / 60) * 60;
    }

    /**
     * @param asked the plan before the sizes of its records were known
     * @param labs labs to start, each with its description
     * @param present bytes to read from each existing topic, by topic
     * @param copies number of replicas of the existing topics that the run writes to, by topic
     */
    public static String of(
            Plan plan,
            Plan asked,
            int brokers,
            Map<LabSpec, Sentence> labs,
            Map<String, Long> present,
            Map<String, Integer> copies,
            Look look) {
        LoadEstimate estimate = LoadEstimate.of(plan, present);
        Sentence scale = plan.scale() == 1
                ? Sentence.NONE
                : Sentence.of("report.plan.atScale", ReferenceText.scale(plan.scale()));
        Sentence head =
                Sentence.of("report.plan.head", plan.name(), plan.trials().size(), size(estimate), scale);
        Sentence writes = Sentence.of(
                "report.plan.writes",
                Units.count(estimate.produced()),
                Units.bytes(estimate.bytes()),
                estimate.assumed() ? Sentence.of("report.plan.assumed") : Sentence.NONE,
                brokers == 1 ? Sentence.of("report.plan.broker") : Sentence.of("report.plan.eachOf", brokers),
                Units.bytes(estimate.peakBytesPerBroker(plan, brokers, copies)));
        Sentence reads = estimate.reads() > 0
                ? Sentence.of("report.plan.readsThere", Units.bytes(estimate.reads()))
                : Sentence.NONE;
        Document document = new Document()
                .add(head, Block.rows(new Table<>(COLUMNS, estimate.trials())))
                .add(Block.text(writes), Block.text(reads));
        return TerminalText.of(trials(plan, asked, false, labs, document), look.uncolored());
    }

    /**
     * @param asked as in {@link #of}
     * @param search description that replaces the load of the trials
     */
    public static String ofSearch(
            Plan plan, Plan asked, List<Sentence> search, Map<LabSpec, Sentence> labs, Look look) {
        Document document =
                new Document().add(search.stream().map(line -> Block.text(line)).toArray(Block[]::new));
        return TerminalText.of(trials(plan, asked, true, labs, document), look.uncolored());
    }

    private static Document trials(
            Plan plan, Plan asked, boolean search, Map<LabSpec, Sentence> labs, Document document) {
        if (labs.size() == 1) {
            document.add(Block.remarks(Mark.NONE, List.copyOf(labs.values())));
        }
        Map<List<Sentence>, List<String>> alike = new LinkedHashMap<>();
        for (int i = 0; i < plan.trials().size(); i++) {
            Plan.Trial trial = plan.trials().get(i);
            List<Sentence> parts = new ArrayList<>();
            if (labs.size() > 1) {
                parts.add(labs.get(trial.scenario().lab()));
            }
            parts.addAll(parts(trial.scenario(), asked.trials().get(i).scenario(), search));
            alike.computeIfAbsent(parts, p -> new ArrayList<>()).add(trial.name());
        }
        alike.forEach((parts, names) -> document.add(
                names.size() == 1
                        ? Sentence.verbatim(names.get(0))
                        : Sentence.of("report.plan.alike", names.get(0), names.size() - 1),
                Block.remarks(Mark.NONE, parts)));
        return document;
    }

    private static final List<Column<LoadEstimate.Trial>> COLUMNS = List.of(
            Column.text("trial", LoadEstimate.Trial::name),
            Column.number("takesAbout", 1, t -> mark(t) + Units.duration(rounded(t.seconds()))),
            Column.number("produces", 3, t -> t.produced() == 0 ? null : Units.count(t.produced())),
            Column.number("writes", 0, t -> t.bytes() == 0 ? null : mark(t) + Units.bytes(t.bytes())),
            Column.number("reads", 2, PlanText::read));

    private static @Nullable Object read(LoadEstimate.Trial trial) {
        return trial.read() < 0 ? Sentence.of("report.plan.all") : trial.read() == 0 ? null : Units.count(trial.read());
    }

    private static String mark(LoadEstimate.Trial trial) {
        return trial.assumed() ? "~" : "";
    }

    private static List<Sentence> parts(Scenario scenario, Scenario asked, boolean search) {
        List<Sentence> parts = new ArrayList<>();
        scenario.producers().forEach(p -> parts.add(producer(p, scenario, search)));
        asked.producers().forEach(p -> schemas(p, parts));
        scenario.consumers().forEach(c -> parts.add(consumer(c)));
        scenario.connections().forEach(c -> {
            List<Sentence> settings = new ArrayList<>();
            others(c.settings(), settings);
            parts.add(Sentence.of("report.plan.connect", settings));
        });
        topics(scenario, parts);
        for (FaultSpec f : scenario.faults()) {
            Object at = duration(f.at());
            parts.add(f.every()
                    .map(every -> Sentence.of("report.plan.faultEvery", at, duration(every), f.planned()))
                    .orElseGet(() -> Sentence.of("report.plan.fault", at, f.planned())));
        }
        return parts;
    }

    private static void schemas(ProducerSpec p, List<Sentence> parts) {
        if (p.record().key() instanceof KeySpec.InSchema in) {
            parts.add(Sentence.of("report.plan.keySchema", names(p.topics()), schema(in.schema())));
        }
        p.record()
                .schema()
                .ifPresent(s -> parts.add(Sentence.of("report.plan.valueSchema", names(p.topics()), schema(s))));
    }

    /** Source, registration and framing of a schema. */
    private static List<Sentence> schema(SchemaSpec schema) {
        List<Sentence> parts = new ArrayList<>();
        boolean named = schema.file().isEmpty();
        Sentence.addIf(!named, parts, "report.plan.schemaFile", schema.file());
        Sentence.addIf(!schema.message().isEmpty(), parts, "report.plan.message", schema.message());
        if (!schema.registry().isEmpty()) {
            String as = schema.register() ? "report.plan.registers" : "report.plan.subject";
            parts.add(Sentence.of(as, schema.subject()));
            Sentence.addIf(named, parts, "report.plan.version", schema.version());
            parts.add(Sentence.of("report.plan.registry", schema.registry()));
        }
        String framing = schema.framing().name().toLowerCase(Locale.ROOT);
        parts.add(
                schema.framing() == SchemaSpec.Framing.NONE
                        ? Sentence.of("report.plan.unframed")
                        : Sentence.of("report.plan.framing", framing));
        schema.evolve().ifPresent(e -> parts.add(Sentence.of("report.plan.evolves", duration(e.at()), e.to().label())));
        return parts;
    }

    /** Describes topics with the same pattern on one line. */
    private static void topics(Scenario scenario, List<Sentence> parts) {
        Set<String> used = new HashSet<>();
        scenario.producers().forEach(p -> used.addAll(p.topics()));
        scenario.consumers().forEach(c -> used.addAll(c.topics()));
        Map<Object, List<TopicSpec>> alike = new LinkedHashMap<>();
        scenario.topics().stream().filter(t -> used.contains(t.name())).forEach(t -> alike.computeIfAbsent(
                        List.of(DIGITS.matcher(t.name()).replaceAll("0"), t.settings()), pattern -> new ArrayList<>())
                .add(t));
        alike.values()
                .forEach(some -> parts.add(topic(
                        some.get(0), names(some.stream().map(TopicSpec::name).toList()))));
    }

    private static Sentence producer(ProducerSpec p, Scenario scenario, boolean search) {
        List<Sentence> parts = new ArrayList<>();
        if (!search) {
            Duration time = p.duration().orElse(scenario.duration());
            OptionalLong records = p.records();
            parts.add(
                    records.isPresent()
                            ? Sentence.of("report.plan.records", Units.count(records.getAsLong()))
                            : Sentence.of("report.plan.for", duration(time)));
            parts.add(rate(p.rate()));
        }
        String most = Units.bytes(p.record().size());
        parts.add(
                p.record().mix().isEmpty()
                        ? Sentence.of("report.plan.values", most)
                        : Sentence.of(
                                "report.plan.mixedValues",
                                Units.bytes(p.record().meanSize()),
                                most));
        engine(p.engine(), parts);
        parts.add(
                p.threads() > 1
                        ? Sentence.of("report.plan.clientsOfThreads", Units.count(p.clients()), p.threads())
                        : Sentence.of("report.plan.clients", Units.count(p.clients())));
        others(p.settings(), parts);
        return Sentence.of("report.plan.produce", names(p.topics()), parts, config(p.config()));
    }

    private static Sentence consumer(ConsumerSpec c) {
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("report.plan.members", Units.count(c.groups()), Units.count(c.members())));
        OptionalLong records = c.records();
        parts.add(
                records.isPresent()
                        ? Sentence.of("report.plan.each", Units.count(records.getAsLong()))
                        : Sentence.of("report.plan.everything"));
        engine(c.engine(), parts);
        parts.add(start(c.start()));
        Sentence.addIf(c.rewind().isPresent(), parts, "report.plan.rewound");
        Sentence.addIf(c.startsCold(), parts, "report.plan.cold");
        others(c.settings(), parts);
        return Sentence.of("report.plan.consume", names(c.topics()), parts, config(c.config()));
    }

    private static Sentence topic(TopicSpec t, Object names) {
        if (t.existing()) {
            return Sentence.of("report.plan.topic", names, Sentence.of("report.plan.isThere"), Sentence.NONE);
        }
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("report.plan.partitions", Units.count(t.partitions())));
        parts.add(Sentence.of("report.plan.replicas", t.replication()));
        Sentence.addIf(t.brokers() > 0, parts, "report.plan.onBrokers", t.brokers());
        Sentence.addIf(t.keep(), parts, "report.plan.kept");
        others(t.settings(), parts);
        return Sentence.of("report.plan.topic", names, parts, config(t.config()));
    }

    private static void others(Settings settings, List<Sentence> parts) {
        settings.keys().stream()
                .filter(key -> !TOLD.contains(key))
                .forEach(key -> parts.add(Sentence.verbatim(key.text(settings))));
    }

    private static void engine(String engine, List<Sentence> parts) {
        Sentence.addIf(!engine.equals(Engine.DEFAULT), parts, "report.plan.engine", engine);
    }

    private static Sentence start(ConsumerSpec.Start start) {
        if (start instanceof ConsumerSpec.Start.Latest) {
            return Sentence.of("report.plan.fromTheEnd");
        } else if (start instanceof ConsumerSpec.Start.Offset o) {
            return Sentence.of("report.plan.fromOffset", o.offset());
        } else if (start instanceof ConsumerSpec.Start.Timestamp t) {
            return Sentence.of("report.plan.fromTime", t.time());
        } else if (start instanceof ConsumerSpec.Start.AfterProduce) {
            return Sentence.of("report.plan.afterProducing");
        } else if (start instanceof ConsumerSpec.Start.Backlog b) {
            return Sentence.of("report.plan.backlog", duration(b.time()));
        } else if (start instanceof ConsumerSpec.Start.BacklogBytes b) {
            return Sentence.of("report.plan.backlogBytes", Units.bytes(b.bytes()));
        }
        return Sentence.of("report.plan.fromTheBeginning");
    }

    private static String duration(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        return seconds < 1 ? Units.micros(seconds * 1e6) : Units.duration(seconds);
    }

    private static Sentence rate(Rate rate) {
        if (rate instanceof Rate.Constant c) {
            double value = c.rate().value();
            return switch (c.rate().unit()) {
                case RECORDS -> Sentence.of("report.plan.rate", Units.rate(value));
                case PAYLOAD_BYTES -> Sentence.of("report.plan.byteRate", Units.byteRate(value));
                case WIRE_BYTES -> Sentence.of("report.plan.wireRate", Units.byteRate(value));
            };
        }
        return Sentence.of(rate instanceof Rate.Unlimited ? "report.plan.unlimited" : "report.plan.changing");
    }

    private static Object names(List<String> names) {
        return names.size() == 1
                ? names.get(0)
                : Sentence.of(
                        "report.plan.topics", names.get(0), names.get(names.size() - 1), Units.count(names.size()));
    }

    private static Object config(Map<String, String> config) {
        return config.isEmpty()
                ? Sentence.NONE
                : Sentence.of(
                        "report.plan.settings",
                        Secrets.redact(config).entrySet().stream()
                                .map(e -> e.getKey() + "=" + e.getValue())
                                .toList());
    }
}
