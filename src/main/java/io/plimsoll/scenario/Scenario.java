package io.plimsoll.scenario;

import io.plimsoll.scenario.EntryReading.Scale;
import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The load of one trial, with all defaults and topic patterns resolved. A file with {@code trials} or {@code matrix} is
 * a {@link Plan} of several scenarios.
 *
 * @param settings values of the keys below
 */
public record Scenario(Settings settings) {
    public static final Key<String> NAME = Key.scalar("name", "scenario.a.name", "", Scenario::name);
    public static final Key<String> ABOUT = Key.text("about");
    public static final Key<String> ABOUT_ZH = Key.text("aboutZh");
    public static final Key<List<TopicSpec>> TOPICS = Key.of(
                    "topics",
                    Entries.of(
                            "{name: events, partitions: 6}",
                            TopicSpec.ALL.keys().values()),
                    List.<TopicSpec>of(),
                    TopicSpec::read)
            .requiredWhereUsed()
            .rule((scenario, topics) -> {
                if (!scenario.hasSome("connections")
                        || scenario.hasSome("producers")
                        || scenario.hasSome("consumers")) {
                    scenario.require(Scenario.TOPICS);
                }
            });
    public static final Key<List<ProducerSpec>> PRODUCERS = Key.entries(
                    "producers", "{topic: events, rate: 1000/s}", ProducerSpec.ALL, ProducerSpec::new)
            .noneByDefault()
            .rule((scenario, producers) -> {
                if (!scenario.hasSome("producers")
                        && !scenario.hasSome("consumers")
                        && !scenario.hasSome("connections")) {
                    scenario.problem("scenario.noLoad");
                }
            });
    public static final Key<List<ConsumerSpec>> CONSUMERS = Key.entries(
                    "consumers", "{topic: events}", ConsumerSpec.ALL, ConsumerSpec::new)
            .noneByDefault()
            .rule(Scenario::checkBacklogs)
            .rule((scenario, consumers) -> Labels.checkAll(scenario, soFar(scenario)));
    public static final Key<List<ConnectionSpec>> CONNECTIONS = Key.entries(
                    "connections", "{count: 5000, rate: 500/s}", ConnectionSpec.ALL, ConnectionSpec::new)
            .noneByDefault();
    public static final Key<Duration> DURATION = Key.of(
                    "duration",
                    new KeyShape.Value(Quantities.DURATION),
                    Duration.ofSeconds(30),
                    (scenario, key) -> Optional.of(scenario.scale()
                            .time(scenario.read(key, Quantities::duration).orElse(Duration.ofSeconds(30)))),
                    Duration.class)
            .always();
    private static final Key<Boolean> UNTIL = Key.choice("until", true, List.of(true), steady -> "steady");
    private static final Key<Duration> AT_LEAST = Key.duration("atLeast", Warmup.STEADY.atLeast());
    private static final Key<Duration> AT_MOST = Key.duration("atMost", Warmup.STEADY.atMost());
    private static final Forms<Warmup> WARMUP_FORMS = new Forms<Warmup>()
            .word("steady", Warmup.STEADY)
            .word("none", Warmup.NONE)
            .scalar(text -> Warmup.lasting(Quantities.durationOrZero(text)))
            .keys(UNTIL, AT_LEAST, AT_MOST)
            .map(entry -> Warmup.untilSteady(entry.get(AT_LEAST), entry.get(AT_MOST)));
    public static final Key<Optional<Warmup>> WARMUP = Key.of(
                    "warmup",
                    WARMUP_FORMS.shape(Texts.either("10s | steady | none | {until: steady, atLeast: 5s, atMost: 60s}")),
                    Optional.<Warmup>empty(),
                    (scenario, key) -> warmup(scenario, key, WARMUP_FORMS),
                    Optional.class,
                    Warmup.class)
            .always()
            .shown(warmup -> warmup.map(Warmup::text).orElse(""))
            .rule(Scenario::checkWarmup);
    public static final Key<Boolean> AUDIT = Key.flag("audit");
    public static final Key<List<Check>> CHECKS = Key.of(
                    "checks",
                    new KeyShape.Value(Sentence.of("scenario.a.list", "[\"produce.response.p99 < 50ms\"]")),
                    List.<Check>of(),
                    Scenario::checks)
            .noneByDefault();
    public static final Key<List<Check>> GUARDS = Key.of(
                    "guards",
                    new KeyShape.Value(Sentence.of("scenario.a.list", "[\"probe.p99 < 50ms\"]")),
                    List.<Check>of(),
                    Scenario::guards)
            .sameInAllTrials()
            .noneByDefault();
    public static final Key<Boolean> ABORT_ON_FAIL = Key.flag("abortOnFail");
    /**
     * Figures that a release sheet compares. If no trial of the scenario names any, the sheet compares the default
     * figures.
     */
    public static final Key<List<String>> COMPARE = Key.list(
            "compare",
            Sentence.of("scenario.a.list", "[produce.throughput, fault.silence]"),
            String.class,
            (entry, key) -> entry.list(key, true, CheckParser::figure));

