package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.cluster.Topics;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.FrameProxy;
import io.plimsoll.testing.PlainLog;
import io.plimsoll.testing.ProxiedLab;
import io.plimsoll.testing.Runs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plants damage of every kind between producers and their broker, and compares the audit with a plain consumer. */
@Order(1)
class AuditTruthTest {
    private static final String NOT_IDEMPOTENT = "acks: 1, enable.idempotence: false, retries: 100";

    private static ProxiedLab<FrameProxy> lab;
    private static Admin admin;
    private static final AtomicInteger TOPICS = new AtomicInteger();

    @TempDir
    Path out;

    private TrialResult.Produce produced;

    @BeforeAll
    static void start() throws IOException {
        lab = new ProxiedLab<>(new FrameProxy(), Map.of());
        admin = Admin.create(Map.of("bootstrap.servers", lab.bootstrapServers()));
    }

    @AfterAll
    static void stop() throws IOException {
        admin.close();
        lab.close();
    }

    private static String topic() throws Exception {
        String name = "truth-" + TOPICS.incrementAndGet();
        new Topics(admin).create(List.of(new NewTopic(name, 1, (short) 1)), Duration.ofSeconds(60));
        return name;
    }

    private static String scenario(String topic, String engine, String config, String more) {
        return """
            name: truth
            topics:
              - {name: %s, existing: true}
            producers:
              - topic: %s
                engine: %s
                rate: 2000/s
                record: {size: 100}
                config: {batch.size: 4000, linger.ms: 20, %s}
                %s
            duration: 2s
            warmup: 0s
            audit: true
            """.formatted(topic, topic, engine, config, more);
    }

    private AuditResult run(String yaml, FrameProxy.Tamper tamper, int exitCode) {
        return run(yaml, tamper, exitCode, Progress.NONE);
    }

    private AuditResult run(String yaml, FrameProxy.Tamper tamper, int exitCode, Progress progress) {
        lab.proxy().tamper(tamper);
        try {
            RunResult result = Runs.run(Runs.request(yaml, lab.bootstrapServers(), out), progress);
            if (exitCode == 0) {
                Runs.assertSound(result);
            } else {
                assertThat(result.head().exitCode())
                        .as(result.verdict().toString())
                        .isEqualTo(exitCode);
            }
            produced = result.trials().get(0).produce();
            return result.trials().get(0).audit();
        } finally {
            lab.proxy().tamper(FrameProxy.HONEST);
        }
    }

    /** Some responses tell the client to wait. */
    private static final class Throttles implements FrameProxy.Tamper {
        private final AtomicInteger answers = new AtomicInteger();
        private final AtomicInteger millis = new AtomicInteger();

        @Override
        public int throttle() {
            int throttle = answers.incrementAndGet() % 5 == 0 ? 3 + answers.get() % 7 : 0;
            millis.addAndGet(throttle);
            return throttle;
        }
    }

    /** Changes the {@code n}th matching request. */
    private abstract static class Nth implements FrameProxy.Tamper {
        private final int n;
        private int requests;

        Nth(int n) {
            this.n = n;
        }

        @Override
        public synchronized List<byte[]> request(byte[] frame) {
            return ++requests == n ? change(frame) : List.of(frame);
        }

        abstract List<byte[]> change(byte[] frame);
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void reportsRemovedRecordsAsLost(String engine) throws Exception {
        String topic = topic();
        TopicPartition partition = new TopicPartition(topic, 0);
        AtomicLong removed = new AtomicLong();
        Throttles throttles = new Throttles();
        Progress removing = Runs.beforeAudit(() -> removed.set(remove(partition, 2500)));
        AuditResult audit = run(scenario(topic, engine, "acks: all", ""), throttles, 4, removing);
        assertThat(throttles.millis.get()).isPositive();
        assertThat(produced.waits().throttledSeconds()).isEqualTo(throttles.millis.get() / 1e3, within(1e-9));
        assertThat(audit.method()).isEqualTo("identities");
        // Not the scheduled number: on a busy machine a load ends with unsent records.
        assertThat(audit.counts().acknowledged()).isEqualTo(end(partition));
        assertThat(audit.counts().lost()).isEqualTo(removed.get()).isPositive();
        assertThat(audit.counts().read())
                .isEqualTo(new PlainLog(lab.bootstrapServers(), topic, "read_uncommitted")
                        .records()
                        .size());
        assertThat(audit.complete()).isTrue();
        List<Anomaly> findings = audit.anomalies();
        assertThat(findings).allSatisfy(a -> {
            assertThat(a.verdict()).isEqualTo("lost");
            assertThat(a.place().topic()).isEqualTo(topic);
            assertThat(a.place().partition()).isZero();
            assertThat(a.place().broker()).isNotNull();
            assertThat(a.origin().at()).isNotNull();
            assertThat(a.violation()).isTrue();
        });
        assertThat(findings.get(0).place().firstOffset()).isZero();
        assertThat(findings.get(findings.size() - 1).place().lastOffset()).isEqualTo(removed.get() - 1);
    }

