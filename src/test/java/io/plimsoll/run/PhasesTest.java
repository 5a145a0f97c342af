package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Backlog;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sequential phases: topics kept between trials, delayed groups, rewound groups. */
class PhasesTest {
    @TempDir
    Path out;

    private RunResult run(String yaml, String... overrides) {
        RunResult result = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out, overrides);
        Runs.assertSound(result);
        return result;
    }

    private static Set<String> topics() throws ExecutionException, InterruptedException {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", SharedLab.oneBroker().bootstrapServers()))) {
            return admin.listTopics().names().get();
        }
    }

    @Test
    void laterTrialsReadRecordsOfAnEarlierOne() throws Exception {
        RunResult result = run("""
            name: kept
            topics: [{name: kept-topic, partitions: 3, keep: true}]
            audit: true
            checks: [produce.missing == 0, consume.missing == 0]
            trials:
              - name: write
                set:
                  producers: [{topic: kept-topic, records: 20000, record: {size: 100}}]
                  checks: [produce.missing == 0]
              - name: read
                set:
                  consumers: [{topic: kept-topic, records: 20000}]
                  checks: [consume.missing == 0]
              - name: three groups
                set:
                  consumers: [{topic: kept-topic, records: 20000, groups: 3, engine: raw}]
                  checks: [consume.missing == 0]
            """);
        List<TrialResult> trials = result.trials();
        assertThat(trials.get(0).produce().volume().records()).isEqualTo(20_000);
        assertThat(trials.get(0).produce().schedule().asked()).isEqualTo(20_000);
        assertThat(trials.get(1).consume().volume().records()).isEqualTo(20_000);
        assertThat(trials.get(1).consume().volume().bytes()).isEqualTo(2_000_000);
        assertThat(trials.get(2).consume().volume().records()).isEqualTo(60_000);
        assertThat(trials.get(2).consume().reading().asked()).isEqualTo(60_000);
        assertThat(trials.get(2).consume().reading().missing()).isZero();
        assertThat(topics()).doesNotContain("kept-topic");
    }

    /** Ground truth: acknowledgments at the groups' start, interpolated between seconds. */
    @Test
    @Tag("nightly")
    void drainsTimedBacklogWhileProducing() {
        for (String engine : List.of("client", "raw")) {
            TrialResult trial = run("""
                name: backlog-time
                topics: [{name: backlog-time, partitions: 2}]
                producers: [{topic: backlog-time, rate: 2000/s, record: {size: 100}}]
                consumers:
                  - {topic: backlog-time, start: {backlog: 2s}, engine: ENGINE}
                  - {topic: backlog-time, start: latest}
                warmup: 0
                duration: 4s
                audit: true
                """.replace("ENGINE", engine)).trials().get(0);
            Backlog backlog = trial.consume().reading().backlog();
            assertThat(backlog.openedSeconds()).isGreaterThanOrEqualTo(2.0);
            assertThat((double) backlog.records())
                    .isBetween(
                            0.98 * acknowledged(trial, s -> s.at() <= backlog.openedSeconds()),
                            1.02 * acknowledged(trial, s -> s.at() < backlog.openedSeconds() + 1) + 2000);
            assertThat(backlog.drained()).isTrue();
            // Zero if both ends lie within one poll interval of a second or more.
            assertThat(backlog.drainSeconds()).isNotNegative();
            assertThat(backlog.responseP99Before()).isPositive();
            assertThat(trial.consume().volume().records()).isEqualTo(16_000);
            assertThat(trial.consume().reading().missing()).isZero();
        }
    }

    private static double acknowledged(TrialResult trial, Predicate<TrialResult.Second> when) {
        double records = 0;
        double from = 0;
        for (TrialResult.Second s : trial.detail().seconds()) {
            records += when.test(s) ? s.rates().produced() * (s.at() - from) : 0;
            from = s.at();
        }
        return records;
    }

    @Test
    void byteBacklogOpensOnceAcknowledged() {
        TrialResult trial = run("""
            name: backlog-bytes
            topics: [{name: backlog-bytes, partitions: 2}, {name: backlog-other}]
            producers:
              - {topic: backlog-bytes, rate: 1000/s, record: {size: 500}}
              - {topic: backlog-other, rate: 1000/s, record: {size: 500}}
            consumers: [{topic: backlog-bytes, start: {backlog: 1MB, rewind: 0}, members: 2}]
            warmup: 1s
            duration: 5s
            """).trials().get(0);
        // 1 MB at 500 kB/s, including the second of warm-up; later if brokers are busy, and never earlier.
        assertThat(trial.consume().reading().backlog().openedSeconds()).isGreaterThan(1.9);
        // Only the group's topic: the other topic gets the same amount. On a busy machine, with polls seconds apart,
        // the backlog at the start is an estimate and can be 0.
        assertThat(trial.consume().reading().backlog().records()).isLessThanOrEqualTo(6000L);
        assertThat(trial.consume().reading().missing()).isZero();
    }

    @Test
    void readsUnreachedBacklogAfterwards() {
        TrialResult trial = run("""
            name: backlog-never
            topics: [{name: backlog-never}]
            producers: [{topic: backlog-never, records: 5000, record: {size: 100}}]
            consumers: [{topic: backlog-never, start: {backlog: 1GB}}]
            """).trials().get(0);
        assertThat(trial.consume().volume().records()).isEqualTo(5000);
        assertThat(trial.consume().volume().recordsPerSecond()).isPositive();
    }

    /**
     * The group has committed the end offsets; rewound to 0 it reads all records again, rewound to the future it reads
     * none.
     */
    @Test
    void rewoundGroupReadsFromItsNewPosition() {
        String yaml = """
            name: rewind
            topics: [{name: rewind-topic, partitions: 2, keep: true}]
            trials:
              - name: write
                set: {producers: [{topic: rewind-topic, records: 1000, record: {size: 100}, config: {partitioner.class: org.apache.kafka.clients.producer.RoundRobinPartitioner}}]}
              - name: everything
                set: {consumers: [{topic: rewind-topic, records: 1000, commit: {sync: {every: 1}}, config: {group.id: rewind-group}}]}
              - name: again
                set: {consumers: [{topic: rewind-topic, records: 1000, start: {rewind: 0}, config: {group.id: rewind-group}}]}
              - name: nothing is that new
                set: {consumers: [{topic: rewind-topic, records: 1000, idleTimeout: 1s, start: {rewind: "2100-01-01T00:00:00Z"}, config: {group.id: rewind-group}}]}
            """;
        RunResult result = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out);
        List<TrialResult> trials = result.trials();
        assertThat(trials.get(1).consume().volume().records()).isEqualTo(1000);
        assertThat(trials.get(2).consume().volume().records()).isEqualTo(1000);
        assertThat(trials.get(3).consume().volume().records()).isZero();
        assertThat(trials.get(3).consume().reading().missing()).isEqualTo(1000);
        assertThat(Invalidity.of(trials.get(3))).contains(Invalidity.NOTHING_ARRIVED);
        assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
    }

    @Test
    void parallelProducersHaveTheirOwnRates() {
        TrialResult trial = run("""
            name: three
            topics: [{name: three, partitions: 3}]
            producers:
              - {topic: three, records: 17000, record: {size: 100}}
              - {topic: three, records: 17000, record: {size: 100}, clients: 2}
              - {topic: three, records: 16000, record: {size: 100}, engine: raw}
            audit: true
            checks: [produce.missing == 0, audit.lost == 0]
            """).trials().get(0);
        assertThat(trial.produce().volume().records()).isEqualTo(50_000);
        assertThat(trial.produce().sources().producers())
                .extracting(TrialResult.ProducerShare::name, TrialResult.ProducerShare::records)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("producers-0 client 0", 17_000L),
                        org.assertj.core.groups.Tuple.tuple("producers-1 client 0", 8_500L),
                        org.assertj.core.groups.Tuple.tuple("producers-1 client 1", 8_500L),
                        org.assertj.core.groups.Tuple.tuple("producers-2 client 0", 16_000L));
        assertThat(trial.produce().sources().producers()).allSatisfy(p -> {
            assertThat(p.bytes()).isEqualTo(p.records() * 100);
            assertThat(p.recordsPerSecond() * p.seconds()).isCloseTo(p.records(), Percentage.withPercentage(0.1));
        });
    }
}
