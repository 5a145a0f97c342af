package io.plimsoll.report.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Latencies;
import io.plimsoll.report.perf.PerfLines.Rates;
import io.plimsoll.report.perf.PerfLines.Read;
import io.plimsoll.report.perf.PerfLines.Sent;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The lines of the drop-in commands have the format of Kafka's own tools. */
class PerfLinesTest {
    private static Latencies millis(int... values) {
        Histogram histogram = new Histogram(3);
        for (int value : values) {
            histogram.recordValue(value * 1000L);
        }
        return Latencies.of(histogram);
    }

    @Test
    void aProducersLines() {
        Sent sent = new Sent(50, 51_200, 5, millis(1, 2, 2, 3));
        assertThat(PerfLines.interval(sent))
                .isEqualTo("50 records sent, 10.0 records/sec (0.01 MB/sec), 2.0 ms avg latency, 3.0 ms max latency.");
        assertThat(PerfLines.summary(sent, ""))
                .isEqualTo("50 records sent, 10.000000 records/sec (0.01 MB/sec), 2.00 ms avg latency, 3.00 ms max"
                        + " latency, 2 ms 50th, 3 ms 95th, 3 ms 99th, 3 ms 99.9th.");
        assertThat(PerfLines.summary(sent, " steady state")).startsWith("50 steady state records sent, 10.0");
        assertThat(PerfLines.summary(new Sent(0, 0, 5, Latencies.EMPTY), ""))
                .isEqualTo(
                        "0 records sent, 0.000000 records/sec (0.00 MB/sec), NaN ms avg latency, 0.00 ms max latency,"
                                + " 0 ms 50th, 0 ms 95th, 0 ms 99th, 0 ms 99.9th.");
    }

    @Test
    void aConsumersLines() {
        assertThat(PerfLines.consumerHeader(false))
                .isEqualTo("start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec,"
                        + " rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec");
        assertThat(PerfLines.consumerHeader(true))
                .isEqualTo("time, threadId, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec,"
                        + " rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec");
        assertThat(PerfLines.consumerRow(new Read("a, b", 1.5, 3, 5, 6, new Rates(2, 4.25), new Rates(7.12345, 8))))
                .isEqualTo("a, b, 1.5000, 2.0000, 3, 4.2500, 5, 6, 7.1235, 8.0000");
        assertThat(PerfLines.consumerShortfall(10_000))
                .isEqualTo(
                        "WARNING: Exiting before consuming the expected number of records: timeout (10000 ms) exceeded."
                                + " You can use the --timeout option to increase the timeout.");
    }

    @Test
    void otherLines() {
        assertThat(PerfLines.endToEndAverage(millis(1, 2))).isEqualTo("Avg latency: 1.5000 ms");
        assertThat(PerfLines.endToEndPercentiles(millis(1, 2, 3)))
                .isEqualTo("Percentiles: 50th = 2, 99th = 3, 99.9th = 3");
        assertThat(PerfLines.endToEndProgress(1000, millis(2))).isEqualTo("1000\t2.0");
        assertThat(PerfLines.metrics(new TreeMap<>(Map.of("a:b:{}", 1.5, "a:long-name:{}", "x"))))
                .containsExactly("", "Metric Name      Value", "a:b:{}         : 1.500", "a:long-name:{} : x");
        assertThat(PerfLines.metrics(Map.of())).isEmpty();
    }
}
