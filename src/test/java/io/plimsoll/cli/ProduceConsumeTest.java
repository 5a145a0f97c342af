package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
import java.io.BufferedReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** In separate processes, because standard streams and signals are the subject of these tests. */
class ProduceConsumeTest {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final String topic = "produce-consume-" + UUID.randomUUID();
    private Admin admin;

    @TempDir
    Path directory;

    private record Result(int exit, byte[] out, String err) {
        List<String> lines() {
            return new String(out, StandardCharsets.UTF_8).lines().toList();
        }
    }

    @BeforeEach
    void createTopic() {
        admin = new ClusterConnection(SharedLab.oneBroker().bootstrapServers(), Map.of()).admin();
        new Topics(admin).create(List.of(new NewTopic(topic, 2, (short) 1)), WAIT);
    }

    @AfterEach
    void deleteTopic() {
        new Topics(admin).delete(Set.of(topic), WAIT);
        admin.close();
    }

    private static List<String> commandLine(String... args) throws Exception {
        Path classes = Path.of(
                Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                classes + ":" + System.getProperty("plimsoll.lib") + "/*",
                Main.class.getName()));
        command.addAll(List.of(args));
        return command;
    }

    private Result plimsoll(byte[] in, String... args) throws Exception {
        Path stdin = Files.write(directory.resolve("in"), in);
        Path stdout = directory.resolve("out");
        Path stderr = directory.resolve("err");
        Process process = new ProcessBuilder(commandLine(args))
                .redirectInput(stdin.toFile())
                .redirectOutput(stdout.toFile())
                .redirectError(stderr.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readAllBytes(stdout), Files.readString(stderr));
    }

    private Result produce(String in, String... args) throws Exception {
        return plimsoll(in.getBytes(StandardCharsets.UTF_8), with("produce", topic, args));
    }

    /** Regardless of the records read, the command must have ended. */
    private Result consume(String... args) throws Exception {
        Result read = plimsoll(new byte[0], with("consume", topic, args));
        assertThat(read.exit()).as(read.err()).isZero();
        return read;
    }

    private static String[] with(String command, String topic, String... args) {
        String address = SharedLab.oneBroker().bootstrapServers();
        List<String> all = new ArrayList<>(List.of(command, "--topic", topic, "--bootstrap-server", address));
        all.addAll(List.of(args));
        return all.toArray(String[]::new);
    }

    @Test
    void linesRoundTripWithKeysAndOffsets() throws Exception {
        Result sent = produce("k1::one\nk2::two::more\n::three\n", "--key-separator", "::", "--partition", "1");
        assertThat(sent.err()).isEqualTo("3 of 3 records acknowledged (offsets " + topic + "-1: 0 to 2)\n");
        assertThat(sent.exit()).isZero();
        assertThat(sent.out()).isEmpty();

        Result read = consume("--from-beginning", "--max", "3", "--print", "partition,offset,key");
        assertThat(read.lines())
                .containsExactly(
                        "partition=1\toffset=0\tkey=k1\tone",
                        "partition=1\toffset=1\tkey=k2\ttwo::more",
                        "partition=1\toffset=2\tkey=\tthree");
        assertThat(read.err()).isEqualTo("3 records read\n");

        assertThat(consume("--offset=-2", "--max", "2").lines()).containsExactly("two::more", "three");
        assertThat(consume("--offset", "-9", "--max", "3").lines()).containsExactly("one", "two::more", "three");

        Result json = consume("--offset", "1", "--partition", "1", "--max", "1", "--json");
        JsonNode line = new ObjectMapper().readTree(json.lines().get(0));
        assertThat(line.path("topic").asText()).isEqualTo(topic);
        assertThat(line.path("offset").asLong()).isEqualTo(1);
        assertThat(line.path("timestampType").asText()).isEqualTo("CreateTime");
        assertThat(line.path("key").asText()).isEqualTo("k2");
        assertThat(line.path("value").asText()).isEqualTo("two::more");
    }

    @Test
    @Tag("nightly")
    void binaryValuesRoundTripUnchanged() throws Exception {
        byte[] bytes = {(byte) 0xff, 0, (byte) 0xc3, 0x28, '\n'};
        assertThat(plimsoll(bytes, with("produce", topic, "--key", "k")).exit()).isZero();
        assertThat(consume("--from-beginning", "--max", "1").out()).isEqualTo(bytes);
        Result json = consume("--from-beginning", "--max", "1", "--json");
        JsonNode line = new ObjectMapper().readTree(json.lines().get(0));
        assertThat(line.path("key").asText()).isEqualTo("k");
        assertThat(line.path("valueBase64").asText()).isEqualTo("/wDDKA==");
        assertThat(line.has("value")).isFalse();
    }

    @Test
    void failedLineIsNamedAndFailsCommand() throws Exception {
        String large = "x".repeat(2000);
        String[] options = {"--key-separator", "=", "--command-property", "max.request.size=1000"};
        Result sent = produce("a=1\nnothing\nb=" + large + "\nc=3\n", options);
        assertThat(sent.exit()).as(sent.err()).isEqualTo(2);
        assertThat(sent.err())
                .contains(Said.text("plimsoll: line 2: «cluster.noKeySeparator¦=»"), "plimsoll: line 3: ", "too large")
                .contains("2 of 4 records acknowledged")
                .doesNotContain(large);
    }

    @Tag("nightly")
    @Test
    void reportsMissingTopicOrPartitionAndInvalidAcks() throws Exception {
        Result partition = produce("a\n", "--partition", "2");
        assertThat(partition.exit()).isEqualTo(2);
        assertThat(partition.err()).isEqualTo(Said.text("plimsoll: «cluster.noSuchPartition¦" + topic + "¦2¦1»\n"));
        Result acks = produce("a\n", "--acks", "most");
        assertThat(acks.exit()).isEqualTo(2);
        assertThat(acks.err()).contains(Said.text("«cluster.unusableProperties»"), "most");
        for (String command : List.of("produce", "consume")) {
            Result missing = plimsoll(new byte[0], with(command, topic + "-not"));
            assertThat(missing.exit()).isEqualTo(2);
            assertThat(missing.err()).contains(topic + "-not", "no such topic");
        }
    }

    @Test
    void rejectsInvalidConsumeOptions() {
        for (String[] wrong : new String[][] {
            {"--offset", "5", "--partition", "0"},
            {"--offset", "soon"},
            {"--partition", "2"},
            {"--max", "0"},
            {"--timeout", "10"},
            {"--print", "colour"},
            {"--offset", "1", "--from-beginning"},
            {"--group", "g", "--partition", "1"},
            {"--group", "g", "--offset", "1"},
            {"--to-end", "--group", "g"}
        }) {
            InProcess run = InProcess.run(with("consume", topic, wrong));
            assertThat(run.exit()).as(String.join(" ", wrong)).isEqualTo(2);
            assertThat(run.err()).startsWith("plimsoll: ").contains(wrong[0].substring(2));
        }
    }

    /** Without a maximum and a timeout. */
    @Test
    void readsToEndLikeKcat() throws Exception {
        produce("one\ntwo\n", "--partition", "0");
        byte[] bytes = {'o', 'n', 'e', (byte) 0xff, '\n', 't', 'w', 'o', (byte) 0xff, '\n'};
        assertThat(consume("--from-beginning", "--to-end", "--format", "%s\\xff\\n")
                        .out())
                .isEqualTo(bytes);
        assertThat(consume("--offset", "latest", "--to-end").out()).isEmpty();
    }

    @Tag("nightly")
    @Test
    void readsFromTimestampOrEnd() throws Exception {
        produce("old\n", "--partition", "0");
        assertThat(consume("--offset", "2020-01-01T00:00:00+01:00", "--max", "1")
                        .lines())
                .containsExactly("old");
        for (String start : List.of("latest", "2999-01-01T00:00:00Z")) {
            Result none = consume("--offset", start, "--timeout", "300ms", "--max", "7");
            assertThat(none.out()).isEmpty();
            assertThat(none.err())
                    .startsWith("0 records read")
                    .containsPattern(Said.en("cli.askedFor", 7))
                    .containsPattern(Said.en("cli.readInTime", 0, null, "300ms"));
        }
    }

    @Tag("nightly")
    @Test
    void groupResumesAndGrouplessReadLeavesNoGroup() throws Exception {
        List<String> numbers = IntStream.range(0, 100).mapToObj(String::valueOf).toList();
        produce(String.join("\n", numbers), "--partition", "0");
        String group = topic + "-group";
        assertThat(consume("--group", group, "--from-beginning", "--max", "30").lines())
                .isEqualTo(numbers.subList(0, 30));
        assertThat(consume("--group", group, "--from-beginning", "--timeout", "2s")
                        .lines())
                .isEqualTo(numbers.subList(30, 100));

        List<String> before = groups();
        consume("--from-beginning", "--max", "1");
        assertThat(groups()).isEqualTo(before).contains(group);
        admin.deleteConsumerGroups(List.of(group)).all().get();
    }

    @Test
    @EnabledIf("io.plimsoll.cli.StandardOutputTest#hasFullDevice")
    void commitsNoRecordThatItCouldNotWrite() throws Exception {
        produce("one\ntwo\n", "--partition", "0");
        String group = topic + "-full";
        Process full = new ProcessBuilder(
                        commandLine(with("consume", topic, "--group", group, "--from-beginning", "--max", "2")))
                .redirectOutput(StandardOutputTest.FULL)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(full.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            full.destroyForcibly();
        }
        assertThat(full.exitValue()).isEqualTo(Exit.INTERNAL.code());
        assertThat(admin.listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata()
                        .get())
                .isEmpty();
    }

    /** For this test's topic, and unnamed errors; other topics belong to concurrent tests. */
    private List<String> groups() throws Exception {
        return admin.listGroups().all().get().stream()
                .map(listing -> listing.groupId())
                .filter(id -> id.isEmpty() || id.startsWith(topic))
                .sorted()
                .toList();
    }

    @Test
    @Tag("nightly")
    void signalEndsConsumeWithRecordCount() throws Exception {
        produce("one\ntwo\n", "--partition", "0");
        Process process = new ProcessBuilder(commandLine(with("consume", topic, "--from-beginning"))).start();
        try (BufferedReader out = process.inputReader();
                BufferedReader err = process.errorReader()) {
            assertThat(out.readLine()).as(() -> err.lines().toList().toString()).isEqualTo("one");
            assertThat(out.readLine()).isEqualTo("two");
            // By its handle: Process.destroy() would also close the streams.
            process.toHandle().destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(err.lines()).containsExactly("2 records read");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Lines that wait in the client for a full batch are delivered, too. */
    @Test
    @Tag("nightly")
    void signalEndsProduceAfterDelivery() throws Exception {
        String[] patient = {"--partition", "0", "--command-property", "linger.ms=60000"};
        Process process = new ProcessBuilder(commandLine(with("produce", topic, patient))).start();
        try (OutputStream in = process.getOutputStream();
                BufferedReader err = process.errorReader()) {
            // The first line fills its batch, so it is delivered at once; the second one waits.
            in.write(("x".repeat(100_000) + "\ntwo\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
            TopicPartition partition = new TopicPartition(topic, 0);
            while (new Topics(admin).endOffsets(Set.of(topic)).get(partition) == 0) {
                Thread.sleep(50);
            }
            process.toHandle().destroy();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            long delivered = new Topics(admin).endOffsets(Set.of(topic)).get(partition);
            assertThat(err.lines())
                    .singleElement()
                    .asString()
                    .containsPattern(Said.en("cli.acknowledged", delivered, delivered));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void reportsMissingAuthorization() throws Exception {
        Path config = SecuredLab.writeSaslProperties(
                directory.resolve("alice"), SecuredLab.ALICE, SecuredLab.alicePassword());
        String address = SecuredLab.sasl().bootstrapServers();
        for (String command : List.of("produce", "consume")) {
            InProcess run = InProcess.run(
                    command, "--topic", "t", "--bootstrap-server", address, "--command-config", config.toString());
            assertThat(run.exit()).isEqualTo(6);
            assertThat(run.err()).contains("topic t: not authorized").doesNotContain(SecuredLab.alicePassword());
        }
    }
}
