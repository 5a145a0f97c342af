package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.testing.Await;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes topics during a load, and guards that an audit claims only facts that it can know. */
class ChangedTopicsTest {
    private static Admin admin;

    @TempDir
    Path out;

    @BeforeAll
    static void connect() {
        admin = Admin.create(Map.of("bootstrap.servers", SharedLab.oneBroker().bootstrapServers()));
    }

    @AfterAll
    static void close() {
        admin.close();
    }

    /** A change of the cluster after the first second. */
    private interface Change {
        void make() throws ExecutionException, InterruptedException;
    }

    private RunResult run(String yaml, Change change) {
        Consumer<Snapshot> meanwhile = snapshot -> {
            try {
                if (snapshot.sequence() == 0) {
                    change.make();
                }
            } catch (ExecutionException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        return Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out, meanwhile);
    }

    @Test
    void auditsAddedPartitions() throws Exception {
        Path values = Files.write(out.resolve("values"), Collections.nCopies(100, "0123456789"));
        RunResult result =
                run("""
            name: grown
            topics: [{name: grown, partitions: 1}]
            producers:
              - topic: grown
                rate: 500/s
                record: {payload: {file: %s}}
                config: {metadata.max.age.ms: 300, batch.size: 100, linger.ms: 0}
            duration: 6s
            warmup: 0s
            audit: true
            checks: [audit.lost == 0]
            """.formatted(values), () -> admin.createPartitions(Map.of("grown", NewPartitions.increaseTo(3)))
                        .all()
                        .get());
        Runs.assertSound(result);
        TrialResult trial = result.trials().get(0);
        assertThat(trial.audit().method()).isEqualTo("end offsets");
        assertThat(trial.audit().counts().acknowledged()).isEqualTo(3000);
        assertThat(trial.audit().complete()).isTrue();
        assertThat(trial.detail().partitions()).hasSize(3);
        assertThat(trial.detail().partitions().stream()
                        .skip(1)
                        .mapToLong(PartitionResult::produced)
                        .sum())
                .isPositive();
    }

    /** The coordinator learns of a partition with the first batch; written records are counted by partition too. */
    @Test
    @Tag("nightly")
    void auditsPartitionsAddedDuringTransactions() throws Exception {
        Path values = Files.write(out.resolve("values"), Collections.nCopies(100, "0123456789"));
        RunResult result =
                run("""
            name: grown-tx
            topics: [{name: grown-tx, partitions: 1}]
            producers:
              - topic: grown-tx
                rate: 1000/s
                record: {payload: {file: %s}}
                transactions: {records: 100}
                config: {metadata.max.age.ms: 300, batch.size: 100, linger.ms: 0}
            duration: 3s
            warmup: 0s
            audit: true
            checks: [audit.lost == 0]
            """.formatted(values), () -> admin.createPartitions(Map.of("grown-tx", NewPartitions.increaseTo(3)))
                        .all()
                        .get());
        TrialResult trial = result.trials().get(0);
        assertThat(trial.produce().volume().records()).isEqualTo(3000);
        assertThat(trial.detail().partitions().stream()
                        .mapToLong(PartitionResult::produced)
                        .sum())
                .isEqualTo(3000);
        assertThat(trial.audit().counts().acknowledged()).isEqualTo(3000);
        assertThat(trial.audit().complete()).isTrue();
        Runs.assertSound(result);
    }

    private static long end(TopicPartition partition) throws ExecutionException, InterruptedException {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    @Test
    void possiblyDeletedRecordsAreNeitherLostNorSafe() throws IOException, ExecutionException, InterruptedException {
        List<NewTopic> topics = List.of(
                new NewTopic("squeezed", 1, (short) 1).configs(Map.of("cleanup.policy", "compact,delete")),
                new NewTopic("anew", 1, (short) 1));
        new Topics(admin).create(topics, Duration.ofSeconds(60));
        RunResult result = run("""
            name: changed
            topics: [{name: squeezed, existing: true}, {name: anew, existing: true}]
            producers:
              - {topic: [squeezed, anew], rate: 1000/s, record: {size: 100, key: {sequential: true}}}
            duration: 3s
            warmup: 0s
            audit: true
            checks: [audit.lost == 0]
            """, () -> {
            // Equivalent to a compaction from the audit's view, at a time of the test's choice.
            TopicPartition squeezed = new TopicPartition("squeezed", 0);
            Await.until("200 records", () -> end(squeezed) >= 200);
            admin.deleteRecords(Map.of(squeezed, RecordsToDelete.beforeOffset(200)))
                    .all()
                    .get();
            admin.deleteTopics(List.of("anew")).all().get();
            admin.createTopics(topics.subList(1, 2)).all().get();
        });
        assertThat(result.head().exitCode()).isEqualTo(Exit.CHECK_FAILED.code());
        TrialResult trial = result.trials().get(0);
        assertThat(trial.audit().method()).isEqualTo("identities");
        assertThat(trial.audit().complete()).isFalse();
        assertThat(trial.audit().counts().lost()).isZero();
        assertThat(trial.audit().identified().expired()).isEqualTo(200);
        assertThat(trial.audit().anomalies()).extracting(Anomaly::verdict).containsOnly("deleted by retention");
        assertThat(trial.judgement().warnings())
                .anySatisfy(w -> assertThat(w.english()).contains(Said.text("«run.topicAnewMeanwhile¦anew»")));
    }
}
