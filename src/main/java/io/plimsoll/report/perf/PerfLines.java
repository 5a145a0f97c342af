package io.plimsoll.report.perf;

import io.plimsoll.measure.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Lines byte for byte as Kafka's tools format them, for scripts that read those. Numbers have a decimal point in every
 * locale. Pure.
 */
final class PerfLines {
    static final double MB = 1024.0 * 1024.0;

    private PerfLines() {}

    record Sent(long records, long bytes, double seconds, Latencies latencies) {
        private String rates(int decimals) {
            return format(
                    "%." + decimals + "f records/sec (%.2f MB/sec)", per(records, seconds), per(bytes / MB, seconds));
        }
    }

    static String interval(Sent sent) {
        return format(
                "%d records sent, %s, %.1f ms avg latency, %.1f ms max latency.",
                sent.records(),
                sent.rates(1),
                millis(sent.latencies().meanMicros()),
                millis(sent.latencies().maxMicros()));
    }

    /** @param which empty, or {@code " steady state"} */
    static String summary(Sent sent, String which) {
        Latencies latencies = sent.latencies();
        // Without a single record there is no average: Kafka's tool then says NaN, and whoever reads its lines knows
        // it.
        double mean = latencies.isEmpty() ? Double.NaN : millis(latencies.meanMicros());
        return format(
                "%d%s records sent, %s, %.2f ms avg latency, %.2f ms max latency, %d ms 50th, %d ms 95th, %d ms 99th,"
                        + " %d ms 99.9th.",
                sent.records(),
                which,
                sent.rates(6),
                mean,
                millis(latencies.maxMicros()),
                wholeMillis(latencies, 50),
                wholeMillis(latencies, 95),
                wholeMillis(latencies, 99),
                wholeMillis(latencies, 99.9));
    }

    record Rates(double mbPerSecond, double recordsPerSecond) {
        static final Rates NONE = new Rates(0, 0);

        static Rates of(double mb, long records, double seconds) {
            return new Rates(per(mb, seconds), per(records, seconds));
        }
    }

    /**
     * Records that were read.
     *
     * @param time first columns of the row
     * @param rates with the time in which the group formed
     * @param fetchRates without it
     */
    record Read(
            String time,
            double totalMb,
            long records,
            long joinMillis,
            long fetchMillis,
            Rates rates,
            Rates fetchRates) {}

    static String consumerHeader(boolean detailed) {
        return (detailed ? "time, threadId" : "start.time, end.time")
                + ", data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, fetch.time.ms,"
                + " fetch.MB.sec, fetch.nMsg.sec";
    }

    static String consumerRow(Read read) {
        return format(
                "%s, %.4f, %.4f, %d, %.4f, %d, %d, %.4f, %.4f",
                read.time(),
                read.totalMb(),
                read.rates().mbPerSecond(),
                read.records(),
                read.rates().recordsPerSecond(),
                read.joinMillis(),
                read.fetchMillis(),
                read.fetchRates().mbPerSecond(),
                read.fetchRates().recordsPerSecond());
    }

    static final String SHARE_HEADER =
            "start.time, end.time, data.consumed.in.MB, MB.sec, nMsg.sec, data.consumed.in.nMsg, fetch.time.ms";

    static String shareRow(Read read) {
        return format(
                "%s, %.4f, %.4f, %.4f, %d, %d",
                read.time(),
                read.totalMb(),
                read.rates().mbPerSecond(),
                read.rates().recordsPerSecond(),
                read.records(),
                read.fetchMillis());
    }

    static String consumerShortfall(long timeoutMillis) {
        return format(
                "WARNING: Exiting before consuming the expected number of records: timeout (%d ms) exceeded. You can"
                        + " use the --timeout option to increase the timeout.",
                timeoutMillis);
    }

    static String endToEndAverage(Latencies latencies) {
        return format("Avg latency: %.4f ms", millis(latencies.meanMicros()));
    }

    static String endToEndPercentiles(Latencies latencies) {
        return format(
                "Percentiles: 50th = %d, 99th = %d, 99.9th = %d",
                wholeMillis(latencies, 50), wholeMillis(latencies, 99), wholeMillis(latencies, 99.9));
    }

    static String endToEndProgress(long record, Latencies latencies) {
        return record + "\t" + millis(latencies.meanMicros());
    }

    /** A table of a client's own metrics, with an empty line above it; nothing if there are none. */
    static List<String> metrics(Map<String, Object> metrics) {
        List<String> lines = new ArrayList<>();
        if (metrics.isEmpty()) {
            return lines;
        }
        int width = metrics.keySet().stream().mapToInt(String::length).max().orElse(1);
        lines.add("");
        lines.add(format("%-" + width + "s   %s", "Metric Name", "Value"));
        metrics.forEach((name, value) ->
                lines.add(format("%-" + width + "s : " + (value instanceof Double ? "%.3f" : "%s"), name, value)));
        return lines;
    }

    static double per(double amount, double seconds) {
        return seconds > 0 ? amount / seconds : 0;
    }

    private static double millis(double micros) {
        return micros / 1000.0;
    }

    /** Rounded to the nearest: Kafka's tools count milliseconds by the wall clock, and cut off what is less than one. */
    private static long wholeMillis(Latencies latencies, double percentile) {
        return Math.round(latencies.percentileMicros(percentile) / 1000.0);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
