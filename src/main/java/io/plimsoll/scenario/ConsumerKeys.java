package io.plimsoll.scenario;

import io.plimsoll.scenario.ConsumerSpec.Begin;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import io.plimsoll.scenario.ConsumerSpec.Start;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;

/** The keys of an entry of {@code consumers}. */
public final class ConsumerKeys {
    private static final String TIME = "2026-01-31T12:00:00Z";

    public static final Key<List<String>> TOPIC =
            LoadKeys.topics().about("a topic's name, a list of names, or a pattern", "主题名称、名称列表或模式");

    public static final Key<Integer> GROUPS = Key.count("groups", 1, LoadKeys.MOST_CLIENTS)
            .about("how many groups, each of which reads everything", "消费组个数，每个组都读取全部内容");

    public static final Key<Boolean> ONE_TOPIC_EACH = Key.flag("oneTopicEach")
            .rule(LoadKeys.enough(TOPIC, GROUPS))
            .about(
                    "with several topics: each group reads one of them, dealt in turn, instead of all",
                    "有多个主题时：每个组轮流分到其中一个并只读它，而不是读所有主题");

    public static final Key<Integer> MEMBERS =
            Key.count("members", 1, LoadKeys.MOST_CLIENTS).about("consumers per group", "每个组的消费者个数");

    public static final Key<Boolean> STATIC_MEMBERS = Key.flag("staticMembers")
            .about(
                    "each member has a `group.instance.id` of its own: one that is replaced in time keeps its partitions",
                    "每个成员有自己的 `group.instance.id`：及时替换的成员保留其分区");

    private static final Key<String> AFTER = Key.choice("after", "produce", List.of("produce"), word -> word)
            .about(
                    "`{after: produce}`: from the beginning, once all producers are done",
                    "`{after: produce}`：所有生产者完成后从头开始读");
    private static final Key<Start> BACKLOG = start("backlog", Sentence.of("scenario.a.backlog"), ConsumerKeys::backlog)
            .about(
                    "`{backlog: 10m}`: from the beginning, once producing has gone on for so long; `{backlog: 500MB}`:"
                            + " once so many bytes of keys and values have been acknowledged in its topics",
                    "`{backlog: 10m}`：写入持续这么久之后从头开始读；`{backlog: 500MB}`：其主题中已确认这么多键和值的字节之后");
    private static final Key<Start> OFFSET = start(
                    "offset",
                    Quantities.count(0),
                    scale -> text -> new Start.Offset(Quantities.count(text, 0, Long.MAX_VALUE)))
            .about(
                    "`{offset: 1000}`: in each partition at this offset, or at the nearest that is there",
                    "`{offset: 1000}`：每个分区从此 offset 开始，若不存在则从最近的开始");
    private static final Key<Start> TIMESTAMP = start(
                    "timestamp",
                    Sentence.of("scenario.a.timestamp", TIME),
                    scale -> text -> new Start.Timestamp(instant(text)))
            .about(
                    "`{timestamp: 2026-01-31T12:00:00Z}` (or milliseconds since 1970): in each partition at the first"
                            + " record that is not older, at the end if there is none",
                    "`{timestamp: 2026-01-31T12:00:00Z}`（或 1970 年以来的毫秒数）：每个分区从第一条不早于此时间的记录开始，没有则从末尾开始");
    private static final Key<Optional<Rewind>> REWIND = Key.scalar(
                    "rewind", Sentence.of("scenario.a.rewind", TIME), Optional.<Rewind>empty(), ConsumerKeys::rewind)
            .about(
                    "`{rewind: 0}`: the group's offsets are set to the beginning before it joins; `{rewind:"
                            + " \"2026-01-31T12:00:00Z\"}`: to the first record that is not older. Also beside `after` or"
                            + " `backlog`, which say when reading begins",
                    "`{rewind: 0}`：加入前将消费组的 offset 设到开头；`{rewind: \"2026-01-31T12:00:00Z\"}`：设到第一条不早于此时间的记录。"
                            + "也可与说明何时开始读的 `after` 或 `backlog` 并用");
    public static final Key<Begin> START = new Forms<Begin>()
            .word("earliest", Begin.EARLIEST)
            .word("latest", new Begin(new Start.Latest(), Optional.empty()))
            .keys(AFTER, BACKLOG, OFFSET, TIMESTAMP, REWIND)
            .map(ConsumerKeys::begin)
            .key(
                    "start",
                    Sentence.or(List.of(
                            "earliest",
                            "latest",
                            "{after: produce}",
                            "{backlog: 10m}",
                            "{offset: 1000}",
                            "{timestamp: " + TIME + "}",
                            "{rewind: 0}")),
                    Begin.EARLIEST,
                    Begin.class)
            .byDefault("`earliest`", "`earliest`")
            .rule((entry, start) -> {
                if (start.isLate() && !entry.whole().hasSome("producers")) {
                    entry.problemAt("start", Sentence.of("scenario.nothingToWaitFor"));
                }
            })
            .about(
                    "`earliest`, `latest`, or see below; of partitions for which the group has no committed offset,"
                            + " unless an `offset` or `timestamp` is given",
                    "`earliest`、`latest`，或见下文；除非给出 `offset` 或 `timestamp`，否则只对该组没有已提交 offset 的分区有效");

