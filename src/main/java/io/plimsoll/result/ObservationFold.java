package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Makes figures of a trial of what brokers, cluster, clients and host did within the measured window. Sums are added up and divided at the end, so that a mean
 * is one over the window and its records, not over seconds; of gauges mean and maximum are kept. What no source offered
 * is null; what a source offers that has no row here is handed on under its own name, per second or as its mean, so that
 * a new figure is added where it is observed and nowhere else.
 */
final class ObservationFold {
    private static final List<String> STAGES = List.of(
            "requestQueueMs", "localMs", "remoteMs", "throttleMs", "responseQueueMs", "responseSendMs", "totalMs");
    private static final String BROKER = "broker ";
    /** Begins the name of the host of one of several workers. */
    private static final String HOST_OF = "host ";

    private final double plannedSeconds;
    private double fromNanos;
    private double toNanos;
    private final Map<String, Seen> seen = new TreeMap<>();
    private final GroupsFold groups = new GroupsFold();

    /** Infinite seconds of warm-up are not known yet; 0 planned ones last to the end of the trial. */
    ObservationFold(double warmupSeconds, double plannedSeconds) {
        this.plannedSeconds = plannedSeconds;
        warmup(warmupSeconds);
    }

    void warmup(double seconds) {
        fromNanos = seconds * 1e9;
        toNanos = plannedSeconds > 0 ? fromNanos + plannedSeconds * 1e9 : Double.POSITIVE_INFINITY;
    }

    private record Gauge(double sum, double most, int count) {
        Gauge plus(Gauge other) {
            return new Gauge(sum + other.sum, Math.max(most, other.most), count + other.count);
        }

        double mean() {
            return sum / count;
        }
    }

    /** Everything that was observed of one broker, host or client, and which of that has a row of its own. */
    private static final class Seen {
        private final Map<String, Double> sums = new TreeMap<>();
        private final Map<String, Gauge> gauges = new TreeMap<>();
        private final Set<String> sources = new TreeSet<>();
        private final Set<String> read = new HashSet<>();

        void add(Observation o) {
            o.sums().forEach((name, value) -> sums.merge(name, value, Double::sum));
            o.gauges()
                    .forEach((name, value) ->
                            gauges.merge(name, new Gauge(value * o.seconds(), o.most(name), o.seconds()), Gauge::plus));
            sources.add(o.source());
        }

        Double sum(String name) {
            read.add(name);
            return sums.get(name);
        }

        Double mean(String gauge) {
            read.add(gauge);
            return gauges.containsKey(gauge) ? gauges.get(gauge).mean() : null;
        }

        Double most(String gauge) {
            read.add(gauge);
            return gauges.containsKey(gauge) ? gauges.get(gauge).most : null;
        }

        Double per(String name, String other) {
            return Sums.ratio(sum(name), sum(other));
        }

        /** The sum ÷ the seconds in which it was counted. */
        Double rate(String name) {
            return per(name, "seconds");
        }

        /** Hands on whatever has no row, under its own name: sums by that of {@code seconds}, gauges as their mean. */
        void rest(String seconds, BiConsumer<String, Double> figures) {
            Double over = sums.get(seconds);
            sums.forEach((name, sum) -> {
                if (!read.contains(name) && !name.equals(seconds) && over != null && over > 0) {
                    figures.accept(name, sum / over);
                }
            });
            gauges.forEach((name, gauge) -> {
                if (!read.contains(name)) {
                    figures.accept(name, gauge.mean());
                }
            });
        }
    }

    /** Groups of others by id, as {@code groups} of a trial has them. */
    List<Map<String, Object>> groups() {
        return groups.groups();
    }

    void accept(Observation o) {
        double middle = (o.fromNanos() + o.toNanos()) / 2.0;
        if (middle >= fromNanos && middle <= toNanos) {
            seen.computeIfAbsent(o.what(), w -> new Seen()).add(o);
            groups.accept(o);
        }
    }

    /** All brokers by id, as {@code brokers} of a trial has it. Rates are per second, times mean milliseconds of a request. */
    List<Map<String, Object>> brokers() {
        return seen.entrySet().stream()
                .filter(e -> e.getKey().startsWith(BROKER))
                .map(e -> broker(Integer.parseInt(e.getKey().substring(BROKER.length())), e.getValue()))
                .sorted(Comparator.comparing(b -> (Integer) b.get("id")))
                .toList();
    }

