package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.EchoProvider;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values from config providers are used as by Kafka's clients, in every command, and stored as references. */
class LookedUpPropertiesTest {
    private static final String SERVERS = SharedLab.oneBroker().bootstrapServers();
    private static final String FOUND = "planted71Zq7found";
    private static final String PROVIDERS =
            "config.providers=echo\nconfig.providers.echo.class=" + EchoProvider.class.getName() + "\n";

    @TempDir
    Path directory;

    private static ClusterConnection with(Map<String, String> properties) {
        Map<String, String> all = new LinkedHashMap<>(EchoProvider.PROPERTIES);
        all.putAll(properties);
        return new ClusterConnection("${echo:127.0.0.1}:9092", all);
    }

    @Test
    void resolvesReferencesAndDropsProviders() {
        ClusterConnection connection =
                with(Map.of("client.id", "a-${echo:b}-${echo:c}", "send.buffer.bytes", "${echo:4711}"));
        assertThat(connection.bootstrapServers()).isEqualTo("127.0.0.1:9092");
        assertThat(connection.clientProperties())
                .containsEntry("client.id", "a-b-c")
                .containsEntry("send.buffer.bytes", "4711")
                .doesNotContainKeys("config.providers", "config.providers.echo.class");
        assertThat(connection.lookUp(Map.of("group.id", "${echo:orders}", "client.rack", "${env:HOME}")))
                .isEqualTo(Map.of("group.id", "orders", "client.rack", "${env:HOME}"));
        // Another name for the same provider, defined by an entry.
        assertThat(connection.lookUp(Map.of(
                        "config.providers", "own",
                        "config.providers.own.class", EchoProvider.class.getName(),
                        "group.id", "${own:bills}")))
                .isEqualTo(Map.of("group.id", "bills"));
        assertThat(with(Map.of("ssl.truststore.location", "/etc/${echo:deep}/ca"))
                        .toString())
                .contains("/etc/${echo:deep}/ca");
    }

    @Test
    void refusesUnresolvableReference() {
        assertThatThrownBy(() -> with(Map.of("group.id", "${echo:absent}")))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining(Said.text("«cluster.notLookedUp¦group.id¦${echo:absent}»"));
        assertThatThrownBy(() -> new ClusterConnection(
                        "127.0.0.1:9092",
                        Map.of("config.providers", "x", "config.providers.x.class", "no.Such", "acks", "${x:y}")))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining("no.Such");
    }

    /** Each file of a run as text. */
    private static Map<String, String> files(Path root) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    @Test
    void storesReferencesInsteadOfValues() throws Exception {
        String topic = "looked-up-stored";
        Path properties = Files.writeString(
                directory.resolve("c.properties"),
                PROVIDERS + "security.protocol=${echo:PLAINTEXT}\nsasl.jaas.config=${echo:" + FOUND + "Jaas}\n"
                        + "client.rack=r-${echo:" + FOUND + "}\n");
        Path scenario = Files.writeString(
                directory.resolve("s.yaml"),
                "name: s\ntopics: [{name: " + topic + "}]\n"
                        + "producers: [{topic: " + topic + ", rate: 100/s, records: 20, config: {client.id: 'x-${echo:"
                        + FOUND + "}', send.buffer.bytes: '${echo:4711}', acks: all}}]\n");
        InProcess run = InProcess.run(
                "run",
                scenario.toString(),
                "--bootstrap-server",
                SERVERS,
                "--command-config",
                properties.toString(),
                "--out",
                directory.resolve("runs").toString());
        assertThat(run.exit()).as(run.err()).isIn(0, 5);
        Map<String, String> files = files(directory.resolve("runs"));
        files.put("output", run.out());
        files.put("errors", run.err());
        files.forEach((name, text) ->
                assertThat(text.replace("${echo:" + FOUND, "")).as(name).doesNotContain(FOUND));
        assertThat(files.values())
                .anySatisfy(text -> assertThat(text).contains("\"send.buffer.bytes\":\"${echo:4711}\""))
                .anySatisfy(text -> assertThat(text).contains("x-${echo:" + FOUND + "}"));
    }

    @Test
    void perfToolCommandsResolveReferences() throws Exception {
        String topic = "looked-up-perf";
        Path properties = Files.writeString(
                directory.resolve("p.properties"),
                PROVIDERS + "security.protocol=${echo:PLAINTEXT}\nacks=${echo:1}\nclient.id=c-${echo:perf}\n");
        InProcess.run("topic", "create", topic, "--bootstrap-server", SERVERS);
        for (List<String> command : List.of(
                List.of("producer-perf-test", "--num-records", "50", "--throughput", "-1", "--record-size", "100"),
                List.of("consumer-perf-test", "--num-records", "50"),
                List.of("end-to-end-latency", "--num-records", "5", "--producer-acks", "1", "--record-size", "50"))) {
            List<String> all = Stream.concat(
                            command.stream(),
                            Stream.of(
                                    "--topic",
                                    topic,
                                    "--bootstrap-server",
                                    SERVERS,
                                    "--command-config",
                                    properties.toString()))
                    .toList();
            InProcess run = InProcess.run(all.toArray(String[]::new));
            assertThat(run.exit()).as("%s: %s", command, run.err()).isZero();
            assertThat(run.err()).doesNotContain("config.providers");
        }
        InProcess.run("topic", "delete", topic, "--bootstrap-server", SERVERS, "--yes");
    }

    @Test
    void ombDriverAcceptsReferences() throws Exception {
        Path driver = Files.writeString(
                directory.resolve("driver.yaml"),
                "name: Kafka\ndriverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver\n"
                        + "replicationFactor: 1\ntopicConfig: ''\ncommonConfig: |\n  bootstrap.servers=" + SERVERS
                        + "\n  "
                        + PROVIDERS.strip().replace("\n", "\n  ") + "\n  security.protocol=${echo:PLAINTEXT}\n"
                        + "producerConfig: |\n  acks=${echo:1}\n");
        Path workload = Files.writeString(
                directory.resolve("workload.yaml"),
                "name: w\ntopics: 1\npartitionsPerTopic: 1\nmessageSize: 100\nuseRandomizedPayloads: true\n"
                        + "randomBytesRatio: 0.5\nrandomizedPayloadPoolSize: 10\nsubscriptionsPerTopic: 1\n"
                        + "consumerPerSubscription: 1\nproducersPerTopic: 1\nproducerRate: 10\n"
                        + "consumerBacklogSizeGB: 0\ntestDurationMinutes: 1\nwarmupDurationMinutes: 0\n");
        InProcess dry = InProcess.run("omb", "--dry-run", "-d", driver.toString(), workload.toString());
        assertThat(dry.exit()).as(dry.err()).isZero();
        assertThat(dry.err()).doesNotContain("config.providers", "acks");
    }
}
