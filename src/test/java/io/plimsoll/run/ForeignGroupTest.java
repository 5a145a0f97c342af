package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.cli.InProcess;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.testing.ForeignApp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Observation of a foreign group without side effects; the application logs its own progress as ground truth. */
class ForeignGroupTest {
    private static final int RECORDS = 20_000;
    private static final double RATE = 200;
    private static final double CAPACITY = 500;

    @TempDir
    Path out;

    private final String bootstrap = SharedLab.oneBroker().bootstrapServers();
    private final String topic = "foreign-" + UUID.randomUUID();
    private final String group = topic + "-group";

    private Admin admin(int partitions) {
        Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
        new Topics(admin).create(List.of(new NewTopic(topic, partitions, (short) 1)), Duration.ofSeconds(30));
        return admin;
    }

    private Map<TopicPartition, Long> offsets(Admin admin) throws Exception {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .forEach((p, o) -> offsets.put(p, o.offset()));
        return offsets;
    }

    /** Fills the log with the backlog of the last minutes. */
    private void backlog(long firstMillis) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap), new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, i % 2, firstMillis + 5L * i, null, "order " + i)));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
    }

    private JsonNode lag(String... more) throws Exception {
        InProcess run = InProcess.run(
                Stream.concat(Stream.of("lag", group, "--json", "--bootstrap-server", bootstrap), Stream.of(more))
                        .toArray(String[]::new));
        assertThat(run.exit()).as(run.err()).isZero();
        return Json.MAPPER.readTree(run.out()).path("groups").get(0);
    }

    @Test
    void lagMatchesApplicationAndOffsetsStayUnchanged() throws Exception {
        backlogAndApplication();
    }

    private void backlogAndApplication() throws Exception {
        try (Admin admin = admin(2)) {
            // 100 s of records, the first one four minutes old.
            backlog(System.currentTimeMillis() - 240_000);
            double witnessed;
            DoubleSummaryStatistics rates;
            JsonNode seen;
            try (ForeignApp app =
                    new ForeignApp(bootstrap, topic, group, 2, RATE, Duration.ofMillis(200), record -> {})) {
                app.awaitCommits(2);
                long begin = System.nanoTime();
                seen = lag("--for", "4s");
                rates = app.rates(begin, Duration.ofSeconds(2));
                witnessed = System.currentTimeMillis()
                        - app.nextMillis.values().stream()
                                .mapToLong(t -> t)
                                .min()
                                .orElseThrow();
            }
            assertThat(seen.path("lagAtEndMs").asDouble()).isCloseTo(witnessed, withPercentage(5));
            // Not the configured rate: a busy machine does not reach it.
            assertThat(seen.path("consumed").asDouble()).isBetween(0.85 * rates.getMin(), 1.15 * rates.getMax());
            assertThat(seen.path("members").asInt()).isEqualTo(2);
            Map<TopicPartition, Long> before = offsets(admin);
            JsonNode after = lag("--for", "2s");
            assertThat(offsets(admin)).isEqualTo(before);
            assertThat(after.path("members").asInt()).isZero();
            assertThat(after.path("lagAtEnd").asLong())
                    .isEqualTo(
                            RECORDS - before.values().stream().mapToLong(o -> o).sum());
            assertThat(after.path("partitions")).hasSize(2);
        }
    }

    @Test
    void refusesUnknownGroup() {
        InProcess run = InProcess.run("lag", group, "--bootstrap-server", bootstrap);
        assertThat(run.err()).contains(group, "no committed offsets");
        assertThat(run.exit()).isEqualTo(6);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void scalingNeedsConsentAndAllItsOptions() {
        String[] search = {"ceiling", "--group", group, "--bootstrap-server", bootstrap, "--out", out.toString()};
        InProcess alone = InProcess.run(
                Stream.concat(Stream.of(search), Stream.of("--replicas", "1,2")).toArray(String[]::new));
        assertThat(alone.err()).contains("--scale-with");
        assertThat(alone.exit()).isEqualTo(2);
        InProcess unasked = InProcess.run(
                Stream.concat(Stream.of(search), Stream.of("quick", "--replicas", "1", "--scale-with", "true {n}"))
                        .toArray(String[]::new));
        assertThat(unasked.err()).contains("--allow-exec");
        assertThat(unasked.exit()).isEqualTo(2);
    }

    @Test
    @Tag("nightly")
    @Timeout(900)
    void findsCeilingOfApplicationWithoutChangingOffsets() throws Exception {
        try (Admin admin = admin(4)) {
            Map<TopicPartition, Long> last;
            try (ForeignApp app =
                    new ForeignApp(bootstrap, topic, group, 2, CAPACITY, Duration.ofSeconds(1), record -> {})) {
                backlog(System.currentTimeMillis() - 5L * RECORDS);
                app.awaitCommits(2);
                InProcess run = InProcess.run(
                        "ceiling",
                        "--group",
                        group,
                        "--slo",
                        "lag<10s",
                        "--bootstrap-server",
                        bootstrap,
                        "--out",
                        out.toString(),
                        "--curve",
                        "0",
                        "--no-prove",
                        "--no-calibrate",
                        "--trial-length",
                        "20s",
                        "--confirm",
                        "0",
                        "--yes",
                        "--quiet");
                assertThat(run.exit()).as(run.err() + run.out()).isZero();
                app.close();
                last = Map.copyOf(app.committed);
            }
            assertThat(offsets(admin)).isEqualTo(last);
            Ceiling ceiling = result().ceilings().get(0);
            assertThat(ceiling.course().end()).isEqualTo(Ceiling.FOUND);
            double lower = ceiling.found().sustained().lowerRecordsPerSecond();
            double upper = ceiling.found().sustained().upperRecordsPerSecond();
            assertThat((lower + upper) / 2).isCloseTo(2 * CAPACITY, withPercentage(5));
        }
    }

    private RunResult result() throws Exception {
        try (Stream<Path> runs = Files.list(out)) {
            return Json.MAPPER.readValue(
                    runs.findFirst().orElseThrow().resolve("result.json").toFile(), RunResult.class);
        }
    }
}
