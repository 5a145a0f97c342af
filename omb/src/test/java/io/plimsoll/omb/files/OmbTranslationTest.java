package io.plimsoll.omb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.ConsumerSpec.Start;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files of OpenMessaging Benchmark as scenarios. */
class OmbTranslationTest {

    @Test
    void translatesWorkloadToScenario() {
        OmbRun run = Omb.run(Omb.DRIVER, Omb.WORKLOAD);
        assertThat(run.driver()).isEqualTo("Kafka");
        assertThat(run.workloadFile()).isEqualTo("w");
        assertThat(run.cluster().bootstrapServers()).contains("localhost:9092");
        assertThat(run.warnings()).isEmpty();
        assertThat(run.cluster().reset()).isEmpty();
        assertThat(run.plan().name()).isEqualTo("w-Kafka");
        assertThat(run.plan().about()).isEqualTo("a workload");
        assertThat(run.plan().trials()).extracting(Plan.Trial::name).containsExactly("Kafka");
        Scenario scenario = run.plan().trials().get(0).scenario();
        assertThat(scenario.topics())
                .containsExactly(
                        TopicSpec.of("plimsoll-omb-tag-0000000").with(TopicSpec.PARTITIONS, 3),
                        TopicSpec.of("plimsoll-omb-tag-0000001").with(TopicSpec.PARTITIONS, 3));
        assertThat(scenario.duration()).isEqualTo(Duration.ofMinutes(5));
        assertThat(scenario.effectiveWarmup()).isEqualTo(Warmup.lasting(Duration.ofMinutes(1)));
        assertThat(scenario.audit()).isTrue();
        ProducerSpec producer = only(scenario.producers());
        assertThat(producer.oneTopicEach()).isTrue();
        assertThat(ProducerSpec.ONE_TOPIC_EACH.text(producer.settings())).isEqualTo("oneTopicEach");
        assertThat(producer.clients()).isEqualTo(8);
        assertThat(rate(producer)).isEqualTo(1000);
        assertThat(producer.record().size()).isEqualTo(100);
        assertThat(producer.record().pool()).isEqualTo(10);
        assertThat(producer.record().randomBytesRatio()).isEqualTo(0.5);
        assertThat(producer.record().key()).isEqualTo(new KeySpec.None());
        ConsumerSpec consumer = only(scenario.consumers());
        assertThat(consumer.oneTopicEach()).isTrue();
        assertThat(consumer.groups()).isEqualTo(4);
        assertThat(consumer.members()).isEqualTo(3);
        assertThat(consumer.start()).isInstanceOf(Start.Earliest.class);
        // Neither the client nor another component commits: then OpenMessaging Benchmark does after each poll.
        assertThat(consumer.commit()).isEqualTo(new Commit.Async(1));
    }

    /** One entry has at most 10,000 clients or groups; together they have the rate and backlog of the workload. */
    @Test
    void dividesTopicsAmongEntriesBeyondLimit() {
        String many = Omb.with("topics: 25000").replace("subscriptionsPerTopic: 2", "subscriptionsPerTopic: 1")
                + "consumerBacklogSizeGB: 4\n";
        Scenario scenario =
                Omb.scenario(Omb.DRIVER, many.replace("producersPerTopic: 4", "producersPerTopic: 1"));
        assertThat(scenario.topics()).hasSize(25_000);
        assertThat(scenario.producers()).extracting(ProducerSpec::clients).containsExactly(10_000, 10_000, 5_000);
        assertThat(scenario.producers()).extracting(OmbTranslationTest::rate).containsExactly(400.0, 400.0, 200.0);
        assertThat(scenario.producers().stream().flatMap(p -> p.topics().stream()))
                .containsExactlyElementsOf(
                        scenario.topics().stream().map(TopicSpec::name).toList());
        assertThat(scenario.consumers()).extracting(ConsumerSpec::groups).containsExactly(10_000, 10_000, 5_000);
        assertThat(scenario.consumers())
                .extracting(c -> ((Start.BacklogBytes) c.start()).bytes())
                .containsExactly(1_717_986_918L, 1_717_986_918L, 858_993_459L);
        assertThat(scenario.producers().stream().allMatch(ProducerSpec::oneTopicEach))
                .isTrue();
    }

