package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The raw engine reads exactly the records in the log, written by any producer. */
@Order(1)
class RawReadTest {
    @TempDir
    Path out;

    private TrialResult trial(String yaml, String... overrides) {
        RunResult result = Runs.run(yaml, SharedLab.oneBroker().bootstrapServers(), out, overrides);
        Runs.assertSound(result);
        return result.trials().get(0);
    }

    @ParameterizedTest
    @CsvSource({
        "raw, raw, none", "raw, raw, gzip", "raw, raw, snappy", "raw, raw, lz4", "raw, raw, zstd",
        "raw, client, none", "raw, client, zstd", "client, raw, none", "client, raw, gzip", "client, raw, snappy",
        "client, raw, lz4", "client, raw, zstd"
    })
    void countsRecordsOfEveryCodecExactly(String writer, String reader, String codec) {
        TrialResult trial = trial(
                """
                name: codec
                topics: [{name: codec, partitions: 3}]
                producers: [{topic: codec, records: 20011, record: {size: 100}}]
                consumers: [{topic: codec}]
                audit: true
                checks: [produce.errors == 0, consume.errors == 0, consume.lagAtEnd == 0]
                """,
                "producers.engine=" + writer,
                "consumers.engine=" + reader,
                "producers.config.compression.type=" + codec);
        assertThat(trial.produce().volume().records()).isEqualTo(20_011);
        assertThat(trial.consume().volume().records()).isEqualTo(20_011);
        assertThat(trial.detail().partitions())
                .allSatisfy(p -> assertThat(p.consumed()).isEqualTo(p.produced()));
        if (codec.equals("none")) {
            assertThat(trial.consume().volume().bytes()).isEqualTo(2_001_100);
            assertThat(trial.consume().times().endToEnd().count()).isEqualTo(20_011);
        } else {
            assertThat(trial.consume().volume().bytes()).isPositive();
        }
    }

    @Test
    void everyGroupReadsEachRecordOnce() {
        TrialResult trial = trial("""
            name: groups
            topics: [{name: one, partitions: 5}, {name: two, partitions: 1}]
            producers:
              - {topic: one, records: 50003, clients: 2, record: {size: 64, key: sequential}}
              - {topic: two, records: 10001, record: {size: 200, headers: 2}}
            consumers:
              - {topic: [one, two], groups: 3, members: 2, engine: raw}
              - {topic: [one, two], groups: 1, members: 18, engine: raw, commit: none}
            """);
        assertThat(trial.consume().volume().records()).isEqualTo(4 * 60_004);
        assertThat(trial.consume().volume().bytes())
                .isEqualTo(4 * trial.produce().volume().bytes());
        assertThat(trial.consume().groups()).hasSize(4).allSatisfy(g -> {
            assertThat(g.records()).isEqualTo(60_004);
            assertThat(g.lagAtEnd()).isZero();
            assertThat(g.commits()).isZero();
        });
        assertThat(trial.consume().errors().total()).isZero();
        assertThat(trial.consume().fetches().requestsPerSecond()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"none, 12345", "lz4, 12345", "none, 1", "none, 20000"})
    void groupReadsExactlyItsRecordLimit(String codec, long records) {
        TrialResult trial = trial("""
            name: rawBound
            topics: [{name: rawBound, partitions: 2}]
            producers: [{topic: rawBound, records: 20000, record: {size: 50}}]
            consumers: [{topic: rawBound, groups: 2, members: 2, engine: raw, start: {after: produce}}]
            """, "producers.config.compression.type=" + codec, "consumers.records=" + records);
        assertThat(trial.consume().groups()).hasSize(2).allSatisfy(g -> assertThat(g.records())
                .isEqualTo(records));
        assertThat(trial.consume().volume().recordsPerSecond()).isPositive();
        if (codec.equals("none")) {
            assertThat(trial.consume().volume().bytes()).isEqualTo(2 * 50 * records);
        }
    }

    @ParameterizedTest
    @CsvSource({"none", "zstd"})
    void abortedTransactionsAreInvisibleToReadCommitted(String codec) {
        TrialResult trial = trial("""
            name: rawTransactions
            topics: [{name: rawTransactions, partitions: 2}]
            producers:
              - topic: rawTransactions
                clients: 2
                records: 5000
                record: {size: 64}
                transactions: {records: 100, abortRatio: 0.5}
            consumers:
              - {topic: rawTransactions, engine: raw, config: {isolation.level: read_committed}}
              - {topic: rawTransactions, engine: raw}
              - {topic: rawTransactions, engine: client, config: {isolation.level: read_committed}}
            """, "producers.config.compression.type=" + codec);
        Map<String, Long> events = trial.produce().events();
        assertThat(events.get("transactionAborted")).isPositive();
        assertThat(trial.consume().groups())
                .extracting(TrialResult.Group::records)
                .satisfies(counts -> {
                    assertThat(counts.get(0))
                            .isEqualTo(counts.get(2))
                            .isEqualTo(events.get("transactionCommitted") * 100);
                    assertThat(counts.get(1)).isEqualTo(5000);
                });
        assertThat(trial.consume().groups())
                .allSatisfy(g -> assertThat(g.lagAtEnd()).isZero());
        assertThat(trial.consume().errors().total()).isZero();
    }

    @Test
    void startsAtLatestAndReadsAllWithSmallFetches() {
        TrialResult trial = trial("""
            name: fetches
            topics: [{name: fetches, partitions: 4}]
            producers: [{topic: fetches, records: 20000, record: {size: 1000}}]
            consumers:
              - {topic: fetches, engine: raw, start: latest}
              - topic: fetches
                engine: raw
                start: {after: produce}
                config: {fetch.max.bytes: 40000, max.partition.fetch.bytes: 10000, fetch.min.bytes: 100}
            """);
        assertThat(trial.consume().groups())
                .allSatisfy(g -> assertThat(g.records()).isEqualTo(20_000));
        assertThat(trial.consume().errors().total()).isZero();
    }

    /** Sequential runs: background activity must be similar, as at night. */
    @Test
    @Tag("nightly")
    void endToEndLatencyMatchesOfficialClient() {
        String yaml = """
            name: latency
            topics: [{name: latency, partitions: 2}]
            producers: [{topic: latency, rate: 1000/s, record: {size: 100}, config: {linger.ms: 0}}]
            consumers: [{topic: latency}]
            warmup: 2s
            duration: 4s
            """;
        double client = trial(yaml).consume().times().endToEnd().percentiles().p50();
        double raw = trial(yaml, "consumers.engine=raw")
                .consume()
                .times()
                .endToEnd()
                .percentiles()
                .p50();
        assertThat(raw).isPositive().isLessThan(2 * client + 2000);
    }

    @Test
    void refusesOffsetCommits() {
        String yaml = """
            name: refused
            topics: [{name: refused}]
            consumers: [{topic: refused, engine: raw, commit: {sync: {every: 1}}}]
            """;
        assertThatThrownBy(() -> trial(yaml))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining(Said.text("consumers[0].commit: «load.rawCommitsNothing»"));
    }
}
