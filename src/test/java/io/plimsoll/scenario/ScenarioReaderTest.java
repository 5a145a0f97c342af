package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import io.plimsoll.scenario.ConsumerSpec.Start;
import io.plimsoll.scenario.ProducerSpec.Arrivals;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A scenario is read as documented, defaults included. */
class ScenarioReaderTest {
    private static final String SMALLEST = """
        topics: [{name: events}]
        producers: [{topic: events}]
        """;

    private static Plan read(String yaml, String... sets) {
        return ScenarioReader.read(yaml, "dir/my test.yaml", List.of(sets), 1);
    }

    private static Scenario only(String yaml, String... sets) {
        Plan plan = read(yaml, sets);
        assertThat(plan.trials()).hasSize(1);
        return plan.trials().get(0).scenario();
    }

    private static ProducerSpec producer(String properties) {
        return only("topics: [{name: events}]\nproducers: [{topic: events, " + properties + "}]\n")
                .producers()
                .get(0);
    }

    private static ConsumerSpec consumer(String properties) {
        return only("topics: [{name: events}]\nproducers: [{topic: events}]\nconsumers: [{topic: events, " + properties
                        + "}]\n")
                .consumers()
                .get(0);
    }

    @Test
    void fillsInEveryDefault() {
        Plan plan = read(SMALLEST + "consumers: [{topic: events}]\n");

        Scenario scenario = plan.trials().get(0).scenario();
        assertThat(plan.trials()).containsExactly(new Plan.Trial("my-test", Map.of(), scenario));
        assertThat(scenario.topics()).containsExactly(TopicSpec.of("events"));
        assertThat(List.of(scenario.name(), scenario.about(), scenario.duration(), scenario.warmup()))
                .containsExactly("my-test", "", Duration.ofSeconds(30), Optional.empty());
        assertThat(List.of(
                        scenario.audit(), scenario.get(Scenario.ABORT_ON_FAIL), scenario.checks(), scenario.faults()))
                .containsExactly(false, false, List.of(), List.of());
        ProducerSpec p = scenario.producers().get(0);
        assertThat(List.of(p.topics(), p.oneTopicEach(), p.clients(), p.threads(), p.engine()))
                .containsExactly(List.of("events"), false, 1, 1, "client");
        assertThat(List.of(
                        p.rate(), p.get(ProducerSpec.ARRIVALS), p.records(), p.duration(), p.send(), p.transactions()))
                .containsExactly(
                        new Rate.Unlimited(),
                        Arrivals.UNIFORM,
                        OptionalLong.empty(),
                        Optional.empty(),
                        new SendMode.Async(),
                        Transactions.NONE);
        assertThat(List.of(p.config(), p.partitions(), p.on())).containsExactly(Map.of(), List.of(), Map.of());
        RecordSpec r = p.record();
        assertThat(List.of(r.size(), r.mix(), r.key(), r.payload(), r.randomBytesRatio(), r.headers(), r.pool()))
                .containsExactly(
                        1000, List.of(), new KeySpec.None(), new Payload.Random(), 1.0, new Headers(0, 8, 16), 0);
        ConsumerSpec c = scenario.consumers().get(0);
        assertThat(List.of(c.topics(), c.oneTopicEach(), c.groups(), c.members(), c.start(), c.rewind(), c.commit()))
                .containsExactly(
                        List.of("events"), false, 1, 1, new Start.Earliest(), Optional.empty(), new Commit.Auto());
        assertThat(List.of(c.engine(), c.records(), c.get(ConsumerSpec.IDLE_TIMEOUT), c.config(), c.on()))
                .containsExactly("client", OptionalLong.empty(), Duration.ofSeconds(10), Map.of(), Map.of());
    }

    @Test
    void readsProducerPartitions() {
        assertThat(producer("rate: 5/s").partitions()).isEmpty();
        assertThat(producer("partitions: 0").partitions()).containsExactly(0);
        String yaml = "topics: [{name: events, partitions: 3}]\nproducers: [{topic: events, partitions: [2, 0, 2]}]\n";
        assertThat(only(yaml).producers().get(0).partitions()).containsExactly(2, 0);
    }

