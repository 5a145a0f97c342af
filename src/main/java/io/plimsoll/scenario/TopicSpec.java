package io.plimsoll.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A topic to create, or one that is there.
 *
 * @param partitions 1 or more; with {@code existing} the least number the topic must have
 * @param replication 1 to 32767; ignored with {@code existing}
 * @param config topic configuration, as in {@code kafka-topics --config}
 * @param existing use a topic that is there, never create or delete it
 * @param keep leave it, with its records, to later trials of the run that have it too; the last of them deletes it
 * @param brokers put its partitions, in turn, on so many brokers, those with the lowest ids; 0 leaves that to the cluster
 */
public record TopicSpec(
        String name,
        int partitions,
        int replication,
        Map<String, String> config,
        boolean existing,
        boolean keep,
        int brokers) {
    public TopicSpec {
        config = Collections.unmodifiableMap(new LinkedHashMap<>(config));
    }

    /** A topic of one trial. */
    public TopicSpec(String name, int partitions, int replication, Map<String, String> config, boolean existing) {
        this(name, partitions, replication, config, existing, false, 0);
    }
}
