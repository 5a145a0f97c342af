package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Open;
import io.plimsoll.scenario.KeyShape.Section;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of a scenario file as a whole, and of its sections that have no class of their own. */
public final class ScenarioKeys {
    private static final String TEXT = "text";

    public static final Key<String> NAME = Key.of(
                    "name",
                    new KeyShape.Value("a name of letters, digits, dots, dashes and underscores"),
                    "",
                    (scenario, key) ->
                            scenario.read(key, ScenarioBinder::name).or(() -> Optional.of(scenario.fallbackName())),
                    String.class)
            .always()
            .byDefault("the file's name", "文件名")
            .about("names the run's directory: letters, digits, dots, dashes, underscores", "运行目录的名称：字母、数字、点、连字符、下划线");

    public static final Key<String> ABOUT =
            Key.scalar("about", TEXT, "", text -> text).about("one sentence for the report", "写入报告的一句话");

    public static final Key<List<TopicSpec>> TOPICS = Key.of(
                    "topics",
                    new Entries("a list such as [{name: events, partitions: 6}]", TopicKeys.ALL),
                    List.<TopicSpec>of(),
                    TopicKeys::read)
            .required()
            .about("see [Topics](#topics)", "见 [Topics](#topics)");

    public static final Key<List<ProducerSpec>> PRODUCERS = Key.of(
                    "producers",
                    new Entries("a list such as [{topic: events, rate: 1000/s}]", ProducerKeys.ALL),
                    List.<ProducerSpec>of(),
                    ScenarioBinder::producers)
            .byDefault("none", "无")
            .rule((scenario, producers) -> {
                if (!scenario.hasSome("producers") && !scenario.hasSome("consumers")) {
                    scenario.problem("the scenario has neither producers nor consumers; give at least one of them");
                }
            })
            .about(
                    "see [Producers](#producers); a scenario has producers, consumers or both",
                    "见 [Producers](#producers)；场景有 producer、consumer 或两者都有");

    public static final Key<List<ConsumerSpec>> CONSUMERS = Key.of(
                    "consumers",
                    new Entries("a list such as [{topic: events}]", ConsumerKeys.ALL),
                    List.<ConsumerSpec>of(),
                    ScenarioBinder::consumers)
            .byDefault("none", "无")
            .rule(ScenarioBinder::checkBacklogs)
            .about("see [Consumers](#consumers)", "见 [Consumers](#consumers)");

    public static final Key<Duration> DURATION = Key.of(
                    "duration",
                    new KeyShape.Value(Key.DURATION),
                    Duration.ofSeconds(30),
                    (scenario, key) -> Optional.of(scenario.scale()
                            .time(scenario.read(key, Quantities::duration).orElse(Duration.ofSeconds(30)))),
                    Duration.class)
            .always()
            .about(
                    "the measured window of producers and consumers that are not bound by `records`",
                    "不受 `records` 限定的 producer 和 consumer 的测量窗口");

    public static final Key<Optional<Duration>> WARMUP = Key.of(
                    "warmup",
                    new KeyShape.Value(Key.DURATION),
                    Optional.<Duration>empty(),
                    ScenarioBinder::warmup,
                    Optional.class,
                    Duration.class)
            .always()
            .byDefault("`5s`; none if bound by `records`", "`5s`；受 `records` 限定时没有")
            .about(
                    "time under load before the measured window; its records are counted apart. `0` for none",
                    "测量窗口之前的带负载时间；其记录单独计数。`0` 表示没有");

    public static final Key<Boolean> AUDIT = Key.flag("audit")
            .about(
                    "compare, record by record, what was acknowledged with what can be read; needs records of 32 bytes"
                            + " or more, see [measuring.md](measuring.md#the-audit)",
                    "逐条比较已确认的与可读到的记录；要求记录不小于 32 字节，见 [measuring.md](measuring.md#the-audit)");

    public static final Key<List<Check>> CHECKS = Key.of(
                    "checks",
                    new KeyShape.Value("a list such as [\"produce.response.p99 < 50ms\"]"),
                    List.<Check>of(),
                    ScenarioBinder::checks)
            .byDefault("none", "无")
            .about("see [Checks](#checks)", "见 [Checks](#checks)");

    public static final Key<Boolean> ABORT_ON_FAIL = Key.flag("abortOnFail")
            .about(
                    "end the run as soon as a check cannot be met any more, see [Checks](#checks); also `run"
                            + " --abort-on-fail`",
                    "一旦某项检查不可能再满足就结束运行，见 [Checks](#checks)；同 `run --abort-on-fail`");

    private static final Key<Boolean> GOES_ON = Key.choice(
                    "onAgentLoss", "abort or continue", Map.of("abort", false, "continue", true), false)
            .about("`continue`: go on with the rest when an agent is lost", "`continue`：失去一个 agent 时用其余的继续");

    private static final Key<Boolean> APART =
            Key.flag("apart").about("no agent both produces and consumes", "没有 agent 既写又读");

