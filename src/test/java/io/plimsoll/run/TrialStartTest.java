package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.RunResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start time of a trial in its result is the origin of its schedule. */
class TrialStartTest {
    @TempDir
    Path out;

    /** The witness is the log: records too small for a stamp have their intended time as timestamp. */
    @Test
    void firstRecordIsDueAtStart() throws Exception {
        String topic = "start-" + UUID.randomUUID();
        Map<String, Object> properties =
                Map.of("bootstrap.servers", SharedLab.oneBroker().bootstrapServers());
        try (Admin admin = Admin.create(properties)) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        RunResult result =
                Runs.run("""
                name: start
                topics: [{name: TOPIC, existing: true}]
                producers: [{topic: TOPIC, rate: 100/s, record: {size: 4}}]
                consumers: [{topic: TOPIC, start: earliest}]
                warmup: 0s
                duration: 1s
                """.replace("TOPIC", topic), SharedLab.oneBroker().bootstrapServers(), out);
        long first;
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            List<ConsumerRecord<byte[], byte[]>> records = List.of();
            while (records.isEmpty()) {
                records = consumer.poll(Duration.ofSeconds(1)).records(partition);
            }
            first = records.get(0).timestamp();
        }
        assertThat(result.trials().get(0).course().startedAt().toEpochMilli()).isBetween(first - 1, first + 1);
    }
}
