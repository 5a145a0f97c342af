package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabLogins;
import io.plimsoll.testing.Acls;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each command works with the rights listed in docs/reference/rights.md; without any one of them, it names the missing
 * right.
 */
class MinimalRightsTest {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String LOAD = "producers: [{topic: TOPIC, rate: 200/s%s}]\n"
            + "consumers: [{topic: TOPIC%s}]\nwarmup: 0s\nduration: 2s\n";

    private static final String WORKLOAD = "name: w\ntopics: 1\npartitionsPerTopic: 1\nmessageSize: 100\n"
            + "useRandomizedPayloads: true\nrandomBytesRatio: 0.5\nrandomizedPayloadPoolSize: 10\n"
            + "subscriptionsPerTopic: 1\nconsumerPerSubscription: 1\nproducersPerTopic: 1\nproducerRate: 100\n"
            + "warmupDurationMinutes: 0\ntestDurationMinutes: 1\n";

    @TempDir
    Path directory;

    private String topic;

    /**
     * A command and the rights that it needs.
     *
     * @param rights such as {@code topic WRITE READ; group READ}; {@code topics} and {@code groups} are those with the
     *     prefix plimsoll-, {@code offsets} is the topic of committed offsets
     * @param there whether the topic exists, with ten records
     * @param words with TOPIC, GROUP and FILE as placeholders for created resources; the file contains the text
     * @param before a command called before by a user with all rights, in the same way; RUN is its run directory
     */
    private record Command(String name, String rights, boolean there, String text, String words, String before) {
        Command(String name, String rights, boolean there, String text, String words) {
            this(name, rights, there, text, words, "");
        }

        List<String[]> each() {
            return Arrays.stream(rights.split("; "))
                    .map(on -> on.split(" "))
                    .flatMap(on -> Arrays.stream(on).skip(1).map(operation -> new String[] {on[0], operation}))
                    .toList();
        }

