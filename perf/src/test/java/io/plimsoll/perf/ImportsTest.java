package io.plimsoll.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of other tools are read as saved, without guesses. */
class ImportsTest {
    private static final double MB = 1024 * 1024;
    private static final String HEADER =
            "start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec";
    private static final String SUMMARY = "200 records sent, 10.005003 records/sec (0.01 MB/sec), 5.40 ms avg latency,"
            + " 428.00 ms max latency, 2 ms 50th, 14 ms 95th, 26 ms 99th, 428 ms 99.9th.";

    private static List<TrialResult> read(String file, String text) {
        Imports imports = new Imports();
        imports.add(file, text);
        return imports.trials();
    }

    private static TrialResult only(String text) {
        List<TrialResult> trials = read("saved.txt", text);
        assertThat(trials).hasSize(1);
        return trials.get(0);
    }

    /** As printed, and as copied by hand with missing and additional blanks. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                SUMMARY,
                "200 records sent, 10.0 records/sec (0.01 MB/sec), 5.40 ms avg latency, 428.00 max latency, 2 ms 50th,"
                        + " 14 ms 95th, 26 ms 99th, 428 ms 99.9th.",
                "  200 records sent,10.005003 records/sec(0.01MB/sec),5.40ms avg latency,428.00 ms max latency,2ms"
                        + " 50th,14 ms 95th,26 ms   99th, 428ms 99.9th",
                "200 steady state records sent, 10.005003 records/sec (0.01 MB/sec), 5.40 ms avg latency, 428.00 ms max"
                        + " latency, 2 ms 50th, 14 ms 95th, 26 ms 99th, 428 ms 99.9th.",
                "200 records sent, 10,005003 records/sec (0,01 MB/sec), 5,40 ms avg latency, 428,00 ms max latency,"
                        + " 2 ms 50th, 14 ms 95th, 26 ms 99th, 428 ms 99.9th."
            })
    void readsProducerSummaryInEachForm(String line) {
        String intervals = """
            52 records sent, 10.4 records/sec (0.01 MB/sec), 14.9 ms avg latency, 428.0 max latency.
            50 records sent, 10.0 records/sec (0.01 MB/sec), 2.2 ms avg latency, 3.0 ms max latency.
            """;
        TrialResult trial = only("$ kafka-producer-perf-test.sh --topic t\n" + intervals + line + "\n");
        assertThat(trial.name()).isEqualTo("saved");
        TrialResult.Produce produce = trial.produce();
        assertThat(produce.volume().records()).isEqualTo(200);
        assertThat(produce.volume().recordsPerSecond()).isEqualTo(10.0, within(0.01));
        assertThat(produce.volume().bytesPerSecond()).isEqualTo(0.01 * MB, within(1e-6));
        assertThat(trial.course().measuredSeconds()).isEqualTo(20, within(0.05));
        TrialResult.Latency latency = produce.times().serviceTime();
        assertThat(List.of(
                        latency.percentiles().p50(),
                        latency.percentiles().p95(),
                        latency.percentiles().p99(),
                        latency.percentiles().p999(),
                        latency.max()))
                .containsExactly(2_000L, 14_000L, 26_000L, 428_000L, 428_000L);
        assertThat(latency.mean()).isEqualTo(5_400);
        assertThat(produce.times().responseTime()).as("not measured by it").isNull();
        assertThat(produce.errors()).isNull();
        assertThat(trial.consume()).isNull();
    }

    /** Container logs: Compose separates programs by a bar, kubectl and stern add names and times, CRI the stream. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "perf-1  | ",
                "2026-11-28T01:02:03.123456789Z ",
                "2026-11-28 01:02:03.123 ",
                "2026-11-28T01:02:03.1+08:00 stdout F ",
                "[pod/perf-0/perf] ",
                "perf-1  | 2026-11-28T01:02:03Z ",
                "pod/perf-0 ",
                "pod/perf-0 2026-11-28T01:02:03.1Z ",
                "perf-0 perf ",
                "Nov 28 01:02:03 host perf[123]: ",
                "[2026-11-28 01:02:03,123] "
            })
    void readsLinesOfContainerLogs(String prefix) {
        String interval = "52 records sent, 10.4 records/sec (0.01 MB/sec), 14.9 ms avg latency, 428.0 max latency.";
        TrialResult producer = only(prefix + interval + "\n" + prefix + SUMMARY + "\n");
        assertThat(producer.produce().volume().records()).isEqualTo(200);
        assertThat(producer.detail().seconds()).hasSize(1);
        TrialResult consumer = only(prefix + HEADER + "\n" + prefix
                + "2018-01-01 12:00:00:000, 2018-01-01 12:00:10:000, 10.0, 1.0, 10000, 1000.0\n");
        assertThat(consumer.consume().volume().records()).isEqualTo(10_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"perf-%d  | ", "[pod/perf-%d/perf] ", "pod/perf-%d ", "perf-%d perf "})
    void separatesProgramsJoinedInOneLog(String prefix) {
        String first = String.format(prefix, 1);
        String second = String.format(prefix, 2);
        String other = SUMMARY.replace("200 records", "400 records");
        String interval = "52 records sent, 10.4 records/sec (0.01 MB/sec), 14.9 ms avg latency, 428.0 max latency.";
        List<TrialResult> trials =
                read("up.log", String.join("\n", first + interval, second + interval, second + other, first + SUMMARY));
        assertThat(trials).extracting(t -> t.produce().volume().records()).containsExactly(400L, 200L);
        assertThat(trials).allSatisfy(t -> assertThat(t.detail().seconds()).hasSize(1));
    }

    /** One object a line, as Docker keeps logs; the last line is cut. */
    @Test
    void readsDockerJsonLog() {
        String log = ("{\"log\":\"" + SUMMARY + "\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-28T01:02:03.1Z\"}\n");
        assertThat(only(log + "{\"log\":\"Met").produce().volume().records()).isEqualTo(200);
    }

