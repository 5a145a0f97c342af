package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Json;
import io.plimsoll.run.HostLimits;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run finds the stored calibration for its host and settings. The figures are planted under batch sizes that no other
 * test uses, because all tests share one directory.
 */
class CalibratedRunTest {
    @TempDir
    private Path directory;

    private static void plant(int batchBytes, double recordsPerSecond) {
        CalibrationCache cache = HostLimits.cache(HostInventory.read(Path.of(".")), ToolInfo.version());
        Calibration planted = new Calibration(
                new Calibration.Subject("raw", Calibration.PRODUCE, 100, batchBytes),
                new Calibration.Rates(recordsPerSecond, recordsPerSecond * 100, recordsPerSecond, recordsPerSecond),
                new Calibration.Cost(1e6 / recordsPerSecond, "code", 1, 0),
                new Calibration.Breakdown(0, 0, 0, 1e6 / recordsPerSecond),
                Instant.EPOCH);
        assertThat(cache.add(List.of(planted), note -> {})).isTrue();
    }

    /**
     * Without a warm-up, its backlog cannot be sent in the measured window on a busy host, so no more than the due
     * records arrive.
     */
    private JsonNode trial(int batchBytes, String more) throws IOException {
        Path file = Files.writeString(directory.resolve("run.yaml"), """
            topics: [{name: calibrated, partitions: 1}]
            producers:
              - {topic: calibrated, engine: raw, rate: 2000/s, record: {size: 100}, config: {batch.size: %d%s}}
            warmup: 0s
            duration: 4s
            """.formatted(batchBytes, more));
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions())) {
            InProcess run = InProcess.run(
                    "run",
                    file.toString(),
                    "--json",
                    "--bootstrap-server",
                    broker.bootstrapServers(),
                    "--out",
                    directory.toString());
            JsonNode trial = Json.MAPPER.readTree(run.out()).at("/trials/0");
            assertThat(trial.isMissingNode()).as(run.err()).isFalse();
            return trial;
        }
    }

    /** Less than the 2,000/s that are due, if the host has no time for more. */
    private static double done(JsonNode trial) {
        return trial.at("/produce/recordsPerSecond").asDouble();
    }

    @Test
    void reportsShareOfCalibratedRate() throws IOException {
        plant(12_345, 1e7);
        JsonNode trial = trial(12_345, "");
        assertThat(trial.at("/generator/calibratedShare").asDouble()).isCloseTo(done(trial) / 1e7, within(1e-9));
    }

    @Test
    void generatorIsLimitNearCalibratedRate() throws IOException {
        plant(12_346, 1900);
        JsonNode trial = trial(12_346, "");
        assertThat(trial.at("/generator/calibratedShare").asDouble()).isCloseTo(done(trial) / 1900, within(1e-9));
        assertThat(trial.at("/generator/limited").asBoolean()).isTrue();
        assertThat(trial.get("warnings").toString()).containsPattern(Said.en("result.nearCalibrated"));
    }

    /** Measured while another program used the cores. */
    @Test
    void ignoresCalibrationThatRunFarExceeds() throws IOException {
        plant(12_348, 100);
        JsonNode trial = trial(12_348, "");
        assertThat(trial.at("/generator/calibratedShare").isNull()).isTrue();
        assertThat(trial.get("warnings").toString()).doesNotContainPattern(Said.en("result.nearCalibrated"));
    }

    @Test
    void ignoresCalibrationOfDifferentSettings() throws IOException {
        plant(12_347, 1e7);
        assertThat(trial(12_347, ", compression.type: lz4")
                        .at("/generator/calibratedShare")
                        .isNull())
                .isTrue();
    }
}
