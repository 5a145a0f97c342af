package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of a scenario file as a whole, and of its sections that have no class of their own. */
public final class ScenarioKeys {
    public static final Key<String> NAME = Key.scalar("name", Sentence.of("scenario.a.name"), "", ScenarioBinder::name);

    public static final Key<String> ABOUT = Key.text("about");

    public static final Key<String> ABOUT_ZH = Key.text("aboutZh");

    public static final Key<List<TopicSpec>> TOPICS = Key.of(
                    "topics",
                    Entries.of(
                            "{name: events, partitions: 6}",
                            TopicKeys.ALL.keys().values()),
                    List.<TopicSpec>of(),
                    TopicKeys::read)
            .requiredWhereUsed()
            .rule((scenario, topics) -> {
                if (!scenario.hasSome("connections")
                        || scenario.hasSome("producers")
                        || scenario.hasSome("consumers")) {
                    scenario.require(ScenarioKeys.TOPICS);
                }
            });

    public static final Key<List<ProducerSpec>> PRODUCERS = Key.entries(
                    "producers", "{topic: events, rate: 1000/s}", ProducerKeys.ALL, ProducerSpec::new)
            .noneByDefault()
            .rule((scenario, producers) -> {
                if (!scenario.hasSome("producers")
                        && !scenario.hasSome("consumers")
                        && !scenario.hasSome("connections")) {
                    scenario.problem("scenario.noLoad");
                }
            });

    public static final Key<List<ConsumerSpec>> CONSUMERS = Key.entries(
                    "consumers", "{topic: events}", ConsumerKeys.ALL, ConsumerSpec::new)
            .noneByDefault()
            .rule(ScenarioBinder::checkBacklogs);

    public static final Key<List<ConnectionSpec>> CONNECTIONS = Key.entries(
                    "connections", "{count: 5000, rate: 500/s}", ConnectionKeys.ALL, ConnectionSpec::new)
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
                    WARMUP_FORMS.shape(
                            Sentence.or(List.of("10s", "steady", "none", "{until: steady, atLeast: 5s, atMost: 60s}"))),
                    Optional.<Warmup>empty(),
                    (scenario, key) -> ScenarioBinder.warmup(scenario, key, WARMUP_FORMS),
                    Optional.class,
                    Warmup.class)
            .always()
            .shown(warmup -> warmup.map(Warmup::text).orElse(""))
            .rule(ScenarioBinder::checkWarmup);

    public static final Key<Boolean> AUDIT = Key.flag("audit");

    public static final Key<List<Check>> CHECKS = Key.of(
                    "checks",
                    new KeyShape.Value(Sentence.of("scenario.a.list", "[\"produce.response.p99 < 50ms\"]")),
                    List.<Check>of(),
                    ScenarioBinder::checks)
            .noneByDefault();

    public static final Key<List<Check>> GUARDS = Key.of(
                    "guards",
                    new KeyShape.Value(Sentence.of("scenario.a.list", "[\"probe.p99 < 50ms\"]")),
                    List.<Check>of(),
                    ScenarioBinder::guards)
            .sameInAllTrials()
            .noneByDefault();

    public static final Key<Boolean> ABORT_ON_FAIL = Key.flag("abortOnFail");

    private static final Key<Boolean> GOES_ON =
            Key.choice("onAgentLoss", false, List.of(false, true), goesOn -> goesOn ? "continue" : "abort");

    private static final Key<Boolean> APART = Key.flag("apart");

    public static final Key<FleetSpec> FLEET = Key.section(
            "fleet",
            Section.of("{onAgentLoss: continue, apart: true}", GOES_ON, APART),
            FleetSpec.DEFAULT,
            fleet -> new FleetSpec(fleet.get(GOES_ON), fleet.get(APART)));

    private static final Key<List<String>> GROUPS = Key.of(
            "groups",
            new KeyShape.Value(Sentence.of("scenario.a.list", "[payments]")),
            List.<String>of(),
            (entry, key) -> entry.list(key, true, text -> text),
            List.class,
            String.class);

    private static final Key<Integer> REPLICAS = Key.count("replicas", 0, LoadKeys.MOST_CLIENTS);

    private static final Key<Optional<String>> SCALE_WITH = FaultKeys.command("scaleWith");

    public static final Key<ObserveSpec> OBSERVE = Key.section(
                    "observe",
                    Section.of("{groups: [payments]}", GROUPS, REPLICAS, SCALE_WITH),
                    ObserveSpec.NONE,
                    observe -> new ObserveSpec(observe.get(GROUPS), observe.get(REPLICAS), observe.get(SCALE_WITH)))
            .rule((scenario, observe) -> {
                if (observe.replicas() > 0 && observe.scaleWith().isEmpty()) {
                    scenario.problemAt("observe", "scenario.replicasNeedCommand");
                }
            });

    public static final Key<LabSpec> LAB =
            Key.section("lab", LabKeys.ALL, LabSpec.USUAL, lab -> new LabSpec(lab.settings()));

    public static final Key<List<FaultSpec>> FAULTS = Key.of(
                    "faults",
                    Entries.of("{at: 10s, kill: leader of events-0, restartAfter: 5s}", FaultKeys.all()),
                    List.<FaultSpec>of(),
                    ScenarioBinder::faults)
            .noneByDefault();

    static final Key<Optional<ClientDefaults>> DEFAULTS = Key.of(
            "defaults",
            KeyShape.Value.of(ClientDefaults.BY_NAME.keySet()),
            Optional.<ClientDefaults>empty(),
            (scenario, key) -> scenario.choice(key, ClientDefaults.BY_NAME).map(Optional::of));

    /** Everything, in the order in which it is read. */
    public static final Section ALL = new Section(Sentence.of("scenario.a.scenario"), Map.of())
            .and(List.of(NAME, ABOUT, ABOUT_ZH, TOPICS, PRODUCERS, CONSUMERS, CONNECTIONS))
            .and(List.of(DURATION, WARMUP, AUDIT, CHECKS, GUARDS, ABORT_ON_FAIL))
            .and(List.of(FLEET, OBSERVE, LAB, FAULTS))
            .and(List.of(Trials.TRIALS, Trials.MATRIX, ReferenceBinder.REFERENCE, DEFAULTS));

    private ScenarioKeys() {}
}
