package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rate in wire bytes holds on the wire for any codec. */
class WireRateTest {
    @TempDir
    Path out;

    @ParameterizedTest
    @ValueSource(strings = {"none", "zstd"})
    void wireRateMatchesRequestedRate(String codec) {
        assertRateOnTheWire(codec);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "snappy", "lz4"})
    @Tag("nightly")
    void wireRateMatchesRequestedRateWithOtherCodecs(String codec) {
        assertRateOnTheWire(codec);
    }

    private void assertRateOnTheWire(String codec) {
        RunResult result =
                Runs.run("""
                    name: wire
                    topics: [{name: wire-CODEC}]
                    producers:
                      - topic: wire-CODEC
                        rate: 400KB/s wire
                        record: {size: 1000, randomBytesRatio: 0.3}
                        config: {compression.type: CODEC, linger.ms: 400, batch.size: 32768}
                    warmup: 2s
                    duration: 5s
                    """.replace("CODEC", codec), SharedLab.oneBroker().bootstrapServers(), out);
        TrialResult trial = result.trials().get(0);
        // Wire bytes per record by the client's own counters, times the number of due records.
        double bytesPerRecord =
                trial.produce().wire().bytesPerBatch() / trial.produce().wire().recordsPerBatch();
        assertThat(bytesPerRecord * trial.produce().schedule().offeredRecordsPerSecond())
                .isCloseTo(400_000, Percentage.withPercentage(10));
    }
}
