package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.scenario.LabSpec;
import io.plimsoll.testing.Said;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Brokers get the lab's configuration with the user's overrides. */
class BrokerConfigTest {
    static LabNode combined(int id, String host, LabNode.LabPorts ports, Path directory) {
        return new LabNode(id, LabNode.Role.COMBINED, host, ports, directory, List.of(directory.resolve("data")));
    }

    private static List<LabNode> nodes(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(id -> combined(
                        id,
                        LabNode.HOST,
                        new LabNode.LabPorts(20_000 + id, 21_000 + id, 20_000 + id, 0, 0),
                        Path.of("/lab/node-" + id)))
                .toList();
    }

    @Test
    void nodesFindEachOther() {
        List<LabNode> nodes = nodes(2);
        assertThat(BrokerConfig.of(nodes.get(1), nodes, Map.of()))
                .containsEntry("node.id", "2")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:21001,2@127.0.0.1:21002")
                .containsEntry("listeners", "PLAINTEXT://127.0.0.1:20002,CONTROLLER://127.0.0.1:21002")
                .containsEntry("log.dirs", "/lab/node-2/data");
    }

    @Test
    void replicatesInternalTopicsOnUpToThreeBrokers() {
        for (int count = 1; count <= 9; count++) {
            List<LabNode> nodes = nodes(count);
            assertThat(BrokerConfig.of(nodes.get(0), nodes, Map.of()))
                    .containsEntry("offsets.topic.replication.factor", "" + Math.min(3, count))
                    .containsEntry("transaction.state.log.min.isr", "" + Math.min(2, count));
        }
    }

    @Test
    void userConfigOverridesLabDefaults() {
        List<LabNode> nodes = nodes(1);
        assertThat(BrokerConfig.of(nodes.get(0), nodes, Map.of("auto.create.topics.enable", "true", "x", "y")))
                .containsEntry("auto.create.topics.enable", "true")
                .containsEntry("x", "y");
    }

    @Test
    void exposesBrokersButNotControllersToOtherHosts() {
        List<LabNode> nodes = List.of(
                combined(1, "192.0.2.1", new LabNode.LabPorts(20_001, 21_001, 20_001, 0, 0), Path.of("/lab/node-1")));
        assertThat(BrokerConfig.of(nodes.get(0), nodes, Map.of()))
                .containsEntry("listeners", "PLAINTEXT://192.0.2.1:20001,CONTROLLER://127.0.0.1:21001")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:21001");
    }

    @Test
    void onlyDedicatedControllersVote() {
        List<LabNode> nodes = new LabNodes(
                        LabOptions.ephemeral(2).with(LabSpec.of(List.of("controllers=3", "disks=2"))), Path.of("/lab"))
                .all(null);
        assertThat(nodes).extracting(LabNode::id).containsExactly(1, 2, 101, 102, 103);
        Map<String, String> broker = BrokerConfig.of(nodes.get(0), nodes, Map.of());
        assertThat(broker)
                .containsEntry("process.roles", "broker")
                .containsEntry("log.dirs", "/lab/node-1/data,/lab/node-1/data-2");
        assertThat(broker.get("controller.quorum.voters").split(","))
                .extracting(voter -> voter.substring(0, 4))
                .containsExactly("101@", "102@", "103@");
        assertThat(broker.get("listeners")).doesNotContain("CONTROLLER");
        assertThat(BrokerConfig.of(nodes.get(2), nodes, Map.of()))
                .containsEntry("process.roles", "controller")
                .doesNotContainKey("inter.broker.listener.name");
    }

    /** A fault that removes a disk needs a second one. */
    @Test
    void keepsDisksOfScenarioBesideAddedOnes() {
        LabOptions options = LabOptions.ephemeral(1)
                .with(LabSpec.of(List.of("disks=[/mnt/b]")))
                .withDisks(2);
        assertThat(new LabNodes(options, Path.of("/lab")).all(null).get(0).disks())
                .containsExactly(Path.of("/mnt/b/lab-1-0"), Path.of("/lab/node-1/data-2"));
    }

    @Test
    void brokersBefore33UseOneZooKeeper() {
        List<LabNode> nodes = List.of(
                node(1, LabNode.Role.WITH_ZOOKEEPER),
                node(2, LabNode.Role.WITH_ZOOKEEPER),
                node(101, LabNode.Role.ZOOKEEPER));
        assertThat(BrokerConfig.of(nodes.get(1), nodes, Map.of()))
                .containsEntry("broker.id", "2")
                .containsEntry("zookeeper.connect", "127.0.0.1:21101")
                .doesNotContainKeys("process.roles", "node.id", "controller.quorum.voters");
        assertThat(BrokerConfig.of(nodes.get(2), nodes, Map.of()))
                .containsEntry("clientPort", "21101")
                .containsEntry("clientPortAddress", "127.0.0.1");
    }

    private static LabNode node(int id, LabNode.Role role) {
        LabNode.LabPorts ports = new LabNode.LabPorts(20_000 + id, 21_000 + id, 20_000 + id, 0, 0);
        return new LabNode(id, role, LabNode.HOST, ports, Path.of("/lab"), List.of(Path.of("/lab/data")));
    }

    @Test
    void describedNetworkAddsInterBrokerListener() {
        List<LabNode> nodes = new LabNodes(
                        LabOptions.ephemeral(1).with(LabSpec.of(List.of("network.brokers.delay=5ms"))), Path.of("/lab"))
                .all(null);
        LabNode.LabPorts ports = nodes.get(0).ports();
        assertThat(Set.of(ports.port(), ports.advertised(), ports.internal(), ports.internalAdvertised()))
                .hasSize(4);
        assertThat(BrokerConfig.of(nodes.get(0), nodes, Map.of()))
                .containsEntry("inter.broker.listener.name", "INTERNAL")
                .containsEntry(
                        "advertised.listeners",
                        "PLAINTEXT://127.0.0.1:" + ports.advertised() + ",INTERNAL://127.0.0.1:"
                                + ports.internalAdvertised());
    }

    /** A run has no guards against load on its own lab, which therefore cannot lead its clients to another cluster. */
    @Test
    void refusesLabOfRunThatAdvertisesOtherAddress() {
        LabSpec elsewhere = LabSpec.of(List.of("config.advertised.listeners=PLAINTEXT://192.0.2.1:9092"));
        LabOptions ofRun = LabOptions.ephemeral(1);
        assertThatThrownBy(() -> ofRun.with(elsewhere)).hasMessage(Said.text("«lab.ownProperty¦advertised.listeners»"));
        LabOptions typed = ofRun.withBrokerConfig(Map.of("advertised.port", "9092"));
        assertThatThrownBy(() -> typed.with(LabSpec.USUAL)).hasMessage(Said.text("«lab.ownProperty¦advertised.port»"));
        assertThat(LabOptions.persistent(1, Path.of("lab")).with(elsewhere).brokerConfig())
                .containsKey("advertised.listeners");
    }

    @Test
    void onlyPersistentLabListensBeyondLoopbackOnOneLocalAddress() {
        LabOptions stays = LabOptions.persistent(1, Path.of("lab"));
        // An address reserved for documentation.
        assertThatThrownBy(() -> stays.withHost("192.0.2.1")).hasMessageContaining("no address 192.0.2.1");
        assertThatThrownBy(() -> stays.withHost("0.0.0.0")).hasMessageContaining(Said.text("«lab.anyAddress¦0.0.0.0»"));
        assertThatThrownBy(() -> LabOptions.ephemeral(1).withHost("127.0.0.2"))
                .hasMessageContaining(Said.text("«lab.loopbackOnly¦127.0.0.1»"));
    }
}