    /** With --print-metrics. Metrics of topics, nodes and other groups, and invalid values, are ignored. */
    @Test
    void assignsClientMetricsToPrecedingResult() {
        String metrics = """

                Metric Name                                                         Value
                app-info:version:{client-id=p}                                    : 4.3.1
                producer-metrics:batch-size-avg:{client-id=p}                     : 500,000
                producer-metrics:compression-rate-avg:{client-id=p}               : 0.500
                producer-metrics:record-queue-time-avg:{client-id=p}              : NaN
                producer-metrics:record-retry-total:{client-id=p}                 : 3.000
                producer-metrics:record-send-total:{client-id=p}                  : 200.000
                producer-metrics:records-per-request-avg:{client-id=p}            : 10.000
                producer-metrics:request-latency-avg:{client-id=p}                : 2.500
                producer-metrics:request-total:{client-id=p}                      : 40.000
                producer-node-metrics:request-latency-avg:{client-id=p, node-id=node-1} : 9.000
                producer-topic-metrics:byte-total:{client-id=p, topic=a}          : 20000.000
                producer-topic-metrics:record-send-total:{client-id=p, topic=a}   : 200.000
                """;
        String consumer = HEADER + """

                2018-01-01 12:00:00:000, 2018-01-01 12:00:10:000, 10.0, 1.0, 10000, 1000.0

                Metric Name                                                         Value
                consumer-fetch-manager-metrics:fetch-latency-avg:{client-id=c}    : 49.500
                consumer-fetch-manager-metrics:fetch-size-avg:{client-id=c, topic=a} : 7.000
                consumer-fetch-manager-metrics:fetch-total:{client-id=c}          : 50.000
                """;
        String steady = SUMMARY.replace("200 records sent", "100 steady state records sent");
        List<TrialResult> trials = read("m.txt", SUMMARY + "\n" + steady + "\n" + metrics + consumer);

        assertThat(trials).hasSize(3);
        TrialResult.Wire wire = trials.get(0).produce().wire();
        assertThat(wire.requests()).isEqualTo(40);
        assertThat(wire.requestsPerSecond()).isCloseTo(2, within(0.01));
        assertThat(wire.recordsPerBatch()).isEqualTo(5);
        assertThat(wire.bytesPerBatch()).isEqualTo(500);
        assertThat(wire.compressionRatio()).isEqualTo(0.5);
        assertThat(wire.retries()).isEqualTo(3);
        assertThat(trials.get(0).observed().clients())
                .containsExactly(
                        Map.entry("kafka-producer-perf-test", Map.of("requestMs", 2.5, "recordsPerRequest", 10.0)));
        assertThat(trials.get(1).produce().wire().requests()).isNull();
        assertThat(trials.get(2).consume().fetches()).isEqualTo(new TrialResult.Fetches(50L, 5.0));
        assertThat(trials.get(2).observed().clients())
                .containsExactly(Map.entry("kafka-consumer-perf-test", Map.of("fetchMs", 49.5)));
    }

