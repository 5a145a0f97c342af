package io.plimsoll.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.LoadEstimate;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.PlainLog;
import io.plimsoll.testing.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of templates arrive as declared with both engines, in the sizes that the estimate predicts. */
class TemplateRunTest {
    private static final int RECORDS = 2_000;

    @TempDir
    Path directory;

    private static String scenario(String topic, String engine) {
        return """
                name: orders
                topics: [{name: TOPIC, existing: true}]
                producers:
                  - topic: TOPIC
                    engine: ENGINE
                    records: 2000
                    record:
                      size: 2000
                      headers: {values: {source: web, trace: '${uuid}'}}
                      payload:
                        template: '{"id": ${sequence}, "token": "${random:4}", "to": {"country": "${oneOf: {DE: 5, FR: 2}}"},
                          "amount": ${between: [1, 100]}, "at": ${timestamp}, "home": "${env:PATH}", "note": "${padding}"}'
                    config:
                      config.providers: env
                      config.providers.env.class: org.apache.kafka.common.config.provider.EnvVarConfigProvider
                warmup: 0s
                duration: 10s
                """.replace("TOPIC", topic).replace("ENGINE", engine);
    }

    private static void create(String servers, String topic) {
        try (Admin admin = ClusterConnection.of(servers, null, List.of()).admin()) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(20));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void recordsArriveAsDeclared(String engine) throws IOException {
        String topic = "templates-" + engine + "-" + System.nanoTime();
        String yaml = scenario(topic, engine);
        String servers = SharedLab.oneBroker().bootstrapServers();
        create(servers, topic);
        RunResult result = Runs.run(yaml, servers, directory);
        List<ConsumerRecord<byte[], byte[]>> records = new PlainLog(servers, topic, "read_uncommitted").records();
        assertThat(records).hasSize(RECORDS);
        Map<String, Integer> countries = new HashMap<>();
        Set<String> traces = new HashSet<>();
        Set<Long> ids = new HashSet<>();
        long bytes = 0;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            assertThat(record.value()).hasSize(2_000);
            JsonNode order = new ObjectMapper().readTree(record.value());
            countries.merge(order.at("/to/country").asText(), 1, Integer::sum);
            ids.add(order.get("id").asLong());
            assertThat(order.get("amount").asInt()).isBetween(1, 100);
            assertThat(order.get("home").asText()).isEqualTo(System.getenv("PATH"));
            assertThat(order.get("at").asLong()).isCloseTo(record.timestamp(), within(60_000L));
            assertThat(record.headers().lastHeader("source").value()).isEqualTo("web".getBytes(UTF_8));
            traces.add(new String(record.headers().lastHeader("trace").value(), UTF_8));
            bytes += record.serializedValueSize();
        }
        assertThat(countries.get("DE")).isCloseTo(RECORDS * 5 / 7, within(RECORDS / 8));
        assertThat(bytes).isEqualTo(RECORDS * 2_000L);
        assertThat(result.trials().get(0).produce().volume().bytes()).isEqualTo(bytes);
        if (engine.equals("client")) {
            assertThat(ids).hasSize(RECORDS).contains(0L, RECORDS - 1L);
            assertThat(traces).hasSize(RECORDS);
        }
        Plan plan = ScenarioReader.read(yaml, "orders", List.of(), 1)
                .withRecords(record -> PayloadSource.sized(
                        record.withTexts(text -> text.replace("${env:PATH}", System.getenv("PATH")))));
        assertThat((double) LoadEstimate.of(plan).bytes()).isCloseTo(logBytes(records), Percentage.withPercentage(1));
    }

    /** Values and headers with their varints, and the header of each batch, which has about 16 KB. */
    private static double logBytes(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.size()
                * (2_000 + 2 + 8 + "source".length() + "web".length() + "trace".length() + 36 + 4 + 61 / 7.0);
    }

    /** A run can be repeated and compared, and secrets are resolved again. */
    @Test
    void storedScenarioCanBeRerun() throws IOException {
        String topic = "templates-again-" + System.nanoTime();
        String servers = SharedLab.oneBroker().bootstrapServers();
        create(servers, topic);
        Runs.run(scenario(topic, "client"), servers, directory);
        String stored;
        try (Stream<Path> files = Files.walk(directory)) {
            stored = Files.readString(
                    files.filter(f -> f.endsWith("scenario.yaml")).findFirst().orElseThrow());
        }
        assertThat(stored).contains("${env:PATH}", "\"token\"").doesNotContain(System.getenv("PATH"), "(redacted)");
        Runs.run(stored, servers, directory.resolve("again"));
        assertThat(new PlainLog(servers, topic, "read_uncommitted").records()).hasSize(2 * RECORDS);
    }
}