    @Test
    void readsTopicsAndPatterns() {
        Scenario scenario = only("""
            topics:
              - {name: "a-[1-3]", partitions: 6, replication: 2, config: {retention.ms: 5, cleanup.policy: compact}}
              - {name: "b-[08-10]-x", existing: true}
            producers: [{topic: ["a-[2-3]", b-09-x]}]
            """);
        assertThat(scenario.topics())
                .extracting(TopicSpec::name)
                .containsExactly("a-1", "a-2", "a-3", "b-08-x", "b-09-x", "b-10-x");
        assertThat(scenario.topics().get(1))
                .isEqualTo(TopicSpec.of("a-2")
                        .with(TopicSpec.PARTITIONS, 6)
                        .with(TopicSpec.REPLICATION, 2)
                        .with(TopicSpec.CONFIG, Map.of("retention.ms", "5", "cleanup.policy", "compact")));
        assertThat(scenario.topics().get(5).existing()).isTrue();
        assertThat(scenario.producers().get(0).topics()).containsExactly("a-2", "a-3", "b-09-x");
    }

    @Test
    void readsEveryRate() {
        assertThat(producer("rate: 5k/s").rate()).isEqualTo(new Rate.Constant(new Quantity(5000, Unit.RECORDS)));
        assertThat(producer("rate: 20MB/s wire").rate())
                .isEqualTo(new Rate.Constant(new Quantity(20e6, Unit.WIRE_BYTES)));
        assertThat(producer("rate: unlimited").rate()).isEqualTo(new Rate.Unlimited());
        assertThat(producer("rate: {ramp: [0/s, 10/s], over: 30s}").rate())
                .isEqualTo(new Rate.Ramp(
                        new Quantity(0, Unit.RECORDS), new Quantity(10, Unit.RECORDS), Duration.ofSeconds(30)));
        assertThat(producer("rate: {steps: [1MB/s, 2MB/s], each: 1m}").rate())
                .isEqualTo(new Rate.Steps(
                        List.of(new Quantity(1e6, Unit.PAYLOAD_BYTES), new Quantity(2e6, Unit.PAYLOAD_BYTES)),
                        Duration.ofMinutes(1)));
        assertThat(producer("rate: {daily: {mean: 10/s, amplitude: 50%, period: 24h}}")
                        .rate())
                .isEqualTo(new Rate.Daily(new Quantity(10, Unit.RECORDS), 0.5, Duration.ofDays(1)));
    }

    @Test
    void readsEveryKey() {
        assertThat(producer("record: {key: none}").record().key()).isEqualTo(new KeySpec.None());
        assertThat(producer("record: {key: sequential}").record().key())
                .isEqualTo(new KeySpec.Sequential(KeySpec.Type.STRING));
        assertThat(producer("record: {key: {sequential: true, type: int}}")
                        .record()
                        .key())
                .isEqualTo(new KeySpec.Sequential(KeySpec.Type.INTEGER));
        assertThat(producer("record: {key: {uniform: 10k, type: bytes}}")
                        .record()
                        .key())
                .isEqualTo(new KeySpec.Uniform(10_000, KeySpec.Type.BYTES));
        assertThat(producer("record: {key: {zipf: {s: 1.1, n: 100}, type: string}}")
                        .record()
                        .key())
                .isEqualTo(new KeySpec.Zipf(1.1, 100, KeySpec.Type.STRING));
        assertThat(producer("record: {key: {fixed: abc}}").record().key())
                .isEqualTo(new KeySpec.Fixed("abc", KeySpec.Type.STRING));
        assertThat(producer("record: {key: {fixed: -7, type: int}}").record().key())
                .isEqualTo(new KeySpec.Fixed("-7", KeySpec.Type.INTEGER));
    }

