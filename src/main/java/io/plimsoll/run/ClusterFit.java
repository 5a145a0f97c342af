package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.client.ClusterDescription;
import io.plimsoll.engine.client.Topics;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;

/** Whether a plan can work on a cluster; asked before anything on it is touched, for all trials at once. */
final class ClusterFit {
    private ClusterFit() {}

    /** @throws PlimsollException {@link Exit#USAGE} with every misfit, one a line */
    static void check(Plan plan, ClusterDescription cluster, Topics topics) {
        Set<String> misfits = new LinkedHashSet<>();
        cluster.unreachable()
                .forEach((id, why) -> misfits.add("broker " + id + " cannot be reached at the address it advertises: "
                        + why + "; fix advertised.listeners or the network"));
        if (!misfits.isEmpty()) {
            throw new PlimsollException(Exit.CLUSTER, String.join("\n", misfits));
        }
        Map<String, TopicSpec> specs = new LinkedHashMap<>();
        for (Plan.Trial trial : plan.trials()) {
            for (TopicSpec spec : trial.scenario().topics()) {
                specs.merge(spec.name(), spec, (a, b) -> a.partitions() >= b.partitions() ? a : b);
                if (!spec.existing() && spec.replication() > cluster.brokers().size()) {
                    misfits.add("topic " + spec.name() + " asks for replication " + spec.replication()
                            + " and the cluster has "
                            + brokers(cluster.brokers().size()) + "; lower replication, or"
                            + " give --brokers " + spec.replication() + " for a lab");
                }
            }
        }
        Map<String, Optional<TopicDescription>> there = topics.lookup(specs.keySet());
        specs.forEach((name, spec) -> checkTopic(spec, there.get(name), misfits));
        if (!misfits.isEmpty()) {
            throw new PlimsollException(Exit.USAGE, String.join("\n", misfits));
        }
        checkRecordSizes(plan, specs, topics);
    }

    private static void checkTopic(TopicSpec spec, Optional<TopicDescription> there, Set<String> misfits) {
        String name = spec.name();
        if (spec.existing() && there.isEmpty()) {
            misfits.add("topic " + name + " does not exist; create it, or leave out 'existing: true' to have it"
                    + " created and deleted by the run");
        } else if (!spec.existing() && there.isPresent()) {
            misfits.add("topic " + name + " exists already and will not be touched; set 'existing: true' to use it, or"
                    + " choose another name");
        } else if (spec.existing() && there.get().partitions().size() < spec.partitions()) {
            misfits.add("topic " + name + " has " + there.get().partitions().size() + " partitions and the scenario"
                    + " wants at least " + spec.partitions() + "; lower partitions or add some to the topic");
        }
    }

    /** A topic that is there has a limit of its own, which the scenario cannot know. */
    private static void checkRecordSizes(Plan plan, Map<String, TopicSpec> specs, Topics topics) {
        List<String> existing = specs.values().stream()
                .filter(TopicSpec::existing)
                .map(TopicSpec::name)
                .toList();
        Map<String, Map<String, String>> configs = existing.isEmpty() ? Map.of() : topics.configs(existing);
        for (Plan.Trial trial : plan.trials()) {
            Scenario scenario = trial.scenario();
            scenario.producers().forEach(p -> p.topics().forEach(topic -> {
                String limit = configs.getOrDefault(topic, Map.of()).get("max.message.bytes");
                if (limit != null && p.record().size() > Long.parseLong(limit)) {
                    throw new PlimsollException(
                            Exit.USAGE,
                            "records of " + p.record().size() + " bytes do not fit into topic " + topic
                                    + ", whose max.message.bytes is " + limit + "; raise that or send smaller records");
                }
            }));
        }
    }

    private static String brokers(int n) {
        return n == 1 ? "1 broker" : n + " brokers";
    }
}
