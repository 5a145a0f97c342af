package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A topic to create or an existing topic, with values of the keys below. */
public record TopicSpec(String name, Settings settings) {
    private static final int MOST_PARTITIONS = 200_000;
    private static final int MOST_NAMES = MOST_PARTITIONS;
    private static final Pattern RANGE = Pattern.compile("([^\\[\\]]*)\\[([0-9]{1,9})-([0-9]{1,9})]([^\\[\\]]*)");
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    public static final Key<List<String>> NAME = Key.list(
                    "name",
                    Sentence.of("scenario.a.topic"),
                    String.class,
                    (topic, key) -> topic.read(key, TopicSpec::expand))
            .required();
    public static final Key<Integer> PARTITIONS = Key.count("partitions", 1, MOST_PARTITIONS);
    public static final Key<Integer> REPLICATION = Key.count("replication", 1, Short.MAX_VALUE);
    public static final Key<Map<String, String>> CONFIG = Key.properties("config", "{retention.ms: 60000}")
            .noneByDefault()
            .rule(LoadKeys.wholeNumbers("max.message.bytes"));
    public static final Key<Boolean> EXISTING = Key.flag("existing");
    public static final Key<Boolean> KEEP = Key.flag("keep").rule((topic, keep) -> {
        if (keep && topic.get(EXISTING)) {
            topic.problemAt("keep", "scenario.existingIsKept");
        }
    });
    public static final Key<Integer> BROKERS =
            Key.count("brokers", 0, Short.MAX_VALUE).rule(TopicSpec::checkBrokers);
    public static final Section ALL =
            Section.of("{name: events, partitions: 6}", NAME, PARTITIONS, REPLICATION, CONFIG, EXISTING, KEEP, BROKERS);

    /** A topic with default settings. */
    public static TopicSpec of(String name) {
        return new TopicSpec(name, Settings.NONE);
    }

    static Map<String, TopicSpec> byName(List<TopicSpec> topics) {
        Map<String, TopicSpec> byName = new LinkedHashMap<>();
        topics.forEach(topic -> byName.put(topic.name(), topic));
        return byName;
    }

    public <T> TopicSpec with(Key<T> key, T value) {
        return new TopicSpec(name, settings.with(key, value));
    }

    /** Number of partitions, at least 1; for an existing topic, the minimum number. */
    public int partitions() {
        return settings.get(PARTITIONS);
    }

    /** Replication factor, 1 to 32767; ignored for an existing topic. */
    public int replication() {
        return settings.get(REPLICATION);
    }

    public Map<String, String> config() {
        return settings.get(CONFIG);
    }

    /** Whether the topic exists, so that the run neither creates nor deletes it. */
    public boolean existing() {
        return settings.get(EXISTING);
    }

    /** Whether later trials of the run use the topic with its records; the last trial deletes it. */
    public boolean keep() {
        return settings.get(KEEP);
    }

    /** Number of brokers, with the lowest ids, to which partitions are assigned in turn; 0 if the cluster places them. */
    public int brokers() {
        return settings.get(BROKERS);
    }

    private static void checkBrokers(EntryReading topic, int brokers) {
        int replication = topic.get(REPLICATION);
        if (topic.get(EXISTING) && brokers > 0) {
            topic.problemAt("brokers", "scenario.existingIsPlaced");
        } else if (brokers > 0 && replication > brokers) {
            topic.problemAt("replication", "scenario.tooManyCopies", replication, brokers);
        }
    }

    static Optional<List<TopicSpec>> read(EntryReading scenario, String key) {
        List<EntryReading> entries = scenario.entries(key);
        if (scenario.isEmptyList(key)) {
            scenario.problemAt(key, "scenario.noTopics");
        }
        Map<String, TopicSpec> topics = new LinkedHashMap<>();
        for (EntryReading entry : entries) {
            Settings settings = entry.settings().without(NAME::equals);
            for (String name : entry.get(NAME)) {
                if (topics.putIfAbsent(name, new TopicSpec(name, settings)) != null) {
                    entry.problemAt("name", "scenario.topicTwice", Texts.quoted(name));
                }
            }
        }
        return Optional.of(List.copyOf(topics.values()));
    }

    /** The names that a pattern such as {@code events-[01-10]} represents; leading zeros are kept. */
    static List<String> expand(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            return List.of(legal(text));
        }
        String first = range.group(2);
        int from = Integer.parseInt(first);
        int to = Integer.parseInt(range.group(3));
        InvalidValueException.unexpected(
                to < from || to - from >= MOST_NAMES, Sentence.of("scenario.a.range", MOST_NAMES), text);
        String format = first.startsWith("0") ? "%0" + first.length() + "d" : "%d";
        return IntStream.rangeClosed(from, to)
                .mapToObj(i -> legal(range.group(1) + String.format(format, i) + range.group(4)))
                .toList();
    }

    private static String legal(String name) {
        InvalidValueException.unexpected(
                !LEGAL.matcher(name).matches() || name.equals(".") || name.equals(".."), "scenario.a.legalTopic", name);
        return name;
    }
}