    @Test
    void storedScenarioReadsBackUnchanged() {
        Plan plan =
                Omb.run(Omb.DRIVER, Omb.with("keyDistributor: KEY_ROUND_ROBIN")).plan();
        Plan again = ScenarioReader.read(plan.source(), "scenario.yaml", List.of(), 1);
        assertThat(again.trials()).isEqualTo(plan.trials());
    }

    /** As printed in the cloud provider's report. */
    @Test
    void acceptsCloudProviderFilesUnchanged() {
        OmbSetting setting = withServers("broker:9092");
        OmbRun run = OmbTranslation.translate(
                Omb.resource("driver-cloud.yaml"), "driver.yaml", Omb.resource("cloud.yaml"), "testcase.yaml", setting);
        assertThat(run.cluster().bootstrapServers()).contains("broker:9092");
        assertThat(run.cluster().reset()).isEmpty();
        Scenario scenario = run.plan().trials().get(0).scenario();
        assertThat(scenario.topics()).hasSize(10).allMatch(TopicSpec::existing).allMatch(t -> t.partitions() == 100);
        assertThat(scenario.topics().get(9).name()).isEqualTo("topic_10");
        assertThat(scenario.audit()).isFalse();
        assertThat(scenario.duration()).isEqualTo(Duration.ofMinutes(30));
        ProducerSpec producer = only(scenario.producers());
        assertThat(producer.clients()).isEqualTo(1000);
        assertThat(rate(producer)).isEqualTo(307_200);
        RecordSpec record = producer.record();
        assertThat(record.size()).isEqualTo(1024);
        assertThat(record.randomBytesRatio()).isEqualTo(0.1);
        assertThat(record.pool()).isEqualTo(100);
        assertThat(record.key()).isEqualTo(new KeySpec.Padded(new KeySpec.Uniform(10_000, KeySpec.Type.STRING), 10));
        assertThat(producer.config())
                .containsEntry("compression.type", "none")
                .containsEntry("linger.ms", "30000")
                .containsEntry("receive.buffer.bytes", "32768")
                .containsEntry("request.timeout.ms", "30000")
                .doesNotContainKey("bootstrap.servers");
        ConsumerSpec consumer = only(scenario.consumers());
        assertThat(consumer.groups()).isEqualTo(10);
        assertThat(consumer.members()).isEqualTo(120);
        assertThat(consumer.start()).isInstanceOf(Start.Latest.class);
        assertThat(consumer.commit()).isInstanceOf(Commit.Auto.class);
        assertThat(consumer.config())
                .containsEntry("fetch.max.wait.ms", "500")
                .containsEntry("max.partition.fetch.bytes", "1048576");
        assertThat(run.warnings().stream().map(Sentence::english))
                .anySatisfy(w -> assertThat(w)
                        .startsWith(Said.text(
                                "driver.yaml:14:1: producerConfig.compression.type: «scenario.omb.comment¦\"none\"»")))
                .anySatisfy(w -> assertThat(w)
                        .startsWith(Said.text(
                                "testcase.yaml:7:26: consumerPerSubscription: «scenario.omb.idleConsumers¦20¦120»")))
                .anySatisfy(w -> assertThat(w)
                        .startsWith(Said.text("testcase.yaml:5:14: payloadFile: «scenario.omb.fileNotSent»")))
                .anySatisfy(
                        w -> assertThat(w).startsWith("driver.yaml:3:20: replicationFactor: this key has no effect: the topics"))
                .anySatisfy(w -> assertThat(w).contains(Said.text("topicConfig: «scenario.omb.topicsAreThere»")))
                .hasSize(6);
    }

    private static OmbSetting withServers(String servers) {
        OmbSetting s = Omb.setting(false, false, 1);
        return new OmbSetting(
                new OmbSetting.Reading(true, List.of(), 1),
                new OmbSetting.Cluster(false, Optional.of(servers), Optional.empty()),
                s.surroundings(),
                s.highestRate());
    }

