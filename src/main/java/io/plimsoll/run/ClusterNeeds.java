package io.plimsoll.run;

import io.plimsoll.cluster.Ability;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ApiLevels;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The abilities of a cluster that trials ask for, held against those that it has; said in the words of {@code plimsoll probe}. */
final class ClusterNeeds {
    private static final Map<String, Ability> OF_FAULTS = Map.of(
            "reassign", Ability.REASSIGNMENT,
            "addBroker", Ability.REASSIGNMENT,
            "removeBroker", Ability.REASSIGNMENT,
            "electLeaders", Ability.ELECTION,
            "changeConfig", Ability.CONFIGS);

    private ClusterNeeds() {}

    /** What the cluster lacks. */
    static List<Sentence> missing(Scenario scenario, ApiLevels levels) {
        return needed(scenario).stream()
                .filter(ability -> !ability.in(levels))
                .map(Ability::missing)
                .toList();
    }

    private static Set<Ability> needed(Scenario scenario) {
        Set<Ability> needed = EnumSet.noneOf(Ability.class);
        scenario.producers().forEach(producer -> needed.addAll(needed(producer)));
        for (ConsumerSpec consumer : scenario.consumers()) {
            needed.add(Ability.FETCH);
            if (consumer.engine().equals("share")) {
                needed.add(Ability.SHARE_GROUPS);
            } else if (Engine.all().get(consumer.engine()).joinsGroups()) {
                boolean next = "consumer".equals(consumer.config().get("group.protocol"));
                needed.add(next ? Ability.CONSUMER_GROUPS : Ability.GROUPS);
            }
        }
        scenario.faults().stream()
                .map(FaultSpec::kind)
                .filter(kind -> OF_FAULTS.containsKey(kind.name()))
                .forEach(kind -> needed.add(OF_FAULTS.get(kind.name())));
        if (scenario.topics().stream().anyMatch(topic -> !topic.existing())) {
            needed.add(Ability.TOPICS);
        }
        return needed;
    }

    private static Set<Ability> needed(ProducerSpec producer) {
        Set<Ability> needed = EnumSet.of(Ability.PRODUCE);
        Map<String, String> config = producer.config();
        if (producer.transactions().enabled()) {
            needed.add(Ability.TRANSACTIONS);
        }
        boolean all = List.of("all", "-1").contains(config.getOrDefault("acks", "all"));
        if (producer.engine().equals(Engine.DEFAULT) && all && !"false".equals(config.get("enable.idempotence"))) {
            needed.add(Ability.IDEMPOTENCE);
        }
        return needed;
    }
}
