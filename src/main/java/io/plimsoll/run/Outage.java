package io.plimsoll.run;

import io.plimsoll.cluster.LogDirs;
import io.plimsoll.cluster.Reassignment;
import io.plimsoll.cluster.Topics;
import io.plimsoll.run.faults.FaultInjector.StandingFaults;
import io.plimsoll.scenario.TopicSpec;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/**
 * Brokers that are down for a search, and the replica placement from before.
 *
 * @param brokers ids of these brokers
 * @param faults faults that stopped them; none if they are about to stop or were down before
 * @param copies brokers of each partition by topic; empty for the cluster's own placement
 * @param bereft remaining replicas of partitions with a replica on the lost disk
 */
record Outage(
        List<Integer> brokers,
        StandingFaults faults,
        Map<String, Map<Integer, List<Integer>>> copies,
        Map<TopicPartition, List<Integer>> bereft) {
    static final Outage NONE = of(List.of());

    static Outage of(List<Integer> brokers) {
        return new Outage(brokers, StandingFaults.NONE, Map.of(), Map.of());
    }

    Outage with(StandingFaults happened, Map<String, Map<Integer, List<Integer>>> before, LogDirs disks) {
        return new Outage(brokers, happened, before, disks.bereft(before));
    }

    /**
     * Removes the lost replica from recreated topics. Kafka creates topics with a uniform replication factor, so the
     * lost disk's share can only be emulated by removing a replica.
     */
    void thin(Reassignment cluster, Collection<String> topics) {
        Map<TopicPartition, List<Integer>> fewer = new HashMap<>(bereft);
        fewer.keySet().removeIf(partition -> !topics.contains(partition.topic()));
        if (!fewer.isEmpty()) {
            cluster.start(fewer, 0);
        }
    }

    /**
     * A new topic with the placement it would have had before the outage: the leaders are surviving brokers, and
     * replicas on the stopped brokers are offline. A normal placement would put all replicas on the surviving brokers,
     * which would then carry more than after a real failure.
     *
     * @param all ids of all brokers, stopped ones included
     */
    NewTopic topic(TopicSpec spec, List<Integer> all) {
        Map<Integer, List<Integer>> before = copies.getOrDefault(spec.name(), Map.of());
        return before.size() == spec.partitions()
                ? new NewTopic(spec.name(), before).configs(spec.config())
                : Topics.newTopic(spec, all);
    }
}