    @Test
    void readsEveryPayloadAndHeader() {
        assertThat(producer("record: {size: 0, payload: constant, randomBytesRatio: 0, headers: 3}")
                        .record())
                .isEqualTo(RecordSpec.DEFAULT
                        .with(RecordSpec.SIZE, new RecordSpec.Sizes(0))
                        .with(RecordSpec.PAYLOAD, new Payload.Constant())
                        .with(RecordSpec.RANDOM_BYTES_RATIO, 0.0)
                        .with(RecordSpec.HEADERS, new Headers(3, 8, 16)));
        assertThat(producer("record: {payload: {file: a.txt, delimiter: \"||\"}}")
                        .record()
                        .payload())
                .isEqualTo(new Payload.File("a.txt", "||"));
        assertThat(producer("record: {payload: {file: a.txt}}").record().payload())
                .isEqualTo(new Payload.File("a.txt", "\n"));
        assertThat(producer("record: {payload: {template: \"n ${sequence}\"}}")
                        .record()
                        .payload())
                .isEqualTo(new Payload.Template("n ${sequence}"));
        assertThat(producer("record: {headers: {count: 1, keySize: 2, valueSize: 1KB}}")
                        .record()
                        .headers())
                .isEqualTo(new Headers(1, 2, 1000));
    }

    @Test
    void readsRemainingProducerProperties() {
        ProducerSpec producer =
                producer("clients: 2, threads: 3, engine: raw, arrivals: poisson, rate: 1/s, records: 5M,"
                        + " send: sync, config: {linger.ms: 5, acks: all, x: true, y: 1.50, z: \"\"}");
        assertThat(producer.totalThreads()).isEqualTo(6);
        assertThat(producer.engine()).isEqualTo("raw");
        assertThat(producer.get(ProducerSpec.ARRIVALS)).isEqualTo(Arrivals.POISSON);
        assertThat(producer.records()).hasValue(5_000_000);
        assertThat(producer.config())
                .containsExactly(
                        entry("linger.ms", "5"),
                        entry("acks", "all"),
                        entry("x", "true"),
                        entry("y", "1.50"),
                        entry("z", ""));
        assertThat(producer("duration: 2m").duration()).contains(Duration.ofMinutes(2));
        assertThat(producer.send()).isEqualTo(new SendMode.Sync(Optional.empty()));
        assertThat(producer("send: {sync: {timeout: 100ms}}").send())
                .isEqualTo(new SendMode.Sync(Optional.of(Duration.ofMillis(100))));
        assertThat(producer("send: {flushEvery: 100}").send()).isEqualTo(new SendMode.FlushEvery(100));
        assertThat(producer("transactions: none").transactions().enabled()).isFalse();
        assertThat(producer("transactions: {every: 1s, abortRatio: 0.1}").transactions())
                .isEqualTo(new Transactions(Optional.of(Duration.ofSeconds(1)), OptionalLong.empty(), 0.1));
        assertThat(producer("transactions: {records: 1k}").transactions())
                .isEqualTo(new Transactions(Optional.empty(), OptionalLong.of(1000), 0));
    }

