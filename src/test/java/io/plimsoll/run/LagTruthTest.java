package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.cli.InProcess;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.testing.Said;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Lag in cases where offsets alone are misleading; a plain consumer and Kafka's Admin API are the ground truth. */
class LagTruthTest {
    private static final int RECORDS = 100;

    private final String bootstrap = SharedLab.oneBroker().bootstrapServers();
    private final String name = "lag-" + UUID.randomUUID();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Admin admin;

    private TopicPartition topic(String kind, int partitions) {
        new Topics(admin).create(List.of(new NewTopic(name + kind, partitions, (short) 1)), Duration.ofSeconds(30));
        return new TopicPartition(name + kind, 0);
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", bootstrap);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private void fill(TopicPartition partition) {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = 0; i < RECORDS; i++) {
                var unused = producer.send(
                        new ProducerRecord<>(partition.topic(), partition.partition(), null, new byte[1]));
            }
        }
    }

    private KafkaProducer<byte[], byte[]> transactional() {
        KafkaProducer<byte[], byte[]> producer =
                producer(Map.of("transactional.id", UUID.randomUUID().toString()));
        producer.initTransactions();
        open.add(producer);
        return producer;
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, TopicPartition partition, int records) {
        producer.beginTransaction();
        for (int i = 0; i < records; i++) {
            var unused =
                    producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), null, new byte[1]));
        }
        producer.flush();
    }

    private void commit(String group, TopicPartition partition, long offset) throws Exception {
        admin.alterConsumerGroupOffsets(name + group, Map.of(partition, new OffsetAndMetadata(offset)))
                .all()
                .get();
    }

    private long end(TopicPartition partition) throws Exception {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    private KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", bootstrap);
        config.put("auto.offset.reset", "earliest");
        config.put("enable.auto.commit", false);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Number of records that a read_committed consumer reads from an offset on. */
    private long readable(TopicPartition partition, long from) {
        long read = 0;
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(Map.of("isolation.level", "read_committed"))) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, from);
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                read += consumer.poll(Duration.ofMillis(100)).count();
            }
        }
        return read;
    }

    private InProcess lag(String... arguments) {
        return InProcess.run(Stream.concat(
                        Stream.of("lag", "--json", "--for", "2s", "--bootstrap-server", bootstrap),
                        Stream.of(arguments))
                .toArray(String[]::new));
    }

    private static JsonNode by(JsonNode all, String key, String value) {
        for (JsonNode one : all) {
            if (one.path(key).asText().equals(value)) {
                return one;
            }
        }
        throw new AssertionError(value + " is not in " + all);
    }

    private JsonNode group(JsonNode groups, String kind) {
        return by(groups, "id", name + kind);
    }

    /** A member has all four partitions, and has committed one. */
    private KafkaConsumer<byte[], byte[]> half() {
        TopicPartition first = topic("-half", 4);
        for (int p = 0; p < 4; p++) {
            fill(new TopicPartition(first.topic(), p));
        }
        KafkaConsumer<byte[], byte[]> member = consumer(Map.of("group.id", name + "-half"));
        member.subscribe(List.of(first.topic()));
        while (member.assignment().size() < 4) {
            member.poll(Duration.ofMillis(50));
        }
        member.commitSync(Map.of(first, new OffsetAndMetadata(RECORDS)));
        open.add(member);
        return member;
    }

    @Test
    void lagMatchesRecordsLeftToRead() throws Exception {
        admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
        open.add(admin);
        try {
            half();
            TopicPartition transactions = topic("-transactions", 1);
            KafkaProducer<byte[], byte[]> producer = transactional();
            for (int i = 0; i < 5; i++) {
                send(producer, transactions, 1);
                producer.commitTransaction();
            }
            send(producer, transactions, 10);
            producer.abortTransaction();
            send(producer, transactions, 3);
            producer.commitTransaction();
            send(producer, transactions, 7);
            producer.abortTransaction();
            // 25 records and 8 markers; the coordinator writes the last marker after its response.
            long end = 25 + 8;
            while (end(transactions) < end) {
                Thread.onSpinWait();
            }
            commit("-behind", transactions, 0);
            // After its last record, and before the marker of that record.
            commit("-done", transactions, end - 1 - 8);
            TopicPartition pending = topic("-pending", 1);
            KafkaProducer<byte[], byte[]> hanging = transactional();
            send(hanging, pending, 4);
            commit("-pending", pending, 0);
            TopicPartition deleted = topic("-deleted", 1);
            fill(deleted);
            admin.deleteRecords(Map.of(deleted, RecordsToDelete.beforeOffset(50)))
                    .all()
                    .get();
            commit("-late", deleted, 10);
            commit("-beyond", deleted, 1000);

            String unknown = name + "-unknown";
            InProcess run = lag(Stream.concat(
                            Stream.of(unknown),
                            Stream.of("-half", "-behind", "-done", "-pending", "-late", "-beyond")
                                    .map(kind -> name + kind))
                    .toArray(String[]::new));
            assertThat(run.exit()).as(run.err()).isEqualTo(6);
            assertThat(run.err())
                    .contains(unknown)
                    .containsPattern(Said.en("cli.lagUnknown", name + "-half"))
                    .containsPattern(Said.en("cli.lagUndecided", name + "-behind"))
                    .doesNotContainPattern(Said.en("cli.lagUnknown", name + "-behind"))
                    .doesNotContain("group " + name + "-done:");
            JsonNode groups = Json.MAPPER.readTree(run.out()).path("groups");
            JsonNode half = group(groups, "-half");
            assertThat(half.path("unknownRecords").asLong()).isEqualTo(3 * RECORDS);
            assertThat(half.path("growing").isNull()).isTrue();
            assertThat(half.path("drainMs").isNull()).isTrue();
            assertThat(half.path("partitions")).hasSize(4);
            JsonNode silent = by(half.path("partitions"), "partition", name + "-half-3");
            assertThat(silent.path("committed").isNull()).isTrue();
            assertThat(silent.path("lagAtEnd").isNull()).isTrue();
            assertThat(silent.path("unknownRecords").asLong()).isEqualTo(RECORDS);
            assertThat(silent.path("end").asLong()).isEqualTo(RECORDS);

            assertThat(readable(transactions, 0)).isEqualTo(8);
            assertThat(group(groups, "-behind").path("lagAtEnd").asLong()).isEqualTo(8);
            assertThat(group(groups, "-behind")
                            .path("partitions")
                            .get(0)
                            .path("end")
                            .asLong())
                    .isEqualTo(end);
            assertThat(readable(transactions, end - 9)).isZero();
            JsonNode done = group(groups, "-done");
            assertThat(done.path("lagAtEnd").asLong()).isZero();
            assertThat(done.path("lag").asLong()).isZero();
            assertThat(done.path("lagAtEndMs").asLong()).isZero();
            assertThat(group(groups, "-pending").path("openRecords").asLong()).isEqualTo(4);
            assertThat(group(groups, "-pending").path("lagAtEnd").asLong()).isEqualTo(4);
            assertThat(group(groups, "-late").path("lagAtEnd").asLong()).isEqualTo(RECORDS - 50);
            assertThat(group(groups, "-late").path("deletedRecords").asLong()).isEqualTo(40);
            assertThat(group(groups, "-beyond").path("lagAtEnd").isNull()).isTrue();
            assertThat(group(groups, "-beyond").path("unknownRecords").asLong()).isEqualTo(RECORDS - 50);

            InProcess all = lag("--all");
            assertThat(all.exit()).as(all.err()).isZero();
            assertThat(group(Json.MAPPER.readTree(all.out()).path("groups"), "-behind")
                            .path("lagAtEnd")
                            .asLong())
                    .isEqualTo(8);
        } finally {
            for (int i = open.size() - 1; i >= 0; i--) {
                open.get(i).close();
            }
        }
    }
}