    /** All of them, without a payload file: strictly, on a lab, and scaled. */
    @ParameterizedTest
    @MethodSource("shipped")
    void translatesShippedWorkloads(String workload, String driver) {
        OmbRun run = OmbTranslation.translate(
                Omb.resource(driver), driver, Omb.resource(workload), workload, Omb.setting(true, true, 0.01));
        assertThat(run.cluster().bootstrapServers()).isEmpty();
        Scenario scenario = run.plan().trials().get(0).scenario();
        assertThat(scenario.producers()).isNotEmpty();
        assertThat(scenario.consumers()).isNotEmpty();
        assertThat(scenario.duration()).isLessThan(Duration.ofSeconds(20));
    }

    static Stream<org.junit.jupiter.params.provider.Arguments> shipped() throws IOException {
        List<String> files;
        try (Stream<Path> found = Files.list(Path.of("omb", "src", "test", "resources"))) {
            files = found.map(f -> f.getFileName().toString()).sorted().toList();
        }
        assertThat(files).hasSizeGreaterThan(14);
        return files.stream().filter(f -> !f.startsWith("driver-")).flatMap(workload -> files.stream()
                .filter(f -> f.startsWith("driver-kafka"))
                .map(driver -> org.junit.jupiter.params.provider.Arguments.of(workload, driver)));
    }

    @Test
    void searchesHighestRateThenUsesIt() {
        OmbRun search = Omb.run(Omb.DRIVER, Omb.with("producerRate: 0"));
        assertThat(search.highestRate()).isTrue();
        assertThat(search.warnings()).hasSize(1).allMatch(w -> w.english()
                .startsWith("w.yaml:12:15: producerRate: 0 "));
        OmbSetting known = Omb.setting(false, false, 1).withHighestRate(1234);
        OmbRun run = OmbTranslation.translate(Omb.DRIVER, "d.yaml", Omb.with("producerRate: 0"), "w.yaml", known);
        assertThat(run.highestRate()).isFalse();
        assertThat(run.warnings()).isEmpty();
        assertThat(only(run.plan().trials().get(0).scenario().producers()).rate())
                .isEqualTo(only(Omb.scenario(Omb.DRIVER, Omb.with("producerRate: 1234"))
                                .producers())
                        .rate());
    }

    @Test
    void treatsTenMillionAsUnlimitedWithWarning() {
        OmbRun run = Omb.run(Omb.DRIVER, Omb.with("producerRate: 10000000"));
        assertThat(run.highestRate()).isFalse();
        assertThat(only(run.plan().trials().get(0).scenario().producers()).rate())
                .isInstanceOf(Rate.Unlimited.class);
        assertThat(run.warnings()).hasSize(1).allMatch(w -> w.english().startsWith("w.yaml:12:15: producerRate: "));
        assertThat(run.warnings().get(0).english()).contains("closed loop");
    }

    @Test
    void dividesBacklogAmongGroups() {
        Scenario scenario = Omb.scenario(Omb.DRIVER, Omb.with("consumerBacklogSizeGB: 3"));
        // 3 GiB over both groups of each topic: 1.5 GiB are written.
        assertThat(only(scenario.consumers()).start()).isEqualTo(new Start.BacklogBytes(3L << 29));
        OmbRun scaled = OmbTranslation.translate(
                Omb.DRIVER, "d.yaml", Omb.with("consumerBacklogSizeGB: 3"), "w.yaml", Omb.setting(false, false, 0.001));
        assertThat(only(scaled.plan().trials().get(0).scenario().consumers()).start())
                .isEqualTo(new Start.BacklogBytes(Math.round((3L << 29) * 0.001)));
    }

    @Test
    void usesMidpointsOfSizeBuckets() {
        Scenario scenario = Omb.scenario(
                Omb.DRIVER, Omb.with("messageSizeDistribution: {\"0-256\": 234, \"1KB-4KB\": 456.5, \"4KB-8KB\": 0}"));
        RecordSpec record = only(scenario.producers()).record();
        assertThat(record.mix()).containsExactly(new WeightedSize(128, 234), new WeightedSize(2560, 456.5));
    }