        /** The row in the document. */
        String row() {
            String told = Arrays.stream(rights.split("; "))
                    .map(on -> on.split(" "))
                    .map(on -> Arrays.stream(on).skip(1).map(o -> "`" + o + "`").collect(Collectors.joining(", "))
                            + switch (on[0]) {
                                case "topic" -> " on the topic";
                                case "group" -> " on the group";
                                case "topics" -> " on topics `plimsoll-*`";
                                case "offsets" -> " on topic `__consumer_offsets`";
                                default -> " on groups `plimsoll-*`";
                            })
                    .collect(Collectors.joining("; "));
            return "| " + name + " | " + told + " |";
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Command> commands() {
        String own = "name: s\ntopics: [{name: TOPIC, partitions: 1}]\n" + LOAD;
        String there = "name: s\ntopics: [{name: TOPIC, existing: true}]\n" + LOAD;
        String client = own.formatted("", "");
        String raw = own.formatted(", engine: raw", ", engine: raw");
        String mark = new TopicMark(7, Instant.now().minus(Duration.ofDays(1)), Duration.ofMinutes(1)).text();
        return List.of(
                new Command("`topic create`", "topic CREATE DESCRIBE", false, "", "topic create TOPIC"),
                new Command("`topic describe`", "topic DESCRIBE DESCRIBE_CONFIGS", true, "", "topic describe TOPIC"),
                new Command("`topic delete`", "topic DELETE", true, "", "topic delete TOPIC --yes"),
                new Command("`produce`", "topic WRITE", true, "one\n", "produce --topic TOPIC"),
                new Command("`consume`", "topic READ", true, "", "consume --topic TOPIC --from-beginning --max 5"),
                new Command(
                        "`consume --group`",
                        "topic READ; group READ",
                        true,
                        "",
                        "consume --topic TOPIC --group GROUP --from-beginning --max 5"),
                new Command(
                        "`producer-perf-test`",
                        "topic WRITE",
                        true,
                        "",
                        "producer-perf-test --topic TOPIC --num-records 50 --throughput -1 --record-size 50"),
                new Command(
                        "`consumer-perf-test`",
                        "topic READ; group READ",
                        true,
                        "",
                        "consumer-perf-test --topic TOPIC --group GROUP --num-records 5"),
                new Command(
                        "`end-to-end-latency`",
                        "topic WRITE READ; groups READ DELETE",
                        true,
                        "",
                        "end-to-end-latency --topic TOPIC --num-records 20 --producer-acks all --record-size 50"),
                new Command(
                        "`run`",
                        "topic CREATE WRITE READ DELETE; groups READ DELETE",
                        false,
                        client,
                        "run FILE --out OUT"),
                new Command(
                        "`run` with `engine: raw`", "topic CREATE WRITE READ DELETE", false, raw, "run FILE --out OUT"),
                new Command(
                        "`run` on a topic with `existing: true`",
                        "topic WRITE READ; groups READ DELETE",
                        true,
                        there.formatted("", ""),
                        "run FILE --out OUT"),
                new Command(
                        "`run` with `audit: true`",
                        "topic CREATE WRITE READ DELETE DESCRIBE_CONFIGS; groups READ DELETE",
                        false,
                        client + "audit: true\n",
                        "run FILE --out OUT"),
                new Command(
                        "`ceiling`",
                        "topic CREATE WRITE READ DELETE; groups READ DELETE",
                        false,
                        client,
                        "ceiling FILE --out OUT --max-rate 2000/s --slo produce.response.p99<9s --trial-length 2s --confirm 2s"
                                + " --width 40% --curve 0 --no-prove --no-calibrate"),
                new Command(
                        "`verify`",
                        "topic READ DESCRIBE_CONFIGS",
                        true,
                        there.formatted("", "") + "audit: true\n",
                        "verify RUN",
                        "run FILE --out OUT"),
                new Command(
                        "`omb`",
                        "topics CREATE WRITE READ DELETE DESCRIBE_CONFIGS; groups READ DELETE",
                        false,
                        WORKLOAD,
                        "omb FILE --drivers DRIVER --scale 0.04 --out OUT --output OUT.json"),
                new Command(
                        "`clean`",
                        "topic DELETE DESCRIBE_CONFIGS",
                        false,
                        "",
                        "clean --older-than 0s --out OUT --yes",
                        "topic create TOPIC --config " + TopicMark.PROPERTY + "=" + mark),
                new Command(
                        "`lag`",
                        "topic READ; group DESCRIBE",
                        true,
                        "",
                        "lag GROUP --for 2s",
                        "consume --topic TOPIC --group GROUP --from-beginning --max 5"),
                new Command(
                        "`watch`",
                        "topics CREATE WRITE READ; groups READ; offsets DESCRIBE",
                        true,
                        "",
                        "watch --topic plimsoll-TOPIC --state OUT --for 15s",
                        "consume --topic TOPIC --group GROUP --from-beginning --max 5"),
                new Command("`capture`", "topic READ DESCRIBE_CONFIGS", true, "", "capture --topics TOPIC --last 1h"));
    }

    private String fresh() {
        topic = "rights-" + UUID.randomUUID();
        return topic;
    }

    private List<AclBinding> acls(List<String[]> rights) {
        return rights.stream()
                .map(right -> new AclBinding(
                        switch (right[0]) {
                            case "topic" -> new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
                            case "group" -> new ResourcePattern(ResourceType.GROUP, "g-" + topic, PatternType.LITERAL);
                            case "topics" -> new ResourcePattern(ResourceType.TOPIC, "plimsoll-", PatternType.PREFIXED);
                            case "offsets" ->
                                new ResourcePattern(ResourceType.TOPIC, "__consumer_offsets", PatternType.LITERAL);
                            default -> new ResourcePattern(ResourceType.GROUP, "plimsoll-", PatternType.PREFIXED);
                        },
                        new AccessControlEntry(
                                "User:" + LabLogins.USER,
                                "*",
                                AclOperation.valueOf(right[1]),
                                AclPermissionType.ALLOW)))
                .toList();
    }

    /** Runs a command as a user with exactly these rights. */
    private InProcess attempt(Lab lab, Admin admin, Command command, List<String[]> rights) throws Exception {
        fresh();
        List<AclBinding> acls = acls(rights);
        Acls.create(admin, acls);
        try {
            if (command.there()) {
                new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), WAIT);
                fill(lab);
            }
            Files.writeString(directory.resolve(topic + ".yaml"), command.text().replace("TOPIC", topic));
            if (!command.before().isEmpty()) {
                InProcess before = call(command.before(), lab, LabLogins.ADMIN);
                assertThat(before.exit()).as(before.err() + before.out()).isIn(0, 3);
            }
            return call(command.words(), lab, LabLogins.USER);
        } finally {
            Acls.delete(admin, AclBindingFilter.ANY);
            admin.deleteTopics(List.of(topic))
                    .all()
                    .toCompletionStage()
                    .exceptionally(e -> null)
                    .toCompletableFuture()
                    .get();
        }
    }

