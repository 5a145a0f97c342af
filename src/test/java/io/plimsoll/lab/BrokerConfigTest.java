package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Brokers get the configuration that a lab needs, and that of the user on top. */
class BrokerConfigTest {

    private static List<LabNode> nodes(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(id -> LabNode.combined(
                        id,
                        LabNode.HOST,
                        new LabNode.LabPorts(20_000 + id, 21_000 + id, 20_000 + id, 0, 0),
                        Path.of("/lab/node-" + id)))
                .toList();
    }

    @Test
    void theNodesFindEachOther() {
        List<LabNode> nodes = nodes(2);
        assertThat(BrokerConfig.of(nodes.get(1), nodes, Map.of()))
                .containsEntry("node.id", "2")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:21001,2@127.0.0.1:21002")
                .containsEntry("listeners", "PLAINTEXT://127.0.0.1:20002,CONTROLLER://127.0.0.1:21002")
                .containsEntry("log.dirs", "/lab/node-2/data");
    }

    @Test
    void internalTopicsHaveAsManyReplicasAsThereAreBrokersUpToThree() {
        for (int count = 1; count <= 9; count++) {
            List<LabNode> nodes = nodes(count);
            assertThat(BrokerConfig.of(nodes.get(0), nodes, Map.of()))
                    .containsEntry("offsets.topic.replication.factor", "" + Math.min(3, count))
                    .containsEntry("transaction.state.log.min.isr", "" + Math.min(2, count));
        }
    }

    @Test
    void theUserWinsOverTheLabsDefaults() {
        List<LabNode> nodes = nodes(1);
        assertThat(BrokerConfig.of(nodes.get(0), nodes, Map.of("auto.create.topics.enable", "true", "x", "y")))
                .containsEntry("auto.create.topics.enable", "true")
                .containsEntry("x", "y");
    }

    @Test
    void otherHostsReachTheBrokersAndNobodyTheirControllers() {
        List<LabNode> nodes = List.of(LabNode.combined(
                1, "192.0.2.1", new LabNode.LabPorts(20_001, 21_001, 20_001, 0, 0), Path.of("/lab/node-1")));
        assertThat(BrokerConfig.of(nodes.get(0), nodes, Map.of()))
                .containsEntry("listeners", "PLAINTEXT://192.0.2.1:20001,CONTROLLER://127.0.0.1:21001")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:21001");
    }

    @Test
    void onlyALabThatStaysListensBeyondLoopbackAndOnlyOnOneAddressOfThisMachine() {
        LabOptions stays = LabOptions.persistent(1, Path.of("lab"));
        // An address of documentation: nobody has it.
        assertThatThrownBy(() -> stays.withHost("192.0.2.1")).hasMessageContaining("no address 192.0.2.1");
        assertThatThrownBy(() -> stays.withHost("0.0.0.0")).hasMessageContaining("give the one address");
        assertThatThrownBy(() -> LabOptions.ephemeral(1).withHost("127.0.0.2"))
                .hasMessageContaining("A short-lived lab is reached on 127.0.0.1 alone");
    }
}
