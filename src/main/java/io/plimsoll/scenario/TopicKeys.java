package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of an entry of {@code topics}. */
public final class TopicKeys {
    private static final int MOST_PARTITIONS = 200_000;

    public static final Key<List<String>> NAME = Key.of(
                    "name",
                    new KeyShape.Value(Sentence.of("scenario.a.topic")),
                    List.<String>of(),
                    (topic, key) -> topic.read(key, TopicNames::expand),
                    List.class,
                    String.class)
            .required()
            .about(
                    "a name, or a pattern: `events-[1-10]` stands for `events-1` to `events-10`, `events-[01-10]`"
                            + " keeps the zero",
                    "名称或模式：`events-[1-10]` 代表 `events-1` 到 `events-10`，`events-[01-10]` 保留零");

    public static final Key<Integer> PARTITIONS = Key.count("partitions", 1, MOST_PARTITIONS)
            .about("with `existing`: the least number that the topic must have", "与 `existing` 并用时：该主题至少须有的分区数");

    public static final Key<Integer> REPLICATION = Key.count("replication", 1, Short.MAX_VALUE)
            .about("copies of each partition; ignored with `existing`", "每个分区的副本数；与 `existing` 并用时忽略");

    public static final Key<Map<String, String>> CONFIG = Key.properties("config", "{retention.ms: 60000}")
            .noneByDefault()
            .rule(LoadKeys.wholeNumbers("max.message.bytes"))
            .about("topic configuration, as for `kafka-topics --config`", "主题配置，同 `kafka-topics --config`");

    public static final Key<Boolean> EXISTING = Key.flag("existing")
            .about("use a topic that is there; it is neither created nor deleted", "使用已存在的主题；既不创建也不删除");

    public static final Key<Boolean> KEEP = Key.flag("keep")
            .rule((topic, keep) -> {
                if (keep && topic.get(EXISTING)) {
                    topic.problemAt("keep", Sentence.of("scenario.existingIsKept"));
                }
            })
            .about(
                    "leave it, with its records, to later [trials](#trials-and-matrix) of the run that have it too;"
                            + " the last of them deletes it",
                    "把它连同记录留给本次运行中同样使用它的后续[试验](#trials-and-matrix)；由其中最后一个删除");

    public static final Key<Integer> BROKERS = Key.count("brokers", 0, Short.MAX_VALUE)
            .byDefault("the cluster decides", "由集群决定")
            .rule(TopicKeys::checkBrokers)
            .about(
                    "put the partitions, in turn, on so many brokers, those with the lowest ids",
                    "将分区轮流放到这么多个 broker 上，取 id 最小的那些");

    /** All of them, in the order in which they are read. */
    public static final Section ALL =
            Section.of("{name: events, partitions: 6}", NAME, PARTITIONS, REPLICATION, CONFIG, EXISTING, KEEP, BROKERS);

    private TopicKeys() {}

    private static void checkBrokers(EntryReading topic, int brokers) {
        int replication = topic.get(REPLICATION);
        if (topic.get(EXISTING) && brokers > 0) {
            topic.problemAt("brokers", Sentence.of("scenario.existingIsPlaced"));
        } else if (brokers > 0 && replication > brokers) {
            topic.problemAt("replication", Sentence.of("scenario.tooManyCopies", replication, brokers));
        }
    }

    /** The topics of the list at a key, each once. */
    static Optional<List<TopicSpec>> read(EntryReading scenario, String key) {
        List<EntryReading> entries = scenario.entries(key);
        if (scenario.isEmptyList(key)) {
            scenario.problemAt(key, Sentence.of("scenario.noTopics"));
        }
        Map<String, TopicSpec> topics = new LinkedHashMap<>();
        for (EntryReading entry : entries) {
            Settings settings = entry.settings().without(NAME::equals);
            for (String name : entry.get(NAME)) {
                if (topics.putIfAbsent(name, new TopicSpec(name, settings)) != null) {
                    entry.problemAt("name", Sentence.of("scenario.topicTwice", Texts.quoted(name)));
                }
            }
        }
        return Optional.of(List.copyOf(topics.values()));
    }
}
