package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.KafkaLines;
import io.plimsoll.testing.KafkaTool;
import io.plimsoll.testing.RunningCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own tools and their replacements, with the same arguments on the same topic. */
class DropInTest {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String SERVERS = SharedLab.oneBroker().bootstrapServers();

    private final String topic = "drop-in-" + UUID.randomUUID();
    private Admin admin;

    @TempDir
    Path directory;

    @BeforeEach
    void createTopic() {
        admin = new ClusterConnection(SERVERS, Map.of()).admin();
        new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), WAIT);
    }

    @AfterEach
    void deleteTopic() {
        new Topics(admin).delete(Set.of(topic), WAIT);
        admin.close();
    }

    /** Runs both. */
    private record Both(String theirs, String ours) {
        void haveTheShapes(String... shapes) {
            assertThat(KafkaLines.shapes(theirs)).containsExactly(shapes);
            assertThat(KafkaLines.shapes(ours)).containsExactly(shapes);
        }

        void haveTheShapesBesides(Set<String> optional, String... shapes) {
            for (String output : List.of(theirs, ours)) {
                assertThat(KafkaLines.shapes(output))
                        .filteredOn(shape -> !optional.contains(shape))
                        .containsExactly(shapes);
            }
        }

        String ourLast() {
            return ours.lines().reduce((a, b) -> b).orElseThrow();
        }

        String theirLast() {
            return theirs.lines().reduce((a, b) -> b).orElseThrow();
        }
    }

    private Both run(String tool, String command, String... arguments) throws Exception {
        String theirs = KafkaTool.run(directory, tool, arguments);
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of(arguments));
        InProcess ours = InProcess.run(words.toArray(String[]::new));
        assertThat(ours.exit()).as(ours.err() + ours.out()).isZero();
        return new Both(theirs, ours.out());
    }

    private Both produce(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("--topic", topic));
        words.addAll(List.of(arguments));
        return run("ProducerPerformance", "producer-perf-test", words.toArray(String[]::new));
    }

    @Tag("nightly")
    @Test
    void matchesProducerWithKafka2Options() throws Exception {
        Both both = produce(
                "--num-records",
                "2000",
                "--record-size",
                "100",
                "--throughput",
                "1000",
                "--producer-props",
                "bootstrap.servers=" + SERVERS,
                "acks=1",
                "linger.ms=0",
                "client.id=perf");
        both.haveTheShapes("summary");
        for (String last : List.of(both.theirLast(), both.ourLast())) {
            Map<String, Double> figures = KafkaLines.producerFigures(last);
            assertThat(figures).containsEntry("records", 2000.0);
            assertThat(figures.get("records_per_sec")).isBetween(500.0, 1100.0);
            assertThat(figures.get("mbps")).isBetween(0.04, 0.11);
            assertThat(figures.get("latency_99th")).isLessThanOrEqualTo(figures.get("latency_max"));
        }
    }

    @Test
    void matchesProducerWithKafka4Options() throws Exception {
        Path config = Files.writeString(directory.resolve("producer.properties"), "acks=all\nbatch.size=1000\n");
        Both both = produce(
                "--bootstrap-server",
                SERVERS,
                "--command-config",
                config.toString(),
                "--command-property",
                "linger.ms=1",
                "--num-records",
                "500",
                "--warmup-records",
                "200",
                "--reporting-interval",
                "1000",
                "--throughput",
                "100",
                "--payload-monotonic");
        // Late acknowledgments arrive all at once, so a part can end before an interval does.
        both.haveTheShapesBesides(
                Set.of("interval", "steady announced"), "warm-up announced", "summary", "steady summary");
        assertThat(both.ours())
                .contains("Warmup first 200 records. ")
                .contains("\n500 records sent, ")
                .contains("\n300 steady state records sent, ");
        List<String> numbers = values(1000);
        assertThat(numbers.subList(0, 500))
                .isEqualTo(numbers.subList(500, 1000))
                .first()
                .isEqualTo("0");
        assertThat(numbers.get(999)).isEqualTo("499");
    }

    private List<String> values(int count) {
        List<String> values = new ArrayList<>();
        StringDeserializer text = new StringDeserializer();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(Map.of("bootstrap.servers", SERVERS), text, text)) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadline = System.nanoTime() + WAIT.toNanos();
            while (values.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
            }
        }
        assertThat(values).hasSize(count);
        return values;
    }

    @Test
    void matchesPayloadFilesTransactionsAndMetrics() throws Exception {
        Path payloads = Files.writeString(directory.resolve("payloads"), "one|two|three");
        Both both = produce(
                "--num-records",
                "100",
                "--payload-file",
                payloads.toString(),
                "--payload-delimiter",
                "\\|",
                "--throughput",
                "-1",
                "--transactional-id",
                topic,
                "--transaction-duration-ms",
                "50",
                "--print-metrics",
                "--producer-props",
                "bootstrap.servers=" + SERVERS);
        both.haveTheShapes("payload file", "payloads", "summary", "empty", "metrics header", "metric");
        assertThat(both.ours())
                .contains("Number of records read: 3\n")
                .containsPattern(
                        "producer-metrics:record-send-total:\\{client-id=perf-producer-client\\} +: 100\\.000\n");
        assertThat(new Topics(admin).endOffsets(Set.of(topic)).values())
                .as("200 records and the markers of transactions")
                .allMatch(end -> end > 201);
    }

    @Test
    void matchesConsumer() throws Exception {
        fill(3000);
        Both both = run(
                "ConsumerPerformance",
                "consumer-perf-test",
                "--bootstrap-server",
                SERVERS,
                "--topic",
                topic,
                "--messages",
                "3000",
                "--timeout",
                "60000",
                "--print-metrics");
        both.haveTheShapes("header", "row", "empty", "metrics header", "metric");
        for (String output : List.of(both.theirs(), both.ours())) {
            String row = output.lines()
                    .filter(l -> l.matches("20\\d\\d-.*"))
                    .findFirst()
                    .orElseThrow();
            assertThat(KafkaLines.consumerFigures(row)).containsEntry("total_mb", 0.2861);
            assertThat(row).contains(", 3000, ");
        }
    }

    @Test
    @Tag("nightly")
    void matchesShareConsumer() throws Exception {
        fill(3000);
        for (String group : List.of("theirs-" + topic, "ours-" + topic)) {
            ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
            ConfigEntry earliest = new ConfigEntry("share.auto.offset.reset", "earliest");
            admin.incrementalAlterConfigs(
                            Map.of(resource, List.of(new AlterConfigOp(earliest, AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
        List<String> words = List.of(
                "--bootstrap-server",
                SERVERS,
                "--topic",
                topic,
                "--num-records",
                "3000",
                "--timeout",
                "30000",
                "--threads",
                "2",
                "--show-consumer-stats",
                "--group");
        List<String> their = new ArrayList<>(words);
        their.add("theirs-" + topic);
        String theirs = KafkaTool.run(directory, "ShareConsumerPerformance", their.toArray(String[]::new));
        List<String> our = new ArrayList<>(List.of("share-consumer-perf-test"));
        our.addAll(words);
        our.add("ours-" + topic);
        InProcess ours = InProcess.run(our.toArray(String[]::new));
        assertThat(ours.exit()).as(ours.err() + ours.out()).isZero();
        Both both = new Both(theirs, ours.out());
        both.haveTheShapes("share header", "share consumer", "share row");
        for (String output : List.of(both.theirLast(), both.ourLast())) {
            assertThat(output).contains(", 0.2861, ").contains(", 3000, ");
        }
    }

    /** Reads while records arrive, so that reading takes the same time on any machine. */
    @Tag("nightly")
    @Test
    void matchesDetailedConsumerStats() throws Exception {
        try (RunningCommand producing = new RunningCommand(
                directory,
                "producer-perf-test",
                "--topic=" + topic,
                "--num-records=1000000",
                "--throughput=200",
                "--record-size=100",
                "--reporting-interval=1000",
                "--bootstrap-server=" + SERVERS)) {
            producing.awaitOutput("records sent");
            Both both = run(
                    "ConsumerPerformance",
                    "consumer-perf-test",
                    "--bootstrap-server",
                    SERVERS,
                    "--include",
                    topic.substring(0, topic.length() - 1) + ".",
                    "--num-records",
                    "800",
                    "--from-latest",
                    "--command-property",
                    "fetch.max.wait.ms=100",
                    "--reporting-interval",
                    "1000",
                    "--show-detailed-stats");
            both.haveTheShapes("detailed header", "detailed row");
            producing.signal("TERM");
        }
    }

    @Tag("nightly")
    @Test
    void matchesConsumerThatFindsTooFewRecords() throws Exception {
        fill(10);
        String[] arguments = {
            "--bootstrap-server", SERVERS, "--topic", topic, "--num-records", "11", "--timeout", "1500"
        };
        String theirs = KafkaTool.run(directory, "ConsumerPerformance", arguments);
        List<String> words = new ArrayList<>(List.of("consumer-perf-test"));
        words.addAll(List.of(arguments));
        InProcess ours = InProcess.run(words.toArray(String[]::new));
        assertThat(ours.exit()).as("less than asked for is no success").isEqualTo(3);
        new Both(theirs, ours.out()).haveTheShapes("header", "shortfall", "row");
        assertThat(ours.out()).contains(", 10, ");
    }

    private void fill(int records) {
        InProcess filling = InProcess.run(
                "producer-perf-test",
                "--topic",
                topic,
                "--num-records",
                String.valueOf(records),
                "--record-size",
                "100",
                "--throughput",
                "-1",
                "--bootstrap-server",
                SERVERS);
        assertThat(filling.exit()).as(filling.err()).isZero();
    }

    @Test
    @Tag("nightly")
    void matchesEndToEndLatency() throws Exception {
        Both both = run("EndToEndLatency", "end-to-end-latency", SERVERS, topic, "1100", "all", "100");
        both.haveTheShapes("latency", "average", "percentiles");
        for (String output : List.of(both.theirs(), both.ours())) {
            Map<String, Double> figures = KafkaLines.endToEndFigures(output);
            assertThat(figures.get("50th")).isLessThanOrEqualTo(figures.get("99th"));
            assertThat(output).contains("0\t").contains("\n1000\t");
        }
    }

    @Tag("nightly")
    @Test
    void endToEndLatencyCreatesMissingTopic() throws Exception {
        String fresh = topic + "-fresh";
        InProcess ours = InProcess.run(
                "end-to-end-latency",
                "--bootstrap-server=" + SERVERS,
                "--topic=" + fresh,
                "--num-records=20",
                "--producer-acks=1",
                "--record-size=21",
                "--record-key-size=5",
                "--num-headers=2",
                "--record-header-key-size=3",
                "--record-header-size=-1");
        assertThat(ours.exit()).as(ours.err()).isZero();
        assertThat(KafkaLines.shapes(ours.out())).containsExactly("topic made", "latency", "average", "percentiles");
        Topics topics = new Topics(admin);
        assertThat(topics.endOffsets(Set.of(fresh)).values()).containsExactly(20L);
        topics.delete(Set.of(fresh), WAIT);
    }
}