    private static final Key<Boolean> CONTINUES =
            Key.choice("onAgentLoss", false, List.of(false, true), continues -> continues ? "continue" : "abort");
    private static final Key<Boolean> APART = Key.flag("apart");
    public static final Key<Fleet> FLEET = Key.section(
            "fleet",
            Section.of("{onAgentLoss: continue, apart: true}", CONTINUES, APART),
            Fleet.DEFAULT,
            fleet -> new Fleet(fleet.get(CONTINUES), fleet.get(APART)));
    private static final Key<List<String>> GROUPS = Key.list(
            "groups",
            Sentence.of("scenario.a.list", "[payments]"),
            String.class,
            (entry, key) -> entry.list(key, true, text -> text));
    private static final Key<Integer> REPLICAS = Key.count("replicas", 0, LoadKeys.MOST_CLIENTS);
    private static final Key<Optional<String>> SCALE_WITH = FaultSpec.command("scaleWith");
    public static final Key<Observe> OBSERVE = Key.section(
                    "observe",
                    Section.of("{groups: [payments]}", GROUPS, REPLICAS, SCALE_WITH),
                    Observe.NONE,
                    observe -> new Observe(observe.get(GROUPS), observe.get(REPLICAS), observe.get(SCALE_WITH)))
            .rule((scenario, observe) -> {
                if (observe.replicas() > 0 && observe.scaleWith().isEmpty()) {
                    scenario.problemAt("observe", "scenario.replicasNeedCommand");
                }
            });
    public static final Key<LabSpec> LAB =
            Key.section("lab", LabSpec.ALL, LabSpec.USUAL, lab -> new LabSpec(lab.settings()));
    public static final Key<List<FaultSpec>> FAULTS = Key.of(
                    "faults",
                    Entries.of("{at: 10s, kill: leader of events-0, restartAfter: 5s}", FaultSpec.all()),
                    List.<FaultSpec>of(),
                    Scenario::faults)
            .noneByDefault();
    static final Key<Optional<ClientDefaults>> DEFAULTS = Key.of(
            "defaults",
            KeyShape.Value.of(ClientDefaults.BY_NAME.keySet()),
            Optional.<ClientDefaults>empty(),
            (scenario, key) -> scenario.choice(key, ClientDefaults.BY_NAME).map(Optional::of));

    /** All keys, in the order in which they are read. */
    public static final Section ALL = new Section(Sentence.of("scenario.a.scenario"), Map.of())
            .and(List.of(NAME, ABOUT, ABOUT_ZH, TOPICS, PRODUCERS, CONSUMERS, CONNECTIONS))
            .and(List.of(DURATION, WARMUP, AUDIT, CHECKS, GUARDS, ABORT_ON_FAIL, COMPARE))
            .and(List.of(FLEET, OBSERVE, LAB, FAULTS))
            .and(List.of(Trials.TRIALS, Trials.MATRIX, Reference.Reading.REFERENCE, DEFAULTS));

    /** Default warm-up of trials that are limited by time. */
    public static final Warmup DEFAULT_WARMUP = Warmup.lasting(Duration.ofSeconds(5));

    /** A scenario with default settings. */
    public static Scenario of(String name) {
        return new Scenario(Settings.NONE.with(NAME, name));
    }

    public <T> Scenario with(Key<T> key, T value) {
        return new Scenario(settings.with(key, value));
    }

