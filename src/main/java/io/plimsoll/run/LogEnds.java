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
 * End offsets and topic ids at one point in time. The ids detect recreated topics, which start over at offset 0.
 *
 * @param offsets by {@code topic-partition}; missing for partitions without a leader
 * @param topics ids by name, see {@link #ids}
 * @param partitions number of partitions by topic
 */
record LogEnds(Map<String, Long> offsets, Map<String, String> topics, Map<String, Integer> partitions) {
    static final LogEnds UNKNOWN = new LogEnds(Map.of(), Map.of(), Map.of());

    /** @param described topics by name, read at about the same time as the offsets */
    static LogEnds of(Map<String, TopicDescription> described, Map<TopicPartition, Long> offsets) {
        Map<String, Integer> partitions = new HashMap<>();
        described.forEach(
                (name, topic) -> partitions.put(name, topic.partitions().size()));
        return new LogEnds(SettledEnds.byName(offsets), ids(described), partitions);
    }

    static LogEnds of(Topics topics, Collection<String> names) {
        return of(topics.describe(names), topics.endOffsets(names));
    }

    /** Topic ids. Brokers without topic ids return the same id for all, so recreation goes undetected. */
    static Map<String, String> ids(Map<String, TopicDescription> described) {
        Map<String, String> ids = new HashMap<>();
        described.forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids;
    }

    /** Whether the topic was deleted and recreated. */
    boolean isAnew(String topic, Map<String, String> idsNow) {
        String was = topics.get(topic);
        return was != null && !was.equals(idsNow.getOrDefault(topic, was));
    }

    /**
     * The end offset before the trial of a partition; 0 for a partition added since.
     *
     * @param partition as {@code topic-partition}
     * @param idsNow topic ids by name
     * @return empty if unknown: the partition had no leader, or the topic was recreated
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
     * Compares acknowledged records with the growth of each log. It detects losses unless retries or foreign producers
     * filled the gap; it cannot detect duplicates.
     *
     * @param before end offsets before the first record
     * @param after end offsets after the last acknowledgement
     * @param acknowledged records per partition
     * @param markers transaction markers per partition; each takes an offset
     * @param unknown records with an unknown outcome, which can be in the log
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
