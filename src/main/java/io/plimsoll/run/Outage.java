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
 * Brokers that are away for a search, and where topics had their copies before.
 *
 * @param brokers their ids
 * @param faults by which they went; none if they are about to, or were away before
 * @param copies the brokers of each partition, by topic; empty: wherever the cluster puts them
 * @param bereft the brokers that are left of partitions of which a copy was on a disk that is lost
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
     * What a lost disk had of topics that were made anew nobody has: a copy less is all that can be asked for, as Kafka makes
     * topics with the same number of copies of each partition only.
     */
    void thin(Reassignment cluster, Collection<String> topics) {
        Map<TopicPartition, List<Integer>> fewer = new HashMap<>(bereft);
        fewer.keySet().removeIf(partition -> !topics.contains(partition.topic()));
        if (!fewer.isEmpty()) {
            cluster.start(fewer, 0);
        }
    }

    /**
     * A topic as it would be if it had been there before the outage: the controller makes a broker its leader that is there,
     * and what was copied to the others is copied to nobody. Put anew it would have all of its copies on the brokers that
     * are left, which carry more then than they do when a broker dies.
     *
     * @param all ids of the brokers, of those that are away too
     */
    NewTopic topic(TopicSpec spec, List<Integer> all) {
        Map<Integer, List<Integer>> before = copies.getOrDefault(spec.name(), Map.of());
        return before.size() == spec.partitions()
                ? new NewTopic(spec.name(), before).configs(spec.config())
                : Topics.newTopic(spec, all);
    }
}