    private static final Key<Long> POLLS = Quantities.many("every")
            .required()
            .about("polls that returned records between two commits", "两次提交之间返回了记录的 poll 次数");
    private static final Key<Commit> SYNC = commits("sync", Commit.Sync::new)
            .about(
                    "`{sync: {every: 1}}`: wait for the commit after every so many polls that returned records",
                    "`{sync: {every: 1}}`：每这么多次返回了记录的 poll 之后提交并等待");
    private static final Key<Commit> ASYNC = commits("async", Commit.Async::new)
            .about("`{async: {every: 1000}}`: the same without waiting", "`{async: {every: 1000}}`：同上，但不等待");
    public static final Key<Commit> COMMIT = new Forms<Commit>()
            .word("auto", new Commit.Auto())
            .word("none", new Commit.None())
            .form(SYNC, commit -> commit)
            .form(ASYNC, commit -> commit)
            .key(
                    "commit",
                    Sentence.or(List.of("auto", "none", "{sync: {every: 1}}", "{async: {every: 1000}}")),
                    new Commit.Auto(),
                    Commit.class)
            .shown(Commit::text)
            .about(
                    "`auto` (by the client, at its own interval), `none`, or see below",
                    "`auto`（由客户端按其自身间隔提交）、`none`，或见下文");

    public static final Key<String> ENGINE = LoadKeys.engine(Engine::consumes, Engine::consumerKeys)
            .about(
                    "`client`, `raw`, `share` (a share group, whose members take records and not partitions) or `pipeline`"
                            + " (writes on what it reads)",
                    "`client`、`raw`、`share`（共享组，其成员领取的是记录而不是分区）或 `pipeline`（把读到的写出）");
    private static final Key<Object> KIND =
            LoadKeys.kind(Engine::consumes).about("the same as `engine`", "与 `engine` 相同");

    /** What each member does with its records; nothing without. */
    public static final Key<Optional<WorkSpec>> WORK = WorkKeys.WORK;

    public static final Key<OptionalLong> RECORDS = Key.records("records")
            .endsLoad()
            .about(
                    "each group ends after so many records; without, it reads until the producers are done and it has"
                            + " caught up",
                    "每个组读完这么多条记录后结束；不给出时，读到生产者完成且已追上为止");

    public static final Key<Duration> IDLE_TIMEOUT = Key.duration("idleTimeout", Duration.ofSeconds(10))
            .about(
                    "a group bound by `records` gives up when nothing came for so long",
                    "受 `records` 限定的组在这么久没有收到任何内容时放弃");

