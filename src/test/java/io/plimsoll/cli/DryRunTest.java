package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.LoadEstimate;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A dry run shows the plan of a run without executing it, and the run then follows it. */
class DryRunTest {
    @TempDir
    Path out;

    private InProcess dryRun(String... args) {
        String[] all = new String[args.length + 4];
        all[0] = "run";
        System.arraycopy(args, 0, all, 1, args.length);
        all[args.length + 1] = "--dry-run";
        all[args.length + 2] = "--out";
        all[args.length + 3] = out.resolve("runs").toString();
        return InProcess.run(all);
    }

    @Test
    void showsPlannedWritesAndDiskUsage() {
        InProcess ended = dryRun("linkedin-2m", "--brokers", "3", "--scale", "0.01");
        assertThat(ended.exit()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .startsWith("linkedin-2m: 10 trials, ")
                .containsPattern(Said.en("report.plan.head", "linkedin-2m", 10))
                .contains("at scale 0.01")
                .containsPattern("one producer, replication 3, acks=1 +2? ?1? s +500,000 +54 MB +–")
                .containsPattern(Said.en("report.plan.writes", "2,510,002", "280 MB", null, null, "133 MB"))
                .containsPattern(Said.en("report.plan.eachOf", 3))
                .contains("produce linkedin-all-6-3: 500,000 records, at full speed, values of 100 B, 1 client;")
                .contains("acks=all")
                .contains("consume linkedin-6-3: 1 group of 1 member, 170,000 records per group");
        assertThat(out).isEmptyDirectory();
    }

    /** Each of three brokers would store all 100 MB of an existing topic with three replicas. */
    @Test
    void countsReplicasOfExistingTopic() throws IOException {
        String topic = "dry-run-replicated-" + System.nanoTime();
        Path scenario = Files.writeString(out.resolve("existing.yaml"), """
            topics: [{name: TOPIC, existing: true}]
            producers: [{topic: TOPIC, records: 1M, rate: 1000/s, record: {size: 92}}]
            warmup: 0
            """.replace("TOPIC", topic));
        String servers = SharedLab.threeBrokers().bootstrapServers();
        try (Admin admin = ClusterConnection.of(servers, null, List.of()).admin()) {
            Topics topics = new Topics(admin);
            topics.create(List.of(new NewTopic(topic, 1, (short) 3)), Duration.ofSeconds(20));
            try {
                InProcess ended = dryRun(scenario.toString(), "--bootstrap-server", servers);
                assertThat(ended.exit()).as(ended.err()).isZero();
                assertThat(ended.out())
                        .containsPattern(Said.en("report.plan.writes", "1,000,000", "100 MB", null, null, "100 MB"));
            } finally {
                topics.delete(Set.of(topic), Duration.ofSeconds(20));
            }
        }
    }

    @Test
    void describesAlternatingTrialsOnce() {
        InProcess ended = dryRun("quick", "--ab", "producers[0].config.acks=1|all", "--pairs", "3");
        assertThat(ended.out())
                .containsPattern(Said.en("report.plan.alike", "1A acks=1 · latency", 2))
                .containsOnlyOnce("1B acks=all · latency and");
        assertThat(ended.out().split("consume quick: ", -1)).hasSize(1 + 4);
    }

    @ParameterizedTest
    @MethodSource("names")
    void plansEachBuiltInScenario(String name) {
        InProcess ended = dryRun(name);
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith(name + ": ").containsPattern(Said.en("report.plan.writes"));
    }

    static List<String> names() {
        return BuiltIns.names();
    }

    /** Topics of one pattern have one line, and so has the schema of records. */
    @Test
    void showsRecordSchemas() throws IOException {
        Path schema = Files.writeString(out.resolve("order.avsc"), """
            {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
            """);
        Path scenario = Files.writeString(out.resolve("orders.yaml"), """
            topics: [{name: "orders-[1-20000]"}, {name: other}]
            producers:
              - {topic: "orders-[1-20000]", record: {key: {schema: {file: FILE}}, schema: {file: FILE}}}
              - {topic: other, record: {size: 10}}
            duration: 10s
            """.replace("FILE", schema.toString()));
        for (InProcess ended :
                List.of(dryRun(scenario.toString()), InProcess.run("ceiling", scenario.toString(), "--dry-run"))) {
            assertThat(ended.exit()).as(ended.err()).isZero();
            String said = ended.out().replaceAll("\\s+", " ");
            String topics = Sentence.of("report.plan.topics", "orders-1", "orders-20000", "20,000")
                    .english();
            Sentence file = Sentence.of("report.plan.schemaFile", schema.toString());
            List<Sentence> parts = List.of(file, Sentence.of("report.plan.unframed"));
            assertThat(said)
                    .contains(
                            Sentence.of("report.plan.keySchema", topics, parts).english())
                    .contains(Sentence.of("report.plan.valueSchema", topics, parts)
                            .english())
                    .doesNotContain(" in other")
                    .contains("topic " + topics + ": ");
        }
    }

    /** No such release exists: a run would fail to download it. */
    @Test
    void downloadsNothing() {
        InProcess ended = dryRun("quick", "--set", "lab.kafkaVersion=4.2.999");
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out()).contains("4.2.999");
    }