    @Test
    void readsConsumers() {
        ConsumerSpec consumer = consumer(
                "groups: 2, members: 3, engine: raw, records: 10, idleTimeout: 1m, config: {max.poll.records: 1}");
        assertThat(consumer.groups()).isEqualTo(2);
        assertThat(consumer.members()).isEqualTo(3);
        assertThat(consumer.engine()).isEqualTo("raw");
        assertThat(consumer.records()).hasValue(10);
        assertThat(consumer.get(ConsumerSpec.IDLE_TIMEOUT)).isEqualTo(Duration.ofMinutes(1));
        assertThat(consumer.config()).containsExactly(entry("max.poll.records", "1"));
        assertThat(consumer("start: latest").start()).isEqualTo(new Start.Latest());
        assertThat(consumer("start: {after: produce}").start()).isEqualTo(new Start.AfterProduce());
        assertThat(consumer("start: {offset: 1000}").start()).isEqualTo(new Start.Offset(1000));
        Start.Timestamp noon = new Start.Timestamp(Instant.parse("2026-01-31T12:00:00Z"));
        assertThat(consumer("start: {timestamp: 2026-01-31T12:00:00Z}").start()).isEqualTo(noon);
        assertThat(consumer("start: {timestamp: 1769860800000}").start()).isEqualTo(noon);
        assertThat(consumer("start: {backlog: 10s}").start()).isEqualTo(new Start.Backlog(Duration.ofSeconds(10)));
        assertThat(consumer("start: {backlog: 500MB}").start()).isEqualTo(new Start.BacklogBytes(500_000_000));
        assertThat(consumer("start: {backlog: 1GiB, rewind: 0}").rewind()).contains(new Rewind.ToBeginning());
        assertThat(consumer("start: {rewind: '2026-01-31T12:00:00Z'}").rewind())
                .contains(new Rewind.ToTime(Instant.parse("2026-01-31T12:00:00Z")));
        assertThat(consumer("start: {rewind: 0}").start()).isEqualTo(new Start.Earliest());
        assertThat(consumer("commit: none").commit()).isEqualTo(new Commit.None());
        assertThat(consumer("commit: {sync: {every: 1}}").commit()).isEqualTo(new Commit.Sync(1));
        assertThat(consumer("commit: {async: {every: 1000}}").commit()).isEqualTo(new Commit.Async(1000));
    }

    @Test
    void readsTopLevelProperties() {
        Scenario scenario = only(SMALLEST + """
            name: my.name
            about: 'What: it is.'
            duration: 1m
            warmup: 0
            audit: true
            checks: ["audit.lost == 0", produce.response.p99 < 5ms]
            faults: []
            """);
        assertThat(scenario.name()).isEqualTo("my.name");
        assertThat(scenario.about()).isEqualTo("What: it is.");
        assertThat(scenario.duration()).isEqualTo(Duration.ofMinutes(1));
        assertThat(scenario.warmup()).contains(Warmup.NO_TIME);
        assertThat(scenario.audit()).isTrue();
        assertThat(scenario.checks()).extracting(Check::figure).containsExactly("audit.lost", "produce.response.p99");
    }

    @Test
    void readsPublishedFigures() {
        Plan plan = read(SMALLEST + """
            trials: [{name: slow, set: {duration: 15s}}]
            reference:
              source: A report, 2014
              tables:
                - title: {en: Producing, zh: 生产}
                  columns: {records: text, "p99, ms": produce.response.p99 in ms, "MB/s": {of: produce.throughput in MiB/s, zh: 带宽}}
                  rows:
                    - {trial: slow, values: [{en: "10,000 *", zh: 1万条 *}, 112, null]}
                  notes: ["* of a picture", null]
              conclusions:
                - {text: Fast., checks: [trials.slow.produce.throughput > 10MB/s]}
            """);
        assertThat(plan.reference())
                .contains(new Reference(
                        Sentence.verbatim("A report, 2014"),
                        List.of(new Reference.Table(
                                Sentence.both("Producing", "生产"),
                                List.of(
                                        new Reference.Column(Sentence.verbatim("records"), "", ""),
                                        new Reference.Column(
                                                Sentence.verbatim("p99, ms"), "produce.response.p99", "ms"),
                                        new Reference.Column(
                                                Sentence.both("MB/s", "带宽"), "produce.throughput", "MiB/s")),
                                List.of(new Reference.Row(
                                        "slow",
                                        java.util.Arrays.asList(
                                                Sentence.both("10,000 *", "1万条 *"), Sentence.verbatim("112"), null))),
                                List.of(Sentence.verbatim("* of a picture")))),
                        List.of(new Reference.Conclusion(
                                Sentence.verbatim("Fast."), List.of("trials.slow.produce.throughput > 10MB/s")))));
    }

    @Test
    void readsPublishedFigureByDeprecatedName() {
        Plan plan = read(SMALLEST + """
            trials: [{name: old, set: {duration: 2s}}]
            reference:
              tables:
                - columns: {age: consume.e2e.p50 in ms}
                  rows: [{trial: old, values: [1]}]
            """);
        assertThat(plan.reference().orElseThrow().tables().get(0).columns())
                .extracting(Reference.Column::figure)
                .containsExactly("consume.endToEnd.p50");
    }

