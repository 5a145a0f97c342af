package io.plimsoll.perf.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.perf.capture.shape.CapturedText;
import io.plimsoll.perf.capture.shape.TopicShape;
import io.plimsoll.perf.capture.shape.TopicShape.Fidelity;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.payload.ZipfSampler;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Language;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * Guards that a load written by Kafka's own producer is captured as the scenario of a similar load, without its
 * contents.
 */
class CaptureTest {
    private static final int RECORDS = 30_000;
    private static final long SECONDS = 60;
    private static final String TOPIC = "captured-orders";
    private static final String PLANTED = "PLANTEDSECRET";

    private final Lab lab = SharedLab.oneBroker();
    private final ClusterConnection connection = new ClusterConnection(lab.bootstrapServers(), Map.of());

    /** Returns the time of the first record. */
    private long plant() throws Exception {
        try (Admin admin = connection.admin()) {
            new Topics(admin).create(List.of(new NewTopic(TOPIC, 4, (short) 1)), Duration.ofSeconds(30));
        }
        Map<String, Object> config = connection.clientProperties();
        config.put("compression.type", "zstd");
        config.put("linger.ms", 50);
        SplittableRandom random = new SplittableRandom(7);
        long begin = System.currentTimeMillis() - SECONDS * 1000;
        ZipfSampler keys = new ZipfSampler(1.2, 2000);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<?>> acknowledged = new ArrayList<>();
            for (int i = 0; i < RECORDS; i++) {
                byte[] value = new byte[i % 4 == 0 ? 1200 : 300];
                random.nextBytes(value);
                Arrays.fill(value, value.length / 2, value.length, (byte) 'x');
                byte[] secret = PLANTED.getBytes(StandardCharsets.UTF_8);
                System.arraycopy(secret, 0, value, 0, secret.length);
                byte[] key = String.format("%s%07d", PLANTED, keys.next(random)).getBytes(StandardCharsets.UTF_8);
                ProducerRecord<byte[], byte[]> sent =
                        new ProducerRecord<>(TOPIC, null, begin + i * SECONDS * 1000 / RECORDS, key, value);
                sent.headers().add(PLANTED, secret);
                acknowledged.add(producer.send(sent));
            }
            for (Future<?> one : acknowledged) {
                one.get();
            }
        }
        return begin;
    }

    private static double error(double found, double planted) {
        return Math.abs(found - planted) / planted;
    }

    @Test
    void reproducesLoadWithoutItsContents() throws Exception {
        long begin = plant();
        Capture.Captured captured =
                new Capture(connection, List.of(TOPIC), Duration.ofHours(24), false, 50_000_000, List.of()).look();
        String text = CapturedScenario.of(captured, new CapturedText(captured.window(), 10, Language.EN), null);
        assertThat(text).doesNotContain(PLANTED).doesNotContain("xxxx");

        Scenario scenario = ScenarioReader.read(text, "captured", List.of(), 1)
                .trials()
                .get(0)
                .scenario();
        ProducerSpec producer = scenario.producers().get(0);
        // The topic is younger than the requested window.
        assertThat(captured.window().toMillis() / 1e3)
                .isCloseTo((captured.until().toEpochMilli() - begin) / 1e3, within(8.0));
        assertThat(scenario.duration().toMillis()).isCloseTo(captured.window().toMillis() / 10, within(1000L));
        assertThat(scenario.topics().get(0).partitions()).isEqualTo(4);
        assertThat(producer.clients()).isEqualTo(1);
        assertThat(producer.config()).containsEntry("compression.type", "zstd");
        assertThat(producer.record().mix()).extracting(size -> size.size()).containsExactly(300, 1200);
        assertThat(producer.record().mix().get(1).weight()).isCloseTo(0.25, within(0.02));
        assertThat(producer.record().headers().count()).isEqualTo(1);
        assertThat(producer.record().headers().valueBytes()).isEqualTo(PLANTED.length());
        KeySpec.Zipf zipf = (KeySpec.Zipf) ((KeySpec.Padded) producer.record().key()).numbers();
        assertThat(zipf.s()).isCloseTo(1.2, within(0.05));
        assertThat(error(zipf.n(), 2000)).isLessThan(0.25);
        assertThat(producer.record().randomBytesRatio()).isCloseTo(0.5, within(0.1));

        TopicShape shape = captured.topics().get(0);
        assertThat(error(shape.rate().mean() * captured.window().toMillis() / 1e3, RECORDS))
                .isLessThan(0.01);
        assertThat(CapturedScenario.shapes(text, "captured")).containsExactly(shape);
        assertThat(Fidelity.of(shape, shape)).allMatch(Fidelity::within);
    }

    @Test
    void readsSmallLogAboutOnce() throws Exception {
        String topic = "captured-small";
        try (Admin admin = connection.admin()) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(30));
        }
        long bytes = 1000L * 300;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                connection.clientProperties(), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < 1000; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, new byte[300]));
            }
        }
        Capture.Captured captured =
                new Capture(connection, List.of(topic), Duration.ofMinutes(1), false, 50_000_000, List.of()).look();
        assertThat(captured.bytes()).isBetween(bytes, 3 * bytes);
    }

    /** Two consumers without commits: no group is visible, but brokers count the bytes sent. */
    @Test
    void findsNonCommittingConsumersByBytesSent() throws Exception {
        String topic = "captured-silently";
        try (Admin admin = connection.admin()) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(30));
        }
        AtomicBoolean over = new AtomicBoolean();
        Thread load = new Thread(() -> writeAndReadTwice(topic, over));
        load.start();
        try {
            BrokerSource source = BrokerSource.jmx(1, () -> lab.jmxAddress(1), null);
            Capture capture =
                    new Capture(connection, List.of(topic), Duration.ofSeconds(5), true, 1_000_000, List.of(source));
            Capture.Captured captured = capture.look();
            assertThat(captured.fanOut().get(topic)).isCloseTo(2, within(0.4));
            String text = CapturedScenario.of(captured, new CapturedText(captured.window(), 1, Language.EN), null);
            assertThat(text)
                    .contains("consumers:")
                    .contains("groups: 2, members: 1")
                    .contains("0 groups are known");
        } finally {
            over.set(true);
            load.join();
        }
    }

    private void writeAndReadTwice(String topic, AtomicBoolean over) {
        Map<String, Object> config = connection.clientProperties();
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> one = new KafkaConsumer<>(config, bytes, bytes);
                KafkaConsumer<byte[], byte[]> other = new KafkaConsumer<>(config, bytes, bytes)) {
            List.of(one, other).forEach(reader -> reader.assign(List.of(new TopicPartition(topic, 0))));
            while (!over.get()) {
                var unused = producer.send(new ProducerRecord<>(topic, new byte[5000]));
                List.of(one, other).forEach(reader -> reader.poll(Duration.ofMillis(5)));
            }
        }
    }
}