    @Test
    void describesLabToStart() {
        String[] lab = {
            "rolling-restart",
            "--set",
            "lab={controllers: 1, config: {num.io.threads: 3}, jvm: {heap: 512MiB}, disks: 2, cpus: 1, racks: 3, tiered: true}",
            "--set",
            "lab.network.clients={delay: 5ms, bandwidth: 20MB/s}"
        };
        assertThat(dryRun(lab).out().replaceAll("\\s+", " "))
                .containsPattern(
                        Said.pattern("lab: «lab.told.brokers¦3¦…», «lab.told.controllers¦1», heap 512 MB each (G1),"
                                + " «lab.told.directories¦2», «lab.told.cpus¦1», «lab.told.clients¦«lab.told.delay¦5ms», 20 MB/s»,"
                                + " «lab.told.proxied», «lab.told.racks¦3», «lab.told.tiered»; num.io.threads=3"));
        String[] chinese = Arrays.copyOf(lab, lab.length + 2);
        chinese[lab.length] = "--lang";
        chinese[lab.length + 1] = "zh";
        assertThat(dryRun(chinese).out().replaceAll("\\s+", ""))
                .containsPattern(
                        Said.zhPattern("«lab.told.brokers¦3¦…»，«lab.told.controllers¦1»，«lab.told.jvm¦512¦G1»"));
        assertThat(dryRun("rolling-upgrade").out()).contains("fault at 10 s: upgrade each broker", "to 4.3.1");
        // If trials have their own labs, each lab is listed.
        assertThat(dryRun("disks").out()).contains("1 disk each", "2 disks each");
        assertThat(dryRun("quick", "--bootstrap-server", SharedLab.oneBroker().bootstrapServers())
                        .out())
                .doesNotContain("lab: ");
    }

    /** A search replaces the load of its scenario. */
    @Test
    void describesCeilingSearch() {
        InProcess ended = InProcess.run(
                "ceiling", "--dry-run", "--slo", "p99 < 20ms", "--max-rate", "5000/s", "--out", out.toString());
        assertThat(ended.exit()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out().replaceAll("\\s+", " "))
                .contains("up to 5,000 records/s")
                .containsPattern(Said.en("cli.thatMeets", "produce.response.p99 < 20ms"))
                .contains("produce quick: values of 1 KB")
                .doesNotContainPattern(Said.en("report.plan.writes"));
        assertThat(out).isEmptyDirectory();
    }