    @Test
    void translatesRoundRobinKeys() {
        assertThat(only(Omb.scenario(Omb.DRIVER, Omb.with("keyDistributor: KEY_ROUND_ROBIN"))
                                .producers())
                        .record()
                        .key())
                .isEqualTo(new KeySpec.Padded(new KeySpec.RoundRobin(10_000, KeySpec.Type.STRING), 10));
    }

    @Test
    void sharedGroupReadsAllTopics() {
        Scenario scenario = Omb.scenario(Omb.DRIVER + "useSharedConsumerGroup: true\n", Omb.WORKLOAD);
        ConsumerSpec consumer = only(scenario.consumers());
        assertThat(consumer.oneTopicEach()).isFalse();
        assertThat(consumer.groups()).isEqualTo(2);
        assertThat(consumer.members()).isEqualTo(6);
        assertThat(consumer.topics()).hasSize(2);
    }

    @Test
    void translatesPartitionsAndProducersPerTopic() {
        Scenario scenario = Omb.scenario(
                Omb.DRIVER,
                Omb.without("topics")
                        + "topics: 3\npartitionsPerTopicList: [4, 5, 4]\nproducersPerTopicList: [1, 3, 1]\n");
        assertThat(scenario.topics()).extracting(TopicSpec::partitions).containsExactlyInAnyOrder(4, 4, 5);
        assertThat(scenario.producers()).hasSize(2);
        ProducerSpec ones = scenario.producers().get(0);
        ProducerSpec threes = scenario.producers().get(1);
        assertThat(ones.clients()).isEqualTo(2);
        assertThat(ones.topics()).containsExactly("plimsoll-omb-tag-0000000", "plimsoll-omb-tag-0000002");
        assertThat(threes.clients()).isEqualTo(3);
        assertThat(threes.topics()).containsExactly("plimsoll-omb-tag-0000001");
        assertThat(rate(ones)).isCloseTo(400, within(1e-6));
        assertThat(rate(threes)).isCloseTo(600, within(1e-6));
    }

    @Test
    void acceptsExistingTopicsPerSide() {
        Scenario scenario = Omb.scenario(
                Omb.DRIVER,
                Omb.without("topics") + "existingProduceTopicList: [a, b]\nexistingConsumeTopicList: [c]\n");
        assertThat(scenario.topics()).allMatch(TopicSpec::existing);
        assertThat(scenario.topics()).extracting(TopicSpec::name).containsExactly("a", "b", "c");
        assertThat(only(scenario.producers()).topics()).containsExactly("a", "b");
        assertThat(only(scenario.consumers()).topics()).containsExactly("c");
        assertThat(only(scenario.consumers()).groups()).isEqualTo(2);
    }

    /** Without this number, each topic would count as one partition. */
    @Test
    void warnsOfIdleConsumersOnlyIfPartitionsAreKnown() {
        String existing = Omb.without("topics") + "existingTopicList: [a]\n";
        assertThat(Omb.run(Omb.DRIVER, existing.replace("partitionsPerTopic: 3", "partitionsPerTopic: 1"))
                        .warnings())
                .anyMatch(OmbTranslationTest::isIdle);
        assertThat(Omb.run(Omb.DRIVER, existing.replace("partitionsPerTopic: 3\n", ""))
                        .warnings())
                .noneMatch(OmbTranslationTest::isIdle);
    }

    private static boolean isIdle(Sentence warning) {
        return warning.english().contains(Said.text("«scenario.omb.idleConsumers¦2¦3»"));
    }

    @Test
    void combinesOnlyNumberedTopicsIntoPattern() {
        List<String> names = List.of("plimsoll-omb-orders", "plimsoll-omb-x-1", "plimsoll-omb-y-2", "plimsoll-omb-y-3");
        Scenario scenario =
                Omb.scenario(Omb.DRIVER, Omb.without("topics") + "existingTopicList: " + names + "\n");
        assertThat(scenario.topics()).extracting(TopicSpec::name).containsExactlyElementsOf(names);
        assertThat(OmbTopics.patterns(names.subList(1, 3))).isEqualTo(names.subList(1, 3));
        assertThat(OmbTopics.patterns(names.subList(2, 4))).containsExactly("plimsoll-omb-y-[2-3]");
    }