    public static final Key<Map<String, String>> CONFIG = Key.properties("config", "{max.poll.records: 500}")
            .noneByDefault()
            .rule(LoadKeys.wholeNumbers("max.poll.records", "fetch.min.bytes", "fetch.max.bytes"))
            .about(
                    "any property of the Kafka consumer; `group.protocol` chooses `classic` or `consumer`",
                    "Kafka 消费者的任意属性；`group.protocol` 选择 `classic` 或 `consumer`");

    public static final Key<Boolean> EXISTING_GROUP = Key.flag("existingGroup")
            .about(
                    "the group that `config` names with `group.id` may be there already, with offsets that change; without"
                            + " members of its own and without `rewind`",
                    "`config` 中 `group.id` 所指的消费组可以已经存在，其 offset 会被改动；但不得有活动成员，也不得使用 `rewind`");

    public static final Key<Map<String, String>> ON = LoadKeys.agents();

    /** All of them, in the order in which they are read, with those of each engine. */
    public static final Section ALL = Section.of(
                    "{topic: events, members: 3}",
                    TOPIC,
                    ONE_TOPIC_EACH,
                    GROUPS,
                    MEMBERS,
                    STATIC_MEMBERS,
                    START,
                    COMMIT,
                    ENGINE,
                    KIND,
                    WORK,
                    RECORDS,
                    IDLE_TIMEOUT,
                    EXISTING_GROUP,
                    CONFIG,
                    ON)
            .and(LoadKeys.own(Engine::consumerKeys));

    private ConsumerKeys() {}

    private static Key.Draft<Start> start(
            String name, Sentence expected, Function<Scale, Function<String, Start>> parser) {
        return Key.of(
                name,
                new KeyShape.Value(expected),
                Begin.EARLIEST.start(),
                (entry, key) -> entry.read(key, parser.apply(entry.scale())));
    }

    private static Begin begin(EntryReading entry) {
        boolean rewinds = entry.has("rewind");
        if (rewinds && (entry.has("offset") || entry.has("timestamp"))) {
            entry.problem("scenario.beginsTwice");
        }
        if (rewinds && !entry.has("after") && !entry.has("backlog")) {
            return new Begin(Begin.EARLIEST.start(), entry.get(REWIND));
        }
        Start start = entry.only(List.of("after", "backlog", "offset", "timestamp"))
                .map(key -> switch (key) {
                    case "after" -> new Start.AfterProduce();
                    case "backlog" -> entry.get(BACKLOG);
                    case "offset" -> entry.get(OFFSET);
                    default -> entry.get(TIMESTAMP);
                })
                .orElse(Begin.EARLIEST.start());
        return new Begin(start, entry.get(REWIND));
    }

    private static Function<String, Start> backlog(Scale scale) {
        return text -> {
            if (text.strip().matches("[0-9._]+ *[KMGT]i?B")) {
                return new Start.BacklogBytes(scale.records(Quantities.amount(text)));
            }
            try {
                return new Start.Backlog(scale.time(Quantities.duration(text)));
            } catch (InvalidValueException e) {
                throw InvalidValueException.expected(Sentence.of("scenario.a.backlog"), text);
            }
        };
    }

    private static Instant instant(String text) {
        try {
            return text.matches("[0-9]{1,18}") ? Instant.ofEpochMilli(Long.parseLong(text)) : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.timestamp", TIME), text);
        }
    }

    private static Optional<Rewind> rewind(String text) {
        try {
            return Optional.of(
                    text.strip().equals("0")
                            ? new Rewind.ToBeginning()
                            : new Rewind.ToTime(Instant.parse(text.strip())));
        } catch (DateTimeParseException e) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.rewind", TIME), text);
        }
    }

    private static Key.Draft<Commit> commits(String name, LongFunction<Commit> made) {
        return Key.section(
                name, Section.of("{every: 1}", POLLS), new Commit.Auto(), entry -> made.apply(entry.get(POLLS)));
    }
}
