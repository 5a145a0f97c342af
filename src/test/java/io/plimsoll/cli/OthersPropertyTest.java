package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Groups;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Third-party resources on a cluster are kept, regardless of files, address lists, or names that match a run. */
class OthersPropertyTest {
    private static final String SERVERS = SharedLab.foreign().bootstrapServers();
    private static final Duration WAIT = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final Admin admin = ClusterConnection.of(SERVERS, null, List.of()).admin();
    private final Topics topics = new Topics(admin);

    @AfterEach
    void close() {
        admin.close();
    }

    private Uuid id(String topic) {
        return topics.describe(Set.of(topic)).get(topic).topicId();
    }

    @Test
    void everyCommandRefusesAddressesOfTwoClusters() {
        String topic = "others-mixed";
        topics.create(List.of(new NewTopic(topic, 1, (short) 1)), WAIT);
        String lab = SharedLab.oneBroker().bootstrapServers();
        for (String servers : List.of(SERVERS + "," + lab, lab + "," + SERVERS)) {
            for (List<String> command : List.of(
                    List.of("topic", "delete", topic, "--if-exists"),
                    List.of("run", "quick", "--dry-run"),
                    List.of("consumer-perf-test", "--topic", topic, "--num-records", "1"),
                    List.of("clean"))) {
                InProcess refused =
                        InProcess.run(Stream.concat(command.stream(), Stream.of("--bootstrap-server", servers))
                                .toArray(String[]::new));
                assertThat(refused.exit()).as("%s: %s", command, refused.err()).isEqualTo(2);
                assertThat(refused.err()).contains("but the other addresses belong to");
            }
        }
        assertThat(topics.names(false)).contains(topic);
        // The same cluster under two names.
        String twice = SERVERS + "," + SERVERS.replace("127.0.0.1", "localhost");
        assertThat(InProcess.run("topic", "list", "--bootstrap-server", twice).exit())
                .isZero();
        topics.delete(Set.of(topic), WAIT);
    }

    @Test
    void keepsTopicRecreatedByThirdPartyDuringRun() {
        String topic = "made-again";
        RunRequest request = Runs.request(
                "name: s\ntopics: [{name: " + topic + "}]\nproducers: [{topic: " + topic + ", rate: 100/s}]\n"
                        + "warmup: 0s\nduration: 3s\n",
                SERVERS,
                directory.resolve("runs"));
        AtomicBoolean made = new AtomicBoolean();
        Run.Finished unused = new Run(request, Runs.hearing(snapshot -> {
                    if (made.compareAndSet(false, true)) {
                        topics.delete(Set.of(topic), WAIT);
                        topics.create(List.of(new NewTopic(topic, 1, (short) 1)), WAIT);
                    }
                }))
                .execute();
        assertThat(made).isTrue();
        assertThat(topics.names(false)).contains(topic);
        topics.delete(Set.of(topic), WAIT);
    }