    @Test
    void acceptsConsumersOnly() {
        Scenario scenario =
                Omb.scenario(Omb.DRIVER, Omb.without("topics") + "existingTopicList: [a]\nconsumerOnly: true\n");
        assertThat(scenario.producers()).isEmpty();
        assertThat(only(scenario.consumers()).topics()).containsExactly("a");
    }

    @Test
    void interpolatesRateList() {
        Scenario scenario = Omb.scenario(Omb.DRIVER, Omb.with("producerRateList: [[0, 1000], [4, 5000]]"));
        Rate.Steps steps = (Rate.Steps) only(scenario.producers()).rate();
        assertThat(steps.each()).isEqualTo(Duration.ofSeconds(10));
        assertThat(steps.levels()).hasSize(30);
        assertThat(steps.levels().get(0).value()).isCloseTo(1083.333, within(0.001));
        assertThat(steps.levels().get(23).value()).isCloseTo(4916.667, within(0.001));
        assertThat(steps.levels().get(29).value()).isEqualTo(5000);
        double records =
                steps.levels().stream().mapToDouble(l -> l.value() * 10).sum();
        assertThat(records).isCloseTo(4 * 60 * 3000 + 60 * 5000, within(1.0));
    }

    /** The run starts at 23:00: midnight is an hour away. */
    @Test
    void ratesFollowClockPastMidnight() {
        Scenario scenario = Omb.scenario(
                Omb.DRIVER,
                Omb.without("testDurationMinutes")
                        + "testDurationMinutes: 120\nwarmupDurationMinutes: 0\n"
                        + "producerRateList: [[23, 0, 1000], [1, 0, 3000]]\n");
        Rate.Steps steps = (Rate.Steps) only(scenario.producers()).rate();
        int half = steps.levels().size() / 2;
        assertThat(steps.levels().get(0).value()).isCloseTo(1000, within(5.0));
        assertThat(steps.levels().get(half).value()).isCloseTo(2000, within(5.0));
        assertThat(steps.levels().get(2 * half - 1).value()).isCloseTo(3000, within(5.0));
    }

    /** The run starts at 23:00 and lasts three days. */
    @Test
    void ratesRepeatEachDay() {
        Scenario scenario = Omb.scenario(
                Omb.DRIVER,
                Omb.without("testDurationMinutes")
                        + "testDurationMinutes: 4320\nwarmupDurationMinutes: 0\n"
                        + "producerRateList: [[23, 0, 1000], [11, 0, 3000]]\n");
        List<Rate.Quantity> levels = ((Rate.Steps) only(scenario.producers()).rate()).levels();
        for (int day = 0; day < 3; day++) {
            int start = levels.size() * day / 3;
            assertThat(levels.get(start).value()).isCloseTo(1000, within(20.0));
            assertThat(levels.get(start + levels.size() / 6).value()).isCloseTo(3000, within(20.0));
        }
    }

    /** The run starts at 23:00, and its measured window half an hour later. */
    @Test
    void warmupAdvancesRateClock() {
        Scenario scenario = Omb.scenario(
                Omb.DRIVER,
                Omb.with("producerRateList: [[23, 0, 1000], [1, 0, 3000]]") + "warmupDurationMinutes: 30\n");
        Rate.Steps steps = (Rate.Steps) only(scenario.producers()).rate();
        assertThat(steps.levels().get(0).value()).isCloseTo(1500, within(5.0));
    }

    @Test
    void sendsPayloadFileUnchanged() {
        Scenario scenario =
                Omb.scenario(Omb.DRIVER, Omb.without("useRandomizedPayloads") + "payloadFile: there.data\n");
        assertThat(only(scenario.producers()).record().payload())
                .isEqualTo(new RecordSpec.Payload.Files(List.of("/x/there.data")));
    }

    @Test
    void randomPayloadsNeedNoFile() {
        OmbRun run = Omb.run(Omb.DRIVER, Omb.with("payloadFile: nowhere.data"));
        assertThat(run.warnings()).singleElement().satisfies(w -> assertThat(w.english())
                .contains(Said.text("payloadFile: «scenario.omb.fileNotSent»")));
        assertThat(only(run.plan().trials().get(0).scenario().producers())
                        .record()
                        .payload())
                .isInstanceOf(RecordSpec.Payload.Random.class);
    }