    /** Rows of a published report, with the actual join time of the group. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "06:58:43:565, 2022-06-16 06:58:46:464, 976.7813, 336.9373, 1000224, 345023.8013, 1655362724003,"
                        + " -1655362721104 | 438 | 2461",
                "07:46:52:812, 2022-06-16 07:47:12:595, 4768.3754, 241.0340, 50000040, 2527424.5564, 1655372813244,"
                        + " -1655372793461 | 432 | 19351",
                "07:47:50:540, 2022-06-16 07:47:58:508, 1621.2508, 203.4702, 17000047, 2133540.0351, 1655430470988,"
                        + " -1655430463020 | 448 | 7520",
                "07:47:50:474, 2022-06-16 07:47:58:614, 1621.2880, 199.1754, 17000437, 2088505.7740, 1655430470849,"
                        + " -1655430462709 | 375 | 7765",
                "07:47:50:567, 2022-06-16 07:47:57:903, 1525.9067, 208.0025, 16000291, 2181064.7492, 1655430470939,"
                        + " -1655430463603 | 372 | 6964",
                "07:58:37:525, 2022-06-16 07:59:44:772, 4768.3716, 70.9083, 50000000, 743527.5923, 1655373517960,"
                        + " -1655373450713 | 435 | 66812"
            })
    void repairsNegativeFetchTime(String row, long rebalanceMillis, long fetchMillis) {
        TrialResult trial = only("2022-06-16 " + row + ", -0.0000, -0.0006\n");
        assertThat(trial.course().measuredSeconds()).isEqualTo(fetchMillis / 1e3, within(1e-9));
        assertThat(trial.consume().volume().recordsPerSecond())
                .isEqualTo(trial.consume().volume().records() / (fetchMillis / 1e3), within(1e-6));
        assertThat(trial.judgement().warnings())
                .extracting(Sentence::english)
                .containsExactly(Sentence.of("result.imported.fetchTime", rebalanceMillis, fetchMillis)
                        .english());
    }

    @Test
    void readsOldAndNewConsumerRows() {
        List<TrialResult> trials = read(
                "dir/read.log",
                HEADER + "\n"
                        + "2018-05-24 18:39:30:930, 2018-05-24 18:39:31:061, 0.9537, 7.2800, 10000, 76335.8779\n\n"
                        + HEADER + ", rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec\n"
                        + "WARNING: Exiting before consuming the expected number of messages: timeout (10000"
                        + " ms) exceeded. You\n"
                        + "2024-05-24 18:00:00:000, 2024-05-24 18:00:05:000, 100.0000, 20.0000, 1000,"
                        + " 200.0000, 1000, 4000, 25.0000, 250.0000\n");
        assertThat(trials).extracting(TrialResult::name).containsExactly("read:2", "read:6");
        TrialResult old = trials.get(0);
        assertThat(old.course().measuredSeconds()).isEqualTo(0.131, within(1e-9));
        assertThat(old.course().complete()).isTrue();
        assertThat(old.consume().volume().records()).isEqualTo(10_000);
        TrialResult recent = trials.get(1);
        assertThat(recent.course().measuredSeconds()).isEqualTo(4);
        assertThat(recent.consume().volume().recordsPerSecond()).isEqualTo(250);
        assertThat(recent.consume().volume().bytes()).isEqualTo((long) (100 * MB));
        assertThat(recent.course().complete()).isFalse();
        assertThat(recent.judgement().warnings()).extracting(Sentence::key).contains("result.imported.fellShort");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | saved.txt: «result.notImported.noResult»",
                "hello | saved.txt: no result found",
                "x records sent, 1.0 records/sec (1 MB/sec), 1 ms avg latency, 1 ms max latency, 2 ms 50th |"
                        + " saved.txt:1: records sent: expected a number, found \"x\"",
                "9 records sent, 12,345 records/sec (1 MB/sec), 1 ms avg latency, 1 ms max latency, 2 ms 50th |"
                        + " saved.txt:1: records/sec: expected a number, found \"12,345\"",
                "9 records sent, x records/sec (1 MB/sec), 1 ms avg latency, 1 ms max latency, 2 ms 50th |"
                        + " saved.txt:1: records/sec: expected a number, found \"x\"",
                "9 records sent, 1 records/sec (1 MB/sec), 1 ms avg latency, 1 ms max latency, 2 ms 50th, 3 ms 95th |"
                        + " saved.txt:1: 99th: a percentile is missing",
                "9 records sent, 1 records/sec, 2 ms 50th | saved.txt:1: this line begins like a summary",
                "0 records sent, 0.0 records/sec (0.00 MB/sec), NaN ms avg latency, 0.00 ms max latency, 0 ms 50th |"
                        + " saved.txt:1: avg latency: expected a number",
                "2022-06-16 06:58:43:565, 2022-06-16 06:58:46:464, 976.7813 | saved.txt:1: found 3 columns;"
                        + " expected 6 or 10",
                "2022-06-16 06:58:43:565, 2022-06-16 06:58:46:464, x, 336.9373, 1000224, 345023.8013 | saved.txt:1:"
                        + " data.consumed.in.MB: expected a number, found \"x\"",
                "2022-06-16 06:58:43:565, soon, 1, 336.9373, 1000224, 345023.8013 | saved.txt:1: end.time: expected a"
                        + " time such as",
                "2022-06-16 06:58:43:565, 2022-06-16 06:58:40:464, 1, 336.9373, 1000224, 345023.8013 | saved.txt:1:"
                        + " end.time: it is not after start.time",
                "2022-06-16 06:58:43:565, 2022-06-16 06:58:46:464, 1, 1, 1, 1, 1000000, -5, 1, 1 | saved.txt:1:"
                        + " fetch.time.ms: it is negative",
            })
    void reportsErrorsWithFileLineAndKey(String text, String message) {
        assertThatThrownBy(() -> read("saved.txt", text))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageStartingWith(Said.text(message));
    }

    /** Three lines of five seconds each; the middle one is a stall. */
    private static final String LINES = """
            500 records sent, 100.0 records/sec (0.10 MB/sec), 4.0 ms avg latency, 20.0 ms max latency.
            0 records sent, 0.0 records/sec (0.00 MB/sec), NaN ms avg latency, 0.0 ms max latency.
            1000 records sent, 200.0 records/sec (0.20 MB/sec), 10.0 ms avg latency, 90.0 ms max latency.
            """;

