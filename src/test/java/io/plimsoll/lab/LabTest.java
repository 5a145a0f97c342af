package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lab has working brokers, and leaves nothing after it is closed. */
class LabTest {

    @Test
    void oneBrokerServesProducerAndConsumerGroup() throws Exception {
        roundTrip(SharedLab.oneBroker(), (short) 1);
    }

    @Test
    void threeBrokersServeReplicatedTopic() throws Exception {
        Lab lab = SharedLab.threeBrokers();
        assertThat(lab.brokers()).extracting(LabBroker::id).containsExactly(1, 2, 3);
        roundTrip(lab, (short) 3);
    }

    private static void roundTrip(Lab lab, short replicas) throws Exception {
        String topic = "round-trip-" + UUID.randomUUID();
        Map<String, Object> config = Map.of("bootstrap.servers", lab.bootstrapServers());
        try (Admin admin = Admin.create(config)) {
            admin.createTopics(List.of(new NewTopic(topic, 3, replicas))).all().get();
        }
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (String value : List.of("a", "b", "c")) {
                producer.send(new ProducerRecord<>(topic, value, value)).get();
            }
        }
        Map<String, Object> consumerConfig =
                Map.of("bootstrap.servers", lab.bootstrapServers(), "group.id", topic, "auto.offset.reset", "earliest");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(consumerConfig, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            for (int polls = 0; polls < 100 && values.size() < 3; polls++) {
                consumer.poll(Duration.ofMillis(200))
                        .forEach((ConsumerRecord<String, String> r) -> values.add(r.value()));
            }
            consumer.commitSync();
        }
        assertThat(values).containsExactlyInAnyOrder("a", "b", "c");
    }

    /** Brokers of an ephemeral lab are killed: unpacked codec libraries would stay anywhere else. */
    @Test
    @Tag("nightly")
    void unpacksLibrariesInLabDirectory() throws Exception {
        try (Lab lab = Lab.start(LabOptions.ephemeral(1).withBrokerConfig(Map.of("compression.type", "lz4")))) {
            roundTrip(lab, (short) 1);
            try (Stream<Path> files = Files.list(lab.directory().resolve("node-1"))) {
                assertThat(files.map(f -> f.getFileName().toString())).anyMatch(f -> f.startsWith("liblz4"));
            }
        }
    }

    @Test
    void appliesBrokerPropertiesAndLeavesNothingAfterClose() throws Exception {
        Lab lab = Lab.start(LabOptions.ephemeral(1)
                .withHeapMegabytes(384)
                .withBrokerConfig(Map.of("num.io.threads", "3", "min.insync.replicas", "2")));
        long pid = lab.brokers().get(0).pid();
        try (lab;
                Admin admin = Admin.create(Map.of("bootstrap.servers", lab.bootstrapServers()))) {
            ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
            var seen = admin.describeConfigs(Set.of(broker)).all().get().get(broker);
            assertThat(seen.get("num.io.threads").value()).isEqualTo("3");
            assertThat(seen.get("min.insync.replicas").value()).isEqualTo("2");
        }
        assertThat(lab.directory()).doesNotExist();
        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(Files.exists(lab.directory())).isFalse();
    }
}
