package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.engine.client.ClusterConnection;
import io.plimsoll.engine.client.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What a leader has acknowledged alone is waited for, until its followers have it. */
class SettledEndsTest {
    private static final TopicPartition PARTITION = new TopicPartition("settling", 0);
    private static final List<String> TOPIC = List.of(PARTITION.topic());
    private static final Map<String, Long> BEFORE = Map.of("settling-0", 0L);
    private static final Map<String, Long> SENT = Map.of("settling-0", 10L);

    private static Map<TopicPartition, Long> ask(Topics topics, int seconds, boolean enough) {
        return SettledEnds.ask(topics, TOPIC, BEFORE, SENT, Map.of(), Duration.ofSeconds(seconds), () -> enough);
    }

    @Test
    void followersThatAreBehindAreWaitedFor() throws Exception {
        try (Lab lab = Lab.start(LabOptions.ephemeral(3).withHeapMegabytes(256));
                Admin admin = ClusterConnection.of(lab.bootstrapServers(), null, List.of())
                        .admin()) {
            Topics topics = new Topics(admin);
            topics.create(List.of(new NewTopic(PARTITION.topic(), 1, (short) 3)), Duration.ofSeconds(20));
            int leader = topics.leaders(TOPIC).get(PARTITION);
            int follower = 1 + leader % 3;
            lab.pause(follower);
            try {
                send(lab.bootstrapServers());
                // Acknowledged, and still behind the end.
                assertThat(topics.endOffsets(TOPIC).get(PARTITION)).isLessThan(10);
                assertThat(ask(topics, 0, false).get(PARTITION)).isLessThan(10);
                assertThat(ask(topics, 60, true).get(PARTITION)).isLessThan(10);
                CompletableFuture<Map<TopicPartition, Long>> asked =
                        CompletableFuture.supplyAsync(() -> ask(topics, 60, false));
                lab.resume(follower);
                assertThat(asked.get(60, TimeUnit.SECONDS)).containsEntry(PARTITION, 10L);
            } finally {
                lab.resume(follower);
            }
        }
    }

    private static void send(String servers) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "acks", "1", "enable.idempotence", "false"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>(PARTITION.topic(), new byte[10]))
                        .get(30, TimeUnit.SECONDS);
            }
        }
    }
}