    /** Removes the first records; fewer if a busy host has not written as many. Returns their number. */
    private static long remove(TopicPartition partition, long records) throws ExecutionException, InterruptedException {
        long first = Math.min(records, end(partition) - 1);
        return admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(first)))
                .lowWatermarks()
                .get(partition)
                .get()
                .lowWatermark();
    }

    private static long end(TopicPartition partition) throws ExecutionException, InterruptedException {
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                .partitionResult(partition)
                .get()
                .offset();
    }

    /** Their batches are identified by Kafka's own sequences. */
    @Test
    void auditsSmallRawRecordsByBatch() throws Exception {
        String topic = topic();
        TopicPartition partition = new TopicPartition(topic, 0);
        AtomicLong removed = new AtomicLong();
        String yaml = scenario(topic, "raw", "acks: all", "").replace("size: 100", "size: 10");
        Progress removing = Runs.beforeAudit(() -> removed.set(remove(partition, 1234)));
        AuditResult audit = run(yaml, FrameProxy.HONEST, 4, removing);
        assertThat(audit.counts().lost()).isEqualTo(removed.get()).isPositive();
        assertThat(audit.identified().phantom()).isZero();
        assertThat(audit.counts().acknowledged()).isEqualTo(end(partition));
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void findsFlippedByte(String engine) throws Exception {
        String topic = topic();
        FrameProxy.Tamper flip = new Nth(40) {
            @Override
            List<byte[]> change(byte[] frame) {
                int at = FrameProxy.batchAt(frame);
                // After the last value comes only the number of headers.
                frame[FrameProxy.batchEnd(frame, at) - 10] ^= 0x10;
                FrameProxy.repair(frame, at);
                return List.of(frame);
            }
        };
        AuditResult audit = run(scenario(topic, engine, "acks: all", ""), flip, 4);
        PlainLog log = new PlainLog(lab.bootstrapServers(), topic, "read_uncommitted");
        assertThat(log.damagedOffsets()).hasSize(1);
        assertThat(audit.counts().corrupted()).isEqualTo(1);
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.identified().phantom()).isZero();
        assertThat(audit.anomalies()).singleElement().satisfies(a -> {
            assertThat(a.verdict()).isEqualTo("corrupted");
            assertThat(a.place().firstOffset())
                    .isEqualTo(a.place().lastOffset())
                    .isEqualTo(log.damagedOffsets().get(0));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void reportsSwappedBatchesAsReordered(String engine) throws Exception {
        String topic = topic();
        AtomicInteger exchanged = new AtomicInteger();
        FrameProxy.Tamper exchange = new FrameProxy.Tamper() {
            private byte[] held;
            private boolean done;

            @Override
            public synchronized List<byte[]> request(byte[] frame) {
                if (done) {
                    return List.of(frame);
                }
                if (held == null) {
                    held = frame;
                    return List.of();
                }
                byte[] first = held;
                held = null;
                if (first.length == frame.length) {
                    done = true;
                    exchange(first, frame);
                }
                return List.of(first, frame);
            }

            private void exchange(byte[] a, byte[] b) {
                int at = FrameProxy.batchAt(a);
                exchanged.set(FrameProxy.recordsOf(a, at));
                byte[] batch = java.util.Arrays.copyOfRange(a, at, a.length);
                System.arraycopy(b, at, a, at, batch.length);
                System.arraycopy(batch, 0, b, at, batch.length);
            }
        };
        AuditResult audit = run(scenario(topic, engine, NOT_IDEMPOTENT, ""), exchange, 0);
        PlainLog log = new PlainLog(lab.bootstrapServers(), topic, "read_uncommitted");
        assertThat(exchanged.get()).isPositive();
        assertThat(audit.counts().reordered()).isEqualTo(log.reordered()).isEqualTo(exchanged.get());
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.counts().duplicated()).isZero();
        assertThat(audit.identified().violations()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void droppedResponsesDuplicateWithoutIdempotence(String engine) throws Exception {
        String topic = topic();
        AuditResult audit = run(scenario(topic, engine, NOT_IDEMPOTENT, ""), FrameProxy.withoutSomeAnswers(), 0);
        PlainLog log = new PlainLog(lab.bootstrapServers(), topic, "read_uncommitted");
        assertThat(audit.counts().duplicated()).isPositive().isEqualTo(log.duplicates());
        assertThat(audit.counts().reordered()).isEqualTo(log.reordered());
        assertThat(audit.counts().read()).isEqualTo(log.records().size());
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.identified().violations()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void droppedResponsesDuplicateNothingWithIdempotence(String engine) throws Exception {
        String topic = topic();
        AuditResult audit = run(scenario(topic, engine, "acks: all", ""), FrameProxy.withoutSomeAnswers(), 0);
        PlainLog log = new PlainLog(lab.bootstrapServers(), topic, "read_uncommitted");
        assertThat(audit.counts().duplicated()).isZero().isEqualTo(log.duplicates());
        assertThat(audit.counts().reordered()).isZero();
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.counts().read()).isEqualTo(log.records().size()).isPositive();
    }

    /**
     * One client writes to two topics. The second one starts to reject large records while responses for both are
     * dropped: permanent failures must not make the client forget records sent to the first.
     */
    @ParameterizedTest
    @CsvSource({"client, 1", "raw, 20"})
    void permanentFailuresDuplicateNothingWithIdempotence(String engine, int limitedAt) throws Exception {
        String sound = topic();
        String refusing = topic();
        String quickly =
                "reconnect.backoff.ms: 5, reconnect.backoff.max.ms: 20, retry.backoff.ms: 5, retry.backoff.max.ms: 20";
        String yaml = scenario(sound, engine, "acks: all, " + quickly, "")
                .replace("topic: " + sound, "topic: [" + sound + ", " + refusing + "]")
                .replace("existing: true}", "existing: true}\n  - {name: " + refusing + ", existing: true}")
                .replace("size: 100", "size: {100: 2, 1500: 1}");
        AtomicInteger answers = new AtomicInteger();
        FrameProxy.Tamper tamper = new FrameProxy.Tamper() {
            @Override
            public boolean answer() {
                int n = answers.incrementAndGet();
                if (n == limitedAt) {
                    limit(refusing, 1000);
                }
                return n < 30 || n > 300 || n % 8 != 0;
            }
        };
        AuditResult audit = run(yaml, tamper, 0);
        assertThat(produced.errors().byKind()).containsKey("recordTooLarge");
        List<PlainLog> logs = Stream.of(sound, refusing)
                .map(topic -> new PlainLog(lab.bootstrapServers(), topic, "read_uncommitted"))
                .toList();
        assertThat(logs).allSatisfy(log -> {
            assertThat(log.duplicates()).isZero();
            assertThat(log.reordered()).isZero();
        });
        assertThat(audit.counts().read())
                .isEqualTo(logs.stream().mapToLong(log -> log.records().size()).sum());
        assertThat(audit.counts().duplicated()).isZero();
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.identified().phantom()).isZero();
        assertThat(audit.identified().violations()).isZero();
    }

    /** The first attempt is in the log when a retry is rejected: the failure does not describe the earlier attempt. */
    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void rejectedRetryDoesNotMakeFirstAttemptAPhantom(String engine) throws Exception {
        String topic = topic();
        AtomicInteger answers = new AtomicInteger();
        FrameProxy.Tamper tamper = new FrameProxy.Tamper() {
            @Override
            public boolean answer() {
                int n = answers.incrementAndGet();
                if (n == 20) {
                    limit(topic, 1000);
                }
                return n != 20;
            }
        };
        String yaml = scenario(topic, engine, "acks: all", "")
                .replace("size: 100", "size: 1500")
                .replace("2000/s", "500/s");
        AuditResult audit = run(yaml, tamper, 0);
        assertThat(produced.errors().byKind()).containsKey("recordTooLarge");
        long written = end(new TopicPartition(topic, 0));
        assertThat(written).isGreaterThan(produced.volume().records());
        assertThat(audit.counts().read()).isEqualTo(written);
        assertThat(audit.identified().phantom()).isZero();
        assertThat(audit.counts().unknown())
                .isGreaterThanOrEqualTo(written - produced.volume().records());
    }

    private static void limit(String topic, int bytes) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        AlterConfigOp limit = new AlterConfigOp(
                new ConfigEntry("max.message.bytes", Integer.toString(bytes)), AlterConfigOp.OpType.SET);
        try {
            admin.incrementalAlterConfigs(Map.of(resource, List.of(limit)))
                    .all()
                    .get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A failing broker rejects whole fetches for a second: the fetch is retried after a delay, and no record is
     * skipped.
     */
    @Test
    void rawReaderRetriesRejectedFetchesAfterBackoff() throws Exception {
        String topic = topic();
        AtomicLong until = new AtomicLong();
        AtomicInteger refused = new AtomicInteger();
        FrameProxy.Tamper tamper = new FrameProxy.Tamper() {
            @Override
            public short fetchError() {
                until.compareAndSet(0, System.nanoTime() + 1_000_000_000);
                boolean refuses = System.nanoTime() < until.get();
                refused.addAndGet(refuses ? 1 : 0);
                return refuses ? Errors.UNKNOWN_SERVER_ERROR.code() : 0;
            }
        };
        String yaml = scenario(topic, "raw", "acks: all", "") + "consumers: [{topic: " + topic
                + ", engine: raw, config: {retry.backoff.ms: 100}}]\n";
        AuditResult audit = run(yaml, tamper, 0);
        assertThat(refused.get()).isBetween(1, 12);
        assertThat(audit.counts().read()).isEqualTo(end(new TopicPartition(topic, 0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void distinguishesForeignRecords(String engine) throws Exception {
        String topic = topic();
        String yaml = scenario(topic, engine, "acks: all", "") + "consumers: [{topic: " + topic + "}]\n";
        // Amid the load. The audit waits for the snapshots, so that even a late write is before it.
        Progress amid = Runs.hearing(snapshot -> {
            if (snapshot.sequence() == 0) {
                write(topic, 37);
            }
        });
        AuditResult audit = run(yaml, FrameProxy.HONEST, 0, amid);
        assertThat(audit.identified().foreign()).isEqualTo(37);
        assertThat(audit.identified().phantom()).isEqualTo(37);
        assertThat(audit.counts().read()).isEqualTo(end(new TopicPartition(topic, 0)) - 37);
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.identified().violations()).isZero();
    }

    private static void write(String topic, int records) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", lab.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, new byte[i + 10]));
            }
        }
    }

    @Test
    void abortedTransactionsAreNotVisible() throws Exception {
        String topic = topic();
        String yaml = scenario(topic, "client", "acks: all", "transactions: {records: 50, abortRatio: 0.4}")
                .replace("2000/s", "1000/s");
        AuditResult audit = run(yaml, FrameProxy.HONEST, 0);
        int committed = new PlainLog(lab.bootstrapServers(), topic, "read_committed")
                .records()
                .size();
        int all = new PlainLog(lab.bootstrapServers(), topic, "read_uncommitted")
                .records()
                .size();
        assertThat(all).isGreaterThan(committed);
        assertThat(audit.identified().abortedVisible()).isZero();
        assertThat(audit.counts().lost()).isZero();
        assertThat(audit.counts().unknown()).isZero();
        assertThat(audit.counts().acknowledged()).isEqualTo(committed);
        assertThat(audit.counts().read()).isEqualTo(committed);
        assertThat(audit.identified().offsetGaps()).isZero();
        assertThat(audit.complete()).isTrue();
    }

    /** A proxy that swaps commit and abort makes the broker break its guarantee. */
    @Test
    void findsVisibleRecordsOfAbortedTransactions() throws Exception {
        String topic = topic();
        List<Integer> plain = new ArrayList<>();
        FrameProxy.Tamper outside = new Nth(30) {
            @Override
            List<byte[]> change(byte[] frame) {
                // One batch outside of any transaction, although its producer expects one.
                int at = FrameProxy.batchAt(frame);
                plain.add(FrameProxy.recordsOf(frame, at));
                frame[at + 22] &= ~0x10;
                for (int i = at + 43; i < at + 57; i++) {
                    frame[i] = -1;
                }
                FrameProxy.repair(frame, at);
                return List.of(frame);
            }
        };
        String yaml = scenario(topic, "client", "acks: all", "transactions: {records: 4000, abortRatio: 1}")
                .replace("2000/s", "1000/s")
                .replace("duration: 2s", "duration: 5s");
        AuditResult audit = run(yaml, outside, 4);
        long visible = new PlainLog(lab.bootstrapServers(), topic, "read_committed")
                .records()
                .size();
        assertThat(visible).isEqualTo(plain.get(0).longValue());
        assertThat(audit.identified().abortedVisible()).isEqualTo(visible);
        assertThat(audit.identified().violations()).isEqualTo(visible);
        assertThat(audit.counts().lost()).isZero();
    }
}
