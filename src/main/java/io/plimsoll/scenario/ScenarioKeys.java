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
    public static final Key<String> NAME = Key.scalar("name", Sentence.of("scenario.a.name"), "", ScenarioBinder::name)
            .byDefault("the file's name", "文件名")
            .about("names the run's directory: letters, digits, dots, dashes, underscores", "运行目录的名称：字母、数字、点、连字符、下划线");

    public static final Key<String> ABOUT = Key.text("about").about("one sentence for the report", "写入报告的一句话");

    public static final Key<String> ABOUT_ZH = Key.text("aboutZh")
            .about(
                    "`about` in Chinese, for `plimsoll scenarios --lang zh`",
                    "`about` 的中文，用于 `plimsoll scenarios --lang zh`");

    public static final Key<List<TopicSpec>> TOPICS = Key.of(
                    "topics",
                    Entries.of(
                            "{name: events, partitions: 6}",
                            TopicKeys.ALL.keys().values()),
                    List.<TopicSpec>of(),
                    TopicKeys::read)
            .byDefault("required", "必填")
            .rule((scenario, topics) -> {
                if (!scenario.hasSome("connections")
                        || scenario.hasSome("producers")
                        || scenario.hasSome("consumers")) {
                    scenario.require(ScenarioKeys.TOPICS);
                }
            })
            .about("see [Topics](#topics)", "见 [Topics](#topics)");

    public static final Key<List<ProducerSpec>> PRODUCERS = Key.of(
                    "producers",
                    Entries.of(
                            "{topic: events, rate: 1000/s}",
                            ProducerKeys.ALL.keys().values()),
                    List.<ProducerSpec>of(),
                    ScenarioBinder.each(ProducerSpec::new))
            .noneByDefault()
            .rule((scenario, producers) -> {
                if (!scenario.hasSome("producers")
                        && !scenario.hasSome("consumers")
                        && !scenario.hasSome("connections")) {
                    scenario.problem("scenario.noLoad");
                }
            })
            .about(
                    "see [Producers](#producers); a scenario has producers, consumers, connections, or several of these",
                    "见 [Producers](#producers)；场景有生产者、消费者、连接，或其中几种");

    public static final Key<List<ConsumerSpec>> CONSUMERS = Key.of(
                    "consumers",
                    Entries.of("{topic: events}", ConsumerKeys.ALL.keys().values()),
                    List.<ConsumerSpec>of(),
                    ScenarioBinder.each(ConsumerSpec::new))
            .noneByDefault()
            .rule(ScenarioBinder::checkBacklogs)
            .about("see [Consumers](#consumers)", "见 [Consumers](#consumers)");

    public static final Key<List<ConnectionSpec>> CONNECTIONS = Key.of(
                    "connections",
                    Entries.of(
                            "{count: 5000, rate: 500/s}",
                            ConnectionKeys.ALL.keys().values()),
                    List.<ConnectionSpec>of(),
                    ScenarioBinder.each(ConnectionSpec::new))
            .noneByDefault()
            .about("see [Connections](#connections)", "见 [Connections](#connections)");

    public static final Key<Duration> DURATION = Key.of(
                    "duration",
                    new KeyShape.Value(Quantities.DURATION),
                    Duration.ofSeconds(30),
                    (scenario, key) -> Optional.of(scenario.scale()
                            .time(scenario.read(key, Quantities::duration).orElse(Duration.ofSeconds(30)))),
                    Duration.class)
            .always()
            .about(
                    "the measured window of producers and consumers that are not bound by `records`",
                    "不受 `records` 限定的生产者和消费者的测量窗口");

    private static final Key<Boolean> UNTIL =
            Key.choice("until", true, List.of(true), steady -> "steady").about("until the load is steady", "直到负载稳定");
    private static final Key<Duration> AT_LEAST =
            Key.duration("atLeast", Warmup.STEADY.atLeast()).about("it is never shorter", "不会更短");
    private static final Key<Duration> AT_MOST =
            Key.duration("atMost", Warmup.STEADY.atMost()).about("it ends then, steady or not", "到时结束，无论是否稳定");
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
            .rule(ScenarioBinder::checkWarmup)
            .byDefault("`5s`; none if bound by `records`", "`5s`；受 `records` 限定时没有")
            .about(
                    "time under load before the measured window; its records are counted apart. `0` for none,"
                            + " `steady` until the load is: see [Warm-up](#warm-up)",
                    "测量窗口之前的带负载时间；其记录单独计数。`0` 表示没有，`steady` 表示直到负载稳定：见 [Warm-up](#warm-up)");

    public static final Key<Boolean> AUDIT = Key.flag("audit")
            .about(
                    "compare, record by record, what was acknowledged with what can be read; needs records of 32 bytes"
                            + " or more, see [measuring.md](measuring.md#the-audit)",
                    "逐条比较已确认的与可读到的记录；要求记录不小于 32 字节，见 [measuring.md](measuring.md#the-audit)");

    public static final Key<List<Check>> CHECKS = Key.of(
                    "checks",
                    new KeyShape.Value(Sentence.of("scenario.a.list", "[\"produce.response.p99 < 50ms\"]")),
                    List.<Check>of(),
                    ScenarioBinder::checks)
            .noneByDefault()
            .about("see [Checks](#checks)", "见 [Checks](#checks)");

    public static final Key<List<Check>> GUARDS = Key.of(
                    "guards",
                    new KeyShape.Value(Sentence.of("scenario.a.list", "[\"probe.p99 < 50ms\"]")),
                    List.<Check>of(),
                    ScenarioBinder::guards)
            .sameInAllTrials()
            .noneByDefault()
            .about(
                    "what must hold for others while the load goes on, beside those of `--guard`: see"
                            + " [security.md](security.md#while-a-load-goes-on)",
                    "负载进行期间对他人必须成立的条件，与 `--guard` 的条件一并生效：见 [security.md](security.md#while-a-load-goes-on)");

    public static final Key<Boolean> ABORT_ON_FAIL = Key.flag("abortOnFail")
            .about(
                    "end the run as soon as a check cannot be met any more, see [Checks](#checks); also `run"
                            + " --abort-on-fail`",
                    "一旦某项检查不可能再满足就结束运行，见 [Checks](#checks)；同 `run --abort-on-fail`");

    private static final Key<Boolean> GOES_ON = Key.choice(
                    "onAgentLoss", false, List.of(false, true), goesOn -> goesOn ? "continue" : "abort")
            .about("`continue`: go on with the rest when an agent is lost", "`continue`：失去一个代理时用其余的继续");

    private static final Key<Boolean> APART =
            Key.flag("apart").about("no agent both produces and consumes", "没有代理既写又读");

    public static final Key<FleetSpec> FLEET = Key.section(
                    "fleet",
                    Section.of("{onAgentLoss: continue, apart: true}", GOES_ON, APART),
                    FleetSpec.DEFAULT,
                    fleet -> new FleetSpec(fleet.get(GOES_ON), fleet.get(APART)))
            .byDefault("", "")
            .about(
                    "what is asked of the agents of a [fleet](fleet.md): `onAgentLoss` is `abort` (the default) or"
                            + " `continue`: go on with the rest when an agent is lost; `apart` (`false`): no agent both"
                            + " produces and consumes",
                    "对[机群](fleet.md)各代理的要求：`onAgentLoss` 为 `abort`（默认）或 `continue`：失去一个代理时用其余的继续；"
                            + "`apart`（`false`）：没有代理既写又读");

    private static final Key<List<String>> GROUPS = Key.of(
                    "groups",
                    new KeyShape.Value(Sentence.of("scenario.a.list", "[payments]")),
                    List.<String>of(),
                    (entry, key) -> entry.list(key, true, text -> text),
                    List.class,
                    String.class)
            .about("ids of consumer groups of others", "其他应用的消费组 id");

    private static final Key<Integer> REPLICAS =
            Key.count("replicas", 0, LoadKeys.MOST_CLIENTS).about("scale their application first", "先将其应用扩缩到此数");

    private static final Key<Optional<String>> SCALE_WITH =
            FaultKeys.command("scaleWith").about("the command that does it", "执行扩缩的命令");

    public static final Key<ObserveSpec> OBSERVE = Key.section(
                    "observe",
                    Section.of("{groups: [payments]}", GROUPS, REPLICAS, SCALE_WITH),
                    ObserveSpec.NONE,
                    observe -> new ObserveSpec(observe.get(GROUPS), observe.get(REPLICAS), observe.get(SCALE_WITH)))
            .byDefault("", "")
            .rule((scenario, observe) -> {
                if (observe.replicas() > 0 && observe.scaleWith().isEmpty()) {
                    scenario.problemAt("observe", Sentence.of("scenario.replicasNeedCommand"));
                }
            })
            .about(
                    "[groups of others](groups.md) to look at, without joining them: `{groups: [payments]}`; before a trial their"
                            + " application is scaled to `replicas` with the command `scaleWith`, which has `{n}` for the"
                            + " number and needs `--allow-exec`",
                    "要观察的[其他应用的消费组](groups.md)，不加入它们：`{groups: [payments]}`；试验前用命令 `scaleWith`"
                            + "（`{n}` 代表数目，需要 `--allow-exec`）将其应用扩缩到 `replicas`");

    public static final Key<LabSpec> LAB = Key.section(
                    "lab", LabKeys.ALL, LabSpec.USUAL, lab -> new LabSpec(lab.settings()))
            .byDefault("as many brokers as the topics ask for", "主题所需数量的 broker")
            .about(
                    "the lab that the run starts where no cluster is named, see [Lab](#lab)",
                    "未指定集群时由运行启动的实验集群，见 [Lab](#lab)");

    public static final Key<List<FaultSpec>> FAULTS = Key.of(
                    "faults",
                    Entries.of("{at: 10s, kill: leader of events-0, restartAfter: 5s}", FaultKeys.all()),
                    List.<FaultSpec>of(),
                    ScenarioBinder::faults)
            .noneByDefault()
            .about("see [Faults](#faults)", "见 [Faults](#faults)");

    static final Key<Optional<ClientDefaults>> DEFAULTS = Key.of(
                    "defaults",
                    KeyShape.Value.of(ClientDefaults.BY_NAME.keySet()),
                    Optional.<ClientDefaults>empty(),
                    (scenario, key) ->
                            scenario.choice(key, ClientDefaults.BY_NAME).map(Optional::of))
            .byDefault("the client in use", "所用客户端")
            .about(
                    "whose default settings lie below every `config`, see [Defaults](#defaults)",
                    "每个 `config` 之下采用哪个版本的默认设置，见 [Defaults](#defaults)");

    /** Everything, in the order in which it is read. */
    public static final Section ALL = new Section(Sentence.of("scenario.a.scenario"), Map.of())
            .and(List.of(
                    NAME,
                    ABOUT,
                    ABOUT_ZH,
                    TOPICS,
                    PRODUCERS,
                    CONSUMERS,
                    CONNECTIONS,
                    DURATION,
                    WARMUP,
                    AUDIT,
                    CHECKS,
                    GUARDS,
                    ABORT_ON_FAIL,
                    FLEET,
                    OBSERVE,
                    LAB,
                    FAULTS,
                    Trials.TRIALS,
                    Trials.MATRIX,
                    ReferenceBinder.REFERENCE,
                    DEFAULTS));

    private ScenarioKeys() {}
}
