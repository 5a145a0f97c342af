package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.ConsumerSpec.Start;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The trials that the command line, {@code trials} and {@code matrix} create from a file. */
class ScenarioTrialsTest {
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

    @Test
    void overridesOneOrEveryElement() {
        String yaml = """
                topics: [{name: events}]
                producers: [{topic: events, rate: 1/s}, {topic: events, config: {acks: 1}}]
                """;
        Scenario scenario = only(
                yaml,
                "producers[1].rate=20MB/s wire",
                "producers.config.linger.ms=5",
                "producers[0].record.key.zipf={s: 1.1, n: 10}",
                "topics.partitions=3",
                "checks=[audit.lost == 0]");
        assertThat(scenario.producers().get(0).rate()).isEqualTo(new Rate.Constant(new Quantity(1, Unit.RECORDS)));
        assertThat(scenario.producers().get(1).rate()).isEqualTo(new Rate.Constant(new Quantity(2e7, Unit.WIRE_BYTES)));
        assertThat(scenario.producers().get(0).config()).containsExactly(entry("linger.ms", "5"));
        assertThat(scenario.producers().get(1).config()).containsExactly(entry("acks", "1"), entry("linger.ms", "5"));
        assertThat(scenario.producers().get(0).record().key())
                .isEqualTo(new KeySpec.Zipf(1.1, 10, KeySpec.Type.STRING));
        assertThat(scenario.topics().get(0).partitions()).isEqualTo(3);
        assertThat(scenario.checks()).hasSize(1);
    }

    @Test
    void nullRemovesKey() {
        String yaml = "topics: [{name: events}]\nproducers: [{topic: events, records: 5}]\n";
        Scenario scenario = only(yaml, "producers[0].records=null", "producers[0].duration=3s", "warmup=~");
        assertThat(scenario.producers().get(0).records()).isEmpty();
        assertThat(scenario.producers().get(0).duration()).contains(Duration.ofSeconds(3));
    }

    @Test
    void expandsMatrixInFileOrder() {
        Plan plan = read(SMALLEST
                + "matrix: {producers.config.acks: [1, all], topics[0].partitions: [1, 3]}\n"
                        .replace("topics[0].partitions", "\"topics[0].partitions\""));
        assertThat(plan.trials())
                .extracting(Plan.Trial::name)
                .containsExactly(
                        "acks=1 partitions=1", "acks=1 partitions=3", "acks=all partitions=1", "acks=all partitions=3");
        Plan.Trial second = plan.trials().get(1);
        assertThat(second.parameters())
                .containsExactly(entry("producers.config.acks", "1"), entry("topics[0].partitions", "3"));
        assertThat(second.scenario().producers().get(0).config()).containsExactly(entry("acks", "1"));
        assertThat(second.scenario().topics().get(0).partitions()).isEqualTo(3);
    }

