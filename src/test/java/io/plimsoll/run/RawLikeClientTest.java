package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

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
 * With equal settings and below saturation, the raw engine forms the batches of the official client and is as fast. Both
 * run at the same time against the same broker, so that a slow moment of the host delays both.
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
        CompletableFuture<TrialResult.Produce> beside = CompletableFuture.supplyAsync(
                () -> produce("client", rate, lingerMillis, batchBytes, key, partitions),
                task -> new Thread(task).start());
        TrialResult.Produce raw = produce("raw", rate, lingerMillis, batchBytes, key, partitions);
        TrialResult.Produce client = beside.join();
        assertThat(raw.volume().records()).isEqualTo(client.volume().records());
        assertThat(raw.wire().recordsPerBatch())
                .isCloseTo(client.wire().recordsPerBatch(), Percentage.withPercentage(10));
        assertThat(raw.times().responseTime().percentiles().p50())
                .isCloseTo(client.times().responseTime().percentiles().p50(), Percentage.withPercentage(15));
        assertThat(raw.times().responseTime().percentiles().p99())
                .isCloseTo(client.times().responseTime().percentiles().p99(), Percentage.withPercentage(25));
    }

    private TrialResult.Produce produce(
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
                .get(0)
                .produce();
    }
}
