package io.plimsoll.cluster;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * A topic as shown by {@code topic describe}; serialized directly.
 *
 * @param replication replicas of the first partition
 * @param records sum of end minus earliest offsets: an upper bound because of compaction and transactions; partitions
 *     without a leader count 0
 * @param bytes size on disk of one replica of each partition; null if not reported
 * @param config explicitly set properties
 */
@JsonPropertyOrder({"name", "internal", "replication", "records", "bytes", "config", "partitions"})
public record TopicReport(
        String name,
        boolean internal,
        int replication,
        long records,
        Long bytes,
        Map<String, String> config,
        List<Partition> partitions) {

    /**
     * Leader id (−1 for none), offsets (null without a leader), and size of the largest replica (null if not reported).
     */
    public record Partition(
            int partition,
            int leader,
            List<Integer> replicas,
            List<Integer> inSync,
            Long earliestOffset,
            Long endOffset,
            Long bytes) {}

    /** Reports on these topics in order. */
    public static List<TopicReport> of(Topics topics, Collection<String> names) {
        Map<String, TopicDescription> descriptions = topics.describe(names);
        Map<TopicPartition, Long> earliest = topics.earliestOffsets(names);
        Map<TopicPartition, Long> ends = topics.endOffsets(names);
        Map<TopicPartition, Long> sizes = topics.sizesOnDisk(names).orElse(Map.of());
        Map<String, Map<String, String>> configs = topics.configs(names);
        List<TopicReport> reports = new ArrayList<>();
        for (String name : names) {
            List<Partition> partitions = new ArrayList<>();
            for (TopicPartitionInfo info : descriptions.get(name).partitions()) {
                TopicPartition id = new TopicPartition(name, info.partition());
                int leader = info.leader() == null ? -1 : info.leader().id();
                List<Integer> inSync = ids(info.isr());
                partitions.add(new Partition(
                        id.partition(),
                        leader,
                        ids(info.replicas()),
                        inSync,
                        earliest.get(id),
                        ends.get(id),
                        sizes.get(id)));
            }
            reports.add(report(name, descriptions.get(name).isInternal(), configs.get(name), partitions));
        }
        return reports;
    }

    private static TopicReport report(
            String name, boolean internal, Map<String, String> config, List<Partition> partitions) {
        long records = 0;
        Long bytes = 0L;
        for (Partition partition : partitions) {
            if (partition.endOffset() != null && partition.earliestOffset() != null) {
                records += partition.endOffset() - partition.earliestOffset();
            }
            bytes = bytes == null || partition.bytes() == null ? null : Long.valueOf(bytes + partition.bytes());
        }
        return new TopicReport(name, internal, partitions.get(0).replicas().size(), records, bytes, config, partitions);
    }

    private static List<Integer> ids(List<Node> nodes) {
        return nodes.stream().map(Node::id).toList();
    }
}