    private static Map<String, Object> broker(int id, Seen s) {
        Map<String, Object> b = new LinkedHashMap<>();
        b.put("id", id);
        b.put("sources", List.copyOf(s.sources));
        b.put("cpu", first(s.rate("cpuSeconds"), s.per("process.cpuSeconds", "process.seconds")));
        b.put("cpuThrottled", s.per("process.throttledPeriods", "process.periods"));
        for (String rate : List.of(
                "bytesIn", "bytesOut", "messagesIn", "bytesRejected", "replicationBytesIn", "replicationBytesOut")) {
            b.put(rate, s.rate(rate));
        }
        b.put("produceRequests", s.rate("produce.requests"));
        b.put("fetchRequests", s.rate("fetch.requests"));
        b.put("followerRequests", s.rate("follower.requests"));
        STAGES.forEach(stage -> b.put(stage, s.per("produce." + stage, "produce.requests")));
        for (String request : List.of("fetch", "follower")) {
            Map<String, Object> stages = new LinkedHashMap<>();
            STAGES.forEach(stage -> stages.put(stage, s.per(request + "." + stage, request + ".requests")));
            b.put(request, stages);
        }
        b.put("requestQueueSize", s.mean("requestQueueSize"));
        b.put("handlerIdle", share(s.rate("handlerIdleNanos")));
        b.put("networkIdle", networkIdle(s));
        for (String bytes : List.of("diskReadBytes", "diskWriteBytes")) {
            b.put(bytes, first(s.rate(bytes), s.per("process." + bytes, "process.seconds")));
        }
        b.put("flushes", s.rate("flushes"));
        b.put("flushMs", s.per("flushMs", "flushes"));
        for (String most :
                List.of("underReplicated", "underMinIsr", "followerLag", "openFiles", "heapAfterCollection")) {
            b.put(most, s.most(most));
        }
        b.put("leaders", s.mean("leaders"));
        b.put("isrShrinks", s.sum("isrShrinks"));
        b.put("isrExpands", s.sum("isrExpands"));
        b.put("gcShare", s.rate("gcSeconds"));
        b.put("remoteReadMs", s.per("remoteReadMs", "remoteReads"));
        b.put("remoteCopyLag", s.most("remoteCopyLag"));
        b.put("memoryBytes", s.most("process.memoryBytes"));
        host(b, s);
        s.rest("seconds", b::put);
        return b;
    }

    private static Double first(Double one, Double other) {
        return one == null ? other : one;
    }

    private static Double share(Double nanosPerSecond) {
        return nanosPerSecond == null ? null : Math.min(1, nanosPerSecond / 1e9);
    }

    /** The idle share of the busiest listener; only where that is not counted, what the broker says itself. */
    private static Double networkIdle(Seen s) {
        Double now = s.mean("networkIdleNow");
        return s.sums.keySet().stream()
                .filter(name -> name.startsWith("networkIdleNanos."))
                .map(name -> share(s.rate(name)))
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(now);
    }

    /** Adds the figures of the broker's own host, where an exporter tells. */
    private static void host(Map<String, Object> b, Seen s) {
        Map<String, Object> host = new LinkedHashMap<>();
        // In timelines of earlier versions they were counted in the broker's own.
        String seconds = s.sum("host.seconds") == null ? "seconds" : "host.seconds";
        for (String rate : List.of(
                "cpuSeconds",
                "stealSeconds",
                "diskBusySeconds",
                "diskQueueSeconds",
                "diskReadBytes",
                "diskWriteBytes",
                "networkInBytes",
                "networkOutBytes")) {
            host.put(rate, s.per("host." + rate, seconds));
        }
        host.put("diskAwaitMs", s.per("host.diskWaitMs", "host.diskRequests"));
        host.put("memoryAvailableBytes", s.mean("host.memoryAvailableBytes"));
        if (host.values().stream().anyMatch(Objects::nonNull)) {
            b.put("host", host);
        }
    }

    /**
     * The figures that clients have of themselves: by entry of the scenario, or entry and broker. Sums that were counted in a
     * client's time are divided by it; means are of a request or a batch, in milliseconds.
     */
    Map<String, Map<String, Double>> clients() {
        Map<String, Map<String, Double>> clients = new TreeMap<>();
        seen.forEach((what, s) -> {
            if (s.sources.contains("client")) {
                clients.put(what, client(s));
            }
        });
        return clients;
    }

    private static Map<String, Double> client(Seen s) {
        Map<String, Double> c = new LinkedHashMap<>();
        BiConsumer<String, Double> known = (figure, value) -> {
            if (value != null) {
                c.put(figure, value);
            }
        };
        known.accept("seconds", s.sum("clientSeconds"));
        for (String count : List.of("requests", "batches", "fetches", "connects", "bytesOut", "fetchBytes")) {
            known.accept(count, s.sum(count));
        }
        known.accept("requestMs", s.per("requestMs", "requests"));
        known.accept("queueMs", s.per("queueMs", "batches"));
        known.accept("fetchMs", s.per("fetchMs", "fetches"));
        Double throttled = s.per("throttleMs", "clientSeconds");
        known.accept("throttleShare", throttled == null ? null : throttled / 1e3);
        known.accept("bufferWaitShare", s.per("bufferWaitSeconds", "clientSeconds"));
        known.accept("ioIdle", s.per("ioIdleSeconds", "clientSeconds"));
        known.accept("pollIdle", s.per("pollIdleSeconds", "clientSeconds"));
        known.accept("commitShare", s.per("commitSyncSeconds", "clientSeconds"));
        known.accept("rebalanceShare", s.per("rebalanceSeconds", "clientSeconds"));
        known.accept("betweenPollsMs", s.most("betweenPollsMs"));
        s.rest("clientSeconds", known);
        return c;
    }

