package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.Impairment;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.testing.TcpProxy;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plants effects that published reports have missed, and expects warnings about them. */
@Order(1)
class HiddenTruthTest {
    private static ProxiedLab<TcpProxy> lab;

    @TempDir
    Path out;

    @BeforeAll
    static void start() throws IOException {
        lab = new ProxiedLab<>(new TcpProxy(), Map.of());
    }

    @AfterAll
    static void stop() throws IOException {
        lab.close();
    }

    private TrialResult run(String yaml) {
        return Runs.run(yaml, lab.bootstrapServers(), out).trials().get(0);
    }

    private static void warns(TrialResult trial, Pattern warning) {
        assertThat(trial.judgement().warnings()).extracting(Sentence::english).anySatisfy(w -> assertThat(w)
                .containsPattern(warning));
    }

    /** 20 records/s for each of 10 partitions, batches of 16 KB for records of 1 KB: 15 of them take 0.75 s. */
    @Test
    @Tag("nightly")
    void warnsAboutBatchFillTime() {
        warns(run("""
            name: fill
            topics: [{name: fill, partitions: 10}]
            producers:
              - {topic: fill, rate: 200/s, record: {size: 1000, key: {uniform: 100000}}, config: {linger.ms: 30000}}
            warmup: 2s
            duration: 8s
            """), Said.en("result.batchFill"));
    }

    /**
     * Responses are so late that the slowest sender fills the buffer: five requests of three batches are in flight for
     * 200 ms. Warm-up and window are several times the waiting time in the buffer, so a slow start is over before
     * records count.
     */
    @Tag("nightly")
    @Test
    void warnsAboutBufferOfAClosedLoop() {
        lab.proxy().delayResponses(200_000_000);
        try {
            warns(run("""
                name: buffer
                topics: [{name: buffer, partitions: 3}]
                producers: [{topic: buffer, record: {size: 1000}, config: {buffer.memory: 1048576}}]
                warmup: 4s
                duration: 6s
                """), Said.en("result.ownBuffer", null, null, "1 MiB"));
        } finally {
            lab.proxy().delayResponses(0);
        }
    }

    @Test
    void warnsAboutPreexistingRecords() throws Exception {
        Map<String, Object> properties = Map.of("bootstrap.servers", lab.bootstrapServers());
        try (Admin admin = Admin.create(properties);
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic("dirty", 1, (short) 1)))
                    .all()
                    .get();
            for (int i = 0; i < 1810; i++) {
                var unused = producer.send(new ProducerRecord<>("dirty", new byte[100]));
            }
            producer.flush();
        }
        TrialResult trial = run("""
            name: dirty
            topics: [{name: dirty, existing: true}]
            producers: [{topic: dirty, records: 1000, record: {size: 2000}}]
            consumers: [{topic: dirty}]
            """);
        assertThat(trial.judgement().warnings()).extracting(Sentence::english).anySatisfy(w -> assertThat(w)
                .containsPattern(Said.en(
                        "result.dirtyTopic", "dirty", "1,810", Sentence.of("result.otherSize", "776 B", "2 KB"))));
    }

    @Test
    void warnsAboutShortRead() {
        TrialResult trial = run("""
            name: short
            topics: [{name: short}]
            producers: [{topic: short, records: 1000}]
            consumers: [{topic: short, records: 1500, start: {after: produce}, idleTimeout: 1s}]
            """);
        assertThat(trial.consume().reading().missing()).isEqualTo(500);
        assertThat(trial.judgement().warnings()).extracting(Sentence::english).anySatisfy(w -> assertThat(w)
                .containsPattern(Said.en("load.missing", null, 500)));
    }

    /** Nothing passes for a second and a half, from the sixth second on. */
    @Test
    @Tag("nightly")
    void warnsAboutStall() {
        AtomicBoolean planted = new AtomicBoolean();
        RunResult result = Runs.run("""
            name: stall
            topics: [{name: stall}]
            producers: [{topic: stall, rate: 1000/s, record: {size: 100}, config: {linger.ms: 0}}]
            warmup: 1s
            duration: 14s
            """, lab.bootstrapServers(), out, snapshot -> {
            if (snapshot.sequence() == 5 && !planted.getAndSet(true)) {
                lab.proxy().stallUntil(System.nanoTime() + 1_500_000_000L);
            }
        });
        TrialResult trial = result.trials().get(0);
        warns(trial, Pattern.compile("(?i)\\bstalls?\\b"));
        // Some record was in flight all the time, regardless of CPU contention.
        assertThat(trial.detail().seconds())
                .filteredOn(second -> second.response().serviceMax() != null)
                .anyMatch(second -> second.response().serviceMax() >= 1_200_000);
    }

    /** Responses of one of two brokers take 12 ms longer, which no machine can compensate. */
    @Tag("nightly")
    @Test
    void warnsAboutSlowBroker() throws Exception {
        try (Lab two = Lab.start(LabOptions.ephemeral(2).withProxies())) {
            int slow = fillTwoPartitions(two);
            two.impair(slow, Impairment.slow(Duration.ofMillis(6), Duration.ZERO, 0));
            TrialResult trial =
                    Runs.run("""
                        name: read
                        topics: [{name: skew, existing: true}]
                        consumers:
                          - {topic: skew, engine: raw, records: 24000, config: {max.partition.fetch.bytes: 6000}}
                        """, two.bootstrapServers(), out).trials().get(0);
            assertThat(trial.judgement().warnings())
                    .extracting(Sentence::english)
                    .anySatisfy(w -> assertThat(w).containsPattern(Said.en("result.slowBroker.read", slow)));
        }
    }

    /** @return the broker that leads one of the two partitions, which hold 12,000 records of 1 KB each */
    private int fillTwoPartitions(Lab two) throws Exception {
        Map<String, Object> properties = Map.of("bootstrap.servers", two.bootstrapServers());
        int[] ids;
        try (Admin admin = Admin.create(properties)) {
            ids = admin.describeCluster().nodes().get().stream()
                    .mapToInt(Node::id)
                    .sorted()
                    .toArray();
            admin.createTopics(List.of(new NewTopic("skew", Map.of(0, List.of(ids[0]), 1, List.of(ids[1])))))
                    .all()
                    .get();
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < 24_000; i++) {
                var unused = producer.send(new ProducerRecord<>("skew", i % 2, null, new byte[1000]));
            }
        }
        return ids[1];
    }
}
