package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.SpreadTopic.Kept;
import io.plimsoll.cluster.SpreadTopic.ProvidedBrokers;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each real broker leads a partition, and a broker that leads too many returns them on request. */
class SpreadTopicTest {
    private static final Lab LAB = SharedLab.threeBrokers();

    private final String name = "spread-" + UUID.randomUUID();

    private static List<Integer> replicas(Admin admin, String name, int partition) {
        return new Topics(admin)
                .describe(List.of(name)).get(name).partitions().get(partition).replicas().stream()
                        .map(Node::id)
                        .toList();
    }

    /** Brokers learn of a change one after another: polls until the responding broker knows it. */
    private static Kept known(SpreadTopic topic, Set<Integer> elsewhere) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        Kept kept = topic.keep(ProvidedBrokers.NONE).orElseThrow();
        while (!kept.elsewhere().equals(elsewhere) && System.nanoTime() < deadline) {
            kept = topic.keep(ProvidedBrokers.NONE).orElseThrow();
        }
        assertThat(kept.elsewhere()).isEqualTo(elsewhere);
        return kept;
    }

    @Test
    void reportsNonPreferredLeadersAndElectsPreferredOnes() throws Exception {
        try (Admin admin =
                ClusterConnection.of(LAB.bootstrapServers(), null, List.of()).admin()) {
            SpreadTopic topic = new SpreadTopic(admin, name, 3);
            topic.create(Map.of(), 1, null, false);
            assertThat(known(topic, Set.of()).leaders().values()).containsExactlyInAnyOrder(1, 2, 3);

            // The replica order defines the preferred leader; the present leader stays.
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

    private static Kept until(SpreadTopic topic, ProvidedBrokers before, Predicate<Kept> known)
            throws InterruptedException {
        Kept kept = topic.keep(before).orElseThrow();
        while (!known.test(kept)) {
            TimeUnit.MILLISECONDS.sleep(50);
            kept = topic.keep(kept.given()).orElseThrow();
        }
        return kept;
    }

    /** An operator drains a broker to remove it. */
    @Test
    @Timeout(120)
    void drainedBrokerGetsNoNewPartition() throws Exception {
        try (Admin admin =
                ClusterConnection.of(LAB.bootstrapServers(), null, List.of()).admin()) {
            SpreadTopic topic = new SpreadTopic(admin, name, 1);
            topic.create(Map.of(), 1, null, false);
            Kept before =
                    until(topic, ProvidedBrokers.NONE, kept -> kept.leaders().size() == 3);
            int taken = before.leaders().entrySet().stream()
                    .filter(e -> e.getValue() == 2)
                    .findFirst()
                    .orElseThrow()
                    .getKey();
            admin.alterPartitionReassignments(Map.of(
                            new TopicPartition(name, taken), Optional.of(new NewPartitionReassignment(List.of(1)))))
                    .all()
                    .get();
            Kept after = until(topic, before.given(), kept -> !kept.assigned().contains(2));
            // A partition added by one poll appears at the next or the one after.
            after = until(topic, after.given(), kept -> kept.leaders().get(taken) == 1);
            assertThat(after.given().brokers()).containsExactly(1, 2, 3);
            assertThat(topic.keep(after.given()).orElseThrow().leaders()).hasSize(3);
            new Topics(admin).delete(List.of(name), Duration.ofSeconds(30));
        }
    }

    /** Brokers reject a partition with another number of replicas; an auto-created topic mostly has one. */
    @Test
    @Timeout(120)
    void addedPartitionHasSameReplicationFactor() throws Exception {
        try (Admin admin =
                ClusterConnection.of(LAB.bootstrapServers(), null, List.of()).admin()) {
            new Topics(admin).create(List.of(new NewTopic(name, 1, (short) 1)), Duration.ofSeconds(30));
            Kept kept = until(
                    new SpreadTopic(admin, name, 3),
                    ProvidedBrokers.NONE,
                    k -> k.leaders().size() == 3);
            assertThat(kept.problem()).isEmpty();
            assertThat(kept.leaders().values()).containsExactlyInAnyOrder(1, 2, 3);
        }
    }

    @Tag("nightly")
    @Test
    @Timeout(180)
    void reportsTopicEvenIfPartitionCannotBeAdded() throws Exception {
        try (Lab lab = SharedLab.ownForeign(3);
                Admin admin = ClusterConnection.of(lab.bootstrapServers(), null, List.of())
                        .admin()) {
            new Topics(admin).create(List.of(new NewTopic(name, Map.of(0, List.of(1, 2, 3)))), Duration.ofSeconds(30));
            lab.kill(3);
            while (new Topics(admin).brokers().size() > 2) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            // Three replicas are requested on two brokers.
            Kept kept =
                    new SpreadTopic(admin, name, 3).keep(ProvidedBrokers.NONE).orElseThrow();
            assertThat(kept.problem().map(PlimsollException::getMessage).orElseThrow())
                    .contains("cannot add partitions to " + name);
            assertThat(kept.leaders()).containsExactly(Map.entry(0, 1));
            assertThat(kept.brokers()).extracting(Node::id).containsExactlyInAnyOrder(1, 2);
            assertThat(kept.assigned()).containsExactlyInAnyOrder(1, 2, 3);
            assertThat(kept.given().brokers()).containsExactly(1);
        }
    }

    /** A run deletes its topics, so a watch must not use them. */
    @Test
    void refusesTopicCreatedByARun() throws Exception {
        try (Admin admin =
                ClusterConnection.of(LAB.bootstrapServers(), null, List.of()).admin()) {
            String mark = new TopicMark(7, Instant.now(), Duration.ofMinutes(5)).text();
            new Topics(admin)
                    .create(
                            List.of(new NewTopic(name, 1, (short) 1).configs(Map.of(TopicMark.PROPERTY, mark))),
                            Duration.ofSeconds(30));
            SpreadTopic topic = new SpreadTopic(admin, name, 3);
            assertThatThrownBy(() -> topic.create(Map.of(), 1, null, true))
                    .hasMessageMatching(Said.en("cluster.notOurTopic", name).pattern());
            topic.create(
                    Map.of(), 1, topic.keep(ProvidedBrokers.NONE).orElseThrow().topicId(), false);
        }
    }
}