    private void commit(String group, String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", SERVERS, "group.id", group),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.commitSync(Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(0)));
        }
    }

    /** The timeline of a run claims a group that belongs to another application. */
    @Test
    void cleanKeepsForeignGroupNamedInForgedTimeline() throws IOException {
        String topic = "others-bills";
        topics.create(List.of(new NewTopic(topic, 1, (short) 1)), WAIT);
        commit("others-payments", topic);
        commit("own-payments", topic);
        Path out = directory.resolve("runs");
        Runs.run(
                "name: s\ntopics: [{name: mine-cleaned}]\nproducers: [{topic: mine-cleaned, rate: 100/s, records: 20}]\n"
                        + "consumers: [{topic: mine-cleaned, config: {group.id: own-reading}}]\n",
                SERVERS,
                out);
        Path run;
        try (Stream<Path> runs = Files.list(out)) {
            run = runs.findFirst().orElseThrow();
        }
        Path timeline = run.resolve("timeline.jsonl");
        String forged = Files.readString(timeline).replace("own-reading", "others-payments");
        assertThat(forged).contains("[\"others-payments\"]");
        Files.writeString(timeline, forged);
        InProcess clean = InProcess.run("clean", "--bootstrap-server", SERVERS, "--run", run.toString(), "--yes");
        assertThat(clean.exit()).as(clean.err()).isZero();
        assertThat(clean.out() + clean.err()).contains("group others-payments was kept");
        Groups groups = new Groups(admin);
        assertThat(groups.committedTopics("others-payments")).containsExactly(topic);
        groups.delete(Set.of("others-payments", "own-payments"));
        topics.delete(Set.of(topic), WAIT);
    }

    @Test
    void refusesToDeleteTopicBeingWritten() throws Exception {
        String topic = "watched-now";
        String mark = new TopicMark(77, Instant.now(), Duration.ofDays(1)).text();
        topics.create(List.of(new NewTopic(topic, 1, (short) 1).configs(Map.of(TopicMark.PROPERTY, mark))), WAIT);
        Uuid id = id(topic);
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch written = new CountDownLatch(1);
        Thread writing = new Thread(() -> {
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", SERVERS), new ByteArraySerializer(), new ByteArraySerializer())) {
                while (!over.get()) {
                    producer.send(new ProducerRecord<>(topic, new byte[10])).get();
                    written.countDown();
                }
            } catch (Exception e) {
                over.set(true);
            }
        });
        writing.start();
        assertThat(written.await(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        InProcess refused = InProcess.run("topic", "delete", topic, "--bootstrap-server", SERVERS);
        assertThat(over).isFalse();
        over.set(true);
        writing.join();
        assertThat(refused.exit()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).containsPattern(Said.en("guards.deletesWritten", topic));
        assertThat(id(topic)).isEqualTo(id);
        // No client writes to it any more, and a run has created it.
        assertThat(InProcess.run("topic", "delete", topic, "--bootstrap-server", SERVERS)
                        .exit())
                .isZero();
    }

    @Test
    void probeMarksItsTopics() throws Exception {
        Thread probing = new Thread(() -> InProcess.run("probe", "--bootstrap-server", SERVERS));
        probing.start();
        boolean marked = false;
        while (probing.isAlive() && !marked) {
            List<String> made = topics.names(false).stream()
                    .filter(name -> name.startsWith("plimsoll-probe-"))
                    .toList();
            marked = topics.readableConfigs(made).values().stream()
                    .anyMatch(config -> TopicMark.of(config).isPresent());
        }
        probing.join();
        assertThat(marked).isTrue();
    }

    /** A scenario that would run code or write files is reported before the start. */
    @Test
    void scenarioCodeRequiresConsent() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "mine");
        Map<String, String> hostile = Map.of(
                "lab: {jvm: {flags: '-Xlog:gc:file=" + victim + "'}}",
                "lab.jvm.flags",
                "lab: {jvm: {flags: '-Xss1m -XX:OnOutOfMemoryError=touch${IFS}/tmp/x'}}",
                "lab.jvm.flags",
                "lab: {jvm: {flags: '-javaagent:/tmp/x.jar'}}",
                "lab.jvm.flags",
                "lab: {kafkaVersion: /tmp/jars}",
                "lab.kafkaVersion",
                "lab: {config: {remote.log.storage.manager.class.path: /tmp/x}}",
                "lab.config.remote.log",
                "lab: {tiered: true, config: {rsm.config.dir: /tmp/x}}",
                "lab.config.rsm.config.dir",
                "lab: {config: {listener.name.x.plain.sasl.jaas.config: 'com.sun.security.auth.module.JndiLoginModule required;'}}",
                "lab.config.listener",
                "faults: [{upgrade: 1, at: 1s, to: /tmp/jars}]",
                "faults[0].to",
                "faults: [{changeConfig: brokers, at: 1s, set: {listener.name.x.sasl.kerberos.kinit.cmd: /tmp/x}}]",
                "faults[0].set.listener");
        String scenario = "name: s\ntopics: [{name: t}]\nproducers: [{topic: t, rate: 10/s%s}]\nduration: 5s\n";
        hostile.forEach((lines, part) -> assertConsent(String.format(scenario, "") + lines, part));
        assertConsent(
                String.format(scenario, ", config: {sasl.kerberos.kinit.cmd: /tmp/x}"),
                "producers[0].config.sasl.kerberos.kinit.cmd");
        assertThat(victim).hasContent("mine");
        InProcess harmless = dry(String.format(scenario, "")
                + "lab: {jvm: {flags: '-Xss1m -XX:+UseNUMA -XX:MaxGCPauseMillis=20 -Xlog:gc*'}}");
        assertThat(harmless.exit()).as(harmless.err()).isZero();
        // Kafka's clients reject it by themselves.
        InProcess login = dry(String.format(
                scenario,
                ", config: {security.protocol: SASL_PLAINTEXT, sasl.jaas.config: 'com.sun.security.auth.module.JndiLoginModule"
                        + " required;'}"));
        assertThat(login.exit()).isEqualTo(2);
    }

    private InProcess dry(String scenario, String... options) {
        try {
            Path file = Files.writeString(directory.resolve("code.yaml"), scenario);
            return InProcess.run(Stream.concat(Stream.of("run", file.toString(), "--dry-run"), Stream.of(options))
                    .toArray(String[]::new));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void assertConsent(String scenario, String part) {
        InProcess refused = dry(scenario);
        assertThat(refused.exit()).as(scenario).isEqualTo(2);
        assertThat(refused.err()).contains(part).contains("--allow-exec");
        assertThat(dry(scenario, "--allow-exec").err()).doesNotContain("--allow-exec");
    }
}