    @Test
    void buildsTimelineFromIntervalLines() {
        TrialResult trial = only(LINES + "1500 records sent, 100.0 records/sec (0.10 MB/sec), 8.00 ms avg latency,"
                + " 90.00 ms max latency, 2 ms 50th, 14 ms 95th, 26 ms 99th, 28 ms 99.9th.\n");
        assertThat(trial.course().complete()).isTrue();
        assertThat(trial.detail().seconds()).extracting(TrialResult.Second::at).containsExactly(5.0, 10.0, 15.0);
        assertThat(trial.detail().seconds())
                .extracting(s -> s.rates().produced())
                .containsExactly(100.0, 0.0, 200.0);
        assertThat(trial.detail().seconds())
                .extracting(s -> s.response().serviceMax())
                .containsExactly(20_000L, null, 90_000L);
        assertThat(trial.detail().seconds())
                .allSatisfy(s -> assertThat(s.rates().offered()).as("unknown").isNull());
    }

    @Test
    void treatsLogWithoutSummaryAsAborted() {
        TrialResult trial = only(LINES);
        assertThat(trial.course().complete()).isFalse();
        assertThat(trial.course().measuredSeconds()).isEqualTo(15, within(1e-9));
        assertThat(trial.produce().volume().records()).isEqualTo(1500);
        assertThat(trial.produce().volume().recordsPerSecond()).isEqualTo(100, within(1e-9));
        assertThat(trial.produce().times().serviceTime().mean()).isEqualTo(8_000, within(1e-6));
        assertThat(trial.produce().times().serviceTime().max()).isEqualTo(90_000);
        assertThat(trial.produce().times().serviceTime().percentiles().p99()).isNull();
        assertThat(trial.judgement().warnings().get(0))
                .satisfies(w -> assertThat(w.key()).isEqualTo("result.imported.aborted"))
                .satisfies(w -> assertThat(w.arguments()).contains("15 s"));
    }

