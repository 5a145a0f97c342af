package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.lab.SharedLab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that query a cluster without load, typed as by users, and the reuse of their output. */
class AskingCommandsTest {
    private static final String SERVERS = SharedLab.oneBroker().bootstrapServers();

    @TempDir
    Path directory;

    private static void produce(String topic, int records, int bytes) {
        Map<String, Object> config = new HashMap<>(Map.of("bootstrap.servers", SERVERS));
        ByteArraySerializer plain = new ByteArraySerializer();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config, plain, plain)) {
            for (int i = 0; i < records; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, new byte[bytes])));
            }
        }
        assertThat(sent).allSatisfy(each -> assertThat(each.get().hasOffset()).isTrue());
    }

    @Test
    void probeReportsClusterCapabilities() throws IOException {
        InProcess table = InProcess.run("probe", "--bootstrap-server", SERVERS);
        assertThat(table.exit()).as(table.err()).isZero();
        assertThat(table.out()).contains("transactions", "share groups").doesNotContain("null");
        InProcess json = InProcess.run("probe", "--bootstrap-server", SERVERS, "--json");
        assertThat(new ObjectMapper().readTree(json.out()).isObject()).isTrue();
    }

    /** The output of a capture is a scenario that a run accepts, with the written record size. */
    @Test
    void capturedScenarioCanBeRun() throws IOException {
        String topic = "asked-" + UUID.randomUUID();
        assertThat(InProcess.run("topic", "create", topic, "--bootstrap-server", SERVERS)
                        .exit())
                .isZero();
        produce(topic, 2_000, 321);
        InProcess captured = InProcess.run("capture", "--bootstrap-server", SERVERS, "--topics", topic);
        assertThat(captured.exit()).as(captured.err()).isZero();
        assertThat(captured.out()).contains("321");
        Path scenario = Files.writeString(directory.resolve("orders.yaml"), captured.out());
        InProcess planned = InProcess.run("run", scenario.toString(), "--dry-run");
        assertThat(planned.exit()).as(planned.err()).isZero();
        assertThat(planned.out()).contains(topic);
    }
}