    Scenario with(UnaryOperator<ProducerSpec> producer, UnaryOperator<ConsumerSpec> consumer) {
        return with(PRODUCERS, producers().stream().map(producer).toList())
                .with(CONSUMERS, consumers().stream().map(consumer).toList());
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    public String name() {
        return get(NAME);
    }

    public String about() {
        return get(ABOUT);
    }

    public List<TopicSpec> topics() {
        return get(TOPICS);
    }

    public List<ProducerSpec> producers() {
        return get(PRODUCERS);
    }

    public List<ConsumerSpec> consumers() {
        return get(CONSUMERS);
    }

    public List<ConnectionSpec> connections() {
        return get(CONNECTIONS);
    }

    public boolean onlyConnects() {
        return producers().isEmpty() && consumers().isEmpty();
    }

    /** The measured window of producers and consumers without {@code records}. */
    public Duration duration() {
        return get(DURATION);
    }

    /** The measured window of a trial limited by time: the longest window of its producers. */
    public Duration window() {
        return producers().stream()
                .map(p -> p.duration().orElse(duration()))
                .max(Duration::compareTo)
                .orElse(duration());
    }

    /** Time under load before the measured window; empty means the default of {@link #effectiveWarmup()}. */
    public Optional<Warmup> warmup() {
        return get(WARMUP);
    }

    public boolean audit() {
        return get(AUDIT);
    }

    public List<Check> checks() {
        return get(CHECKS);
    }

    public List<FaultSpec> faults() {
        return get(FAULTS);
    }

    public LabSpec lab() {
        return get(LAB);
    }

    public Fleet fleet() {
        return get(FLEET);
    }

    /**
     * Options for the agents of a fleet.
     *
     * @param continues whether a trial continues without a lost agent
     * @param apart whether producers and consumers run on different agents
     */
    public record Fleet(boolean continues, boolean apart) {
        static final Fleet DEFAULT = new Fleet(false, false);
    }

    /**
     * Third-party consumer groups to observe during the load.
     *
     * @param groups ids of consumer groups
     * @param replicas number of replicas of the groups' application, set before a trial; 0 to leave it unchanged
     * @param scaleWith command that sets the number of replicas; the number replaces {@code {n}} in the command
     */
    public record Observe(List<String> groups, int replicas, Optional<String> scaleWith) {
        static final Observe NONE = new Observe(List.of(), 0, Optional.empty());
    }

    /** All topics of producers, in the order of the entries. */
    public List<String> producedTopics() {
        return producers().stream().flatMap(p -> p.topics().stream()).distinct().toList();
    }

    /** Whether a producer or, without producers, a consumer is limited by a number of records. */
    public boolean boundByRecords() {
        return producers().isEmpty()
                ? consumers().stream().anyMatch(c -> c.records().isPresent())
                : producers().stream().anyMatch(p -> p.records().isPresent());
    }

    /** The configured or default warm-up; none for trials that are limited by records or only connect. */
    public Warmup effectiveWarmup() {
        return warmup().orElse(boundByRecords() || onlyConnects() ? Warmup.NO_TIME : DEFAULT_WARMUP);
    }

    private static Scenario soFar(EntryReading scenario) {
        return new Scenario(scenario.settings());
    }

    /** The warm-up as written or, if it must be scaled, the default. Only durations are scaled, not the wait for a steady load. */
    private static Optional<Optional<Warmup>> warmup(EntryReading scenario, String key, Forms<Warmup> forms) {
        Scale scale = scenario.scale();
        boolean usual = scale.isOne() || soFar(scenario).boundByRecords();
        Optional<Warmup> given = scenario.has(key) ? forms.read(scenario, key) : Optional.empty();
        return Optional.of(given.or(() -> usual ? Optional.empty() : Optional.of(DEFAULT_WARMUP))
                .map(w -> w.until() == Warmup.Until.TIME ? Warmup.lasting(scale.time(w.atMost())) : w));
    }

    private static void checkWarmup(EntryReading scenario, Optional<Warmup> warmup) {
        warmup.filter(w -> w.steady() && w.atMost().compareTo(Warmup.SHORTEST_MOST) < 0)
                .ifPresent(w -> scenario.problemAt(
                        "warmup",
                        "scenario.warmupTooShort",
                        Quantities.text(Warmup.SHORTEST_MOST),
                        Quantities.text(w.atMost())));
        warmup.filter(w -> w.atLeast().compareTo(w.atMost()) > 0)
                .ifPresent(w -> scenario.problemAt(
                        "warmup", "scenario.warmupBounds", Quantities.text(w.atLeast()), Quantities.text(w.atMost())));
    }

    /**
     * Checks that backlogs are complete, so that their consumers start, and that schemas change before producing ends.
     */
    private static void checkBacklogs(EntryReading reading, List<ConsumerSpec> consumers) {
        Scenario scenario = soFar(reading);
        if (scenario.boundByRecords()) {
            return;
        }
        Duration longest = scenario.window();
        for (EntryReading producer : reading.entries("producers")) {
            producer.get(ProducerSpec.RECORD)
                    .schema()
                    .flatMap(SchemaSpec::evolve)
                    .ifPresent(next -> {
                        if (next.at().compareTo(longest) >= 0) {
                            producer.problemInMap(
                                    "record",
                                    "schema",
                                    Sentence.of(
                                            "scenario.notWithin",
                                            Quantities.text(next.at()),
                                            Quantities.text(longest)));
                        }
                    });
        }
        List<EntryReading> entries = reading.entries("consumers");
        for (int i = 0; i < Math.min(entries.size(), consumers.size()); i++) {
            if (consumers.get(i).start() instanceof ConsumerSpec.Start.Backlog backlog
                    && backlog.time().compareTo(longest) >= 0) {
                entries.get(i)
                        .problemAt(
                                "start",
                                "scenario.backlogTooLong",
                                Quantities.text(backlog.time()),
                                Quantities.text(longest));
            }
        }
    }

    /** Reads the faults last, because valid targets and times depend on the other keys. */
    private static Optional<List<FaultSpec>> faults(EntryReading reading, String key) {
        Scenario s = soFar(reading);
        Optional<Duration> loadEnds = s.boundByRecords() ? Optional.empty() : Optional.of(s.window());
        List<FaultSpec> faults = new ArrayList<>();
        reading.entries(key).forEach(fault -> FaultSpec.bind(fault, loadEnds).ifPresent(faults::add));
        return Optional.of(List.copyOf(faults));
    }

    private static String name(String text) {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw InvalidValueException.expected("scenario.a.directoryName", text);
        }
        return text;
    }

