package io.plimsoll.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A topic to create, or one that is there, by its {@link TopicKeys}. */
public record TopicSpec(String name, Settings settings) {
    /** A topic for which nothing but its name was said. */
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

    /** 1 or more; of a topic that is there the least number that it must have. */
    public int partitions() {
        return settings.get(TopicKeys.PARTITIONS);
    }

    /** 1 to 32767; without meaning for a topic that is there. */
    public int replication() {
        return settings.get(TopicKeys.REPLICATION);
    }

    public Map<String, String> config() {
        return settings.get(TopicKeys.CONFIG);
    }

    /** Whether it is there, and is neither created nor deleted. */
    public boolean existing() {
        return settings.get(TopicKeys.EXISTING);
    }

    /** Whether it is left, with its records, to later trials of the run that have it too; the last of them deletes it. */
    public boolean keep() {
        return settings.get(TopicKeys.KEEP);
    }

    /** On so many brokers, those with the lowest ids, its partitions are put in turn; 0 leaves that to the cluster. */
    public int brokers() {
        return settings.get(TopicKeys.BROKERS);
    }
}
