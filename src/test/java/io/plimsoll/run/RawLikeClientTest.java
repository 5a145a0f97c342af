package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * With equal settings and below saturation, the raw engine forms the batches of the official client and is as fast.
 * Both run at the same time against the same broker, so that a slow moment of the host delays both.
 * A real broker's slow moments decide the highest percentiles of each, which are therefore compared without one.
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
    void batchesAndResponseTimesMatchClient(String rate, int lingerMillis, int batchBytes, String key, int partitions) {
        String servers = SharedLab.oneBroker().bootstrapServers();
        CompletableFuture<TrialResult> beside = CompletableFuture.supplyAsync(
                () -> trial(servers, "client", rate, lingerMillis, batchBytes, key, partitions),
                task -> new Thread(task).start());
        TrialResult rawTrial = trial(servers, "raw", rate, lingerMillis, batchBytes, key, partitions);
        TrialResult clientTrial = beside.join();
        TrialResult.Produce raw = rawTrial.produce();
        TrialResult.Produce client = clientTrial.produce();
        assertThat(raw.volume().records()).isEqualTo(client.volume().records());
        assertThat(raw.wire().recordsPerBatch())
                .isCloseTo(client.wire().recordsPerBatch(), Percentage.withPercentage(10));
        assertThat(raw.times().responseTime().percentiles().p50())
                .isCloseTo(client.times().responseTime().percentiles().p50(), Percentage.withPercentage(15));
        // On a busy host batches wait for a connection, too.
        double queued = queueMillis(clientTrial);
        assertThat(queueMillis(rawTrial)).isCloseTo(queued, within(1 + 0.1 * lingerMillis + 0.15 * queued));
    }

    /** Without a broker on the host, the highest percentiles show the engines as well. */
    @Test
    void highestResponseTimesMatchClientOnNullBroker() throws Exception {
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions())) {
            CompletableFuture<TrialResult> beside = CompletableFuture.supplyAsync(
                    () -> trial(broker.bootstrapServers(), "client", "5000/s", 20, 16384, "none", 1),
                    task -> new Thread(task).start());
            TrialResult raw = trial(broker.bootstrapServers(), "raw", "5000/s", 20, 16384, "none", 1);
            assertThat(p99(raw)).isCloseTo(p99(beside.join()), Percentage.withPercentage(25));
        }
    }

    private static long p99(TrialResult trial) {
        return trial.produce().times().responseTime().percentiles().p99();
    }

    /** Mean time of a batch from its first record until it is sent. */
    private static double queueMillis(TrialResult trial) {
        return trial.observed().clients().get("producers-0").get("queueMs");
    }

    private TrialResult trial(
            String servers, String engine, String rate, int lingerMillis, int batchBytes, String key, int partitions) {
        return Runs.run(
                        """
                        name: alike
                        topics: [{name: alike-%1$s, partitions: %2$d}]
                        producers: [{topic: alike-%1$s, record: {size: 100}}]
                        warmup: 3s
                        duration: 6s
                        """.formatted(engine, partitions),
                        servers,
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
