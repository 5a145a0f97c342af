package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Reassignment.Moving;
import io.plimsoll.cluster.Reassignment.Settable;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real brokers, and a partition with a move that would take hours. */
class ReassignmentTest {
    private static final Lab LAB = SharedLab.threeBrokers();
    private static final String RATE = "leader.replication.throttled.rate";
    private static final String OTHER_RATE = "follower.replication.throttled.rate";
    private static final String REPLICAS = "leader.replication.throttled.replicas";

    private final String topic = "moved-" + UUID.randomUUID();
    private final TopicPartition partition = new TopicPartition(topic, 0);
    private final Admin admin =
            ClusterConnection.of(LAB.bootstrapServers(), null, List.of()).admin();
    private final Settable somebodys = Settable.of(admin, true, List.of("1"));
    private final Reassignment all = new Reassignment(admin, List.of(1, 2, 3));

    @AfterEach
    void close() {
        somebodys.restore();
        admin.close();
    }

    /** The settings made on a running cluster. */
    private Map<String, String> made(ConfigResource.Type type, String name) throws Exception {
        ConfigResource resource = new ConfigResource(type, name);
        Map<String, String> made = new HashMap<>();
        admin.describeConfigs(Set.of(resource)).all().get().get(resource).entries().stream()
                .filter(entry -> entry.source() == ConfigSource.DYNAMIC_BROKER_CONFIG
                        || entry.source() == ConfigSource.DYNAMIC_TOPIC_CONFIG)
                .forEach(entry -> made.put(entry.name(), entry.value()));
        return made;
    }

    /** Brokers learn of a change shortly after the controller has made it. */
    private void awaitMade(ConfigResource.Type type, String name, Predicate<Map<String, String>> expected)
            throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        Map<String, String> made = made(type, name);
        while (!expected.test(made) && System.nanoTime() < deadline) {
            made = made(type, name);
        }
        assertThat(made).as("settings of %s", name).matches(expected);
    }

    private void fill() throws Exception {
        new Topics(admin).create(List.of(new NewTopic(topic, Map.of(0, List.of(1)))), Duration.ofSeconds(30));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", LAB.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            // More than the single fetch that a follower completes before it is throttled.
            for (int i = 0; i < 40; i++) {
                producer.send(new ProducerRecord<>(topic, new byte[200_000])).get();
            }
        }
    }

    @Test
    void cancelsAbandonedMovesAndRestoresThrottles() throws Exception {
        fill();
        somebodys.set(Map.of(RATE, "123456789"));
        awaitMade(ConfigResource.Type.BROKER, "1", made -> made.containsKey(RATE));
        Moving moving = all.start(all.turned(all.present(List.of(topic))), 1);
        awaitMade(ConfigResource.Type.BROKER, "1", made -> made.get(RATE).equals("1"));
        awaitMade(ConfigResource.Type.BROKER, "2", made -> "1".equals(made.get(OTHER_RATE)));
        awaitMade(ConfigResource.Type.TOPIC, topic, made -> "*".equals(made.get(REPLICAS)));
        assertThat(onTheirWay()).as("on their way").containsExactly(partition);
        AtomicBoolean hurried = new AtomicBoolean();
        CompletableFuture<Boolean> end = CompletableFuture.supplyAsync(() -> moving.awaitEnd(hurried::get));
        hurried.set(true);
        assertThat(end.get()).as("all have come").isFalse();
        assertThat(onTheirWay()).isEmpty();
        awaitMade(ConfigResource.Type.TOPIC, topic, made -> !made.containsKey(REPLICAS));
        awaitMade(
                ConfigResource.Type.BROKER,
                "1",
                made -> made.get(RATE).equals("123456789") && !made.containsKey(OTHER_RATE));
        awaitMade(ConfigResource.Type.BROKER, "2", made -> !made.containsKey(RATE) && !made.containsKey(OTHER_RATE));
        assertThat(all.present(List.of(topic))).containsEntry(partition, List.of(1));
    }

    @Test
    void restoresOtherThrottlesIfBrokerIsUnreachable() throws Exception {
        new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(30));
        Settable ofTopic = Settable.of(admin, false, List.of(topic));
        ofTopic.set(Map.of(REPLICAS, "*"));
        awaitMade(ConfigResource.Type.TOPIC, topic, made -> made.containsKey(REPLICAS));
        ConfigResource gone = new ConfigResource(ConfigResource.Type.BROKER, "99");
        AlterConfigOp removal = new AlterConfigOp(new ConfigEntry(RATE, null), AlterConfigOp.OpType.DELETE);
        List<String> hasty = List.of("default.api.timeout.ms=2000", "request.timeout.ms=1000");
        try (Admin other =
                ClusterConnection.of(LAB.bootstrapServers(), null, hasty).admin()) {
            Settable ofBroker = new Settable(other, List.of(gone), Map.of(gone, List.of(removal)));
            Moving moving = new Moving(admin, Set.of(partition), List.of(ofBroker, ofTopic));
            assertThatThrownBy(() -> moving.awaitEnd(() -> true)).isInstanceOf(PlimsollException.class);
        }
        awaitMade(ConfigResource.Type.TOPIC, topic, made -> !made.containsKey(REPLICAS));
    }

    private Set<TopicPartition> onTheirWay() throws Exception {
        return admin.listPartitionReassignments(Set.of(partition))
                .reassignments()
                .get()
                .keySet();
    }
}
