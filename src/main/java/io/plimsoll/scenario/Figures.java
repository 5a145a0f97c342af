package io.plimsoll.scenario;

import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RATIO;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.scenario.Check.Dimension;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The figures that a check may name, each with the dimensions that its limit may have. */
public final class Figures {
    public static final List<String> STATISTICS =
            List.of("min", "mean", "p50", "p75", "p90", "p95", "p99", "p99.9", "p99.99", "max");

    private static final List<String> LATENCIES =
            List.of("produce.response", "produce.service", "produce.delay", "consume.endToEnd");

    /** Figure name to accepted dimensions, in alphabetical order. */
    public static final Map<String, Set<Dimension>> ALL = all();

    /** The figures that each second of a trial has, or may have, with the dimensions that they have there. */
    public static final Map<String, Set<Dimension>> PER_SECOND = perSecond();

    private Figures() {}

    private static Map<String, Set<Dimension>> all() {
        Map<String, Set<Dimension>> figures = new TreeMap<>();
        for (String part : List.of("produce", "consume")) {
            figures.put(part + ".throughput", EnumSet.of(BYTES_PER_SECOND, RECORDS_PER_SECOND));
            figures.put(part + ".records", EnumSet.of(COUNT));
            figures.put(part + ".errors", EnumSet.of(COUNT));
        }
        for (String latency : LATENCIES) {
            STATISTICS.forEach(s -> figures.put(latency + "." + s, EnumSet.of(MICROSECONDS)));
        }
        observed(figures);
        figures.put("produce.offered", EnumSet.of(RECORDS_PER_SECOND));
        figures.put("consume.lag", EnumSet.of(COUNT));
        figures.put("produce.achieved", EnumSet.of(RATIO));
        figures.put("produce.unacknowledged", EnumSet.of(COUNT));
        figures.put("produce.recordsPerBatch", EnumSet.of(COUNT));
        figures.put("produce.compressionRatio", EnumSet.of(RATIO));
        figures.put("produce.wireThroughput", EnumSet.of(BYTES_PER_SECOND));
        figures.put("consume.wireThroughput", EnumSet.of(BYTES_PER_SECOND));
        figures.put("produce.duration", EnumSet.of(MICROSECONDS));
        for (String count : List.of(
                "produce.requestRate",
                "consume.requestRate",
                "produce.waitedOver50ms",
                "produce.waitedOver100ms",
                "produce.waitTimedOut")) {
            figures.put(count, EnumSet.of(COUNT));
        }
        figures.put("produce.missing", EnumSet.of(COUNT));
        figures.put("consume.missing", EnumSet.of(COUNT));
        figures.put("consume.backlog", EnumSet.of(COUNT));
        figures.put("consume.drainTime", EnumSet.of(MICROSECONDS));
        figures.put("consume.drainRate", EnumSet.of(BYTES_PER_SECOND, RECORDS_PER_SECOND));
        figures.put("consume.lagAtEnd", EnumSet.of(COUNT));
        figures.put("consume.rebalances", EnumSet.of(COUNT));
        figures.put("trial.steady", EnumSet.of(COUNT));
        for (String count : List.of(
                "abortedVisible",
                "acknowledged",
                "corrupted",
                "duplicated",
                "foreign",
                "lost",
                "phantom",
                "processedTwice",
                "read",
                "reordered",
                "skipped",
                "unknown",
                "violations")) {
            figures.put("audit." + count, EnumSet.of(COUNT));
        }
        return java.util.Collections.unmodifiableMap(figures);
    }

    /** What was observed: of brokers the one that is nearest to its limit. */
    private static void observed(Map<String, Set<Dimension>> figures) {
        figures.put("generator.cpu", EnumSet.of(COUNT));
        figures.put("generator.gc", EnumSet.of(RATIO));
        figures.put("generator.busiestThread", EnumSet.of(RATIO));
        figures.put("host.cpu", EnumSet.of(COUNT));
        figures.put("host.diskBusy", EnumSet.of(RATIO));
        figures.put("broker.cpu", EnumSet.of(COUNT));
        figures.put("broker.underReplicated", EnumSet.of(COUNT));
        for (String share : List.of("gc", "handlerIdle", "networkIdle")) {
            figures.put("broker." + share, EnumSet.of(RATIO));
        }
        for (String rate : List.of("bytesIn", "bytesOut", "diskRead", "diskWrite")) {
            figures.put("broker." + rate, EnumSet.of(BYTES_PER_SECOND));
        }
        for (String stage :
                List.of("requestQueue", "local", "remote", "throttle", "responseQueue", "responseSend", "total")) {
            figures.put("broker." + stage, EnumSet.of(MICROSECONDS));
        }
    }

    private static Map<String, Set<Dimension>> perSecond() {
        Map<String, Set<Dimension>> figures = new TreeMap<>();
        observed(figures);
        for (String figure : List.of(
                "produce.offered",
                "produce.throughput",
                "produce.achieved",
                "produce.errors",
                "produce.requestRate",
                "produce.wireThroughput",
                "produce.recordsPerBatch",
                "produce.compressionRatio",
                "consume.throughput",
                "consume.errors",
                "consume.requestRate",
                "consume.lag")) {
            figures.put(figure, ALL.get(figure));
        }
        LATENCIES.forEach(l -> STATISTICS.forEach(s -> figures.put(l + "." + s, EnumSet.of(MICROSECONDS))));
        return java.util.Collections.unmodifiableMap(figures);
    }
}
