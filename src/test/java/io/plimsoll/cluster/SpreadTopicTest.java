package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.SpreadTopic.Kept;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** On real brokers each leads a partition, and one that leads too much gives it back when it is asked to. */
class SpreadTopicTest {
    private static final Lab LAB = SharedLab.threeBrokers();

    private final String name = "spread-" + UUID.randomUUID();

    private static List<Integer> replicas(Admin admin, String name, int partition) {
        return new Topics(admin)
                .describe(List.of(name)).get(name).partitions().get(partition).replicas().stream()
                        .map(Node::id)
                        .toList();
    }

    /** Brokers learn of a change one after another: asks until the one that answers knows. */
    private static Kept known(SpreadTopic topic, Set<Integer> elsewhere) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        Kept kept = topic.keep().orElseThrow();
        while (!kept.elsewhere().equals(elsewhere) && System.nanoTime() < deadline) {
            kept = topic.keep().orElseThrow();
        }
        assertThat(kept.elsewhere()).isEqualTo(elsewhere);
        return kept;
    }

    @Test
    void whatAnotherLeadsIsToldAndLedAgainWhenAskedTo() throws Exception {
        try (Admin admin =
                ClusterConnection.of(LAB.bootstrapServers(), null, List.of()).admin()) {
            SpreadTopic topic = new SpreadTopic(admin, name, 3);
            topic.create(Map.of(), 1, null);
            assertThat(known(topic, Set.of()).leaders().values()).containsExactlyInAnyOrder(1, 2, 3);

            // The order of its replicas says who should lead, and the leader stays who it was.
            List<Integer> turned = new ArrayList<>(replicas(admin, name, 0));
            Collections.rotate(turned, 1);
            admin.alterPartitionReassignments(
                            Map.of(new TopicPartition(name, 0), Optional.of(new NewPartitionReassignment(turned))))
                    .all()
                    .get();
            known(topic, Set.of(0));
            topic.lead(Set.of(0));
            assertThat(known(topic, Set.of()).leaders()).containsEntry(0, turned.get(0));
        }
    }
}
