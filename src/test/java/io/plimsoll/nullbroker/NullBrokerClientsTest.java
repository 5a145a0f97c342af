package io.plimsoll.nullbroker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.nullbroker.NullBroker.NullBrokerStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Official clients work with a null broker, and its counts match their activity. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class NullBrokerClientsTest {
    private static final String TOPIC = "swallowed";
    private static final Duration POLL = Duration.ofSeconds(5);

    static KafkaProducer<byte[], byte[]> producer(NullBroker broker, Map<String, Object> config) {
        Map<String, Object> all = new HashMap<>(config);
        all.put("bootstrap.servers", broker.bootstrapServers());
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static KafkaConsumer<byte[], byte[]> consumer(NullBroker broker, Map<String, Object> config) {
        Map<String, Object> all = new HashMap<>(config);
        all.put("bootstrap.servers", broker.bootstrapServers());
        all.putIfAbsent("check.crcs", true);
        all.putIfAbsent("fetch.max.wait.ms", 50);
        all.putIfAbsent("auto.offset.reset", "earliest");
        return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static Admin admin(NullBroker broker) {
        return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    @ParameterizedTest
    @CsvSource({
        "all, true, none, 1",
        "all, true, zstd, 1",
        "all, false, gzip, 2",
        "1, false, lz4, 1",
        "1, false, none, 2",
        "0, false, snappy, 1",
        "0, false, none, 2"
    })
    void countsEveryProducedRecordOnce(String acks, boolean idempotent, String codec, int threads) throws Exception {
        int records = 100_000;
        NullBrokerOptions options =
                new NullBrokerOptions().topic(TOPIC, 3).threads(threads).checkCrc(true);
        try (NullBroker broker = NullBroker.start(options)) {
            List<Future<RecordMetadata>> sent = new ArrayList<>(records);
            Map<String, Object> config =
                    Map.of("acks", acks, "enable.idempotence", idempotent, "compression.type", codec);
            try (var producer = producer(broker, config)) {
                for (int i = 0; i < records; i++) {
                    sent.add(producer.send(new ProducerRecord<>(TOPIC, i % 3, null, new byte[i % 200])));
                }
            }
            for (Future<RecordMetadata> one : sent) {
                assertThat(one.get().hasOffset()).isEqualTo(!acks.equals("0"));
            }
            awaitRecords(broker, records);
            NullBrokerStats stats = broker.stats();
            assertThat(stats.produced().refusedBatches()).isZero();
            assertThat(stats.brokenConnections()).isZero();
            for (int partition = 0; partition < 3; partition++) {
                long expected = (records - partition + 2L) / 3;
                assertThat(stats.partitions()
                                .get(new TopicPartition(TOPIC, partition))
                                .records())
                        .isEqualTo(expected);
            }
        }
    }

    /** With acks=0 a producer finishes before the broker. */
    private static void awaitRecords(NullBroker broker, long records) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (broker.stats().records() < records && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        assertThat(broker.stats().records()).isEqualTo(records);
    }

    @Test
    void offsetsAreConsecutive() throws Exception {
        NullBrokerOptions options = new NullBrokerOptions().log(1000, 10, 7, "none");
        try (NullBroker broker = NullBroker.start(options);
                var producer = producer(broker, Map.of())) {
            for (int i = 0; i < 100; i++) {
                RecordMetadata metadata = producer.send(new ProducerRecord<>("made-by-asking", new byte[5]))
                        .get();
                assertThat(metadata.offset()).isEqualTo(1000 + i);
            }
            NullBrokerStats.Partition partition =
                    broker.stats().partitions().get(new TopicPartition("made-by-asking", 0));
            assertThat(partition.endOffset()).isEqualTo(1100);
            assertThat(partition.batches()).isEqualTo(100);
            // A header of 61 bytes; a record of 5 bytes takes 12.
            assertThat(partition.bytes()).isEqualTo(100 * (61 + 12));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 7, 8, 9, 11, 12, 13})
    void understandsEveryProduceVersion(int version) throws Exception {
        NullBrokerOptions options =
                new NullBrokerOptions().topic(TOPIC, 2).maxVersion(0, version).checkCrc(true);
        try (NullBroker broker = NullBroker.start(options);
                var producer = producer(broker, Map.of("enable.idempotence", false))) {
            for (int i = 0; i < 10; i++) {
                RecordMetadata metadata = producer.send(new ProducerRecord<>(TOPIC, i % 2, null, new byte[100]))
                        .get();
                assertThat(metadata.offset()).isEqualTo(i / 2);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "none, 100, 150",
        "none, 1, 1",
        "none, 10000, 200",
        "gzip, 100, 33",
        "snappy, 100, 64",
        "lz4, 0, 100",
        "zstd, 1000, 1000"
    })
    void consumerReadsServedRecords(String codec, int recordBytes, int recordsPerBatch) {
        long records = 10_007;
        NullBrokerOptions options =
                new NullBrokerOptions().topic(TOPIC, 2).log(records, recordBytes, recordsPerBatch, codec);
        try (NullBroker broker = NullBroker.start(options);
                var consumer = consumer(broker, Map.of())) {
            TopicPartition first = new TopicPartition(TOPIC, 0);
            TopicPartition second = new TopicPartition(TOPIC, 1);
            consumer.assign(List.of(first, second));
            consumer.seekToBeginning(List.of(first, second));
            read(consumer, Map.of(first, 0L, second, 0L), records, recordBytes);

            consumer.seek(first, 5001);
            consumer.seek(second, records - 1);
            read(consumer, Map.of(first, 5001L, second, records - 1), records, recordBytes);
            assertThat(consumer.poll(Duration.ofMillis(50))).isEmpty();

            NullBrokerStats stats = broker.stats();
            assertThat(stats.fetched().records()).isGreaterThanOrEqualTo(2 * records + records - 5001 + 1);
            assertThat(stats.brokenConnections()).isZero();
        }
    }

    /** Reads each partition from its offset to the end and checks that nothing is missing. */
    private static void read(
            KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> from, long end, int recordBytes) {
        Map<TopicPartition, Long> next = new HashMap<>(from);
        while (next.values().stream().anyMatch(offset -> offset < end)) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            assertThat(polled.isEmpty()).isFalse();
            for (ConsumerRecord<byte[], byte[]> record : polled) {
                TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                assertThat(record.offset()).isEqualTo(next.get(partition));
                assertThat(record.value()).hasSize(recordBytes);
                next.put(partition, record.offset() + 1);
            }
        }
        assertThat(next.values()).containsOnly(end);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7, 9, 11, 12, 13, 16, 18})
    void understandsEveryFetchVersion(int version) {
        NullBrokerOptions options =
                new NullBrokerOptions().topic(TOPIC, 1).maxVersion(1, version).log(1000, 10, 64, "none");
        try (NullBroker broker = NullBroker.start(options);
                var consumer = consumer(broker, Map.of())) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            read(consumer, Map.of(partition, 0L), 1000, 10);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void waitingConsumerGetsProducedRecords(int threads) throws Exception {
        NullBrokerOptions options = new NullBrokerOptions().topic(TOPIC, 1).threads(threads);
        try (NullBroker broker = NullBroker.start(options);
                var consumer = consumer(broker, Map.of("fetch.max.wait.ms", 20_000));
                var producer = producer(broker, Map.of())) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            assertThat(consumer.poll(Duration.ofMillis(100))).isEmpty();
            producer.send(new ProducerRecord<>(TOPIC, new byte[77])).get();
            // Long before the fetch would have reached its maximum wait.
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofSeconds(10));
            assertThat(polled.count()).isEqualTo(1);
            assertThat(consumer.position(partition)).isEqualTo(1);
            // Otherwise it would wait for the response to its next fetch.
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    @Test
    void resetsOutOfRangeOffset() {
        try (NullBroker broker =
                        NullBroker.start(new NullBrokerOptions().topic(TOPIC, 1).log(10, 1, 4, "none"));
                var consumer = consumer(broker, Map.of())) {
            TopicPartition partition = new TopicPartition(TOPIC, 0);
            consumer.assign(List.of(partition));
            consumer.seek(partition, 500);
            read(consumer, Map.of(partition, 0L), 10, 1);
        }
    }

    @Test
    void groupFindsItsCommittedOffsets() {
        try (NullBroker broker =
                NullBroker.start(new NullBrokerOptions().topic(TOPIC, 2).log(100, 1, 10, "none"))) {
            TopicPartition first = new TopicPartition(TOPIC, 0);
            TopicPartition second = new TopicPartition(TOPIC, 1);
            try (var consumer = consumer(broker, Map.of("group.id", "readers"))) {
                consumer.assign(List.of(first, second));
                consumer.commitSync(Map.of(first, new OffsetAndMetadata(42)));
                Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(Set.of(first, second));
                assertThat(committed.get(first).offset()).isEqualTo(42);
                assertThat(committed.get(second)).isNull();
            }
            try (var consumer = consumer(broker, Map.of("group.id", "readers"))) {
                consumer.assign(List.of(first, second));
                assertThat(consumer.position(first)).isEqualTo(42);
                assertThat(consumer.position(second)).isZero();
            }
        }
    }

    @Test
    void singleMemberReadsAllPartitionsAndFreesItsPlace() {
        NullBrokerOptions options = new NullBrokerOptions().topic(TOPIC, 3).log(1000, 50, 100, "none");
        try (NullBroker broker = NullBroker.start(options)) {
            for (int member = 0; member < 2; member++) {
                try (var consumer = consumer(broker, Map.of("group.id", "g", "enable.auto.commit", false))) {
                    consumer.subscribe(List.of(TOPIC));
                    int read = 0;
                    long end = System.nanoTime() + POLL.toNanos() * 4;
                    while (read < 3000 && System.nanoTime() < end) {
                        read += consumer.poll(Duration.ofMillis(100)).count();
                    }
                    assertThat(read).isEqualTo(3000);
                    assertThat(consumer.assignment()).hasSize(3);
                    try (var second = consumer(broker, Map.of("group.id", "g"))) {
                        second.subscribe(List.of(TOPIC));
                        assertThatThrownBy(() -> second.poll(POLL)).isInstanceOf(GroupMaxSizeReachedException.class);
                    }
                }
            }
            assertThat(broker.stats().brokenConnections()).isZero();
        }
    }

    @Test
    void adminSeesClusterTopicsAndOffsets() throws Exception {
        NullBrokerOptions options = new NullBrokerOptions().topic("there", 4).log(12, 1, 10, "none");
        long before = System.currentTimeMillis();
        try (NullBroker broker = NullBroker.start(options);
                Admin admin = admin(broker)) {
            assertThat(admin.describeCluster().nodes().get()).singleElement().satisfies(node -> assertThat(node.port())
                    .isEqualTo(broker.port()));
            assertThat(admin.listTopics().names().get()).containsExactly("there");
            admin.createTopics(List.of(new NewTopic("made", 2, (short) 1)))
                    .all()
                    .get();
            Map<String, TopicDescription> topics = admin.describeTopics(List.of("there", "made"))
                    .allTopicNames()
                    .get();
            assertThat(topics.get("there").partitions()).hasSize(4);
            assertThat(topics.get("made").partitions()).hasSize(2);
            assertThatThrownBy(() -> admin.describeTopics(List.of("absent"))
                            .allTopicNames()
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);

            TopicPartition partition = new TopicPartition("there", 3);
            assertThat(offset(admin, partition, OffsetSpec.latest())).isEqualTo(12);
            assertThat(offset(admin, partition, OffsetSpec.earliest())).isZero();
            assertThat(offset(admin, partition, OffsetSpec.maxTimestamp())).isEqualTo(11);
            assertThat(offset(admin, partition, OffsetSpec.forTimestamp(before)))
                    .isZero();
            assertThat(offset(admin, partition, OffsetSpec.forTimestamp(before + 3_600_000)))
                    .isEqualTo(-1);

            admin.deleteTopics(List.of("made")).all().get();
            assertThat(admin.listTopics().names().get()).containsExactly("there");

            try (var producer = producer(broker, Map.of())) {
                producer.send(new ProducerRecord<>("there", 0, null, new byte[10]))
                        .get();
            }
            admin.deleteTopics(List.of("there")).all().get();
            assertThat(broker.stats().records())
                    .as("what was produced to a topic that is gone")
                    .isEqualTo(1);
        }
    }

    private static long offset(Admin admin, TopicPartition partition, OffsetSpec spec) throws Exception {
        return admin.listOffsets(Map.of(partition, spec))
                .all()
                .get()
                .get(partition)
                .offset();
    }

    @Test
    void refusesTransactionsImmediately() {
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions());
                var producer = producer(broker, Map.of("transactional.id", "t"))) {
            assertThatThrownBy(producer::initTransactions)
                    .isInstanceOf(org.apache.kafka.common.KafkaException.class)
                    .isNotInstanceOf(org.apache.kafka.common.errors.TimeoutException.class);
        }
    }
}
