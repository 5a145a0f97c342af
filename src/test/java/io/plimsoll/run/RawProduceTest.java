package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.nullbroker.Misbehaving;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The raw engine writes the reported records; the official consumer reads them with CRC checks. */
@Order(1)
class RawProduceTest {
    @TempDir
    Path out;

    private static String scenario(String name, String config) {
        return """
            name: %1$s
            topics: [{name: %1$s, partitions: 3}]
            producers:
              - {topic: %1$s, engine: raw, clients: 2, records: 50001, record: {size: 100, headers: 2}, config: {%2$s}}
            consumers: [{topic: %1$s}]
            audit: true
            """.formatted(name, config);
    }

    private TrialResult trial(String yaml) {
        RunResult result = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out);
        Runs.assertSound(result);
        return result.trials().get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void consumerReadsEveryCodec(String codec) {
        TrialResult trial = trial(scenario("raw-" + codec, "compression.type: " + codec));
        assertThat(trial.produce().sources().engine()).isEqualTo("raw");
        assertThat(trial.produce().volume().records()).isEqualTo(50_001);
        assertThat(trial.produce().errors().total()).isZero();
        assertThat(trial.audit().counts().read()).isEqualTo(50_001);
        assertThat(trial.consume().volume().records()).isEqualTo(50_001);
    }

    @ParameterizedTest
    @ValueSource(strings = {"acks: 0, enable.idempotence: false", "acks: 1, enable.idempotence: false", "acks: all"})
    void countsExactlyInEveryAckMode(String config) {
        TrialResult trial = trial(scenario("raw-acks" + config.charAt(6), config));
        assertThat(trial.produce().volume().records()).isEqualTo(50_001);
        assertThat(trial.consume().volume().records()).isEqualTo(50_001);
        assertThat(trial.audit().counts().read()).isEqualTo(50_001);
    }

    @Test
    void followsSchedule() {
        TrialResult trial = trial("""
            name: raw-rate
            topics: [{name: raw-rate, partitions: 2}]
            producers:
              - {topic: raw-rate, engine: raw, rate: 2000/s, record: {size: 100}, config: {linger.ms: 0}}
            consumers: [{topic: raw-rate}]
            warmup: 1s
            duration: 3s
            audit: true
            """);
        assertThat(trial.produce().volume().records()).isEqualTo(6000);
        assertThat(trial.produce().schedule().warmupRecords()).isEqualTo(2000);
        assertThat(trial.produce().times().responseTime().count()).isEqualTo(6000);
        assertThat(trial.consume().times().endToEnd().count()).isEqualTo(6000);
        assertThat(trial.consume().times().negativeEndToEnd()).isZero();
    }

    @Test
    void retriesFailedRequests() {
        NullBrokerOptions options =
                new NullBrokerOptions().topic("raw-errors", 3).checkCrc(true).behaviour(Misbehaving.errorRate(0.1));
        try (NullBroker broker = NullBroker.start(options)) {
            RunResult result = Runs.run("""
                name: raw-errors
                topics: [{name: raw-errors, partitions: 3, existing: true}]
                producers:
                  - {topic: raw-errors, engine: raw, records: 100000, record: {size: 100}, config: {retry.backoff.ms: 5}}
                """, broker.bootstrapServers(), out);
            TrialResult trial = result.trials().get(0);
            assertThat(trial.produce().volume().records()).isEqualTo(100_000);
            assertThat(trial.produce().errors().total()).isZero();
            assertThat(trial.produce().wire().retries()).isPositive();
            assertThat(broker.stats().records()).isEqualTo(100_000);
        }
    }

    /** Only nightly: RawReadFaultsTest kills a broker under the raw engine, too. */
    @Test
    @Tag("nightly")
    void brokerCrashLosesNothingWithIdempotence() throws InterruptedException {
        try (Lab lab = Lab.start(LabOptions.ephemeral(3)
                .withHeapMegabytes(384)
                .withBrokerConfig(Map.of("broker.session.timeout.ms", "3000")))) {
            Thread killer = new Thread(() -> {
                try {
                    Thread.sleep(6000);
                    lab.kill(2);
                    Thread.sleep(3000);
                    lab.restart(2);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            killer.start();
            RunResult result = Runs.run("""
                name: raw-kill
                topics: [{name: raw-kill, partitions: 6, replication: 3, config: {min.insync.replicas: 2}}]
                producers:
                  - {topic: raw-kill, engine: raw, rate: 2000/s, record: {size: 100}, config: {acks: all}}
                consumers: [{topic: raw-kill}]
                warmup: 1s
                duration: 15s
                audit: true
                """, lab.bootstrapServers(), out);
            killer.join();
            TrialResult trial = result.trials().get(0);
            assertThat(trial.produce().errors().total())
                    .as(trial.produce().errors().toString())
                    .isZero();
            assertThat(trial.produce().volume().records()).isEqualTo(30_000);
            assertThat(trial.audit().counts().read()).isEqualTo(32_000);
            assertThat(trial.audit().counts().lost()).isZero();
            assertThat(trial.consume().groups().get(0).lagAtEnd()).isZero();
        }
    }
}
