package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.lab.LabNode.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Server properties of one node: cluster membership, and defaults for a small cluster. */
final class BrokerConfig {
    /** Properties essential for the cluster, which users cannot override. */
    static final Set<String> OWNED = Set.of(
            "process.roles",
            "node.id",
            "broker.id",
            "controller.quorum.voters",
            "controller.quorum.bootstrap.servers",
            "controller.listener.names",
            "zookeeper.connect",
            "listeners",
            "log.dir",
            "log.dirs",
            "metadata.log.dir");

    /** Properties that direct clients to other addresses, possibly of another cluster. */
    static final Set<String> ADVERTISED = Set.of("advertised.listeners", "advertised.host.name", "advertised.port");

    private static final String EVERY_MILLIS = "1000";

    /** The properties of {@code node} among {@code nodes}; {@code overrides} take precedence over the lab's defaults. */
    static Map<String, String> of(LabNode node, List<LabNode> nodes, Map<String, String> overrides) {
        if (node.role() == Role.ZOOKEEPER) {
            return zooKeeper(node);
        }
        List<LabNode> brokers =
                nodes.stream().filter(each -> each.role().serves()).toList();
        Map<String, String> config = new TreeMap<>(defaults(brokers.size()));
        config.putAll(overrides);
        List<String> listeners = new ArrayList<>();
        List<String> advertised = new ArrayList<>();
        if (node.role().serves()) {
            listeners.add("PLAINTEXT://" + node.host() + ":" + node.port());
            advertised.add("PLAINTEXT://" + node.host() + ":" + node.ports().advertised());
        }
        if (node.ports().internal() > 0) {
            listeners.add("INTERNAL://" + LabNode.HOST + ":" + node.ports().internal());
            advertised.add("INTERNAL://" + LabNode.HOST + ":" + node.ports().internalAdvertised());
            config.merge("listener.security.protocol.map", "INTERNAL:PLAINTEXT", (map, more) -> map + "," + more);
            config.put("inter.broker.listener.name", "INTERNAL");
        }
        if (node.role() == Role.WITH_ZOOKEEPER) {
            config.put("broker.id", Integer.toString(node.id()));
            config.put(
                    "zookeeper.connect",
                    nodes.stream()
                            .filter(each -> each.role() == Role.ZOOKEEPER)
                            .map(each -> LabNode.HOST + ":" + each.ports().controller())
                            .collect(Collectors.joining(",")));
        } else {
            listeners.addAll(quorum(node, nodes, config));
        }
        config.put("listeners", String.join(",", listeners));
        if (node.ports().advertised() != node.ports().port() || node.ports().internal() > 0) {
            config.put("advertised.listeners", String.join(",", advertised));
        }
        config.put("log.dirs", node.disks().stream().map(Path::toString).collect(Collectors.joining(",")));
        return config;
    }

    /** Sets cluster membership; returns the controller listeners. */
    private static List<String> quorum(LabNode node, List<LabNode> nodes, Map<String, String> config) {
        config.put(
                "process.roles",
                switch (node.role()) {
                    case BROKER -> "broker";
                    case CONTROLLER -> "controller";
                    default -> "broker,controller";
                });
        config.put("node.id", Integer.toString(node.id()));
        config.put(
                "controller.quorum.voters",
                nodes.stream()
                        .filter(each -> each.role().votes())
                        .map(each -> each.id() + "@" + LabNode.HOST + ":"
                                + each.ports().controller())
                        .collect(Collectors.joining(",")));
        config.put("controller.listener.names", "CONTROLLER");
        if (!node.role().serves()) {
            config.remove("inter.broker.listener.name");
        }
        return node.role().votes()
                ? List.of("CONTROLLER://" + LabNode.HOST + ":" + node.ports().controller())
                : List.of();
    }

    private static Map<String, String> zooKeeper(LabNode node) {
        return Map.of(
                "clientPort",
                Integer.toString(node.ports().controller()),
                "clientPortAddress",
                LabNode.HOST,
                "dataDir",
                node.dataDirectory().toString(),
                "maxClientCnxns",
                "0",
                "admin.enableServer",
                "false");
    }

    private static Map<String, String> defaults(int brokers) {
        return InputFile.resource(BrokerConfig.class, "broker.properties")
                .replace("{replicas}", Integer.toString(Math.min(3, brokers)))
                .replace("{inSync}", Integer.toString(Math.min(2, brokers)))
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(property -> property[0], property -> property[1]));
    }

    /**
     * Properties of tiered storage; the user's settings take precedence. Instead of an object store, brokers use {@code
     * LocalTieredStorage} from Kafka's tests, which copies closed segments into a directory. The broker's code path is
     * therefore real, and the store is as fast as the disk.
     * @param store directory of the remote tier
     * @throws io.plimsoll.PlimsollException if the class is missing from this build
     */
    static Map<String, String> tiered(int brokers, Path store, Map<String, String> overrides) throws IOException {
        Path directory = BrokerFiles.libraries().resolve("tiered");
        List<Path> jars = Files.isDirectory(directory) ? BrokerFiles.jars(directory) : List.of();
        Exit.INTERNAL.when(jars.isEmpty(), "lab.noTieredStorage", directory);
        Map<String, String> config = new HashMap<>();
        config.put("remote.log.storage.system.enable", "true");
        config.put(
                "remote.log.storage.manager.class.name",
                "org.apache.kafka.server.log.remote.storage.LocalTieredStorage");
        config.put("remote.log.storage.manager.class.path", jars.get(0).toString());
        config.put("rsm.config.dir", store.toAbsolutePath().toString());
        config.put("remote.log.metadata.manager.listener.name", "PLAINTEXT");
        config.put("rlmm.config.remote.log.metadata.topic.replication.factor", Integer.toString(Math.min(3, brokers)));
        config.put("rlmm.config.remote.log.metadata.topic.num.partitions", "4");
        // Kafka's defaults delay the copy of a segment by 30 s and its local deletion by five minutes.
        config.put("remote.log.manager.task.interval.ms", EVERY_MILLIS);
        config.put("log.retention.check.interval.ms", EVERY_MILLIS);
        config.put("log.initial.task.delay.ms", EVERY_MILLIS);
        config.putAll(overrides);
        return config;
    }
}
