package io.plimsoll.perf;

import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.imported.Measured;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The client metrics that Kafka's tools print after a result with {@code --print-metrics}. Totals are used if they
 * exist, since rates cover the last 30 seconds. Metrics without a corresponding figure are ignored. Pure.
 */
final class PrintedMetrics {
    private static final Pattern LINE = Pattern.compile(
            "\\s*(producer|consumer)(-fetch-manager|-topic)?-metrics:([\\w-]+):\\{([^}]*)}\\s*:\\s*(\\S+)\\s*");
    private static final Pattern OTHER = Pattern.compile("\\s*[\\w-]+:[\\w.-]+:\\{[^}]*}\\s*:.*");

    private final Map<String, Double> values = new HashMap<>();

    /** @return whether the line contains a metric */
    boolean line(String text) {
        Matcher line = LINE.matcher(text);
        boolean ofTopic = line.matches() && "-topic".equals(line.group(2));
        if (!line.matches() || line.group(4).contains("topic=") != ofTopic) {
            return OTHER.matcher(text).matches();
        }
        // Always three decimals without grouping, so a comma is the decimal separator of the host's locale.
        String number = line.group(5).replace(',', '.');
        if (number.matches("-?\\d+(\\.\\d+)?(E-?\\d+)?")) {
            values.merge(line.group(3) + (ofTopic ? " of topics" : ""), Double.parseDouble(number), Double::sum);
        }
        return true;
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    void clear() {
        values.clear();
    }

    private @Nullable Double get(String name) {
        return values.get(name);
    }

    private @Nullable Long whole(String name) {
        Double value = get(name);
        return value == null ? null : Long.valueOf(Math.round(value));
    }

    private @Nullable Double ratio(String over, String under) {
        Double total = get(over);
        Double each = get(under);
        return total == null || each == null || each <= 0 ? null : Double.valueOf(total / each);
    }

    private @Nullable Double seconds(String nanos) {
        Double total = get(nanos);
        return total == null ? null : Double.valueOf(total / 1e9);
    }

    private static @Nullable Double perSecond(@Nullable Long count, double seconds) {
        return count == null || seconds <= 0 ? null : Double.valueOf(count / seconds);
    }

    /** Whether the metrics belong to this result, rather than to a part of it, such as the steady state. */
    boolean fits(Measured result) {
        Long records = whole(result.produce() == null ? "records-consumed-total" : "record-send-total");
        return records == null || records.equals(result.records());
    }

    /** The same measurement with these metrics. */
    Measured addedTo(Measured m) {
        Produce sends = m.produce() == null ? null : of(m.produce(), m.seconds());
        Consume reads = m.consume() == null ? null : of(m.consume(), m.seconds());
        return new Measured(
                m.line(),
                m.seconds(),
                m.warmupSeconds(),
                m.complete(),
                sends,
                reads,
                m.warnings(),
                m.timeline(),
                ofClient());
    }

    private Produce of(Produce p, double seconds) {
        Long requests = whole("request-total");
        // The number of batches is not printed. It follows from their average size, and is at least 1.
        Double batches = ratio("byte-total of topics", "batch-size-avg");
        Double records = get("record-send-total");
        Double perBatch = batches == null || records == null ? null : Double.valueOf(records / Math.max(1, batches));
        return new Produce(
                p.sources(),
                p.volume(),
                p.schedule(),
                new TrialResult.Wire(
                        requests,
                        perSecond(requests, seconds),
                        perBatch,
                        get("batch-size-avg"),
                        get("compression-rate-avg"),
                        whole("byte-total of topics"),
                        whole("record-retry-total")),
                new TrialResult.Waits(seconds("bufferpool-wait-time-ns-total"), null),
                p.times(),
                p.errors(),
                p.events());
    }

    private Consume of(Consume c, double seconds) {
        Long fetches = whole("fetch-total");
        return new Consume(
                c.engine(),
                c.volume(),
                new TrialResult.Fetches(fetches, perSecond(fetches, seconds)),
                c.times(),
                c.errors(),
                c.groups(),
                c.reading(),
                c.events());
    }

    /** The figures under the names that clients of a run use. */
    private Map<String, Double> ofClient() {
        Map<String, Double> figures = new HashMap<>();
        Map.of(
                        "request-latency-avg", "requestMs",
                        "record-queue-time-avg", "queueMs",
                        "records-per-request-avg", "recordsPerRequest",
                        "fetch-latency-avg", "fetchMs",
                        "fetch-size-avg", "bytesPerFetch")
                .forEach((metric, figure) -> {
                    if (values.containsKey(metric)) {
                        figures.put(figure, values.get(metric));
                    }
                });
        return figures;
    }
}
