package io.plimsoll.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A topic to create or an existing topic, with values of {@link TopicKeys}. */
public record TopicSpec(String name, Settings settings) {
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

    /** 1 or more; for an existing topic, the minimum number. */
    public int partitions() {
        return settings.get(TopicKeys.PARTITIONS);
    }

    /** 1 to 32767; ignored for an existing topic. */
    public int replication() {
        return settings.get(TopicKeys.REPLICATION);
    }

    public Map<String, String> config() {
        return settings.get(TopicKeys.CONFIG);
    }

    /** Whether the topic exists, so that the run neither creates nor deletes it. */
    public boolean existing() {
        return settings.get(TopicKeys.EXISTING);
    }

    /** Whether later trials of the run use the topic with its records; the last one deletes it. */
    public boolean keep() {
        return settings.get(TopicKeys.KEEP);
    }

    /** Number of brokers, by lowest id, that get its partitions in turn; 0: the cluster places them. */
    public int brokers() {
        return settings.get(TopicKeys.BROKERS);
    }
}
