package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The raw engine continues to produce and read when a leader dies and when it returns. */
@Tag("nightly")
class RawReadFaultsTest {
    private static final String SCENARIO = """
        name: faults
        topics:
          - {name: faults, partitions: 6, replication: 3, config: {min.insync.replicas: 2}}
        producers:
          - {topic: faults, engine: raw, rate: 3000/s, record: {size: 200}, config: {acks: all}}
        consumers:
          - {topic: faults, groups: 2, members: 2, engine: raw, idleTimeout: 30s}
        duration: 14s
        warmup: 0s
        audit: true
        """;

    @TempDir
    Path out;

    @Test
    void killedLeaderCausesNoLossOrDuplicates() throws Exception {
        LabOptions options = LabOptions.ephemeral(3)
                .withHeapMegabytes(256)
                .withBrokerConfig(Map.of("broker.session.timeout.ms", "4000"));
        try (Lab lab = Lab.start(options)) {
            String servers = lab.bootstrapServers();
            CompletableFuture<Void> fault = CompletableFuture.runAsync(() -> {
                int leader = leaderUnderLoad(servers);
                lab.kill(leader);
                sleep(6);
                lab.restart(leader);
            });
            TrialResult trial = Runs.run(SCENARIO, servers, out).trials().get(0);
            fault.get(60, TimeUnit.SECONDS);
            assertThat(trial.produce().volume().records()).isEqualTo(42_000);
            assertThat(trial.produce().errors().byKind()).isEmpty();
            assertThat(trial.audit().counts().lost()).isZero();
            assertThat(trial.audit().counts().duplicated()).isZero();
            assertThat(trial.audit().counts().read()).isEqualTo(42_000);
            assertThat(trial.consume().groups()).hasSize(2).allSatisfy(g -> {
                assertThat(g.records()).isEqualTo(42_000);
                assertThat(g.lagAtEnd()).isZero();
            });
            assertThat(trial.detail().partitions())
                    .allSatisfy(p -> assertThat(p.consumed()).isEqualTo(2 * p.produced()));
            assertThat(trial.consume().errors().byKind()).containsKey("networkDisconnect");
        }
    }

    /** Waits until the load is active; returns the leader of a partition. */
    private static int leaderUnderLoad(String servers) {
        TopicPartition first = new TopicPartition("faults", 0);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            while (!admin.listTopics().names().get().contains(first.topic())) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            while (admin.listOffsets(Map.of(first, OffsetSpec.latest()))
                            .partitionResult(first)
                            .get()
                            .offset()
                    < 1000) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            return admin.describeTopics(List.of(first.topic()))
                    .allTopicNames()
                    .get()
                    .get(first.topic())
                    .partitions()
                    .get(0)
                    .leader()
                    .id();
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            throw new KafkaException(e);
        }
    }

    private static void sleep(int seconds) {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } catch (InterruptedException e) {
            throw new KafkaException(e);
        }
    }
}