    /** Names show the beginning of long values only. */
    @Test
    void namesOfLongValuesAreUnique() {
        String flags = "-server -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:G1HeapRegionSize=";
        Plan plan =
                read(SMALLEST + "matrix: {producers.config.client.id: ['%s16M', '%s32M']}\n".formatted(flags, flags));
        assertThat(plan.trials())
                .extracting(Plan.Trial::name)
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    @Test
    void namesAmbiguousDimensionsInFull() {
        Plan plan = read("""
                topics: [{name: events}]
                producers: [{topic: events}, {topic: events}]
                matrix:
                  producers[0].rate: [1/s]
                  producers[1].rate: [2/s]
                  duration: [5s]
                """);
        assertThat(plan.trials())
                .extracting(Plan.Trial::name)
                .containsExactly("producers[0].rate=1/s producers[1].rate=2/s duration=5s");
    }

    @Test
    void repeatsEachTrialForEachCell() {
        Plan plan = read(SMALLEST + """
                trials:
                  - name: latency
                    set: {"producers[0].rate": 5/s, duration: 15s}
                  - name: throughput
                matrix: {producers.config.acks: [1, all]}
                """);
        assertThat(plan.trials())
                .extracting(Plan.Trial::name)
                .containsExactly("latency acks=1", "latency acks=all", "throughput acks=1", "throughput acks=all");
        assertThat(plan.trials().get(0).parameters())
                .containsExactly(
                        entry("producers[0].rate", "5/s"),
                        entry("duration", "15s"),
                        entry("producers.config.acks", "1"));
        assertThat(plan.trials())
                .extracting(t -> t.scenario().duration().toSeconds())
                .containsExactly(15L, 15L, 30L, 30L);
    }

    @Test
    void commandLineOverridesTrialsAndMatrix() {
        Plan plan = read(SMALLEST + """
                trials:
                  - name: slow
                    set: {"producers[0].rate": 5/s, duration: 15s}
                matrix: {producers.config.acks: [1, all]}
                """, "producers.rate=7/s", "producers[0].config.acks=0");
        assertThat(plan.trials()).extracting(Plan.Trial::name).containsExactly("slow");
        assertThat(plan.trials().get(0).parameters()).containsExactly(entry("duration", "15s"));
        ProducerSpec producer = plan.trials().get(0).scenario().producers().get(0);
        assertThat(producer.rate()).isEqualTo(new Rate.Constant(new Quantity(7, Unit.RECORDS)));
        assertThat(producer.config()).containsExactly(entry("acks", "0"));
    }

    @Test
    void scalesCountsAndTimesOnly() {
        String yaml = """
                topics: [{name: events, partitions: 10}]
                duration: 100s
                producers:
                  - {topic: events, records: 1000, record: {size: 500}, send: {flushEvery: 100}, rate: 100/s}
                  - {topic: events, duration: 20s, rate: {ramp: [1/s, 9/s], over: 10s}, transactions: {records: 50}}
                  - {topic: events, records: 3}
                consumers:
                  - {topic: events, records: 1000, idleTimeout: 5s}
                  - {topic: events, start: {backlog: 10m}}
                """;
        Scenario s =
                ScenarioReader.read(yaml, "x", List.of(), 0.1).trials().get(0).scenario();
        assertThat(s.duration()).isEqualTo(Duration.ofSeconds(10));
        assertThat(s.topics().get(0).partitions()).isEqualTo(10);
        assertThat(s.producers().get(0).records()).hasValue(100);
        assertThat(s.producers().get(0).record().size()).isEqualTo(500);
        assertThat(s.producers().get(0).send()).isEqualTo(new SendMode.FlushEvery(100));
        assertThat(s.producers().get(0).rate()).isEqualTo(new Rate.Constant(new Quantity(100, Unit.RECORDS)));
        assertThat(s.producers().get(1).duration()).contains(Duration.ofSeconds(2));
        assertThat(((Rate.Ramp) s.producers().get(1).rate()).over()).isEqualTo(Duration.ofSeconds(1));
        assertThat(s.producers().get(1).transactions().records()).hasValue(50);
        assertThat(s.producers().get(2).records()).hasValue(1);
        assertThat(s.consumers().get(0).records()).hasValue(100);
        assertThat(s.consumers().get(0).get(ConsumerSpec.IDLE_TIMEOUT)).isEqualTo(Duration.ofSeconds(5));
        assertThat(s.consumers().get(1).start()).isEqualTo(new Start.Backlog(Duration.ofMinutes(1)));
    }

    @Test
    void scalesDefaultWarmup() {
        assertThat(ScenarioReader.read(SMALLEST, "x", List.of(), 0.1)
                        .trials()
                        .get(0)
                        .scenario()
                        .effectiveWarmup())
                .isEqualTo(Warmup.lasting(Duration.ofMillis(500)));
        assertThat(ScenarioReader.read(SMALLEST, "x", List.of("warmup=1us"), 1e-6)
                        .trials()
                        .get(0)
                        .scenario()
                        .effectiveWarmup())
                .isEqualTo(Warmup.lasting(Duration.ofMillis(1)));
        assertThat(ScenarioReader.read(SMALLEST, "x", List.of("producers.records=5"), 2)
                        .trials()
                        .get(0)
                        .scenario()
                        .effectiveWarmup())
                .isEqualTo(Warmup.NO_TIME);
    }

    @Test
    void sourceHidesSecretsAndShowsOverrides() {
        String yaml = SMALLEST + """
                consumers:
                  - topic: events
                    config: {ssl.keystore.password: sesame1, ssl.keystore.key: sesame2, max.poll.records: "5"}
                trials:
                  - {name: a, set: {producers.config.sasl.jaas.config: sesame3}}
                """;
        Plan plan = read(yaml, "producers[0].config.client.secret=sesame5", "producers[0].rate=5/s");
        assertThat(plan.source())
                .doesNotContain("sesame")
                .contains("ssl.keystore.password: (redacted)")
                .contains("max.poll.records: '5'")
                .contains("rate: 5/s");
        assertThat(plan.trials().get(0).parameters())
                .containsExactly(entry("producers.config.sasl.jaas.config", "(redacted)"));
        assertThat(plan.trials().get(0).scenario().producers().get(0).config())
                .containsEntry("sasl.jaas.config", "sesame3")
                .containsEntry("client.secret", "sesame5");
    }

    @Test
    void selectsTrialsByName() {
        Plan plan = read(SMALLEST + "matrix: {producers.config.acks: [0, 1, all]}\n");
        assertThat(plan.only(List.of("acks=all", "acks=0")).trials())
                .extracting(Plan.Trial::name)
                .containsExactly("acks=0", "acks=all");
        assertThatThrownBy(() -> plan.only(List.of("acks=al")))
                .isInstanceOf(PlimsollException.class)
                .hasMessage("scenario my-test has no trial \"acks=al\"; did you mean acks=all?");
    }

    @Test
    void selectedTrialsKeepOnlyTheirPublishedFigures() {
        Plan plan = read(SMALLEST + """
                trials: [{name: a}, {name: b}]
                reference:
                  tables:
                    - {title: both, columns: {r: text}, rows: [{trial: a, values: [1]}, {trial: b, values: [2]}]}
                    - {title: other, columns: {r: text}, rows: [{trial: b, values: [3]}]}
                """);
        Reference reference = plan.only(List.of("a")).reference().orElseThrow();
        assertThat(reference.tables())
                .extracting(Reference.Table::title)
                .extracting(Sentence::english)
                .containsExactly("both");
        assertThat(reference.tables().get(0).rows())
                .extracting(Reference.Row::trial)
                .containsExactly("a");
        assertThat(plan.reference().orElseThrow().tables()).hasSize(2);
    }

    @Test
    void sourceStatesItsScale() {
        assertThat(ScenarioReader.read(SMALLEST, "x", List.of(), 0.5).source()).startsWith("# Read with --scale 0.5\n");
        assertThat(read(SMALLEST).source()).startsWith("topics:");
    }
}