    @Test
    void placesLinesAfterGapAtTheEnd() {
        String text = LINES + "···\n···\n" + LINES.lines().findFirst().orElseThrow()
                + "\n10000 records sent, 100.0 records/sec (0.10 MB/sec), 8.00 ms avg latency,"
                + " 90.00 ms max latency, 2 ms 50th, 14 ms 95th, 26 ms 99th, 28 ms 99.9th.\n";
        TrialResult trial = only(text);
        assertThat(trial.detail().seconds()).extracting(TrialResult.Second::at).containsExactly(5.0, 10.0, 15.0, 100.0);
        assertThat(trial.judgement().warnings()).anyMatch(w -> "result.imported.gap".equals(w.key()));
    }

    /** As in the first of the five reports. */
    @Test
    void reportsConsumerStoppedBeforeRequestedCount() {
        TrialResult trial = only("""
            ./kafka-consumer-perf-test.sh --topic api-test --threads 1 --messages 100000000
            start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec
            2018-05-24 17:44:44:025, 2018-05-24 17:48:14:125, 75859.4952, 361.0638, 40722223, 193823.0509
            """);
        assertThat(trial.course().complete()).isFalse();
        assertThat(trial.consume().volume().recordsPerSecond()).isEqualTo(193_823.0509, within(0.01));
        assertThat(trial.judgement().warnings())
                .anyMatch(w -> Said.en("result.imported.stopped", "100,000,000", "40,722,223")
                        .matcher(w.english())
                        .find());
    }

    @Test
    void warnsIfCommandRequestsFewerRecordsThanSent() {
        TrialResult trial = only("./kafka-producer-perf-test.sh --num-records 100 --record-size 100\n" + SUMMARY);
        assertThat(trial.course().complete()).isTrue();
        assertThat(trial.judgement().warnings()).anyMatch(w -> Said.en("result.imported.otherCommand", 100, 200)
                .matcher(w.english())
                .find());
    }

