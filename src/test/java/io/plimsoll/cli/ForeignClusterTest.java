package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.testing.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways to hurt a cluster that others live on by mistake: each is refused before anything is touched, and told by a dry run. */
class ForeignClusterTest {
    private static final String TOPIC = "others-orders";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String SERVERS = SharedLab.foreign().bootstrapServers();

    @TempDir
    Path directory;

    private final Admin admin = ClusterConnection.of(SERVERS, null, List.of()).admin();
    private final Topics topics = new Topics(admin);

    @BeforeEach
    void others() {
        topics.create(List.of(new NewTopic(TOPIC, 1, (short) 1)), WAIT);
    }

    @AfterEach
    void clean() {
        topics.delete(Set.of(TOPIC), WAIT);
        admin.close();
    }

    private InProcess run(String scenario, String... options) throws IOException {
        String file = Files.writeString(directory.resolve("s.yaml"), "name: s\n" + scenario)
                .toString();
        List<String> all = new ArrayList<>(List.of("run", file, "--bootstrap-server", SERVERS, "--quiet"));
        all.addAll(List.of("--out", directory.resolve("runs").toString()));
        all.addAll(Arrays.asList(options));
        return InProcess.run(all.toArray(String[]::new));
    }

    /** Refused in one sentence, told beforehand by a dry run, and nothing was left on the cluster or here. */
    private void assertRefused(String sentence, String scenario, String... options) throws IOException {
        Set<String> before = topics.names(true);
        InProcess refused = run(scenario, options);
        assertThat(refused.err()).contains(sentence);
        assertThat(refused.exit()).isEqualTo(2);
        List<String> dry = new ArrayList<>(List.of(options));
        dry.add("--dry-run");
        InProcess told = run(scenario, dry.toArray(String[]::new));
        assertThat(told.out()).contains(sentence);
        assertThat(told.exit()).isZero();
        assertThat(topics.names(true)).isEqualTo(before);
        try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
            assertThat(runs).isEmpty();
        }
    }

    private static String producing(String rate, String more) {
        return "topics: [{name: mine}]\nproducers: [{topic: mine, rate: " + rate + more + "}]\n";
    }

    @Test
    void aLoadThatFillsADisk() throws IOException {
        String month = producing("1GB/s", "") + "duration: 30d\n";
        assertRefused("; shorten the run", month, "--yes");
        assertThat(run(month, "--yes").err()).contains("the load needs up to 2,");
        // What a topic lets go in time needs no room.
        String bounded = month.replace("{name: mine}", "{name: mine, config: {retention.bytes: 100000000}}");
        assertThat(run(bounded, "--yes", "--dry-run").out()).doesNotContain("the load needs up to");
        // All that is left over by a reserve of nearly everything is less than this.
        assertRefused("if 99 % of it stays free", producing("1000/s", "") + "duration: 1s\n", "--disk-reserve", "99%");
    }

    @Test
    void aLoadWithoutOrBeyondALimit() throws IOException {
        assertRefused("the load has no rate", producing("unlimited", ", records: 1000"));
        assertRefused("comes to 51.", producing("51MB/s", "") + "duration: 1s\n");
        assertRefused(
                "comes to 2,000 records/s, more than --max-rate allows (1,000 records/s)",
                producing("2000/s", ", records: 10"),
                "--max-rate",
                "1000/s");
        assertRefused("the run writes about ", producing("1000/s", ", records: 1000"), "--max-bytes", "100KB");
        InProcess search = InProcess.run(
                "ceiling",
                "quick",
                "--bootstrap-server",
                SERVERS,
                "--quiet",
                "--out",
                directory.resolve("runs").toString());
        assertThat(search.err()).contains("the search raises the load to the cluster's limit; give --max-rate");
        assertThat(search.exit()).isEqualTo(2);
    }

    @Test
    void topicsOfOthers() throws IOException {
        String scenario = "topics: [{name: " + TOPIC + ", existing: true}]\n" + "producers: [{topic: " + TOPIC
                + ", rate: 100/s, records: 10}]\n";
        assertRefused("the run writes into topic " + TOPIC + ", which is there already", scenario);
        assertThat(end()).isZero();
        run(scenario, "--yes");
        assertThat(end()).isEqualTo(10);
    }

    /** Somebody else fills the disk that the load was given room on: the load ends at the reserve, with its report. */
    @Test
    void theReserveIsKeptWhileTheLoadGoesOn() throws IOException {
        FileStore disk = Files.getFileStore(directory);
        double left = 30e6;
        double reserve = (disk.getUsableSpace() - left) / disk.getTotalSpace();
        RunRequest request = Runs.request(
                        "name: s\n" + producing("100/s", "") + "duration: 60s\n", SERVERS, directory.resolve("runs"))
                .with(draft -> draft.limits = new LoadLimits(
                        reserve,
                        LoadLimits.DEFAULT.maxRate(),
                        LoadLimits.DEFAULT.maxBytes(),
                        Consent.NONE,
                        Duration.ofMillis(100)));
        Path theirs = directory.resolve("theirs");
        Run.Finished finished = new Run(request, new Progress() {
                    @Override
                    public void snapshot(Snapshot snapshot) {
                        write(theirs, (int) (2 * left));
                    }

                    @Override
                    public void close() {}
                })
                .execute();
        assertThat(finished.result().head().exitCode()).isEqualTo(3);
        assertThat(finished.result().verdict().sentence().english())
                .contains("Stopped by the guard disk-reserve: less than ");
        assertThat(finished.result().trials().get(0).course().measuredSeconds()).isLessThan(50);
        assertThat(topics.names(false)).contains(TOPIC).doesNotContain("mine");
    }

    private static void write(Path file, int bytes) {
        try {
            Files.write(file, new byte[bytes]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long end() {
        return topics.endOffsets(Set.of(TOPIC)).get(PARTITION);
    }

    private static String reading(String more) {
        return "topics: [{name: " + TOPIC + ", existing: true}]\n" + "consumers: [{topic: " + TOPIC
                + ", records: 5, config: {group.id: billing}" + more + "}]\n";
    }

    @Test
    void groupsOfOthers() throws Exception {
        Map<String, Object> client = Map.of("bootstrap.servers", SERVERS);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>(TOPIC, new byte[10])).get();
            }
        }
        Map<String, Object> billing =
                Map.of("bootstrap.servers", SERVERS, "group.id", "billing", "enable.auto.commit", "false");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(billing, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            while (consumer.assignment().isEmpty()) {
                consumer.poll(Duration.ofMillis(100));
            }
            consumer.commitSync(Map.of(PARTITION, new OffsetAndMetadata(4)));
            assertRefused("consumer group billing is in use by 1 member", reading(", existingGroup: true"), "--yes");
        }
        assertRefused("consumer group billing is there already", reading(""), "--yes");
        assertRefused(
                "'rewind' would reset its offsets", reading(", existingGroup: true, start: {rewind: 0}"), "--yes");
        assertThat(committed()).isEqualTo(4);
        run(reading(", existingGroup: true, commit: {sync: {every: 1}}"));
        assertThat(committed()).isGreaterThan(4);
    }

    private long committed() throws Exception {
        return admin.listConsumerGroupOffsets("billing")
                .partitionsToOffsetAndMetadata()
                .get()
                .get(PARTITION)
                .offset();
    }

    @Test
    void transactionalIdsOfOthers() throws IOException {
        Map<String, Object> theirs = Map.of("bootstrap.servers", SERVERS, "transactional.id", "ledger");
        String scenario =
                producing("100/s", ", records: 10, transactions: {records: 5}, config: {transactional.id: ledger}");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(theirs, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            assertRefused("transactional.id ledger has been used already", scenario, "--yes");
            producer.beginTransaction();
            var unused = producer.send(new ProducerRecord<>(TOPIC, new byte[10]));
            producer.commitTransaction(); // It was not fenced.
        }
        assertThat(run(scenario.replace("transactions:", "existingTransactionalId: true, transactions:"))
                        .exit())
                .isNotEqualTo(2);
    }
}
