package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * With equal settings and below saturation, the raw engine forms the batches of the official client and is as fast.
 * Both run at the same time against the same broker, so that a slow moment of the host delays both. Such moments decide
 * the highest percentiles of each, which are therefore not compared.
 */
@Tag("nightly")
@Isolated
class RawLikeClientTest {
    @TempDir
    Path out;

    @ParameterizedTest
    @CsvSource({
        "2000/s, 20, 16384, none, 1",
        "20000/s, 10, 16384, none, 3",
        "5000/s, 20, 4000, none, 1",
        "5000/s, 20, 16384, '{uniform: 1000}', 3"
    })
    void batchesAndResponseTimes(String rate, int lingerMillis, int batchBytes, String key, int partitions) {
        CompletableFuture<TrialResult> beside = CompletableFuture.supplyAsync(
                () -> trial("client", rate, lingerMillis, batchBytes, key, partitions),
                task -> new Thread(task).start());
        TrialResult rawTrial = trial("raw", rate, lingerMillis, batchBytes, key, partitions);
        TrialResult clientTrial = beside.join();
        TrialResult.Produce raw = rawTrial.produce();
        TrialResult.Produce client = clientTrial.produce();
        assertThat(raw.volume().records()).isEqualTo(client.volume().records());
        assertThat(raw.wire().recordsPerBatch())
                .isCloseTo(client.wire().recordsPerBatch(), Percentage.withPercentage(10));
        assertThat((double) raw.times().responseTime().percentiles().p50())
                .isLessThan(2_000
                        + 1.15 * client.times().responseTime().percentiles().p50());
        assertThat(queueMillis(rawTrial)).isCloseTo(queueMillis(clientTrial), within(1 + 0.1 * lingerMillis));
    }

    /** Mean time of a batch from its first record until it is sent. */
    private static double queueMillis(TrialResult trial) {
        return trial.observed().clients().get("producers-0").get("queueMs");
    }

    private TrialResult trial(
            String engine, String rate, int lingerMillis, int batchBytes, String key, int partitions) {
        return Runs.run(
                        """
                        name: alike
                        topics: [{name: alike-%1$s, partitions: %2$d}]
                        producers: [{topic: alike-%1$s, record: {size: 100}}]
                        warmup: 3s
                        duration: 6s
                        """.formatted(engine, partitions),
                        SharedLab.oneBroker().bootstrapServers(),
                        out,
                        "producers.engine=" + engine,
                        "producers.rate=" + rate,
                        "producers.record.key=" + key,
                        "producers.config.linger.ms=" + lingerMillis,
                        "producers.config.batch.size=" + batchBytes)
                .trials()
                .get(0);
    }
}
