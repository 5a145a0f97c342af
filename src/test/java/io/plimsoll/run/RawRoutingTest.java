package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records of the raw engine are in the partitions that the official client would choose, with their keys and headers.
 */
@Order(1)
class RawRoutingTest {
    @TempDir
    Path out;

    private final String three = "routing-" + UUID.randomUUID();
    private final String five = three + "-5";

    private TrialResult trial(String yaml, String... overrides) throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            new Topics(admin)
                    .create(
                            List.of(new NewTopic(three, 3, (short) 1), new NewTopic(five, 5, (short) 1)),
                            Duration.ofSeconds(60));
        }
        String topics = "name: routing\ntopics: [{name: " + three + ", existing: true, partitions: 3}, {name: " + five
                + ", existing: true, partitions: 5}]\n";
        var result = Runs.run(topics + yaml, servers, out, overrides);
        Runs.assertSound(result);
        return result.trials().get(0);
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic, int partitions) {
        Map<String, Object> properties =
                Map.of("bootstrap.servers", SharedLab.oneBroker().bootstrapServers(), "check.crcs", true);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = IntStream.range(0, partitions)
                    .mapToObj(p -> new TopicPartition(topic, p))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                consumer.poll(Duration.ofSeconds(5)).forEach(records::add);
            }
        }
        return records;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {sequential: true, type: bytes}     | lz4  | 40000/s
        {zipf: {s: 1.2, n: 500}, type: int} | none | unlimited
        """)
    void routesKeysByHash(String key, String codec, String rate) throws Exception {
        assertKeysGoWhereTheirHashSays(key, codec, rate);
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource(delimiter = '|', textBlock = """
        sequential                          | none | unlimited
        {uniform: 1000, type: int}          | none | 40000/s
        {uniform: 40}                       | zstd | unlimited
        {zipf: {s: 1.2, n: 500}}            | none | 40000/s
        {fixed: abc}                        | none | unlimited
        """)
    void routesKeysOfEveryKindByHash(String key, String codec, String rate) throws Exception {
        assertKeysGoWhereTheirHashSays(key, codec, rate);
    }

    private void assertKeysGoWhereTheirHashSays(String key, String codec, String rate) throws Exception {
        TrialResult trial = trial(
                """
                producers:
                  - {topic: [%s, %s], engine: raw, records: 120000, record: {size: 40, headers: 2}}
                """.formatted(three, five),
                "producers.record.key=" + key,
                "producers.rate=" + rate,
                "producers.config.compression.type=" + codec,
                "producers.config.batch.size=2000");
        assertThat(trial.produce().volume().records()).isEqualTo(120_000);
        Map<Integer, Double> shares = new HashMap<>();
        for (String topic : List.of(three, five)) {
            int partitions = topic.equals(three) ? 3 : 5;
            List<ConsumerRecord<byte[], byte[]>> records = read(topic, partitions);
            // A closed loop can be ahead by the records in flight.
            assertThat(records.size()).isBetween(rate.equals("unlimited") ? 50_000 : 60_000, 70_000);
            assertThat(records.stream()
                            .filter(r -> r.key() == null
                                    || r.partition() != Utils.toPositive(Utils.murmur2(r.key())) % partitions
                                    || r.value().length != 40
                                    || !headers(r).equals("hhhhhhh0:16 hhhhhhh1:16")))
                    .as("records in the wrong place, or of other parts")
                    .isEmpty();
            if (partitions == 3) {
                records.forEach(r -> shares.merge(r.partition(), 1.0 / records.size(), Double::sum));
            }
        }
        assertShares(key, shares);
    }

    private static String headers(ConsumerRecord<byte[], byte[]> record) {
        return StreamSupport.stream(record.headers().spliterator(), false)
                .map(h -> h.key() + ":" + h.value().length)
                .collect(Collectors.joining(" "));
    }

    /** Partition shares follow from the keys: hot keys make hot partitions. */
    private static void assertShares(String key, Map<Integer, Double> shares) {
        double[] expected = new double[3];
        if (key.startsWith("{zipf")) {
            double all = IntStream.rangeClosed(1, 500)
                    .mapToDouble(k -> Math.pow(k, -1.2))
                    .sum();
            for (int k = 1; k <= 500; k++) {
                expected[partition(key, k - 1)] += Math.pow(k, -1.2) / all;
            }
        } else if (key.startsWith("{fixed")) {
            expected[Utils.toPositive(Utils.murmur2("abc".getBytes(StandardCharsets.UTF_8))) % 3] = 1;
        } else if (key.startsWith("{uniform: 40")) {
            IntStream.range(0, 40).forEach(k -> expected[partition(key, k)] += 1.0 / 40);
        } else {
            Arrays.fill(expected, 1.0 / 3);
        }
        for (int p = 0; p < 3; p++) {
            assertThat(shares.getOrDefault(p, 0.0))
                    .as("share of partition " + p)
                    .isBetween(expected[p] - 0.05, expected[p] + 0.05);
        }
    }

    private static int partition(String key, int number) {
        byte[] bytes = key.contains("int")
                ? ByteBuffer.allocate(4).putInt(number).array()
                : Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
        return Utils.toPositive(Utils.murmur2(bytes)) % 3;
    }

    @Test
    void sequentialKeysRarelyRepeat() throws Exception {
        trial("""
            producers:
              - {topic: %s, engine: raw, rate: 20000/s, records: 20000, clients: 2, record: {size: 40, key: sequential}}
            """.formatted(five), "producers.config.batch.size=2000", "producers.config.linger.ms=100");
        Set<String> keys = new HashSet<>();
        read(five, 5).forEach(r -> keys.add(new String(r.key(), StandardCharsets.UTF_8)));
        // 64 batches per partition and client, of at least 21 records, before the first one repeats.
        assertThat(keys.size()).isGreaterThan(13_000);
        assertThat(keys).allSatisfy(k -> assertThat(Integer.parseInt(k)).isBetween(0, 2 * 131_072));
    }

    @ParameterizedTest
    @ValueSource(strings = {"raw", "client"})
    void sendsToNamedPartitionsInTurn(String engine) throws Exception {
        TrialResult trial = trial("""
            producers:
              - topic: [%s, %s]
                records: 12000
                rate: 20000/s
                partitions: [2, 0]
                record: {size: 100, key: {uniform: 1000}}
            """.formatted(three, five), "producers.engine=" + engine);
        assertThat(trial.produce().volume().records()).isEqualTo(12_000);
        for (String topic : List.of(three, five)) {
            Map<Integer, Integer> counts = new HashMap<>();
            read(topic, topic.equals(three) ? 3 : 5).forEach(r -> counts.merge(r.partition(), 1, Integer::sum));
            assertThat(counts).isEqualTo(Map.of(0, 3000, 2, 3000));
        }
    }

    @Test
    void refusesMissingPartition() {
        assertThatThrownBy(() -> trial("producers: [{topic: %s, engine: raw, partitions: [1, 3]}]".formatted(three)))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining("partition 3 does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"unlimited", "40000/s"})
    void sendsToTopicsInTurn(String rate) throws Exception {
        TrialResult trial = trial(
                "producers: [{topic: [%s, %s], engine: raw, records: 200000, record: {size: 100}}]"
                        .formatted(three, five),
                "producers.rate=" + (rate.equals("unlimited") ? rate : "100000/s"));
        long ofThree = trial.detail().partitions().stream()
                .filter(p -> p.topic().equals(three))
                .mapToLong(TrialResult.PartitionResult::produced)
                .sum();
        assertThat(ofThree).isBetween(rate.equals("unlimited") ? 85_000L : 100_000L, 115_000L);
    }

    @Test
    void groupsStartAtOffsetOrTimestamp() throws Exception {
        assertGroupsStartWhereTheyAreTold("raw");
    }

    @Test
    @Tag("nightly")
    void clientEngineGroupsStartAtOffsetOrTimestamp() throws Exception {
        assertGroupsStartWhereTheyAreTold("client");
    }

    private void assertGroupsStartWhereTheyAreTold(String engine) throws Exception {
        trial("producers: [{topic: %s, rate: 10000/s, records: 9000, record: {size: 100}, partitions: [0, 1, 2]}]"
                .formatted(three));
        List<ConsumerRecord<byte[], byte[]>> records = read(three, 3);
        long at = records.stream()
                .mapToLong(ConsumerRecord::timestamp)
                .sorted()
                .skip(5000)
                .findFirst()
                .orElseThrow();
        // In each partition, all records from the first one on that is not older.
        long fromTime = 0;
        for (int p = 0; p < 3; p++) {
            int partition = p;
            List<ConsumerRecord<byte[], byte[]>> own =
                    records.stream().filter(r -> r.partition() == partition).toList();
            long first = own.stream()
                    .filter(r -> r.timestamp() >= at)
                    .mapToLong(ConsumerRecord::offset)
                    .findFirst()
                    .orElse(3000);
            fromTime += 3000 - first;
        }
        // Without producers, a group reads until its window ends, even if a busy host delays it.
        assertThat(consumed(engine, "{offset: 1000}", "duration=3s")).isEqualTo(6000);
        assertThat(consumed(engine, "{offset: 100000}", "duration=1s")).isZero();
        assertThat(consumed(engine, "{timestamp: " + at + "}", "duration=3s")).isEqualTo(fromTime);
        assertThat(consumed(engine, "{timestamp: 2099-01-01T00:00:00Z}", "duration=1s"))
                .isZero();
    }

    private long consumed(String engine, String start, String... overrides) {
        String yaml = """
            name: reading
            topics: [{name: %s, existing: true}]
            consumers: [{topic: %s, engine: %s, start: %s, members: 2}]
            duration: 2s
            warmup: 0s
            """.formatted(three, three, engine, start);
        var result = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out, overrides);
        return result.trials().get(0).consume().volume().records();
    }
}
