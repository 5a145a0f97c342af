package io.plimsoll.lab;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The server properties of one node: what makes the nodes one cluster, and what makes a small cluster work well. */
final class BrokerConfig {
    /** Properties that hold the cluster together: a user's value could only break it. */
    static final Set<String> OWNED = Set.of(
            "process.roles",
            "node.id",
            "broker.id",
            "controller.quorum.voters",
            "controller.quorum.bootstrap.servers",
            "controller.listener.names",
            "listeners",
            "log.dir",
            "log.dirs",
            "metadata.log.dir");

    private BrokerConfig() {}

    /** The properties of {@code node} among {@code nodes}, with {@code overrides} winning over the lab's defaults. */
    static Map<String, String> of(LabNode node, List<LabNode> nodes, Map<String, String> overrides) {
        Map<String, String> config = new TreeMap<>(defaults(nodes.size()));
        config.put("broker.rack", "rack-" + node.id());
        // Whoever says where it is may read from a follower there.
        config.put("replica.selector.class", "org.apache.kafka.common.replica.RackAwareReplicaSelector");
        config.putAll(overrides);
        config.put("process.roles", "broker,controller");
        config.put("node.id", Integer.toString(node.id()));
        config.put("controller.quorum.voters", voters(nodes));
        config.put("controller.listener.names", "CONTROLLER");
        config.put(
                "listeners",
                "PLAINTEXT://" + node.host() + ":" + node.port() + ",CONTROLLER://" + LabNode.HOST + ":"
                        + node.controllerPort());
        if (node.advertisedPort() != node.port()) {
            config.put("advertised.listeners", "PLAINTEXT://" + node.host() + ":" + node.advertisedPort());
        }
        config.put("log.dirs", node.dataDirectory().toString());
        return config;
    }

    private static String voters(List<LabNode> nodes) {
        return nodes.stream()
                .map(node -> node.id() + "@" + LabNode.HOST + ":" + node.controllerPort())
                .collect(Collectors.joining(","));
    }

    private static Map<String, String> defaults(int brokers) {
        // Kafka's defaults for its internal topics (3 replicas, 2 in sync) would leave one broker without consumer
        // groups, transactions and share groups.
        String replicas = Integer.toString(Math.min(3, brokers));
        String inSync = Integer.toString(Math.min(2, brokers));
        return Map.ofEntries(
                Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                Map.entry("inter.broker.listener.name", "PLAINTEXT"),
                Map.entry("offsets.topic.replication.factor", replicas),
                Map.entry("transaction.state.log.replication.factor", replicas),
                Map.entry("transaction.state.log.min.isr", inSync),
                Map.entry("share.coordinator.state.topic.replication.factor", replicas),
                Map.entry("share.coordinator.state.topic.min.isr", inSync),
                // 50 partitions each cost seconds at the first commit on a small machine and serve nobody here.
                Map.entry("offsets.topic.num.partitions", "4"),
                Map.entry("transaction.state.log.num.partitions", "4"),
                Map.entry("share.coordinator.state.topic.num.partitions", "4"),
                // The default of 3 s is meant for rolling deployments of consumers; here it only delays each start.
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                // A mistyped topic name must be an error, not a new topic with one partition.
                Map.entry("auto.create.topics.enable", "false"),
                // The cleaner takes this from the heap at once; 128 MiB of it by default.
                Map.entry("log.cleaner.dedupe.buffer.size", "4194304"),
                // Small segments and frequent checks let a topic's retention.bytes bound the disk during a run.
                Map.entry("log.segment.bytes", "134217728"),
                Map.entry("log.retention.check.interval.ms", "30000"));
    }
}