    private InProcess call(String command, Lab lab, String user) throws IOException, InterruptedException {
        Path file = directory.resolve(topic + ".yaml");
        Path out = directory.resolve("runs-" + topic);
        Path login = lab.logins().orElseThrow().properties(user);
        String words = command.replace("TOPIC", topic)
                .replace("GROUP", "g-" + topic)
                .replace("FILE", file.toString())
                .replace("OUT", out.toString());
        if (words.contains("RUN")) {
            try (Stream<Path> runs = Files.list(out)) {
                words = words.replace("RUN", runs.findFirst().orElseThrow().toString());
            }
        }
        if (words.contains("DRIVER")) {
            words = words.replace("DRIVER", driver(lab, login).toString());
        } else {
            words += " --bootstrap-server " + lab.bootstrapServers() + " --command-config " + login;
        }
        return words.startsWith("produce ") ? inOwnProcess(file, words) : InProcess.run(words.split(" "));
    }

    /** OpenMessaging Benchmark's files contain the login in the driver file. */
    private Path driver(Lab lab, Path login) throws IOException {
        String driver = "name: Kafka\ndriverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver\n"
                + "replicationFactor: 1\ncommonConfig: |\n  bootstrap.servers=" + lab.bootstrapServers() + "\n"
                + Files.readString(login).indent(2);
        return Files.writeString(directory.resolve("driver.yaml"), driver);
    }

    private void fill(Lab lab) throws Exception {
        Map<String, Object> login = new HashMap<>(lab.logins().orElseThrow().client());
        login.put("bootstrap.servers", lab.bootstrapServers());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(login, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>(topic, new byte[20])).get();
            }
        }
    }

    private InProcess inOwnProcess(Path in, String words) throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(words.split(" ")));
        int exit = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();
        return new InProcess(exit, Files.readString(out), Files.readString(err, StandardCharsets.UTF_8));
    }

    private void assertNeedsEach(Lab lab, Command command) throws Exception {
        List<String[]> all = command.each();
        try (Admin admin = new ClusterConnection(
                        lab.bootstrapServers(), lab.logins().orElseThrow().client())
                .admin()) {
            InProcess with = attempt(lab, admin, command, all);
            // A busy machine may give an invalid result, if the report says so; only rights are tested here.
            boolean measure = !with.out().contains("Invalid");
            assertThat(with.exit()).as(with.err() + with.out()).isIn(measure ? List.of(0, 3) : List.of(5));
            // Without groups, capture names this as one of two possible reasons.
            assertThat((with.err() + with.out())
                            .replaceAll(Said.en("capture.noGroups").pattern(), ""))
                    .doesNotContain("not authorized");
            for (String[] missing : all) {
                // READ, WRITE and DELETE include DESCRIBE: it stays, so that no other right is missing.
                List<String[]> rest = new ArrayList<>(
                        all.stream().filter(right -> right != missing).toList());
                if (!missing[1].equals("DESCRIBE")) {
                    rest.add(new String[] {missing[0], "DESCRIBE"});
                }
                InProcess without = attempt(lab, admin, command, rest);
                assertThat((without.err() + without.out()).replaceAll("\\s+", " "))
                        .as("%s without %s %s", command, missing[0], missing[1])
                        .contains("not authorized")
                        .containsPattern("\\b" + missing[1] + "\\b");
            }
        }
    }

    @Tag("nightly")
    @Timeout(600)
    @ParameterizedTest
    @MethodSource("commands")
    void worksWithListedRightsAndNamesEachMissingOne(Command command) throws Exception {
        assertNeedsEach(OwnLab.LAB, command);
    }

    /** The same for a quick command. */
    @Test
    void topicCreationNamesMissingRight() throws Exception {
        assertNeedsEach(OwnLab.LAB, commands().get(0));
    }

    @Test
    void documentListsTestedRights() throws IOException {
        String document = Files.readString(Path.of("docs", "reference", "rights.md"));
        assertThat(commands()).allSatisfy(command -> assertThat(document).contains(command.row()));
    }

    /** No other user's rights are removed there. It ends with the JVM. */
    private static final class OwnLab {
        static final Lab LAB = SecuredLab.start("SASL_PLAINTEXT,SCRAM-SHA-512,acls");
    }
}