    @Test
    void scenarioOverridesEarlierClientDefaults() {
        String yaml = SMALLEST.replace("events}]\n", "events, config: {linger.ms: 7}}]\n") + """
            consumers: [{topic: events}, {topic: events, config: {group.protocol: consumer}}]
            defaults: kafka-2.x
            """;
        Scenario old = only(yaml);
        assertThat(old.producers().get(0).config())
                .containsEntry("acks", "1")
                .containsEntry("enable.idempotence", "false")
                .containsEntry("linger.ms", "7");
        assertThat(old.consumers().get(0).config()).containsEntry("session.timeout.ms", "10000");
        assertThat(old.consumers().get(1).config()).doesNotContainKey("session.timeout.ms");
        assertThat(only(yaml, "producers.transactions.every=1s")
                        .producers()
                        .get(0)
                        .config())
                .doesNotContainKeys("acks", "enable.idempotence");
        assertThat(only(yaml, "defaults=kafka-3.x").producers().get(0).config())
                .doesNotContainKey("acks")
                .containsEntry("linger.ms", "7");
        assertThat(only(yaml, "defaults=kafka-4.x").producers().get(0).config())
                .containsExactly(entry("linger.ms", "7"));
    }

    @ParameterizedTest
    @MethodSource("readable")
    void sourceReadsBackAsSamePlan(String yaml) {
        Plan plan = ScenarioReader.read(yaml, "x", List.of("producers[0].config.batch.size=100000"), 1);
        Plan again = ScenarioReader.read(plan.source(), "x", List.of(), 1);
        assertThat(again).isEqualTo(plan);
    }

    static List<String> readable() {
        return List.of(SMALLEST, BuiltIns.text("quick").orElseThrow(), """
            name: "007"
            about: "first line\\nsecond: line # no comment \\u0007"
            topics: [{name: &n "true", config: {flush.ms: "null", segment.ms: "1.0",
              segment.bytes: 1.0, retention.ms: "", flush.messages: ~0, cleanup.policy: "- x", delete.retention.ms: 0x1F}}]
            producers: [{topic: *n, record: {key: {fixed: "'${sequence}' \\"x\\" \\t"}}}]
            matrix: {producers.rate: [1/s, {ramp: [1/s, 2/s], over: 1s}]}
            """);
    }

    @Test
    void quickIsReadyToRun() {
        Plan plan = ScenarioReader.read(BuiltIns.text("quick").orElseThrow(), "quick", List.of(), 1);
        assertThat(plan.name()).isEqualTo("quick");
        assertThat(plan.trials()).extracting(Plan.Trial::name).containsExactly("throughput", "latency");
        Scenario throughput = plan.trials().get(0).scenario();
        Scenario latency = plan.trials().get(1).scenario();
        assertThat(latency.effectiveWarmup().atMost().plus(latency.duration())).isEqualTo(Duration.ofSeconds(25));
        assertThat(throughput.effectiveWarmup().atMost().plus(throughput.duration()))
                .isEqualTo(Duration.ofSeconds(55));
        assertThat(latency.producers().get(0).rate()).isInstanceOf(Rate.Constant.class);
        assertThat(throughput.producers().get(0).rate()).isEqualTo(new Rate.Unlimited());
        assertThat(latency.audit()).isTrue();
        assertThat(latency.topics().get(0).partitions()).isEqualTo(6);
    }

    @Test
    void readsEveryBuiltInUnderItsName() {
        assertThat(BuiltIns.names()).isNotEmpty().allSatisfy(name -> assertThat(
                        ScenarioReader.read(BuiltIns.text(name).orElseThrow(), name, List.of(), 1)
                                .name())
                .isEqualTo(name));
        assertThat(BuiltIns.text("qick")).isEmpty();
        assertThat(BuiltIns.nearest("qick")).contains("quick");
    }
}