    @Test
    void warnsOfMissingShippedPayloadFile() {
        OmbRun run = Omb.run(
                Omb.DRIVER, Omb.without("useRandomizedPayloads") + "payloadFile: \"payload/payload-100b.data\"\n");
        assertThat(run.warnings().stream().map(Sentence::english))
                .contains(Said.text(
                        "w.yaml:12:14: payloadFile: «scenario.omb.noShippedFile¦\"payload/payload-100b.data\"»"));
    }

    @Test
    void readsPropertiesLikeJava() {
        String driver = """
            name: Kafka
            replicationFactor: 1
            topicConfig: |
              # a comment
              min.insync.replicas = 1

              ! another
              retention.ms:\\
                 60000
              cleanup.policy delete
            commonConfig: |
              bootstrap.servers=a:1,b:2
              sasl.jaas.config=x required username="u" password="a #b";
              request.timeout.ms=5
            producerConfig: acks=1
            consumerConfig: |
              auto.offset.reset=latest
              offsetCommitLingerMs=2000
            """;
        OmbRun run = Omb.run(driver, Omb.WORKLOAD);
        Scenario scenario = run.plan().trials().get(0).scenario();
        assertThat(scenario.topics().get(0).config())
                .isEqualTo(Map.of("min.insync.replicas", "1", "retention.ms", "60000", "cleanup.policy", "delete"));
        assertThat(run.cluster().bootstrapServers()).contains("a:1,b:2");
        assertThat(run.cluster().clientProperties())
                .isEqualTo(Map.of("sasl.jaas.config", "x required username=\"u\" password=\"a #b\";"));
        assertThat(only(scenario.producers()).config()).isEqualTo(Map.of("acks", "1", "request.timeout.ms", "5"));
        assertThat(only(scenario.consumers()).commit()).isInstanceOf(Commit.Auto.class);
        assertThat(only(scenario.consumers()).config()).containsEntry("auto.commit.interval.ms", "2000");
        assertThat(run.plan().source()).doesNotContain("password");
    }

    @Test
    void reportsLocationOfReset() {
        assertThat(Omb.run(Omb.DRIVER + "reset: true\n", Omb.WORKLOAD).cluster().reset())
                .contains("d.yaml:8:8: reset");
    }

    @Test
    void warnsOfKeysWithoutEffect() {
        OmbRun run = Omb.run(
                Omb.DRIVER,
                Omb.WORKLOAD
                        + "warmupProducerRate: 5\n"
                        + "backlogProducerRate: 5\n"
                        + "drainProducerRate: 5\n"
                        + "backlogDrainRatio: 0.5\n"
                        + "sampleRateMillis: 5000\n");
        assertThat(run.warnings()).hasSize(4).allMatch(w -> w.english().contains("has no effect"));
        assertThat(run.periodMillis()).isEqualTo(5000);
    }

    /** Like the other tool's reader. */
    @Test
    void lastDuplicateKeyWins() {
        OmbRun run =
                Omb.run(Omb.DRIVER + "name: second\n", Omb.WORKLOAD.replace("topics: 2\n", "topics: 9\ntopics: 2\n"));
        assertThat(run.driver()).isEqualTo("second");
        assertThat(run.plan().trials().get(0).scenario().topics()).hasSize(2);
        assertThat(run.warnings())
                .extracting(Sentence::english)
                .satisfiesExactlyInAnyOrder(w -> assertThat(w).startsWith("d.yaml:8:1: name:"), w -> assertThat(w)
                        .startsWith("w.yaml:3:1: topics:"));
    }

    private static double rate(ProducerSpec producer) {
        Rate.Quantity rate = ((Rate.Constant) producer.rate()).rate();
        assertThat(rate.unit()).isEqualTo(Rate.Unit.RECORDS);
        return rate.value();
    }

    private static <T> T only(List<T> list) {
        assertThat(list).hasSize(1);
        return list.get(0);
    }
}
