package io.plimsoll.result;

import io.plimsoll.measure.Readings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An observed quantity of brokers, hosts, topics, clients or the cluster, declared once: its key in results, and its
 * sums or gauge. Sums are divided at the end, so a mean covers all records of the window instead of averaging seconds.
 * Rates are per second, times are mean milliseconds of a request. Values of single seconds use the same declaration.
 * Undeclared values have their own name as key: a sum as a rate, a gauge as its mean.
 * @param window returns the value of the window; null without a source
 * @param second returns the value of a single second; null without a source, or if only the whole window has the
 *     quantity
 */
record ObservedMetric(
        String key, Function<Readings, ?> window, @Nullable Function<Readings, Double> second) {
    private static final List<String> STAGES = List.of(
            "requestQueueMs", "localMs", "remoteMs", "throttleMs", "responseQueueMs", "responseSendMs", "totalMs");

    static final List<ObservedMetric> BROKER = concat(
            List.of(
                    made("cpu", s -> first(s.rate("cpuSeconds"), s.per("process.cpuSeconds", "process.seconds"))),
                    per("cpuThrottled", "process.throttledPeriods", "process.periods")),
            rates("bytesIn", "bytesOut", "messagesIn", "bytesRejected", "replicationBytesIn", "replicationBytesOut"),
            List.of(
                    rate("produceRequests", "produce.requests"),
                    rate("fetchRequests", "fetch.requests"),
                    rate("followerRequests", "follower.requests")),
            stages("produce"),
            List.of(
                    nested("fetch", stages("fetch")),
                    nested("follower", stages("follower")),
                    mean("requestQueueSize", "requestQueueSize"),
                    made("handlerIdle", s -> share(s.rate("handlerIdleNanos"))),
                    made("networkIdle", ObservedMetric::networkIdle),
                    ofProcess("diskReadBytes"),
                    ofProcess("diskWriteBytes"),
                    rate("flushes", "flushes"),
                    per("flushMs", "flushMs", "flushes")),
            greatest("underReplicated", "underMinIsr", "followerLag", "openFiles", "heapAfterCollection"),
            List.of(mean("leaders", "leaders")),
            totals("isrShrinks", "isrExpands"),
            List.of(
                    rate("gcShare", "gcSeconds"),
                    per("remoteReadMs", "remoteReadMs", "remoteReads"),
                    most("remoteCopyLag", "remoteCopyLag"),
                    most("memoryBytes", "process.memoryBytes")));

    /** Metrics of a broker's own host, if an exporter reports them. */
    static final List<ObservedMetric> BROKER_HOST = List.of(
            ofHost("cpuSeconds"),
            ofHost("stealSeconds"),
            ofHost("diskBusySeconds"),
            mean("diskBusy", "host.busiestDisk"),
            ofHost("diskQueueSeconds"),
            ofHost("diskReadBytes"),
            ofHost("diskWriteBytes"),
            ofHost("networkInBytes"),
            ofHost("networkOutBytes"),
            per("diskAwaitMs", "host.diskWaitMs", "host.diskRequests"),
            mean("memoryAvailableBytes", "host.memoryAvailableBytes"));

    static final List<ObservedMetric> HOST = concat(
            greatest("cores", "dirtyBytes", "writebackBytes"),
            List.of(
                    rate("cpu", "cpuSeconds"),
                    rate("steal", "stealSeconds"),
                    rate("ioWait", "ioWaitSeconds"),
                    mean("diskBusy", "busiestDisk"),
                    made("diskAwaitMs", s -> first(s.per("diskWaitMs", "diskRequests"), awaitOfEarlierVersions(s))),
                    rate("diskQueue", "diskQueueSeconds"),
                    rate("loopbackBytes", "loopbackOutBytes"),
                    mean("linkShare", "busiestLink"),
                    per("retransmits", "segmentsRetransmitted", "segmentsOut"),
                    rate("cpuStall", "cpuStallSeconds"),
                    rate("ioStall", "ioStallSeconds"),
                    rate("memoryStall", "memoryStallSeconds"),
                    mean("busiestCore", "busiestCore"),
                    mean("runnable", "runnable"),
                    mean("memoryAvailableBytes", "memoryAvailableBytes")),
            rates("diskReadBytes", "diskWriteBytes", "networkInBytes", "networkOutBytes"));

    /** Values for all topics of the trial, from the Admin client. */
    static final List<ObservedMetric> CLUSTER = concat(
            greatest("underReplicated", "leaderless"),
            totals("isrShrinks", "isrExpansions", "leaderChanges", "recordsDeleted"),
            greatest("logBytes", "remoteRecords", "openRecords", "stuckSeconds", "verboseLoggers", "missingTopics"),
            List.of(mean("idleRoundTripMs", "idleRoundTripMs")));

    static final List<ObservedMetric> TOPIC = concat(
            rates("bytesIn", "bytesOut", "messagesIn"),
            List.of(most("logBytes", "logBytes"), per("logGrowth", "logGrowth", "logSeconds")));

    /** Client metrics; counts are divided by the client's time. */
    static final List<ObservedMetric> CLIENT = concat(
            List.of(made("seconds", s -> s.sum("clientSeconds"))),
            totals("requests", "batches", "fetches", "connects", "bytesOut", "fetchBytes"),
            List.of(
                    per("requestMs", "requestMs", "requests"),
                    per("queueMs", "queueMs", "batches"),
                    per("fetchMs", "fetchMs", "fetches"),
                    made("throttleShare", s -> seconds(s.per("throttleMs", "clientSeconds"))),
                    per("bufferWaitShare", "bufferWaitSeconds", "clientSeconds"),
                    per("ioIdle", "ioIdleSeconds", "clientSeconds"),
                    per("pollIdle", "pollIdleSeconds", "clientSeconds"),
                    per("commitShare", "commitSyncSeconds", "clientSeconds"),
                    per("rebalanceShare", "rebalanceSeconds", "clientSeconds"),
                    most("betweenPollsMs", "betweenPollsMs")));

    /** The metric with this key for objects with this prefix; undeclared metrics have their own name as key. */
    static ObservedMetric named(String what, String key) {
        return named(
                switch (what) {
                    case "host" -> HOST;
                    case "cluster" -> CLUSTER;
                    case ObservedFigures.TOPIC -> TOPIC;
                    default -> BROKER;
                },
                key);
    }

    static ObservedMetric ofBrokerHost(String key) {
        return named(BROKER_HOST, key);
    }

    private static ObservedMetric named(List<ObservedMetric> declared, String key) {
        return declared.stream()
                .filter(metric -> metric.key.equals(key))
                .findFirst()
                .orElseGet(() -> made(key, s -> first(s.rate(key), s.mean(key))));
    }

    /** The values of metrics by key, in the order of their declaration; null without a source. */
    static Map<String, Object> values(List<ObservedMetric> metrics, Readings seen) {
        Map<String, Object> values = new LinkedHashMap<>();
        metrics.forEach(metric -> values.put(metric.key, metric.window.apply(seen)));
        return values;
    }

    /** A metric that only the whole window has. */
    static ObservedMetric ofWindow(String key) {
        return new ObservedMetric(key, s -> null, null);
    }

    static ObservedMetric made(String key, Function<Readings, Double> made) {
        return new ObservedMetric(key, made, made);
    }

    static ObservedMetric rate(String key, String sum) {
        return made(key, s -> s.rate(sum));
    }

    static ObservedMetric per(String key, String sum, String by) {
        return made(key, s -> s.per(sum, by));
    }

    /** A gauge for which results contain the maximum. */
    static ObservedMetric most(String key, String gauge) {
        return new ObservedMetric(key, s -> s.most(gauge), s -> s.mean(gauge));
    }

    private static List<ObservedMetric> greatest(String... gauges) {
        return Stream.of(gauges).map(gauge -> most(gauge, gauge)).toList();
    }

    private static ObservedMetric mean(String key, String gauge) {
        return made(key, s -> s.mean(gauge));
    }

    private static List<ObservedMetric> rates(String... sums) {
        return Stream.of(sums).map(sum -> rate(sum, sum)).toList();
    }

    private static List<ObservedMetric> totals(String... sums) {
        return Stream.of(sums)
                .map(sum -> new ObservedMetric(sum, s -> s.sum(sum), null))
                .toList();
    }

    private static ObservedMetric nested(String key, List<ObservedMetric> parts) {
        return new ObservedMetric(key, s -> values(parts, s), null);
    }

    private static List<ObservedMetric> stages(String request) {
        return STAGES.stream()
                .map(stage -> per(stage, request + "." + stage, request + ".requests"))
                .toList();
    }

    /** A metric that is counted by the broker, or by the operating system for the broker's process. */
    private static ObservedMetric ofProcess(String sum) {
        return made(sum, s -> first(s.rate(sum), s.per("process." + sum, "process.seconds")));
    }

    /** A metric of the host. Timelines of earlier versions count it over the broker's own seconds. */
    private static ObservedMetric ofHost(String sum) {
        return made(sum, s -> s.per("host." + sum, s.sum("host.seconds") == null ? "seconds" : "host.seconds"));
    }

    /** Idle share of the busiest listener, or the broker's own value if the idle time is not counted. */
    private static @Nullable Double networkIdle(Readings s) {
        Double now = s.mean("networkIdleNow");
        return s.sums().keySet().stream()
                .filter(name -> name.startsWith("networkIdleNanos."))
                .map(name -> share(s.rate(name)))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(now);
    }

    private static @Nullable Double awaitOfEarlierVersions(Readings s) {
        Double wait = s.sum("diskWaitSeconds");
        Double reads = s.sum("diskReads");
        Double writes = s.sum("diskWrites");
        return wait == null || reads == null || writes == null ? null : Sums.ratio(wait * 1e3, reads + writes);
    }

    private static @Nullable Double first(@Nullable Double one, @Nullable Double other) {
        return one == null ? other : one;
    }

    private static @Nullable Double share(@Nullable Double nanosPerSecond) {
        return nanosPerSecond == null ? null : Double.valueOf(Math.min(1, nanosPerSecond / 1e9));
    }

    private static @Nullable Double seconds(@Nullable Double millis) {
        return millis == null ? null : Double.valueOf(millis / 1e3);
    }

    @SafeVarargs
    private static List<ObservedMetric> concat(List<ObservedMetric>... parts) {
        List<ObservedMetric> all = new ArrayList<>();
        for (List<ObservedMetric> part : parts) {
            all.addAll(part);
        }
        return List.copyOf(all);
    }
}