    public static final Key<FleetSpec> FLEET = Key.of(
                    "fleet",
                    Section.of("a map such as {onAgentLoss: continue, apart: true}", GOES_ON, APART),
                    FleetSpec.DEFAULT,
                    (scenario, key) ->
                            scenario.below(key).map(fleet -> new FleetSpec(fleet.get(GOES_ON), fleet.get(APART))))
            .byDefault("", "")
            .about(
                    "what is asked of the agents of a [fleet](fleet.md): `onAgentLoss` is `abort` (the default) or"
                            + " `continue`: go on with the rest when an agent is lost; `apart` (`false`): no agent both"
                            + " produces and consumes",
                    "对[集群压测](fleet.md)中各 agent 的要求：`onAgentLoss` 为 `abort`（默认）或 `continue`：失去一个 agent 时用其余的继续；"
                            + "`apart`（`false`）：没有 agent 既写又读");

    public static final Key<List<FaultSpec>> FAULTS = Key.of(
                    "faults",
                    new Entries(
                            "a list such as [{at: 10s, kill: leader of events-0, restartAfter: 5s}]", FaultKeys.all()),
                    List.<FaultSpec>of(),
                    ScenarioBinder::faults)
            .byDefault("none", "无")
            .about("see [Faults](#faults)", "见 [Faults](#faults)");

    private static final Section TRIAL = Section.of(
            "a trial such as {name: slow, set: {duration: 15s}}",
            Key.part("name", "a name such as slow").about("by which reports call it", "报告中的名称"),
            Key.part("set", new Open("a map from paths to values such as {duration: 15s}"))
                    .about("what it changes", "它所做的更改"));

    private static final Section REFERENCE_ROW = Section.of(
            "a row such as {trial: slow, values: [1000, 20.5]}",
            Key.part("trial", "the name of a trial").about("the trial that repeats it", "重现它的试验"),
            Key.part("values", "a list with one value a column")
                    .about("the values as published, one a column", "所发表的数值，每列一个"));

    private static final Section REFERENCE_TABLE = Section.of(
            "a table such as {columns: {\"p99 ms\": produce.response.p99 in ms}, rows: [{trial: slow, values:"
                    + " [20.5]}]}",
            Key.part("title", TEXT).about("its heading", "标题"),
            Key.part(
                            "columns",
                            new Open("a map from headings to figures such as {\"p99 ms\": produce.response.p99 in ms}"))
                    .about(
                            "headings with what is measured for them: a [figure](#checks), ` in ` and its unit, or"
                                    + " `text` for what is only quoted",
                            "列标题及为其测量的内容：[指标](#checks)、` in ` 和单位，或 `text` 表示仅引用"),
            Key.part("rows", new Entries("a list such as [" + REFERENCE_ROW.expected() + "]", REFERENCE_ROW))
                    .about(
                            "each with the `trial` that repeats it and the `values` as published, one a column; `null`"
                                    + " where there is none",
                            "每行有重现它的 `trial` 和所发表的 `values`，每列一个；没有时为 `null`"));

    static final Key<Optional<ClientDefaults>> DEFAULTS = Key.of(
                    "defaults",
                    new KeyShape.Value("kafka-2.x, kafka-3.x or kafka-4.x"),
                    Optional.<ClientDefaults>empty(),
                    (scenario, key) ->
                            scenario.choice(key, ClientDefaults.BY_NAME).map(Optional::of))
            .byDefault("the client in use", "所用客户端")
            .about(
                    "whose default settings lie below every `config`, see [Defaults](#defaults)",
                    "每个 `config` 之下采用哪个版本的默认设置，见 [Defaults](#defaults)");

    /** Everything, in the order in which it is read. */
    public static final Section ALL = Section.of(
            "a map with the keys topics, producers, consumers and others",
            NAME,
            ABOUT,
            TOPICS,
            PRODUCERS,
            CONSUMERS,
            DURATION,
            WARMUP,
            AUDIT,
            CHECKS,
            ABORT_ON_FAIL,
            FLEET,
            FAULTS,
            Key.part("trials", new Entries("a list such as [{name: slow, set: {duration: 15s}}]", TRIAL))
                    .sameInAllTrials()
                    .byDefault("one trial", "一个试验")
                    .about("see [Trials and matrix](#trials-and-matrix)", "见 [Trials and matrix](#trials-and-matrix)"),
            Key.part(
                            "matrix",
                            new Open("a map from paths to lists of values such as {producers.config.acks: [1, all]}"))
                    .sameInAllTrials()
                    .byDefault("one trial", "一个试验")
                    .about("see [Trials and matrix](#trials-and-matrix)", "见 [Trials and matrix](#trials-and-matrix)"),
            Key.part(
                            "reference",
                            Section.of(
                                    "a map with the keys source and tables",
                                    Key.part("source", TEXT).about("where the figures were published", "数值发表于何处"),
                                    Key.part(
                                                    "tables",
                                                    new Entries(
                                                            "a list such as [" + REFERENCE_TABLE.expected() + "]",
                                                            REFERENCE_TABLE))
                                            .about(
                                                    "a list; each table has a `title`, `columns` and `rows`",
                                                    "列表；每个表有 `title`、`columns` 和 `rows`")))
                    .byDefault("none", "无")
                    .about(
                            "published figures, shown beside the measured ones, see [Reference](#reference)",
                            "所发表的数值，显示在测得的数值旁边，见 [Reference](#reference)"),
            DEFAULTS);

    private ScenarioKeys() {}
}