    private static Optional<List<Check>> checks(EntryReading scenario, String key) {
        return scenario.isEmptyList(key)
                ? Optional.of(List.of())
                : scenario.list(
                                key,
                                false,
                                text -> CheckParser.isComparison(text)
                                        ? Optional.<Check>empty()
                                        : Optional.of(measurable(scenario, CheckParser.parse(text))))
                        .map(all -> all.stream().flatMap(Optional::stream).toList());
    }

    private static Optional<List<Check>> guards(EntryReading scenario, String key) {
        return scenario.isEmptyList(key) ? Optional.of(List.of()) : scenario.list(key, false, CheckParser::guard);
    }

    private static Check measurable(EntryReading scenario, Check check) {
        Labels.known(soFar(scenario), check.figure(), check.label());
        Map<String, String> needed =
                Map.of("consume.", "consumers", "produce.", "producers", "connect.", "connections");
        needed.forEach((figures, key) -> {
            InvalidValueException.when(
                    check.figure().startsWith(figures) && !scenario.hasSome(key),
                    "scenario.notMeasured",
                    check.figure(),
                    key);
        });
        InvalidValueException.when(
                check.figure().startsWith("reply.")
                        && soFar(scenario).producers().stream()
                                .noneMatch(p -> p.get(ProducerSpec.REPLY).isPresent()),
                "scenario.notMeasured",
                check.figure(),
                "producers.reply");
        return check;
    }

    /** Defaults of earlier Kafka clients that differ from current defaults, to reproduce published experiments. */
    enum ClientDefaults {
        /** Kafka 2.4 to 2.8: acks=1 and no idempotence until 3.0, no linger until 4.0, a fixed retry backoff until 3.7. */
        KAFKA_2(
                Map.of(
                        "acks", "1",
                        "enable.idempotence", "false",
                        "linger.ms", "0",
                        // Until 3.3, partitions were chosen regardless of the speed of their brokers.
                        "partitioner.adaptive.partitioning.enable", "false",
                        "retry.backoff.max.ms", "100",
                        "metadata.recovery.strategy", "none"),
                Map.of(
                        "session.timeout.ms", "10000",
                        "partition.assignment.strategy", "org.apache.kafka.clients.consumer.RangeAssignor",
                        "retry.backoff.max.ms", "100",
                        "metadata.recovery.strategy", "none")),
        /** Kafka 3.3 to 3.9. */
        KAFKA_3(
                Map.of("linger.ms", "0", "metadata.recovery.strategy", "none"),
                Map.of("metadata.recovery.strategy", "none")),
        KAFKA_4(Map.of(), Map.of());

        static final Map<String, ClientDefaults> BY_NAME =
                new TreeMap<>(Map.of("kafka-2.x", KAFKA_2, "kafka-3.x", KAFKA_3, "kafka-4.x", KAFKA_4));

        private final Map<String, String> producer;
        private final Map<String, String> consumer;

        ClientDefaults(Map<String, String> producer, Map<String, String> consumer) {
            this.producer = producer;
            this.consumer = consumer;
        }

        /** These defaults, overridden by the scenario's own properties. */
        Map<String, String> producer(Map<String, String> own, boolean transactional) {
            Map<String, String> all = new LinkedHashMap<>(new TreeMap<>(producer));
            if (transactional || "true".equals(own.get("enable.idempotence"))) {
                // With idempotence, earlier clients also used acks=all.
                all.remove("enable.idempotence");
                all.remove("acks");
            }
            all.putAll(own);
            return Collections.unmodifiableMap(all);
        }

        Map<String, String> consumer(Map<String, String> own) {
            Map<String, String> all = new LinkedHashMap<>(new TreeMap<>(consumer));
            if (own.containsKey("group.protocol") && !own.get("group.protocol").equals("classic")) {
                // With the consumer protocol (KIP-848), these are settings of the broker, and clients reject them.
                all.remove("session.timeout.ms");
                all.remove("partition.assignment.strategy");
            }
            all.putAll(own);
            return Collections.unmodifiableMap(all);
        }
    }
}
