package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scenarios of every kind on a real broker: requested and counted loads agree. */
@Order(1)
class RunTest {
    @TempDir
    Path out;

    private TrialResult trial(String yaml, String... overrides) {
        RunResult result = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out, overrides);
        Runs.assertSound(result);
        return result.trials().get(0);
    }

    @Test
    void boundedTrialCountsExactly() {
        TrialResult trial = trial("""
            name: bound
            topics: [{name: bound, partitions: 3}]
            producers:
              - {topic: bound, records: 100003, clients: 2, threads: 3, record: {size: 100, key: {sequential: true, type: bytes}}}
            consumers:
              - {topic: bound, groups: 2, members: 2}
            audit: true
            checks: [produce.errors == 0, audit.lost == 0, "consume.records == 200006"]
            """);
        assertThat(trial.produce().volume().records()).isEqualTo(100_003);
        assertThat(trial.produce().volume().bytes()).isEqualTo(100_003L * 108);
        assertThat(trial.produce().schedule().warmupRecords()).isZero();
        assertThat(trial.consume().volume().records()).isEqualTo(200_006);
        assertThat(trial.consume().groups()).hasSize(2).allSatisfy(g -> {
            assertThat(g.records()).isEqualTo(100_003);
            assertThat(g.lagAtEnd()).isZero();
        });
        assertThat(trial.audit().counts().read()).isEqualTo(100_003);
        assertThat(trial.detail().partitions().stream()
                        .mapToLong(TrialResult.PartitionResult::produced)
                        .sum())
                .isEqualTo(100_003);
        assertThat(trial.detail().partitions().stream()
                        .mapToLong(TrialResult.PartitionResult::consumed)
                        .sum())
                .isEqualTo(200_006);
    }

    @Test
    void countsWarmupRecordsSeparatelyAndOnTop() {
        TrialResult trial = trial("""
            name: warm
            topics: [{name: warm}]
            producers: [{topic: warm, rate: 1000/s, records: 2000, record: {size: 50}}]
            warmup: 1s
            audit: true
            """);
        assertThat(trial.produce().volume().records()).isEqualTo(2000);
        assertThat(trial.produce().schedule().warmupRecords()).isEqualTo(1000);
        assertThat(trial.audit().counts().acknowledged()).isEqualTo(3000);
        assertThat(trial.produce().times().responseTime().count()).isEqualTo(2000);
    }

    @Test
    void offersScheduledLoadExactly() {
        TrialResult trial = trial("""
            name: offered
            topics: [{name: offered, partitions: 2}]
            producers:
              - {topic: offered, rate: {ramp: [1000/s, 3000/s], over: 2s}, record: {size: 20}}
            warmup: 1s
            duration: 3s
            """);
        // 2 s at 2000/s on average, then 1 s at 3000/s.
        assertThat(trial.produce().volume().records()).isEqualTo(7000);
        assertThat(trial.produce().schedule().offeredRecordsPerSecond() * 3).isEqualTo(7000);
    }

    /** Next to an entry that ends with its last record, and next to a longer entry. */
    @Test
    void entryWithoutEndLastsForDurationOfScenario() {
        TrialResult bound = trial("""
            name: beside-records
            topics: [{name: beside-records}]
            producers:
              - {topic: beside-records, records: 100, record: {size: 20}}
              - {topic: beside-records, rate: 1000/s, record: {size: 20}}
            duration: 1s
            """);
        assertThat(bound.produce().volume().records()).isEqualTo(1100);
        TrialResult longer = trial("""
            name: beside-longer
            topics: [{name: beside-longer}]
            producers:
              - {topic: beside-longer, rate: 100/s, duration: 2s, record: {size: 20}}
              - {topic: beside-longer, rate: 1000/s, record: {size: 20}}
            warmup: 0s
            duration: 1s
            """);
        assertThat(longer.produce().volume().records()).isEqualTo(1200);
    }

    /** The client retries by then, so a request dropped by the broker is acknowledged after all. */
    @Test
    void waitsForAcknowledgmentsBeyondRequestTimeout() {
        Object asksAgain = ProducerConfig.configDef().defaultValues().get(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
        assertThat(LocalWorker.DRAIN_LIMIT).isGreaterThan(Duration.ofMillis((Integer) asksAgain));
    }

    @Test
    void abortedTransactionsAreInvisibleToReadCommitted() {
        TrialResult trial = trial("""
            name: transactions
            topics: [{name: transactions, partitions: 2}]
            producers:
              - topic: transactions
                records: 5000
                record: {size: 64}
                transactions: {records: 100, abortRatio: 0.5}
            consumers:
              - {topic: transactions, config: {isolation.level: read_committed}}
            audit: true
            """);
        Map<String, Long> events = trial.produce().events();
        assertThat(events.get("transactionCommitted") + events.get("transactionAborted"))
                .as("%s %s", trial.judgement().warnings(), trial.produce())
                .isEqualTo(50);
        assertThat(events.get("transactionAborted")).isPositive();
        assertThat(trial.produce().volume().records()).isEqualTo(5000);
        assertThat(trial.consume().volume().records()).isEqualTo(events.get("transactionCommitted") * 100);
        // It does not count as unread either, like the markers after the last records.
        assertThat(trial.consume().groups().get(0).lagAtEnd()).isZero();
        assertThat(trial.consume().reading().missing()).isZero();
        // Aborted records are neither visible nor lost.
        assertThat(trial.audit().counts().read())
                .isEqualTo(trial.consume().volume().records());
        assertThat(trial.audit().identified().abortedVisible()).isZero();
        assertThat(trial.audit().counts().lost()).isZero();
    }

    @Test
    void consumersCanStartAfterProducers() {
        TrialResult trial = trial("""
            name: later
            topics: [{name: later, partitions: 2}]
            producers: [{topic: later, records: 20000, record: {size: 100}}]
            consumers:
              - {topic: later, start: {after: produce}, members: 2, commit: {sync: {every: 1}}, work: {each: 200us}}
            """);
        assertThat(trial.consume().volume().records()).isEqualTo(20_000);
        assertThat(trial.consume().volume().recordsPerSecond()).isPositive();
        assertThat(trial.consume().groups().get(0).commits()).isPositive();
        // The producer waits during two seconds of reading.
        assertThat(trial.observed().clients().get("producers-0").get("ioIdle")).isGreaterThan(0.3);
    }

    @Test
    void supportsNewGroupProtocol() {
        TrialResult trial = trial("""
            name: protocol
            topics: [{name: protocol, partitions: 4}]
            producers: [{topic: protocol, records: 5000, record: {size: 100}}]
            consumers:
              - {topic: protocol, members: 2, commit: {async: {every: 2}}, config: {group.protocol: consumer}}
            """);
        assertThat(trial.consume().volume().records()).isEqualTo(5000);
        assertThat(trial.consume().groups().get(0).rebalances()).isZero();
    }

    @Test
    void syncSendsAndFlushesWait() {
        TrialResult sync = trial("""
            name: sync
            topics: [{name: sync}]
            producers:
              - {topic: sync, records: 500, threads: 4, send: {sync: {timeout: 1s}}, record: {size: 100}, config: {linger.ms: 0}}
            """);
        assertThat(sync.produce().volume().records()).isEqualTo(500);
        assertThat(sync.produce().wire().recordsPerBatch()).isLessThan(4.5);
        TrialResult flush = trial("""
            name: flush
            topics: [{name: flush}]
            producers: [{topic: flush, records: 3000, send: {flushEvery: 100}, record: {size: 100}}]
            """);
        assertThat(flush.produce().volume().records()).isEqualTo(3000);
        assertThat(flush.produce().wire().requests()).isGreaterThanOrEqualTo(25);
    }

    @Test
    void waitTimeoutIsNoFailedSend() {
        TrialResult trial = trial("""
            name: patience
            topics: [{name: patience}]
            producers:
              - {topic: patience, records: 20, send: {sync: {timeout: 1ms}}, record: {size: 100}, config: {linger.ms: 30}}
            """);
        assertThat(trial.produce().volume().records()).isEqualTo(20);
        assertThat(trial.produce().errors().total()).isZero();
        assertThat(trial.produce().events().get("waitTimedOut")).isPositive();
    }

    @Test
    void measuresCompressionRatio() {
        TrialResult trial = trial("""
            name: ratio
            topics: [{name: ratio}]
            producers:
              - topic: ratio
                records: 20000
                record: {size: 1000, randomBytesRatio: 0.25}
                config: {compression.type: lz4, batch.size: 131072, linger.ms: 20}
            """);
        assertThat(trial.produce().wire().compressionRatio()).isBetween(0.22, 0.40);
    }

    @Test
    void leavesNoTopicsOrGroupsBehind() throws ExecutionException, InterruptedException {
        String servers = SharedLab.oneBroker().bootstrapServers();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            trial("""
                name: guest
                topics: [{name: guest}]
                producers: [{topic: guest, records: 10, record: {size: 10}}]
                consumers: [{topic: guest}]
                """);
            Set<String> topics = admin.listTopics().names().get();
            assertThat(topics).doesNotContain("guest");
            assertThat(admin.listGroups(new ListGroupsOptions()).all().get())
                    .noneMatch(g -> g.groupId().contains("guest"));
        }
    }

    @Test
    void timesSmallRecordsByTheirTimestamp() {
        TrialResult trial = trial("""
            name: tiny
            topics: [{name: tiny}]
            producers: [{topic: tiny, rate: 500/s, record: {size: 8}}]
            consumers: [{topic: tiny}]
            warmup: 500ms
            duration: 1s
            """);
        assertThat(trial.consume().times().timestampType()).isEqualTo("CreateTime");
        assertThat(trial.consume().times().endToEnd().count())
                .as("whole milliseconds cannot tell on which side of the window's start a record lies")
                .isBetween(499L, 501L);
        assertThat(trial.consume().times().negativeEndToEnd()).isZero();
    }

    /** Both kinds of producers and consumers; brokers share this host's clock, known only from their responses. */
    @Test
    void measuresEndToEndFromAppendTimeToo() {
        TrialResult trial = trial("""
            name: appended
            topics: [{name: appended, partitions: 2, config: {message.timestamp.type: LogAppendTime}}]
            producers:
              - {topic: appended, rate: 500/s, record: {size: 100}}
              - {topic: appended, engine: raw, rate: 500/s, record: {size: 100}}
            consumers: [{topic: appended}, {topic: appended, engine: raw}]
            warmup: 1s
            duration: 2s
            """);
        TrialResult.EndToEnd times = trial.consume().times();
        assertThat(times.timestampType()).isEqualTo("intended time");
        assertThat(times.endToEnd().count()).isEqualTo(4000);
        // Two groups read everything. A record due at a window's end can be appended after it, but not after it was
        // read.
        long moved = Math.round(2000 * times.endToEnd().max() / 1e6) + 2;
        assertThat(times.fromAppend().endToEndFromAppend().count()).isBetween(4000 - moved, 6000L);
        assertThat(times.fromAppend().negativeFromAppend()).isZero();
        Double error = times.fromAppend().appendClockErrorMicros();
        assertThat(error)
                .as("no clock can be known better than to its milliseconds")
                .isGreaterThanOrEqualTo(500);
        // A record is appended after it was due, and read by the same clock.
        assertThat(times.fromAppend().endToEndFromAppend().max())
                .isLessThanOrEqualTo(times.endToEnd().max() + Math.round(2 * error));
    }

    @Test
    void runsOneTrialPerMatrixCell() {
        RunResult result = Runs.run("""
            name: matrix
            topics: [{name: matrix, partitions: 1}]
            producers: [{topic: matrix, records: 100, record: {size: 10}}]
            matrix: {producers.config.acks: [1, all], topics.partitions: [1, 2]}
            """, SharedLab.oneBroker().bootstrapServers(), out);
        assertThat(result.trials()).hasSize(4).allSatisfy(t -> {
            assertThat(t.produce().volume().records()).isEqualTo(100);
            assertThat(t.detail().partitions())
                    .hasSize(Integer.parseInt(t.detail().parameters().get("topics.partitions")));
        });
    }

    /**
     * A matrix or a whole scenario of labs is impossible on a given cluster; some trials of many may run without them.
     */
    @Test
    void someTrialsRunWithoutTheirLabOnGivenCluster() throws IOException {
        String trials = """
            name: limits
            topics: [{name: limits}]
            producers: [{topic: limits, records: 10}]
            trials:
              - {name: usual, set: {%s}}
              - {name: slow network, set: {lab.network: {clients: {bandwidth: 12.5MB/s}}}}
            """;
        String servers = SharedLab.oneBroker().bootstrapServers();
        RunResult result = Runs.run(trials.formatted("audit: true"), servers, out);
        assertThat(result.trials()).hasSize(2);
        assertThat(result.verdict().warnings())
                .contains(Sentence.of("run.labOfTrials", Sentence.list(List.of("slow network"), 5)));
        for (String refused : List.of(
                trials.formatted("lab.brokers: 1"),
                trials.substring(0, trials.indexOf("trials:")) + "matrix: {lab.brokers: [1, 3]}\n")) {
            assertThatThrownBy(() -> Runs.run(refused, servers, out.resolve("refused")))
                    .isInstanceOfSatisfying(PlimsollException.class, e -> {
                        assertThat(e.exit()).isEqualTo(Exit.USAGE);
                        assertThat(e.sentence().key()).isEqualTo("run.labDescribed");
                    });
        }
        assertThat(out.resolve("refused")).doesNotExist();
        // The number of brokers in a lab does not describe the cluster.
        String brokers = "lab: {brokers: 5}\n" + trials.substring(0, trials.indexOf("trials:"));
        assertThat(Runs.run(brokers, servers, out).verdict().warnings())
                .extracting(Sentence::key)
                .doesNotContain("run.labOfTrials", "run.requestsNeedLab");
        // Brokers that run already write no log of their requests.
        assertThat(Runs.run(Runs.request(brokers, servers, out)
                                .with(draft -> draft.observe = RunRequest.ObserveLevel.REQUESTS))
                        .verdict()
                        .warnings())
                .extracting(Sentence::key)
                .contains("run.requestsNeedLab");
    }
}
