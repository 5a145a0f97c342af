package io.plimsoll.run;

import io.plimsoll.cluster.Topics;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the logs of some topics ended at one time, and which topics these were: a name may stand for another topic later, with logs
 * that begin anew.
 *
 * @param offsets by {@code topic-partition}; those without a leader are missing
 * @param topics the ids by name, see {@link #ids}
 * @param partitions how many each topic had
 */
record LogEnds(Map<String, Long> offsets, Map<String, String> topics, Map<String, Integer> partitions) {
    static final LogEnds UNKNOWN = new LogEnds(Map.of(), Map.of(), Map.of());

    /** @param described by name, asked for at about the same time as the offsets */
    static LogEnds of(Map<String, TopicDescription> described, Map<TopicPartition, Long> offsets) {
        Map<String, Integer> partitions = new HashMap<>();
        described.forEach(
                (name, topic) -> partitions.put(name, topic.partitions().size()));
        return new LogEnds(SettledEnds.byName(offsets), ids(described), partitions);
    }

    static LogEnds of(Topics topics, Collection<String> names) {
        return of(topics.describe(names), topics.endOffsets(names));
    }

    /** The ids of topics. Brokers that have none give all the same, so that no topic of theirs is told from another. */
    static Map<String, String> ids(Map<String, TopicDescription> described) {
        Map<String, String> ids = new HashMap<>();
        described.forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids;
    }

    /** Whether the name of a topic stands for another one now: it was deleted meanwhile, and created again. */
    boolean isAnew(String topic, Map<String, String> idsNow) {
        String was = topics.get(topic);
        return was != null && !was.equals(idsNow.getOrDefault(topic, was));
    }

    /**
     * Where a log ended of which more is known by now; that of a partition that was added since began at 0.
     *
     * @param partition as {@code topic-partition}
     * @param idsNow of topics, by name
     * @return empty if nobody can tell: there was no leader to ask, or it was the log of another topic
     */
    Optional<Long> start(String partition, Map<String, String> idsNow) {
        int dash = partition.lastIndexOf('-');
        String topic = partition.substring(0, dash);
        if (isAnew(topic, idsNow)) {
            return Optional.empty();
        }
        boolean added =
                Integer.parseInt(partition.substring(dash + 1)) >= partitions.getOrDefault(topic, Integer.MAX_VALUE);
        return added ? Optional.of(0L) : Optional.ofNullable(offsets.get(partition));
    }
}
