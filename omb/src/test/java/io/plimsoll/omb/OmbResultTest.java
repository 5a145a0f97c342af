package io.plimsoll.omb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Phase;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.testing.Said;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run produces a result file that OpenMessaging Benchmark's own scripts can read. */
class OmbResultTest {
    private static final String SCENARIO = """
        name: w-Kafka
        about: 1 topic / 1 partition / 1Kb
        trials: [{name: Kafka}]
        topics: [{name: "t-[1-4]", partitions: 3}]
        producers: [{topic: "t-[1-4]", oneTopicEach: true, clients: 8, record: {size: 1024}}]
        consumers: [{topic: "t-[1-4]", groups: 8, members: 2, oneTopicEach: true}]
        duration: 25s
        warmup: 2s
        """;

    @TempDir
    Path out;

    private RunDirectory directory(String scenario, int measuredSeconds) {
        try (RunDirectory directory = RunDirectory.create(out, "w", Timelines.START)) {
            directory.writeScenario(scenario);
            directory.append(Timelines.runStarted("w"));
            List<Second> warmup =
                    List.of(new Second(9, Timelines.latencies(9, 1)), new Second(9, Timelines.latencies(9, 1)));
            List<Second> measured = new ArrayList<>();
            for (int i = 0; i < measuredSeconds; i++) {
                // The latency identifies the period.
                long micros = 10_000L * (1 + i / 10);
                measured.add(new Second(1000, Timelines.latencies(1000, micros))
                        .errors(i == 0 ? Map.of("timeout", 50L) : Map.of())
                        .lag(i));
            }
            Timelines.trial("Kafka", Timelines.plan(true), warmup, measured).forEach(directory::append);
            return directory;
        }
    }

    private static JsonNode json(RunDirectory directory) throws Exception {
        return Json.MAPPER.readTree(
                OmbResult.of(directory, Optional.empty(), OmbResult.PERIOD_MILLIS, Optional.empty()));
    }

    @Test
    void usesNamesUnitsAndPeriodsOfBenchmark() throws Exception {
        JsonNode result = json(directory(SCENARIO, 25));
        assertThat(result.get("workload").asText()).isEqualTo("1 topic / 1 partition / 1Kb");
        assertThat(result.get("driver").asText()).isEqualTo("Kafka");
        assertThat(result.get("messageSize").asInt()).isEqualTo(1024);
        assertThat(result.get("topics").asInt()).isEqualTo(4);
        assertThat(result.get("partitions").asInt()).isEqualTo(3);
        assertThat(result.get("producersPerTopic").asInt()).isEqualTo(2);
        assertThat(result.get("consumersPerTopic").asInt()).isEqualTo(2);
        assertThat(doubles(result.get("publishRate"))).containsExactly(1000, 1000, 1000);
        assertThat(doubles(result.get("consumeRate"))).containsExactly(1000, 1000, 1000);
        assertThat(doubles(result.get("publishErrorRate"))).containsExactly(5, 0, 0);
        assertThat(doubles(result.get("backlog"))).containsExactly(9, 19, 24);
        // Milliseconds; three digits are kept.
        double[] expected = {10, 20, 30};
        for (String latency : List.of("publishLatency", "endToEndLatency")) {
            for (String suffix : List.of("Avg", "50pct", "75pct", "95pct", "99pct", "999pct", "9999pct", "Max")) {
                double[] found = doubles(result.get(latency + suffix));
                assertThat(found).as(latency + suffix).hasSize(3);
                for (int i = 0; i < 3; i++) {
                    assertThat(found[i]).isCloseTo(expected[i], within(0.02));
                }
            }
        }
        // Microseconds.
        assertThat(doubles(result.get("publishDelayLatency99pct"))).containsExactly(20, 20, 20);
        assertThat(result.get("aggregatedPublishLatency50pct").asDouble()).isCloseTo(20, within(0.02));
        assertThat(result.get("aggregatedPublishLatencyAvg").asDouble()).isCloseTo(18, within(0.02));
        assertThat(result.get("aggregatedEndToEndLatencyMax").asDouble()).isCloseTo(30, within(0.02));
        assertThat(result.get("aggregatedPublishDelayLatency99pct").isIntegralNumber())
                .isTrue();
        assertThat(result.get("aggregatedPublishDelayLatency99pct").asLong()).isEqualTo(20);
        ChartScript.reads(result);
    }

