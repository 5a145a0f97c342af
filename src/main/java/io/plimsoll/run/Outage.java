package io.plimsoll.run;

import io.plimsoll.cluster.Topics;
import io.plimsoll.run.faults.FaultInjector.StandingFaults;
import io.plimsoll.scenario.TopicSpec;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Brokers that are away for a search, and where topics had their copies before.
 *
 * @param brokers their ids
 * @param faults by which they went; none if they are about to, or were away before
 * @param copies the brokers of each partition, by topic; empty: wherever the cluster puts them
 */
record Outage(List<Integer> brokers, StandingFaults faults, Map<String, Map<Integer, List<Integer>>> copies) {
    static final Outage NONE = new Outage(List.of(), StandingFaults.NONE, Map.of());

    static Outage of(List<Integer> brokers) {
        return new Outage(brokers, StandingFaults.NONE, Map.of());
    }

    Outage with(StandingFaults happened, Map<String, Map<Integer, List<Integer>>> before) {
        return new Outage(brokers, happened, before);
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
