package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.observe.host.Fact;
import io.plimsoll.observe.host.HostMeasurements;
import io.plimsoll.observe.host.Measurement;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.HostRates;
import io.plimsoll.run.HostLimits.Uncalibrated;
import io.plimsoll.testing.Runs;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Upper bounds of a host come from its own calibration. */
class HostLimitsTest {
    @TempDir
    Path directory;

    private static Measurement measured(String name, double megabytesPerSecond) {
        return new Measurement(
                name, Fact.of(megabytesPerSecond), Measurement.MEGABYTES_PER_SECOND, Sentence.verbatim("planted"));
    }

    private List<Uncalibrated> uncalibrated(String producer, Calibration... known) {
        String yaml = "topics: [{name: t}]\nproducers: [{topic: t, rate: 10/s, " + producer + "}]\nduration: 5s\n";
        return HostLimits.uncalibrated(
                Calibrations.of("here", List.of(known)), Runs.request(yaml, "127.0.0.1:9092", directory));
    }

    private static Calibration client(int recordBytes) {
        return new Calibration(
                new Calibration.Subject("client", Calibration.PRODUCE, recordBytes, 16_384),
                new Calibration.Rates(1e5, 1e8, 1e5, 2e5),
                new Calibration.Cost(1, "code", 1, 1),
                new Calibration.Breakdown(0.1, 0.1, 0.1, 0.7),
                Instant.EPOCH);
    }

    @Test
    void findsUncalibratedSettings() {
        assertThat(uncalibrated("record: {size: 500}")).containsExactly(new Uncalibrated("client", 500, 16_384));
        assertThat(uncalibrated("engine: raw, record: {size: 4}, config: {batch.size: 32768}"))
                .containsExactly(new Uncalibrated("raw", 16, 32_768));
        assertThat(uncalibrated("record: {size: 500}", client(100), client(1000)))
                .as("between two sizes that are known")
                .isEmpty();
        assertThat(uncalibrated("record: {size: 5000}", client(100), client(1000)))
                .hasSize(1);
    }

    /** A calibration would refuse such a batch. */
    @Test
    void ignoresBatchesAboveCalibratedSizes() {
        assertThat(uncalibrated("config: {batch.size: 33554432}")).isEmpty();
        assertThat(uncalibrated("config: {batch.size: 16777216}")).hasSize(1);
    }

    /** Like a search that calibrates first: one after another, until all are done. */
    @Test
    void eachCalibrationReducesRemainingOnes() {
        Calibrations known = Calibrations.of("here", List.of());
        RunRequest sizes = Runs.request("""
            topics: [{name: t}]
            producers:
              - {topic: t, rate: 10/s, record: {size: 100}}
              - {topic: t, rate: 10/s, record: {size: 1000}}
              - {topic: t, rate: 10/s, record: {size: 500}}
            duration: 5s
            """, "127.0.0.1:9092", directory);
        assertThat(HostLimits.uncalibrated(known, sizes)).hasSize(3);
        Calibrations one = known.with(List.of(client(100)));
        assertThat(HostLimits.uncalibrated(one, sizes))
                .containsExactly(new Uncalibrated("client", 1000, 16_384), new Uncalibrated("client", 500, 16_384));
        assertThat(HostLimits.uncalibrated(one.with(List.of(client(1000))), sizes))
                .as("what lies between follows")
                .isEmpty();
    }

    @Test
    void skipsSettingsThatCalibrationDoesNotCover() {
        assertThat(uncalibrated("record: {size: 500}, config: {compression.type: lz4}"))
                .isEmpty();
        assertThat(uncalibrated("record: {size: 500}, transactions: {every: 1s}"))
                .isEmpty();
    }

    @Test
    void takesFasterUncachedWriteAsDiskLimit() {
        List<Measurement> all = List.of(
                measured("disk.write.fsync", 300),
                measured("disk.write.direct", 400),
                measured("disk.write.cached", 9_000),
                measured("loopback.stream.64k", 2_000),
                measured("loopback.stream.1m", 3_000));
        String device = HostMeasurements.device(directory).orElseThrow();
        assertThat(HostLimits.rates(Optional.of(directory), all)).isEqualTo(new HostRates(Map.of(device, 400e6), 3e9));
        assertThat(HostLimits.rates(Optional.empty(), all)).isEqualTo(new HostRates(Map.of(), 3e9));
        assertThat(HostLimits.rates(Optional.of(directory), List.of())).isEqualTo(HostRates.NONE);
    }

    @Test
    void newerRatesReplaceOnlySameDisk() {
        HostRates old = new HostRates(Map.of("a", 1e6, "b", 2e6), 3e9);
        assertThat(old.with(new HostRates(Map.of("b", 5e6), null)))
                .isEqualTo(new HostRates(Map.of("a", 1e6, "b", 5e6), 3e9));
    }
}