    /** Like the benchmark, which subtracts the record's timestamp. */
    @Test
    void measuresEndToEndFromAppendIfAppendTimeIsKept() throws Exception {
        Second second = new Second(1000, Timelines.latencies(1000, 10_000)).appended(Timelines.latencies(1000, 3_000));
        try (RunDirectory directory = RunDirectory.create(out, "w", Timelines.START)) {
            directory.writeScenario(SCENARIO);
            directory.append(Timelines.runStarted("w"));
            Timelines.trial("Kafka", Timelines.plan(true), List.of(), Collections.nCopies(10, second))
                    .forEach(directory::append);
            JsonNode result = json(directory);
            assertThat(result.get("endToEndLatencyFrom").asText()).isEqualTo("append");
            assertThat(doubles(result.get("endToEndLatency50pct"))[0]).isCloseTo(3, within(0.02));
            assertThat(result.get("aggregatedEndToEndLatency99pct").asDouble()).isCloseTo(3, within(0.02));
            assertThat(doubles(result.get("publishLatency50pct"))[0]).isCloseTo(10, within(0.02));
        }
    }

    /** 21 s are two periods, not two and one of a second. */
    @Test
    void mergesShortRestIntoPreviousPeriod() throws Exception {
        JsonNode result = json(directory(SCENARIO, 21));
        assertThat(doubles(result.get("publishRate"))).containsExactly(1000, 1000);
    }

    /** Its first part is stored in stretches of six periods. */
    @Test
    void longTrialHasEqualPeriods() throws Exception {
        try (RunDirectory directory = Timelines.directory(out, 12)) {
            directory.writeScenario(SCENARIO);
            directory.append(Timelines.runStarted("w"));
            directory.append(Timelines.trialStarted("Kafka", Timelines.plan(true)));
            for (int s = 0; s < 1_102; s++) {
                Phase phase = s < 2 ? Phase.WARMUP : Phase.MEASURE;
                Second second = new Second(20, Timelines.latencies(20, 1000 + s)).lag(s);
                directory.append(new TimelineEvent.Measured(second.snapshot("Kafka", s, phase, Timelines.plan(true))));
            }
            JsonNode result = Json.MAPPER.readTree(OmbResult.of(directory, Optional.empty(), 2_000, Optional.empty()));
            assertThat(doubles(result.get("publishRate"))).hasSize(550).containsOnly(20);
            assertThat(doubles(result.get("publishLatencyMax"))[0]).isCloseTo(1.012, within(0.002));
            assertThat(doubles(result.get("publishLatencyMax"))[549]).isCloseTo(2.101, within(0.002));
            assertThat(doubles(result.get("backlog"))[549]).isEqualTo(1_101);
        }
    }

    @Test
    void reportsMeanSizeOfMix() throws Exception {
        String mixed = SCENARIO.replace("size: 1024", "size: {100: 3, 500: 1}");
        assertThat(json(directory(mixed, 10)).get("messageSize").asInt()).isEqualTo(200);
    }

    @Test
    void dividesMembersOfSharedGroupByTopics() throws Exception {
        String shared = SCENARIO.replace("groups: 8, members: 2, oneTopicEach: true", "groups: 2, members: 8");
        assertThat(json(directory(shared, 10)).get("consumersPerTopic").asInt()).isEqualTo(2);
    }

    @Test
    void takesMessageSizeFromTemplate() throws Exception {
        String template =
                SCENARIO.replace("record: {size: 1024}", "record: {payload: {template: \"" + "x".repeat(3000) + "\"}}");
        assertThat(json(directory(template, 10)).get("messageSize").asInt()).isEqualTo(3000);
    }

    @Test
    void requiresTrialNameIfThereAreSeveral() {
        RunDirectory two = directory(SCENARIO.replace("[{name: Kafka}]", "[{name: Kafka}, {name: other}]"), 10);
        assertThatThrownBy(() -> json(two))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining("has 2 trials")
                .hasMessageContaining("--trial")
                .hasMessageContaining("Kafka, other");
        assertThat(OmbResult.of(two, Optional.of("Kafka"), 10_000, Optional.empty()))
                .contains("\"driver\":\"Kafka\"");
        assertThatThrownBy(() -> OmbResult.of(two, Optional.of("nobody"), 10_000, Optional.empty()))
                .hasMessageContaining("has no trial 'nobody'");
    }

    @Test
    void refusesRunWithoutMeasurement() {
        assertThatThrownBy(() -> json(directory(SCENARIO, 0)))
                .isInstanceOf(PlimsollException.class)
                .hasMessageFindingMatch(Said.en("report.nothingMeasured").pattern());
    }

    private static double[] doubles(JsonNode list) {
        List<Double> values = new ArrayList<>();
        list.forEach(v -> values.add(v.asDouble()));
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
