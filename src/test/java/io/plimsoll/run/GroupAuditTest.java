package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An intruder joins a group, takes and commits records, and leaves: the effect on the group is counted. */
class GroupAuditTest {
    private static final String TOPIC = "group-audit";
    private static final String SCENARIO = """
        name: groups
        topics: [{name: group-audit, partitions: 4}]
        producers:
          - {topic: group-audit, rate: 5000/s, record: {size: 100}}
        consumers:
          - topic: group-audit
            commit: {sync: {every: 40}}
            config:
              group.id: group-audit-visited
              interceptor.classes: io.plimsoll.run.SeenRecords
              heartbeat.interval.ms: 200
              max.poll.records: 50
        duration: 20s
        warmup: 0s
        audit: true
        """;

    @TempDir
    Path out;

    /** @return records that it took */
    private static long visit(String servers) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                servers,
                "group.id",
                "group-audit-visited",
                "enable.auto.commit",
                "false",
                "auto.offset.reset",
                "earliest",
                "max.poll.records",
                "100");
        try (KafkaConsumer<byte[], byte[]> visitor =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            awaitRecords();
            visitor.subscribe(List.of(TOPIC));
            long taken = 0;
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (taken < 6000 && System.nanoTime() < deadline) {
                ConsumerRecords<byte[], byte[]> records = visitor.poll(Duration.ofMillis(100));
                if (!records.isEmpty()) {
                    visitor.commitSync();
                    taken += records.count();
                }
            }
            return taken;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** After the group has started to read: earlier the intruder would have no effect. */
    private static void awaitRecords() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (SeenRecords.distinct(TOPIC) < 10_000 && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void countsRecordsProcessedTwiceOrSkipped() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        CompletableFuture<Long> visit = CompletableFuture.supplyAsync(() -> visit(servers));
        TrialResult trial = Runs.run(SCENARIO, servers, out).trials().get(0);
        assertThat(visit.get(60, TimeUnit.SECONDS)).isPositive();
        assertThat(trial.audit().counts().lost()).isZero();
        assertThat(trial.audit().counts().duplicated()).isZero();
        assertThat(trial.audit().identified().offsetGaps()).isZero();
        assertThat(trial.audit().complete()).isTrue();
        assertThat(trial.audit().counts().read()).isEqualTo(100_000);
        GroupAudit group = trial.audit().groups().get(0);
        assertThat(group.group()).isEqualTo("group-audit-visited");
        assertThat(group.processedTwice()).as("processed twice").isEqualTo(SeenRecords.again(TOPIC));
        // Unread records on a starved machine are not skipped records.
        long notSeen = 100_000 - SeenRecords.distinct(TOPIC);
        long left = trial.consume().groups().stream()
                .mapToLong(TrialResult.Group::lagAtEnd)
                .sum();
        assertThat(group.skipped()).as("skipped, %d left", left).isBetween(notSeen - left, notSeen);
        // The last committer decides which of the two happens.
        assertThat(group.processedTwice() + notSeen).isPositive();
    }
}
