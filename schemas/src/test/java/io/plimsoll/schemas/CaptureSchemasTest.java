package io.plimsoll.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.plimsoll.perf.capture.Capture;
import io.plimsoll.perf.capture.CapturedScenario;
import io.plimsoll.perf.capture.shape.CapturedText;
import io.plimsoll.perf.capture.shape.SchemaTally.IdShare;
import io.plimsoll.perf.capture.shape.TopicShape;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SchemaSpec.Framing;
import io.plimsoll.testing.Runs;
import io.plimsoll.text.Language;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Framed records of a broker are captured with the references of their schemas, never with their content. */
class CaptureSchemasTest {
    private static final String TOPIC = "captured-framed";
    private static final String LOGIN = "reader:Tr0ub4dor&3-capture";
    private static final byte[] CONTENT = "PLANTEDSECRET".getBytes(StandardCharsets.UTF_8);
    private static final long SECONDS = 40;
    private static final int ID = MemoryRegistry.FIRST_ID;

    private final ClusterConnection connection =
            new ClusterConnection(SharedLab.oneBroker().bootstrapServers(), Map.of());

    @TempDir
    Path directory;

    /** Of ten values, six have the second schema, three the first, and one has none. */
    private void plant(MemoryRegistry registry) throws Exception {
        registry.register("another", SchemaTesting.AVRO);
        registry.register(TOPIC + "-value", SchemaTesting.AVRO);
        registry.register(TOPIC + "-value", "\"string\"");
        registry.register(TOPIC + "-key", "\"long\"");
        try (Admin admin = connection.admin()) {
            new Topics(admin).create(List.of(new NewTopic(TOPIC, 1, (short) 1)), Duration.ofSeconds(30));
        }
        long begin = System.currentTimeMillis() - SECONDS * 1000;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                connection.clientProperties(), new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<?>> acknowledged = new ArrayList<>();
            for (int i = 0; i < 10 * SECONDS; i++) {
                int id = i % 10 < 6 ? ID + 1 : ID;
                byte zero = (byte) (i % 10 == 9 ? 'x' : 0);
                ByteBuffer value = ByteBuffer.allocate(30).put(zero).putInt(id).put(CONTENT);
                ByteBuffer key = ByteBuffer.allocate(6).put((byte) 0).putInt(ID + 2).put((byte) (i % 64));
                acknowledged.add(producer.send(
                        new ProducerRecord<>(TOPIC, null, begin + i * 100L, key.array(), value.array())));
            }
            for (Future<?> one : acknowledged) {
                one.get();
            }
        }
    }

    private static Scenario scenario(String text) {
        return ScenarioReader.read(text, "captured", List.of(), 1).trials().get(0).scenario();
    }

    @Test
    void capturedScenarioNamesSchemasAndRuns() throws Exception {
        try (MemoryRegistry registry =
                new MemoryRegistry(HttpServer.create(MemoryRegistry.ANY_PORT, 0), MemoryRegistry.basic(LOGIN))) {
            plant(registry);
            Capture.Captured captured =
                    new Capture(connection, List.of(TOPIC), Duration.ofHours(1), false, 50_000_000, List.of()).look();
            TopicShape shape = captured.topics().get(0);
            assertThat(shape.valueSchemas().framing()).isEqualTo(Framing.CONFLUENT);
            assertThat(shape.valueSchemas().ids()).extracting(IdShare::id).containsExactly(ID + 1L, (long) ID);
            assertThat(shape.valueSchemas().ids().get(0).share()).isCloseTo(0.6, within(0.01));
            assertThat(shape.keySchemas().ids()).containsExactly(new IdShare(ID + 2, 1));

            CapturedText writer = new CapturedText(captured.window(), 20, Language.EN);
            String unresolved = CapturedScenario.of(captured, writer, null);
            assertThat(unresolved).contains((ID + 1) + " (", ID + " (", (ID + 2) + " (").doesNotContain("PLANTED");
            assertThat(scenario(unresolved).producers()).allMatch(p -> p.record().schema().isEmpty());
            assertThat(CapturedScenario.shapes(unresolved, "captured")).containsExactly(shape);

            SchemaSpec any = SchemaSpec.registered(
                    registry.address(), Framing.CONFLUENT, "", "", Map.of("basic.auth.user.info", LOGIN));
            String text = CapturedScenario.of(captured, writer, any);
            assertThat(text).doesNotContain("PLANTED", "Tr0ub4dor").contains("${env:REGISTRY_BASIC_AUTH_USER_INFO}");
            assertThat(text).contains("key: {schema: {registry: \"" + registry.address() + "\", subject: \"" + TOPIC + "-key\"");
            List<ProducerSpec> producers = scenario(text).producers();
            assertThat(producers)
                    .extracting(p -> p.record().schema().map(SchemaSpec::label).orElse(""))
                    .containsExactly(TOPIC + "-value 2", TOPIC + "-value 1", "");
            double all = producers.stream().mapToDouble(CaptureSchemasTest::rate).sum();
            assertThat(rate(producers.get(0)) / all).isCloseTo(0.6, within(0.01));
            assertThat(rate(producers.get(2)) / all).isCloseTo(0.1, within(0.01));

            String runs = text.replace("${env:REGISTRY_BASIC_AUTH_USER_INFO}", LOGIN).replace(TOPIC + "\", partitions", TOPIC + "-again\", partitions")
                    .replace("topic: \"" + TOPIC, "topic: \"" + TOPIC + "-again");
            Runs.assertSound(Runs.run(runs + "warmup: 0s\n", connection.bootstrapServers(), directory));
        }
    }

    private static double rate(ProducerSpec producer) {
        return producer.rate().levels().stream().mapToDouble(Rate.Quantity::value).sum();
    }
}
