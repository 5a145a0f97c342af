package io.plimsoll.run;

import io.plimsoll.cluster.Topics;
import io.plimsoll.result.AuditResult;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

    /**
     * Compares, partition by partition, how many records were acknowledged with how far the log has grown. It sees a loss
     * unless something else filled the gap (a retry that wrote twice, a foreign producer); it cannot see duplicates as such.
     *
     * @param before how the logs ended before the first record
     * @param after how after the last acknowledgement
     * @param acknowledged per partition
     * @param markers transaction markers per partition, which take an offset each
     * @param unknown records whose outcome nobody knows; they may be in the log or not
     */
    static AuditResult audit(
            LogEnds before, LogEnds after, Map<String, Long> acknowledged, Map<String, Long> markers, long unknown) {
        long total = 0;
        long found = 0;
        long lost = 0;
        boolean complete = true;
        List<Sentence> findings = new ArrayList<>();
        for (Map.Entry<String, Long> entry : new TreeMap<>(acknowledged).entrySet()) {
            String partition = entry.getKey();
            long acked = entry.getValue();
            total += acked;
            Long from = before.start(partition, after.topics()).orElse(null);
            Long to = after.offsets().get(partition);
            if (from == null || to == null) {
                complete = complete && acked == 0;
                continue;
            }
            long grown = to - from - markers.getOrDefault(partition, 0L);
            found += grown;
            if (grown < acked) {
                lost += acked - grown;
                findings.add(Sentence.of("run.missing", acked - grown, acked, partition, from, to));
            }
        }
        return AuditResult.ofOffsets(
                new AuditResult.Counts(total, found, lost, null, null, null, unknown, null), complete, findings);
    }
}