    /** The trials of a search are short, although the scenario would fill any disk. */
    @Test
    void searchNeedsDiskSpaceForOneTrial() throws IOException {
        Path soak = Files.writeString(out.resolve("soak.yaml"), """
            topics: [{name: soak}]
            producers: [{topic: soak, rate: 1GB/s}]
            duration: 30d
            """);
        InProcess ended = InProcess.run(
                "ceiling",
                soak.toString(),
                "--dry-run",
                "--max-rate",
                "1MB/s",
                "--disk-reserve",
                "1%",
                "--bootstrap-server",
                SharedLab.foreign().bootstrapServers(),
                "--out",
                out.toString());
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out())
                .containsPattern(Said.en("cli.wouldSearch"))
                .doesNotContainPattern(Said.en("guards.disk"));
    }

    /** Calibration takes time: a search without consent is rejected before it. */
    @Test
    void requiresConsentBeforeCalibrating() {
        InProcess ended = InProcess.run(
                "ceiling",
                "--bootstrap-server",
                SharedLab.foreign().bootstrapServers(),
                "--set",
                "producers.config.batch.size=" + (20_000 + System.nanoTime() % 10_000),
                "--out",
                out.toString());
        assertThat(ended.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(ended.err()).contains("--max-rate", "--yes").doesNotContain("measuring", "calibrat");
    }

    @Test
    void reportsMistakesLikeRun() {
        InProcess ended = dryRun("quick", "--set", "topics.partitons=3");
        assertThat(ended.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(ended.err()).contains("did you mean topics.partitions?");
    }

    /** Value sizes come from the template or file. */
    @Test
    void takesValueSizesFromTemplateOrFile() throws IOException {
        String template = "producers.record.payload.template=";
        String[] quick = {"quick", "--set", "producers.rate=100/s", "--set", "consumers=null", "--set"};
        assertThat(dryRun(with(quick, template + "${sequence}-${random:49992}")).out())
                .contains("values of 50 KB");
        InProcess refused = dryRun(with(quick, template + "${random:2000000}"));
        assertThat(refused.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(refused.err()).contains("producers[0].record", "max.request.size=1048576");
        InProcess overTopic = dryRun(
                with(with(quick, template + "${random:2000}"), "--set", "topics.config={max.message.bytes: 1000}"));
        assertThat(overTopic.err()).contains("producers[0].record", "max.message.bytes");
        Path file = Files.writeString(out.resolve("lines"), "x".repeat(1000) + "\n" + "y".repeat(3000) + "\n");
        assertThat(dryRun(with(quick, "producers.record.payload={file: " + file + "}"))
                        .out())
                .contains("values of 2 KB on average, 3 KB at most");
    }

    private static String[] with(String[] args, String... more) {
        return Stream.concat(Arrays.stream(args), Arrays.stream(more)).toArray(String[]::new);
    }

    /** A run would report it too, but only after its start. */
    @Test
    void showsWarningsBeforeRun() {
        String[] quick = {"quick", "--set"};
        assertThat(dryRun(with(quick, "producers.config.compresion.type=lz4")).out())
                .contains("compresion.type", "did you mean compression.type?");
        assertThat(dryRun(with(quick, "producers.config.ack=1")).out()).contains("did you mean acks?");
        assertThat(dryRun("quick").out()).doesNotContain("would warn");
    }

    /** If the dry run says that a group cannot keep up, the group falls behind in the run. */
    @Test
    void predictsGroupsThatFallBehind() {
        String yaml = """
                name: slow
                topics: [{name: a, partitions: 2}]
                producers: [{topic: a, rate: 200/s, record: {size: 100, key: sequential}}]
                consumers:
                  # Records count when they are polled: of larger polls, too many would count at the end.
                  - {topic: a, members: 3, work: {each: 20ms}, config: {max.poll.records: 1}}
                  - {topic: a, members: 2}
                warmup: 0s
                duration: 4s
                """;
        Plan plan = ScenarioReader.read(yaml, "slow", List.of(), 1);
        List<LoadEstimate.SlowReader> slow =
                LoadEstimate.of(plan).trials().get(0).slow();
        assertThat(slow).singleElement().satisfies(reader -> {
            assertThat(reader.entry()).isZero();
            assertThat(reader.most()).isEqualTo(100);
            assertThat(reader.written()).isEqualTo(200);
        });
        RunResult result = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out.resolve("runs"));
        assertThat(result.verdict().warnings().stream().map(Sentence::key)).contains("run.slowReader");
        TrialResult.Group group = result.trials().get(0).consume().groups().get(0);
        // A busy host makes the work slower, and never faster.
        assertThat(group.pace().receivedPerSecond()).isBetween(10.0, 105.0);
    }

    /** The log size as reported by the brokers. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "size: 1000 | async",
                "size: 1000 | sync",
                "size: 1000 | {flushEvery: 20}",
                "payload: {template: '${random:3000} ${uuid}'} | async"
            })
    void estimatedBytesMatchBytesWritten(String record, String send) {
        String topic = "dry-run-" + System.nanoTime();
        String yaml = """
                name: dry
                topics: [{name: TOPIC, existing: true}]
                producers: [{topic: TOPIC, records: 500, record: {RECORD, key: sequential}, send: SEND}]
                """.replace("TOPIC", topic).replace("SEND", send).replace("RECORD", record);
        Plan plan = ScenarioReader.read(yaml, "dry", List.of(), 1).withRecords(PayloadSource::sized);
        long expected = LoadEstimate.of(plan).bytes();
        String servers = SharedLab.oneBroker().bootstrapServers();
        try (Admin admin = ClusterConnection.of(servers, null, List.of()).admin()) {
            Topics topics = new Topics(admin);
            topics.create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(20));
            try {
                Runs.run(yaml, servers, out);
                long written = topics.sizesOnDisk(Set.of(topic)).orElseThrow().values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
                assertThat(written).isCloseTo(expected, Percentage.withPercentage(3));
            } finally {
                topics.delete(Set.of(topic), Duration.ofSeconds(20));
            }
        }
    }
}
