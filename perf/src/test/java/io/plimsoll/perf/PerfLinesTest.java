package io.plimsoll.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Latencies;
import io.plimsoll.perf.PerfOutput.ConsumerPerf;
import io.plimsoll.perf.PerfOutput.ConsumerPerf.Read;
import io.plimsoll.perf.PerfOutput.EndToEndPerf;
import io.plimsoll.perf.PerfOutput.ProducerPerf.Sent;
import java.io.PrintWriter;
import java.text.SimpleDateFormat;
import java.util.Locale;
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
    void producerLinesMatchKafka() {
        Sent sent = new Sent(50, 51_200, 5, millis(1, 2, 2, 3));
        assertThat(sent.interval())
                .isEqualTo("50 records sent, 10.0 records/sec (0.01 MB/sec), 2.0 ms avg latency, 3.0 ms max latency.");
        assertThat(sent.summary(""))
                .isEqualTo("50 records sent, 10.000000 records/sec (0.01 MB/sec), 2.00 ms avg latency, 3.00 ms max"
                        + " latency, 2 ms 50th, 3 ms 95th, 3 ms 99th, 3 ms 99.9th.");
        assertThat(sent.summary(" steady state")).startsWith("50 steady state records sent, 10.0");
        assertThat(new Sent(0, 0, 5, Latencies.EMPTY).summary(""))
                .isEqualTo(
                        "0 records sent, 0.000000 records/sec (0.00 MB/sec), NaN ms avg latency, 0.00 ms max latency,"
                                + " 0 ms 50th, 0 ms 95th, 0 ms 99th, 0 ms 99.9th.");
    }

    @Test
    void consumerLinesMatchKafka() {
        PrintWriter nowhere = new PrintWriter(PrintWriter.nullWriter());
        ConsumerPerf lines = new ConsumerPerf(
                nowhere,
                nowhere,
                new ConsumerPerf.Options(1, 1, 1, false, true, new SimpleDateFormat("S", Locale.ROOT)));
        assertThat(lines.header(false))
                .isEqualTo("start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec,"
                        + " rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec");
        assertThat(lines.header(true))
                .isEqualTo("time, threadId, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec,"
                        + " rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec");
        assertThat(new Read("a, b", 3 << 19, 3, 3 << 19, 3, 500, 2).row())
                .isEqualTo("a, b, 1.5000, 0.6000, 3, 1.2000, 500, 2000, 0.7500, 1.5000");
        assertThat(new Read("a, b", 3 << 19, 3, 1 << 19, 1, 0, 0.5).shareRow())
                .isEqualTo("a, b, 1.5000, 1.0000, 2.0000, 3, 500");
        assertThat(ConsumerPerf.shortfall(10_000))
                .isEqualTo(
                        "WARNING: Exiting before consuming the expected number of records: timeout (10000 ms) exceeded."
                                + " You can use the --timeout option to increase the timeout.");
    }

    @Test
    void endToEndAndMetricsLinesMatchKafka() {
        assertThat(EndToEndPerf.average(millis(1, 2))).isEqualTo("Avg latency: 1.5000 ms");
        assertThat(EndToEndPerf.percentiles(millis(1, 2, 3))).isEqualTo("Percentiles: 50th = 2, 99th = 3, 99.9th = 3");
        assertThat(PerfOutput.metrics(new TreeMap<>(Map.of("a:b:{}", 1.5, "a:long-name:{}", "x"))))
                .containsExactly("", "Metric Name      Value", "a:b:{}         : 1.500", "a:long-name:{} : x");
        assertThat(PerfOutput.metrics(Map.of())).isEmpty();
    }
}
