package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transaction that keeps records from readers is found, with its partition, its name and its time. */
class OpenTransactionsTest {
    private static final long LASTS_NANOS = 400_000_000;

    private final String topic = "held-" + UUID.randomUUID();
    private final List<Incident> found = new ArrayList<>();
    private final IncidentSink sink = new IncidentSink(System.nanoTime());
    private OpenTransactions transactions;

    private void lookUntil(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            transactions.look(System.nanoTime(), sink);
            found.addAll(sink.take());
        }
    }

    @Test
    @Timeout(120)
    void findsLongTransactionInEachOfItsPartitions() {
        ClusterConnection connection =
                new ClusterConnection(SharedLab.threeBrokers().bootstrapServers(), Map.of());
        Map<String, Object> config =
                Map.of("bootstrap.servers", connection.bootstrapServers(), "transactional.id", topic + "-settlement");
        try (Admin admin = connection.admin();
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            new Topics(admin).create(List.of(new NewTopic(topic, 3, (short) 1)), Duration.ofSeconds(30));
            List<TopicPartition> partitions =
                    List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1), new TopicPartition(topic, 2));
            transactions = new OpenTransactions(new BrokerRoles(admin), partitions);
            producer.initTransactions();
            producer.beginTransaction();
            long before = System.nanoTime();
            List<Future<?>> sent = List.of(
                    producer.send(new ProducerRecord<>(topic, 0, null, new byte[1])),
                    producer.send(new ProducerRecord<>(topic, 2, null, new byte[1])));
            producer.flush();
            assertThat(sent).allMatch(Future::isDone);
            long open = System.nanoTime();
            lookUntil(() -> System.nanoTime() - open >= LASTS_NANOS);
            assertThat(found).isEmpty();
            long ends = System.nanoTime();
            producer.abortTransaction();
            lookUntil(() -> found.size() >= 2);

            // The markers of the end reach the partitions in any order.
            assertThat(found).extracting(Incident::where).containsExactlyInAnyOrder(topic + "-0", topic + "-2");
            assertThat(found).allSatisfy(incident -> {
                assertThat(incident.kind()).isEqualTo(Kind.OPEN_TRANSACTION);
                assertThat(incident.detail()).isEqualTo(topic + "-settlement");
                assertThat(incident.toNanos() - incident.fromNanos() + 2 * incident.errorNanos())
                        .isGreaterThanOrEqualTo(ends - open);
                assertThat(incident.toNanos() - incident.fromNanos() - 2 * incident.errorNanos())
                        .isLessThanOrEqualTo(System.nanoTime() - before);
            });
        }
    }
}
