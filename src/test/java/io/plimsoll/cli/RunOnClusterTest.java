package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunResult;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Command-line runs on an existing cluster: rejected if they cannot work, and without leftovers. */
@Order(1)
class RunOnClusterTest {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final String topic = "run-on-cluster-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private Path out() {
        return directory.resolve("runs");
    }

    private String scenario(String topicProperties, String more) throws IOException {
        String yaml = "name: guest\ntopics: [{name: " + topic + topicProperties + "}]\n" + more;
        return Files.writeString(directory.resolve(UUID.randomUUID() + ".yaml"), yaml)
                .toString();
    }

    private String producing(String topicProperties, String properties) throws IOException {
        return scenario(topicProperties, "producers: [{topic: " + topic + ", records: 100" + properties + "}]\n");
    }

    private InProcess run(String servers, String file, String... args) {
        List<String> all = new ArrayList<>(
                List.of("run", file, "--quiet", "--out", out().toString(), "--bootstrap-server", servers));
        all.addAll(List.of(args));
        return InProcess.run(all.toArray(String[]::new));
    }

    private static String shared() {
        return SharedLab.oneBroker().bootstrapServers();
    }

    private static Admin admin(String servers, Map<String, String> properties) {
        return new ClusterConnection(servers, properties).admin();
    }

    /** Rejected, without leftovers: neither a topic nor a directory. */
    private void assertRefused(InProcess run, int exit, String... messages) throws IOException {
        assertThat(run.err()).startsWith("plimsoll: ").contains(messages).doesNotContain("internal error");
        assertThat(run.exit()).isEqualTo(exit);
        assertThat(run.out()).isEmpty();
        try (Stream<Path> left = Files.list(out())) {
            assertThat(left).isEmpty();
        }
    }

    /** Whole secrets: four letters alone occur by chance in the compressed data of a page. */
    private static final Pattern HUSH =
            Pattern.compile("hush(Trust|Key|Store|=Secret|Wrong)", Pattern.CASE_INSENSITIVE);

    /** The sent bytes must match the measured figures. */
    @Test
    void storedScenarioRerunsAndComparisonShowsPayloadChanges() throws IOException {
        Path values = Files.writeString(directory.resolve("values"), "first");
        String template = producing("", ", record: {payload: {template: 'order ${sequence}'}}");
        String file = producing("", ", record: {payload: {file: " + values + "}}");
        List<String> before = List.of(runDirectory(template), runDirectory(file));
        Files.writeString(values, "other");
        String again = runDirectory(before.get(0) + "/scenario.yaml");
        String other = runDirectory(
                before.get(0) + "/scenario.yaml",
                "--set",
                "producers.record.payload.template=order number ${sequence}");
        assertThat(differing(before.get(0), again)).isEmpty();
        assertThat(differing(before.get(0), other)).containsExactly("producers[0].record.payload.template");
        assertThat(differing(before.get(1), runDirectory(file))).containsExactly("producers[0].payload.crc32c");
    }

    private String runDirectory(String file, String... args) throws IOException {
        List<Path> before = made();
        assertThat(run(shared(), file, args).err()).isEmpty();
        List<Path> after = new ArrayList<>(made());
        after.removeAll(before);
        return after.get(0).toString();
    }

    private List<Path> made() throws IOException {
        try (Stream<Path> all = Files.list(Files.createDirectories(out()))) {
            return all.toList();
        }
    }

    private static List<String> differing(String a, String b) throws IOException {
        InProcess compared = InProcess.run("compare", a, b, "--format", "json");
        assertThat(compared.err()).isEmpty();
        JsonNode differences = Json.MAPPER.readTree(compared.out()).get("differences");
        return differences.findValuesAsText("what");
    }

    @Test
    void reportsUnusableClusters() throws IOException {
        String file = producing("", "");
        try (Socket closed = new Socket()) {
            closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String refused = "127.0.0.1:" + closed.getLocalPort();
            assertRefused(run(refused, file), 6, Said.text("«cluster.nothingListens¦" + refused + "»"));
        }
        assertRefused(run("no-such-host.invalid:9092", file), 6, "no-such-host.invalid:9092 cannot be resolved");
        String tls = SecuredLab.tls().bootstrapServers();
        assertRefused(run(tls, file), 6, Said.text("«cluster.expectsTls¦" + tls + "»"));
        Path wrong = SecuredLab.writeSaslProperties(directory.resolve("wrong"), SecuredLab.ALICE, "wrongHush");
        InProcess run = run(SecuredLab.sasl().bootstrapServers(), file, "--command-config", wrong.toString());
        assertRefused(run, 6, "rejected the authentication of user 'user'");
        assertThat(run.err()).doesNotContain("Hush");
    }

    @Test
    void refusesUnsuitableTopics() throws IOException {
        try (Admin admin = admin(shared(), Map.of())) {
            Topics topics = new Topics(admin);
            assertRefused(
                    run(shared(), producing(", replication: 2", "")),
                    2,
                    Said.text("«run.clusterTooSmall¦" + topic + "¦replication¦2¦1»"));
            assertRefused(
                    run(shared(), producing(", existing: true", "")), 2, Said.text("«run.topicMissing¦" + topic + "»"));
            assertRefused(
                    run(shared(), producing(", config: {retention.bytes: soon}", "")),
                    2,
                    "cannot create topic " + topic + ": Invalid value soon for configuration retention.bytes");
            assertThat(topics.names(false)).doesNotContain(topic);

            topics.create(
                    List.of(new NewTopic(topic, 2, (short) 1).configs(Map.of("max.message.bytes", "2000"))), WAIT);
            assertRefused(run(shared(), producing("", "")), 2, Said.text("«run.topicExists¦" + topic + "»"));
            assertRefused(
                    run(shared(), producing(", existing: true, partitions: 3", "")),
                    2,
                    Said.text("«run.tooFewPartitions¦" + topic + "¦2¦3»"));
            assertRefused(
                    run(shared(), producing(", existing: true", ", record: {size: 3000}")),
                    2,
                    "topic " + topic + " has max.message.bytes=2000");
            topics.delete(Set.of(topic), WAIT);
        }
    }

    @Test
    void startsNothingWithoutRights() throws Exception {
        String servers = SecuredLab.sasl().bootstrapServers();
        String alice = SecuredLab.writeSaslProperties(
                        directory.resolve("alice"), SecuredLab.ALICE, SecuredLab.alicePassword())
                .toString();
        assertRefused(
                run(servers, producing("", ""), "--command-config", alice),
                6,
                "cannot describe topic " + topic
                        + ": not authorized; request an ACL on the topic that allows DESCRIBE, or use another user");
        Map<String, String> properties = SecuredLab.saslProperties(SecuredLab.ADMIN, SecuredLab.adminPassword());
        try (Admin admin = admin(servers, properties)) {
            Topics topics = new Topics(admin);
            AclBinding look = new AclBinding(
                    new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                    new AccessControlEntry(
                            "User:" + SecuredLab.ALICE, "*", AclOperation.DESCRIBE, AclPermissionType.ALLOW));
            admin.createAcls(List.of(look)).all().get();
            topics.create(List.of(new NewTopic(topic, 1, (short) 1)), WAIT);
            String both = scenario(
                    ", existing: true",
                    "producers: [{topic: " + topic + ", records: 9}]\nconsumers: [{topic: " + topic + "}]\n");
            assertRefused(
                    run(servers, both, "--command-config", alice),
                    6,
                    Said.text("«run.mayNotWrite¦" + topic + "»"),
                    Said.text("«run.mayNotRead¦" + topic + "»"));
            topics.delete(Set.of(topic), WAIT);
            admin.deleteAcls(List.of(look.toFilter())).all().get();
        }
    }

    @Test
    void secretsReachNeitherOutputNorFiles() throws Exception {
        String servers = SecuredLab.sasl().bootstrapServers();
        String config = SecuredLab.writeSaslProperties(
                        directory.resolve("admin"), SecuredLab.ADMIN, SecuredLab.adminPassword())
                .toString();
        String file = producing(
                "",
                ", record: {size: 10}, config: {ssl.truststore.password: hushTrust, lingr.ms: 3, schema.registry.url: 'http://r'}");
        InProcess good = run(
                servers,
                file,
                "--command-config",
                config,
                "--command-property=ssl.key.password=hushKey",
                "--set",
                "producers[0].config.ssl.keystore.password=hushStore",
                "--set",
                "producers[0].config.sasl.oauthbearer.client.credentials.client.secret=hush=Secret");
        assertThat(good.err().lines().toList())
                .hasSize(2)
                .allMatch(line -> Said.en("cli.secretInSight").matcher(line).find());
        assertThat(good.exit()).isZero();
        assertThat(good.out())
                .contains("the Kafka producer ignores the unknown property lingr.ms; did you mean")
                .doesNotContain("schema.registry.url");
        String jaas = SecuredLab.saslProperties(SecuredLab.ADMIN, "hushWrong").get("sasl.jaas.config");
        InProcess bad = run(
                servers,
                file,
                "--command-config",
                config,
                "--set",
                "producers[0].config.sasl.jaas.config='" + jaas + "'");
        assertThat(bad.exit()).as(bad.err()).isEqualTo(6);
        for (InProcess run : List.of(good, bad)) {
            assertThat(run.out() + run.err()).doesNotContainPattern(HUSH).doesNotContain(SecuredLab.adminPassword());
        }
        try (Stream<Path> files = Files.walk(out())) {
            for (Path path : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(path))
                        .as(path.toString())
                        .doesNotContainPattern(HUSH)
                        .doesNotContain(SecuredLab.adminPassword());
            }
        }
    }

    @Test
    void removesOnlyResourcesItCreated() throws Exception {
        String group = topic + "-mine";
        String own = topic + "-own";
        String file = scenario(", existing: true}, {name: " + own, """
                producers: [{topic: [%s, %s], records: 100, record: {size: 10}}]
                consumers: [{topic: %s, config: {group.id: %s}}, {topic: %s}]
                checks: [produce.records == 100]
                """.formatted(topic, own, topic, group, own));
        try (Admin admin = admin(shared(), Map.of())) {
            Topics topics = new Topics(admin);
            topics.create(List.of(new NewTopic(topic, 1, (short) 1)), WAIT);
            // The first run creates the group, the second one finds it: another client has committed under its name in
            // between.
            InProcess first = run(shared(), file);
            assertThat(first.exit()).as(first.err() + first.out()).isZero();
            assertThat(groups(admin)).doesNotContain(group);
            admin.alterConsumerGroupOffsets(
                            group,
                            Map.of(
                                    new org.apache.kafka.common.TopicPartition(topic, 0),
                                    new org.apache.kafka.clients.consumer.OffsetAndMetadata(0)))
                    .all()
                    .get();
            InProcess second = run(shared(), file, "--set", "checks=[produce.records == 99]");
            assertThat(second.exit()).isEqualTo(3);
            assertThat(second.out()).contains("1 of 1 check failed: produce.records == 99 (measured 100)");
            assertThat(groups(admin)).contains(group).noneMatch(id -> id.startsWith("plimsoll-") && id.contains(topic));
            assertThat(topics.names(false)).contains(topic).doesNotContain(own);
            topics.delete(Set.of(topic), WAIT);
            admin.deleteConsumerGroups(List.of(group)).all().get();
        }
    }

    @Test
    void lossIsUnknownIfTopicIsRecreatedMidRun() throws Exception {
        NewTopic fresh = new NewTopic(topic, 1, (short) 1);
        String file = scenario(", existing: true", """
                producers: [{topic: %s, rate: 200/s, record: {size: 100}, config: {enable.idempotence: false}}]
                duration: 6s
                warmup: 0s
                audit: true
                checks: [audit.lost == 0]
                """.replace("%s", topic));
        try (Admin admin = admin(shared(), Map.of())) {
            Topics topics = new Topics(admin);
            topics.create(List.of(fresh), WAIT);
            CompletableFuture<InProcess> running = CompletableFuture.supplyAsync(() -> run(shared(), file));
            while (topics.endOffsets(Set.of(topic)).values().stream().noneMatch(end -> end > 200)) {
                Thread.sleep(20);
            }
            topics.delete(Set.of(topic), WAIT);
            topics.create(List.of(fresh), WAIT);
            InProcess run = running.get();
            assertThat(run.exit()).as("%s%s", run.err(), run.out()).isEqualTo(3);
            assertThat(run.out()).startsWith("✗ ").doesNotContainPattern(Said.en("result.lost"));
            // The terminal shows the most important warnings; the Markdown report has all of them.
            try (Stream<Path> runs = Files.list(out())) {
                String all = InProcess.run(
                                "report", runs.findFirst().orElseThrow().toString(), "--format", "md")
                        .out();
                assertThat(all).containsPattern(Said.en("run.topicAnewMeanwhile", topic));
            }
            topics.delete(Set.of(topic), WAIT);
        }
    }

    private static List<String> groups(Admin admin) throws Exception {
        return admin.listGroups().all().get().stream()
                .map(GroupListing::groupId)
                .toList();
    }

    /** The smallest of the scenarios written by 'plimsoll new', unchanged, and one that reads afterward. */
    @Test
    void runsScenariosWrittenByNew() throws Exception {
        for (String what : List.of("end-to-end", "consume")) {
            Path file = directory.resolve(topic + "-" + what + ".yaml");
            List<String> words = List.of("--what", what, "--rate", "500/s", "--size", "100", "--duration", "3s");
            List<String> asked = new ArrayList<>(List.of("new", file.toString(), "--bootstrap-server", shared()));
            asked.addAll(words);
            InProcess written = InProcess.run(asked.toArray(String[]::new));
            assertThat(written.exit()).as(written.err()).isZero();
            // As many replicas as the cluster has brokers.
            assertThat(Files.readString(file)).contains("replication: 1}");
            InProcess run = run(shared(), file.toString(), "--set", "warmup=0s", "--json");
            RunResult result = Json.MAPPER.readValue(run.out(), RunResult.class);
            Runs.assertSound(result);
            assertThat(run.exit()).as(run.err()).isEqualTo(result.head().exitCode());
            JsonNode trial = Json.MAPPER.readTree(run.out()).at("/trials/0");
            assertThat(trial.at("/audit/read").asInt()).isEqualTo(1500);
            assertThat(trial.at("/consume/records").asInt()).isEqualTo(1500);
        }
    }

    @Test
    void concurrentRunsInOneDirectoryDoNotMix() throws Exception {
        List<CompletableFuture<InProcess>> running = new ArrayList<>();
        for (int n = 1; n <= 2; n++) {
            String file = Files.writeString(directory.resolve(n + ".yaml"), """
                    name: twin
                    topics: [{name: %s-%d}]
                    producers: [{topic: %s-%d, records: %d, record: {size: 100}}]
                    audit: true
                    """.formatted(topic, n, topic, n, n * 1000))
                    .toString();
            running.add(CompletableFuture.supplyAsync(() -> run(shared(), file, "--json")));
        }
        for (int n = 1; n <= 2; n++) {
            InProcess run = running.get(n - 1).get();
            assertThat(run.exit()).as(run.err()).isZero();
            JsonNode result = Json.MAPPER.readTree(run.out());
            ResultSchema.assertValid(result);
            assertThat(result.at("/trials/0/produce/records").asInt()).isEqualTo(n * 1000);
            assertThat(result.at("/trials/0/audit/read").asInt()).isEqualTo(n * 1000);
        }
        try (Stream<Path> runs = Files.list(out())) {
            assertThat(runs).hasSize(2).allSatisfy(run -> ResultSchema.assertValid(run.resolve("result.json")));
        }
    }
}