    @Test
    void buildsTimelineFromDetailedConsumerStats() {
        TrialResult trial = only("""
            time, threadId, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec
            2022-06-16 06:58:40:000, 0, 10.0000, 2.0000, 5000, 1000.0000
            2022-06-16 06:58:45:000, 0, 30.0000, 4.0000, 15000, 2000.0000
            """);
        assertThat(trial.consume().volume().records()).isEqualTo(15_000);
        assertThat(trial.consume().volume().recordsPerSecond()).isEqualTo(1500, within(1e-9));
        assertThat(trial.detail().seconds()).extracting(TrialResult.Second::at).containsExactly(5.0, 10.0);
        assertThat(trial.detail().seconds())
                .extracting(s -> s.rates().consumed())
                .containsExactly(1000.0, 2000.0);
    }

    /** Detailed statistics end before the last record, so they are not compared with the requested number. */
    @Test
    void comparesRequestedCountWithOneResultOnly() {
        List<TrialResult> trials = read("read.log", """
            ./kafka-consumer-perf-test.sh --topic t --messages 20000 --show-detailed-stats
            time, threadId, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec
            2022-06-16 06:58:40:000, 0, 10.0000, 2.0000, 5000, 1000.0000
            """ + HEADER + "\n2022-06-16 08:58:43:000, 2022-06-16 08:58:47:000, 4.0000, 1.0000, 400, 100.0000\n");
        assertThat(trials).extracting(t -> t.course().complete()).containsExactly(true, true);
    }

    /** As saved by a script that reads twice. */
    @Test
    void separatesRunsWithDetailedStats() {
        String header = "time, threadId, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec\n";
        List<TrialResult> trials = read("read.log", header + """
            2022-06-16 06:58:40:000, 0, 10.0000, 2.0000, 5000, 1000.0000
            2022-06-16 06:58:45:000, 0, 30.0000, 4.0000, 15000, 2000.0000
            WARNING: Exiting before consuming the expected number of records: timeout (10000 ms) exceeded.
            """ + header + """
            2022-06-16 07:58:40:000, 0, 20.0000, 4.0000, 10000, 2000.0000
            """ + HEADER + """

            2022-06-16 08:58:43:000, 2022-06-16 08:58:47:000, 4.0000, 1.0000, 400, 100.0000
            """);
        assertThat(trials).extracting(TrialResult::name).containsExactly("read:4", "read:6", "read:8");
        assertThat(trials)
                .extracting(t -> t.consume().volume().recordsPerSecond())
                .containsExactly(1500.0, 2000.0, 100.0);
        assertThat(trials).extracting(t -> t.course().measuredSeconds()).containsExactly(10.0, 5.0, 4.0);
        assertThat(trials).extracting(t -> t.course().complete()).containsExactly(false, true, true);
        assertThat(trials.get(0).judgement().warnings())
                .extracting(Sentence::english)
                .contains(Sentence.of("result.imported.linesFellShort").english());
    }

    /** Kafka's tools print the comma of the host's locale. */
    @Test
    void readsDecimalCommas() {
        String row = "2018-05-24 18:39:30:000, 2018-05-24 18:39:31:000, 100,5000, 20,0000, 1000, 200,0000";
        String more = ", 500, 500, 25,0000, 250,0000\n";
        List<TrialResult> trials = read("read.log", row + "\n" + row + more + HEADER + "\n" + row + "\n");
        assertThat(trials).extracting(t -> t.consume().volume().records()).containsExactly(1000L, 1000L, 1000L);
        assertThat(trials).extracting(t -> t.consume().volume().bytes()).containsOnly((long) (100.5 * MB));
        assertThat(trials).extracting(t -> t.course().measuredSeconds()).containsExactly(1.0, 0.5, 1.0);
        TrialResult lines = only(LINES.replaceAll("(\\d)\\.(\\d)", "$1,$2"));
        assertThat(lines.produce().volume().records()).isEqualTo(1500);
        assertThat(lines.produce().times().serviceTime().max()).isEqualTo(90_000);
    }

    @Test
    void namesAreUnique() {
        Imports imports = new Imports();
        imports.add("a/run.txt", SUMMARY);
        imports.add("b/run.txt", SUMMARY);
        assertThat(imports.trials()).extracting(TrialResult::name).containsExactly("run", "run (2)");
    }
}
