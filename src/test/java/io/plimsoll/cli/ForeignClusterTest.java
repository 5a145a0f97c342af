package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.api.Plimsoll;
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
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes that would harm a shared cluster: each is rejected before any change, and reported by a dry run. */
class ForeignClusterTest {
    private static final String TOPIC = "others-orders";
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final String BENCHMARK = "plimsoll-omb-old";
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
        return command(List.of("run", file, "--quiet", "--out", out().toString()), options);
    }

    private InProcess command(List<String> command, String... options) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("--bootstrap-server", SERVERS));
        all.addAll(Arrays.asList(options));
        return InProcess.run(all.toArray(String[]::new));
    }

    private Path out() {
        return directory.resolve("runs");
    }

    /** The other clients on the cluster, as described in {@link WaysToHurt}. */
    private final class Others implements AutoCloseable {
        private final KafkaProducer<byte[], byte[]> ledger = new KafkaProducer<>(
                Map.of("bootstrap.servers", SERVERS, "transactional.id", "ledger"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        private final KafkaConsumer<byte[], byte[]> busy = consumer("busy");

        Others() throws Exception {
            topics.create(List.of(new NewTopic(BENCHMARK, 1, (short) 1)), WAIT);
            Map<String, Object> client = Map.of("bootstrap.servers", SERVERS);
            try (KafkaProducer<byte[], byte[]> producer =
                            new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
                    KafkaConsumer<byte[], byte[]> billing = consumer("billing")) {
                for (int i = 0; i < 10; i++) {
                    producer.send(new ProducerRecord<>(TOPIC, new byte[10])).get();
                }
                billing.assign(List.of(PARTITION));
                billing.commitSync(Map.of(PARTITION, new OffsetAndMetadata(4)));
            }
            busy.subscribe(List.of(TOPIC));
            while (busy.assignment().isEmpty()) {
                busy.poll(Duration.ofMillis(100));
            }
            ledger.initTransactions();
        }

        private KafkaConsumer<byte[], byte[]> consumer(String group) {
            return new KafkaConsumer<>(
                    Map.of("bootstrap.servers", SERVERS, "group.id", group, "enable.auto.commit", "false"),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
        }

        /** Everything is unchanged: ten records, the groups' offsets, and no fenced producer. */
        void assertUnhurt() throws Exception {
            assertThat(topics.names(false)).contains(TOPIC, BENCHMARK).doesNotContain("mine", "quick");
            assertThat(end()).isEqualTo(10);
            assertThat(committed("billing")).isEqualTo(4);
            assertThat(busy.assignment()).containsExactly(PARTITION);
            ledger.beginTransaction();
            ledger.abortTransaction();
        }

        @Override
        public void close() {
            ledger.close();
            busy.close();
            topics.delete(Set.of(BENCHMARK), WAIT);
        }
    }

    private InProcess typed(WaysToHurt way) throws IOException {
        if (!way.scenario.isEmpty()) {
            return run(way.scenario, way.command().toArray(String[]::new));
        }
        if (way == WaysToHurt.A_BENCHMARKS_RESET) {
            Path driver = Files.writeString(
                    directory.resolve("driver.yaml"),
                    "name: Kafka\ndriverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver\n"
                            + "replicationFactor: 1\nreset: true\ncommonConfig: |\n  bootstrap.servers=" + SERVERS
                            + "\n");
            Path workload = Files.writeString(
                    directory.resolve("workload.yaml"),
                    "name: w\ntopics: 1\npartitionsPerTopic: 1\nmessageSize: 100\nuseRandomizedPayloads: true\n"
                            + "randomBytesRatio: 0.5\nrandomizedPayloadPoolSize: 10\nsubscriptionsPerTopic: 1\n"
                            + "consumerPerSubscription: 1\nproducersPerTopic: 1\nproducerRate: 10\n"
                            + "consumerBacklogSizeGB: 0\ntestDurationMinutes: 1\nwarmupDurationMinutes: 0\n");
            return InProcess.run("omb", "-d", driver.toString(), workload.toString(), "--out", out().toString());
        }
        boolean run = way.command().get(0).equals("ceiling");
        return run ? command(way.command(), "--quiet", "--out", out().toString()) : command(way.command());
    }

    /** Each is rejected in a sentence, reported before by a dry run, and changes nothing on the cluster or here. */
    private void assertRefused(Collection<WaysToHurt> ways) throws Exception {
        try (Others others = new Others()) {
            for (WaysToHurt way : ways) {
                InProcess refused = typed(way);
                assertThat(refused.err()).as("%s", way).containsPattern(Said.pattern(way.sentence));
                assertThat(refused.exit()).as("%s: %s", way, refused.err()).isEqualTo(2);
                assertNothingHere(way);
                if (!way.scenario.isEmpty() && way != WaysToHurt.THE_NAME_OF_A_TOPIC_OF_OTHERS) {
                    List<String> dry = new ArrayList<>(way.command());
                    dry.add("--dry-run");
                    InProcess told = run(way.scenario, dry.toArray(String[]::new));
                    assertThat(told.out()).as("%s", way).containsPattern(Said.pattern(way.sentence));
                    assertThat(told.exit()).isZero();
                }
                others.assertUnhurt();
            }
        }
    }

    private void assertNothingHere(WaysToHurt way) throws IOException {
        if (Files.exists(out())) {
            try (Stream<Path> left = Files.walk(out())) {
                assertThat(left.filter(Files::isRegularFile).map(ForeignClusterTest::shown))
                        .as("%s", way)
                        .isEmpty();
            }
            assertThat(out()).as("%s", way).isEmptyDirectory();
        }
    }

    private static String shown(Path file) {
        try {
            return file + ": " + Files.readString(file);
        } catch (IOException e) {
            return file + ": " + e;
        }
    }

    @Test
    void refusesWorstMistakes() throws Exception {
        assertRefused(List.of(
                WaysToHurt.A_LOAD_THAT_FILLS_A_DISK,
                WaysToHurt.A_LOAD_WITHOUT_A_RATE,
                WaysToHurt.COMPRESSED_BYTES_FOR_RECORDS,
                WaysToHurt.A_TOPIC_OF_OTHERS,
                WaysToHurt.RECORDS_OF_OTHERS,
                WaysToHurt.A_GROUP_THAT_A_PROVIDER_NAMES,
                WaysToHurt.A_PIPELINE_THAT_COPIES_A_BACKLOG,
                WaysToHurt.GROUPS_THAT_READ_A_TOPIC_OF_OTHERS,
                WaysToHurt.GROUPS_THAT_TAKE_THE_NETWORK,
                WaysToHurt.MORE_PARTITIONS_THAN_A_BROKER_TAKES,
                WaysToHurt.A_TRANSACTIONAL_ID_THAT_A_PROVIDER_NAMES,
                WaysToHurt.A_SEARCH_THAT_WRITES_FOR_AN_HOUR,
                WaysToHurt.A_TOPIC_DELETED_BY_ITS_NAME));
    }

    /** Runs from Java, including JUnit, have the same limits. */
    @Test
    void libraryHasSameLimitsAsCommands() throws Exception {
        try (Others others = new Others()) {
            for (WaysToHurt way : List.of(
                    WaysToHurt.A_LOAD_WITHOUT_A_RATE, WaysToHurt.A_TOPIC_OF_OTHERS, WaysToHurt.RECORDS_OF_OTHERS)) {
                Plimsoll library = Plimsoll.yaml("s", "name: s\n" + way.scenario);
                assertRefused(library.on(SERVERS), way == WaysToHurt.RECORDS_OF_OTHERS, way.sentence);
                assertNothingHere(way);
            }
            String code =
                    "name: s\n" + WaysToHurt.A_TOPIC_OF_OTHERS.scenario + "lab: {jvm: {flags: -javaagent:/x.jar}}\n";
            assertRefused(Plimsoll.yaml("s", code).onLab(1), true, "lab.jvm.flags");
            others.assertUnhurt();
        }
    }

    private void assertRefused(Plimsoll library, boolean consent, String sentence) {
        Plimsoll asked = (consent ? library.withConsent() : library).out(out());
        assertThatThrownBy(asked::run)
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .message()
                .containsPattern(Said.pattern(sentence));
    }

    /** A run has no guards against load on its own lab, so a scenario cannot lead its clients to another cluster. */
    @Test
    void refusesLabThatLeadsToAnotherCluster() throws IOException {
        Path file = Files.writeString(
                directory.resolve("s.yaml"),
                "name: s\ntopics: [{name: mine}]\nproducers: [{topic: mine, rate: 10/s, records: 10}]\n"
                        + "lab: {config: {advertised.listeners: 'PLAINTEXT://" + SERVERS + "'}}\n");
        InProcess refused = InProcess.run("run", file.toString(), "--quiet", "--out", out().toString());
        assertThat(refused.exit()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).containsPattern(Said.pattern("«lab.ownProperty¦advertised.listeners»"));
        assertThat(topics.names(false)).doesNotContain("mine");
    }

    @Tag("nightly")
    @Test
    void refusesEveryMistake() throws Exception {
        assertThat(WaysToHurt.values()).hasSizeGreaterThanOrEqualTo(20);
        assertRefused(List.of(WaysToHurt.values()));
    }

    /** Explicit consent permits a load that is rejected otherwise. */
    @Tag("nightly")
    @Test
    void permitsRefusedLoadsWithConsent() throws Exception {
        String month = WaysToHurt.A_LOAD_THAT_FILLS_A_DISK.scenario;
        assertThat(run(month, "--yes").err()).contains("the load needs up to 2,");
        // Records that a topic deletes in time need no space.
        String bounded = month.replace("{name: mine}", "{name: mine, config: {retention.bytes: 100000000}}");
        assertThat(run(bounded, "--yes", "--dry-run").out()).doesNotContain("the load needs up to");
        run(WaysToHurt.A_TOPIC_OF_OTHERS.scenario, "--yes");
        assertThat(end()).isEqualTo(10);
        try (KafkaConsumer<byte[], byte[]> billing = new KafkaConsumer<>(
                Map.of("bootstrap.servers", SERVERS, "group.id", "billing2"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            billing.commitSync(Map.of(PARTITION, new OffsetAndMetadata(4)));
        }
        run(WaysToHurt.A_GROUP_OF_OTHERS.scenario.replace(
                "billing}", "billing2}, existingGroup: true, commit: {sync: {every: 1}}"));
        assertThat(committed("billing2")).isGreaterThan(4);
        assertThat(run(WaysToHurt.A_PRODUCER_THAT_WOULD_BE_FENCED.scenario.replace(
                                "transactions:", "existingTransactionalId: true, transactions:"))
                        .exit())
                .isNotEqualTo(2);
        assertThat(command(List.of("topic", "delete", TOPIC), "--yes").exit()).isZero();
        topics.create(List.of(new NewTopic(TOPIC, 1, (short) 1)), WAIT);
    }

    private long end() {
        return topics.endOffsets(Set.of(TOPIC)).get(PARTITION);
    }

    private long committed(String group) throws Exception {
        return admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(PARTITION)
                .offset();
    }

    /** Another program fills the disk during a permitted load: the load ends at the reserve, with its report. */
    @Test
    void stopsRunningLoadAtDiskReserve() throws IOException {
        FileStore disk = Files.getFileStore(directory);
        // More than other programs here can write during the test.
        double left = 1e9;
        double reserve = (disk.getUsableSpace() - left) / disk.getTotalSpace();
        RunRequest request = Runs.request(
                        "name: s\ntopics: [{name: mine}]\nproducers: [{topic: mine, rate: 100/s}]\nduration: 60s\n",
                        SERVERS,
                        directory.resolve("runs"))
                .with(draft -> draft.limits = new LoadLimits(
                        reserve,
                        LoadLimits.DEFAULT.maxRate(),
                        LoadLimits.DEFAULT.maxBytes(),
                        Consent.NONE,
                        Duration.ofMillis(100),
                        Optional.empty(),
                        List.of()));
        Path theirs = directory.resolve("theirs");
        Run.Finished finished = new Run(request, new Progress() {
                    @Override
                    public void snapshot(Snapshot snapshot) {
                        allocate(theirs, (long) (3 * left));
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

    /** Allocates disk space without writing to it. */
    private static void allocate(Path file, long bytes) {
        try {
            Process allocating = new ProcessBuilder("fallocate", "-l", String.valueOf(bytes), file.toString())
                    .inheritIO()
                    .start();
            assertThat(allocating.waitFor()).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