    /** The host that makes the load, or the busiest of several; empty if it was not observed. Rates are per second. */
    Map<String, Object> host() {
        // Of several hosts the one that has least left.
        return seen.keySet().stream()
                .filter(what -> what.equals("host") || what.startsWith(HOST_OF))
                .max(Comparator.comparingDouble(this::cpuShare))
                .map(what -> host(what, seen.get(what)))
                .orElse(Map.of());
    }

    private double cpuShare(String host) {
        Double share =
                Sums.ratio(seen.get(host).rate("cpuSeconds"), seen.get(host).most("cores"));
        return share == null ? 0 : share;
    }

    private static Map<String, Object> host(String what, Seen s) {
        Map<String, Object> host = new LinkedHashMap<>();
        if (what.startsWith(HOST_OF)) {
            host.put("worker", what.substring(HOST_OF.length()));
        }
        for (String most : List.of("cores", "dirtyBytes", "writebackBytes")) {
            host.put(most, s.most(most));
        }
        host.put("cpu", s.rate("cpuSeconds"));
        host.put("steal", s.rate("stealSeconds"));
        host.put("ioWait", s.rate("ioWaitSeconds"));
        host.put("diskBusy", s.mean("busiestDisk"));
        host.put("diskAwaitMs", first(s.per("diskWaitMs", "diskRequests"), awaitOfEarlierVersions(s)));
        host.put("diskQueue", s.rate("diskQueueSeconds"));
        host.put("loopbackBytes", s.rate("loopbackOutBytes"));
        host.put("linkShare", s.mean("busiestLink"));
        host.put("retransmits", s.per("segmentsRetransmitted", "segmentsOut"));
        for (String stall : List.of("cpu", "io", "memory")) {
            host.put(stall + "Stall", s.rate(stall + "StallSeconds"));
        }
        for (String mean : List.of("busiestCore", "runnable", "memoryAvailableBytes")) {
            host.put(mean, s.mean(mean));
        }
        for (String rate : List.of("diskReadBytes", "diskWriteBytes", "networkInBytes", "networkOutBytes")) {
            host.put(rate, s.rate(rate));
        }
        s.rest("seconds", host::put);
        return host;
    }

    private static Double awaitOfEarlierVersions(Seen s) {
        Double wait = s.sum("diskWaitSeconds");
        Double reads = s.sum("diskReads");
        Double writes = s.sum("diskWrites");
        return wait == null || reads == null || writes == null ? null : Sums.ratio(wait * 1e3, reads + writes);
    }

    private static Map<String, Object> topic(String name, Seen s) {
        Map<String, Object> topic = new LinkedHashMap<>();
        topic.put("id", name);
        for (String rate : List.of("bytesIn", "bytesOut", "messagesIn")) {
            topic.put(rate, s.rate(rate));
        }
        topic.put("logBytes", s.most("logBytes"));
        topic.put("logGrowth", s.per("logGrowth", "logSeconds"));
        return topic;
    }

    /** The figures that Admin has of the trial's topics; empty if it was not asked. */
    Map<String, Object> cluster() {
        Seen s = seen.get("cluster");
        if (s == null) {
            return Map.of();
        }
        Map<String, Object> cluster = new LinkedHashMap<>();
        cluster.put("underReplicated", s.most("underReplicated"));
        cluster.put("leaderless", s.most("leaderless"));
        for (String changes : List.of("isrShrinks", "isrExpansions", "leaderChanges", "recordsDeleted")) {
            cluster.put(changes, s.sum(changes));
        }
        cluster.put("logBytes", s.most("logBytes"));
        for (String most : List.of("remoteRecords", "openRecords", "stuckSeconds", "verboseLoggers", "missingTopics")) {
            cluster.put(most, s.most(most));
        }
        cluster.put("idleRoundTripMs", s.mean("idleRoundTripMs"));
        List<Map<String, Object>> topics = seen.entrySet().stream()
                .filter(e -> e.getKey().startsWith(TopicFigures.TOPIC))
                .map(e -> topic(e.getKey().substring(TopicFigures.TOPIC.length()), e.getValue()))
                .toList();
        if (!topics.isEmpty()) {
            cluster.put("topics", topics);
        }
        return cluster;
    }
}
