package io.plimsoll.omb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.TrialResult;
import io.plimsoll.perf.Imports;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Result files of OpenMessaging Benchmark are read as saved, without guesses. */
class OmbJsonTest {
    private static TrialResult read(String text) {
        Imports imports = new Imports();
        imports.add("omb.json", text);
        return imports.trials().get(0);
    }

    @Test
    void readsOpenMessagingBenchmarkResult() {
        StringBuilder json = new StringBuilder("""
            {"workload": "w", "driver": "Kafka", "messageSize": 1024, "topics": 2, "producersPerTopic": 3,
             "publishRate": [100.0, 300.0], "consumeRate": [100.0, 200.0], "publishErrorRate": [0.0, 0.5]
            """);
        for (String prefix :
                List.of("aggregatedPublishLatency", "aggregatedPublishDelayLatency", "aggregatedEndToEndLatency")) {
            int value = 1;
            for (String suffix : List.of("Avg", "50pct", "75pct", "95pct", "99pct", "999pct", "9999pct", "Max")) {
                json.append(", \"")
                        .append(prefix)
                        .append(suffix)
                        .append("\": ")
                        .append(value++)
                        .append(".5");
            }
        }
        TrialResult trial = read(json.append("}").toString());
        TrialResult.Produce produce = trial.produce();
        assertThat(trial.course().measuredSeconds()).isEqualTo(20);
        assertThat(produce.sources().engine()).isEqualTo("OpenMessaging Benchmark, Kafka");
        assertThat(produce.sources().clients()).isEqualTo(6);
        assertThat(produce.volume().recordsPerSecond()).isEqualTo(200);
        assertThat(produce.volume().records()).isEqualTo(4000);
        assertThat(produce.volume().bytesPerSecond()).isEqualTo(204_800);
        assertThat(produce.errors()).isEqualTo(new TrialResult.Errors(5, Map.of()));
        assertThat(produce.times().serviceTime().percentiles().p99()).isEqualTo(5_500);
        assertThat(produce.times().sendDelay().percentiles().p99())
                .as("microseconds")
                .isEqualTo(6);
        assertThat(trial.consume().times().endToEnd().max()).isEqualTo(8_500);
        assertThat(trial.course().warmupSeconds()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"publishRate\": | omb.json:1: it is not JSON",
                "{} | omb.json: publishRate: it is missing",
                "{\"publishRate\": 5} | omb.json: publishRate: expected a list of numbers",
                "{\"publishRate\": [1]} | omb.json: consumeRate: it is missing",
                "{\"publishRate\": [], \"consumeRate\": []} | omb.json: publishRate: it is empty",
                "{\"publishRate\": [1], \"consumeRate\": [1], \"aggregatedPublishLatencyAvg\": \"x\"} | omb.json:"
                        + " aggregatedPublishLatencyAvg: expected a number",
            })
    void reportsMistakesByFileLineAndKey(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageStartingWith(message);
    }
}
