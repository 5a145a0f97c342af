package io.plimsoll.scenario;

import io.plimsoll.scenario.ConsumerSpec.Begin;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.KeyShape.Section;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The keys of an entry of {@code consumers}. */
public final class ConsumerKeys {
    public static final Key<List<String>> TOPIC =
            LoadKeys.topics().about("a topic's name, a list of names, or a pattern", "topic 名称、名称列表或模式");

    public static final Key<Integer> GROUPS = Key.count("groups", 1, LoadKeys.MOST_CLIENTS)
            .about("how many groups, each of which reads everything", "消费组个数，每个组都读取全部内容");

    public static final Key<Boolean> ONE_TOPIC_EACH = Key.flag("oneTopicEach")
            .rule(LoadKeys.enough(TOPIC, GROUPS))
            .about(
                    "with several topics: each group reads one of them, dealt in turn, instead of all",
                    "有多个 topic 时：每个组轮流分到其中一个并只读它，而不是读所有 topic");

    public static final Key<Integer> MEMBERS =
            Key.count("members", 1, LoadKeys.MOST_CLIENTS).about("consumers per group", "每个组的 consumer 个数");

    public static final Key<Begin> START = Key.of(
                    "start", ConsumerBinder.START, Begin.EARLIEST, ConsumerBinder::start, Begin.class)
            .byDefault("`earliest`", "`earliest`")
            .rule((entry, start) -> {
                if (start.isLate() && !entry.whole().hasSome("producers")) {
                    entry.problem("start", "waits for producers, but the scenario has none; use earliest");
                }
            })
            .about(
                    "`earliest`, `latest`, or see below; of partitions for which the group has no committed offset,"
                            + " unless an `offset` or `timestamp` is given",
                    "`earliest`、`latest`，或见下文；除非给出 `offset` 或 `timestamp`，否则只对该组没有已提交 offset 的分区有效");

    public static final Key<Commit> COMMIT = Key.<Commit>of(
                    "commit", ConsumerBinder.COMMIT, new Commit.Auto(), ConsumerBinder::commit, Commit.class)
            .shown(ConsumerBinder::text)
            .about(
                    "`auto` (by the client, at its own interval), `none`, or see below",
                    "`auto`（由客户端按其自身间隔提交）、`none`，或见下文");

    public static final Key<String> ENGINE =
            LoadKeys.engine(Engine::consumes).about("`client` or `raw`", "`client` 或 `raw`");

    public static final Key<OptionalLong> RECORDS = Key.records("records")
            .endsLoad()
            .about(
                    "each group ends after so many records; without, it reads until the producers are done and it has"
                            + " caught up",
                    "每个组读完这么多条记录后结束；不给出时，读到 producer 完成且已追上为止");

    public static final Key<Duration> IDLE_TIMEOUT = Key.duration("idleTimeout", Duration.ofSeconds(10))
            .about(
                    "a group bound by `records` gives up when nothing came for so long",
                    "受 `records` 限定的组在这么久没有收到任何内容时放弃");

    public static final Key<Map<String, String>> CONFIG = Key.properties(
                    "config", "a map such as {max.poll.records: 500}")
            .byDefault("none", "无")
            .rule(LoadKeys.wholeNumbers("max.poll.records", "fetch.min.bytes", "fetch.max.bytes"))
            .about(
                    "any property of the Kafka consumer; `group.protocol` chooses `classic` or `consumer`",
                    "Kafka consumer 的任意属性；`group.protocol` 选择 `classic` 或 `consumer`");

    public static final Key<Map<String, String>> ON = LoadKeys.agents();

    /** All of them, in the order in which they are read. */
    public static final Section ALL = Section.of(
            "a consumer such as {topic: events, members: 3}",
            TOPIC,
            ONE_TOPIC_EACH,
            GROUPS,
            MEMBERS,
            START,
            COMMIT,
            ENGINE,
            RECORDS,
            IDLE_TIMEOUT,
            CONFIG,
            ON);

    private ConsumerKeys() {}
}
