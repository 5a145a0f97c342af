package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What brokers, cluster and host did within the measured window. Sums are added up and divided at the end, so that a mean
 * is one over the window and its records, not over seconds; of gauges mean and maximum are kept. What no source offered
 * is null.
 */
final class ObservationFold {
    private static final List<String> STAGES = List.of(
            "requestQueueMs", "localMs", "remoteMs", "throttleMs", "responseQueueMs", "responseSendMs", "totalMs");
    private static final String BROKER = "broker ";
    /** Of one of several workers. */
    private static final String HOST_OF = "host ";

    private final double fromNanos;
    private final double toNanos;
    private final Map<String, Seen> seen = new TreeMap<>();

    /** @param plannedSeconds 0: to the end of the trial */
    ObservationFold(double warmupSeconds, double plannedSeconds) {
        this.fromNanos = warmupSeconds * 1e9;
        this.toNanos = plannedSeconds > 0 ? fromNanos + plannedSeconds * 1e9 : Double.POSITIVE_INFINITY;
    }

    private static final class Seen {
        private final Map<String, Double> sums = new TreeMap<>();
        private final Map<String, Double> gaugeSums = new TreeMap<>();
        private final Map<String, Double> gaugeMost = new TreeMap<>();
        private final Map<String, Integer> gaugeCounts = new TreeMap<>();
        private final List<String> sources = new ArrayList<>();

        void add(Observation o) {
            o.sums().forEach((name, value) -> sums.merge(name, value, Double::sum));
            o.gauges().forEach((name, value) -> {
                gaugeSums.merge(name, value, Double::sum);
                gaugeMost.merge(name, value, Math::max);
                gaugeCounts.merge(name, 1, Integer::sum);
            });
            if (!sources.contains(o.source())) {
                sources.add(o.source());
            }
        }

        Double sum(String name) {
            return sums.get(name);
        }

        Double mean(String gauge) {
            Double sum = gaugeSums.get(gauge);
            return sum == null ? null : sum / gaugeCounts.get(gauge);
        }

        Double most(String gauge) {
            return gaugeMost.get(gauge);
        }

        /** The sum ÷ that of another figure. */
        Double per(String name, String other) {
            Double above = sums.get(name);
            Double below = sums.get(other);
            return above == null || below == null || below <= 0 ? null : above / below;
        }
    }

    void accept(Observation o) {
        double middle = (o.fromNanos() + o.toNanos()) / 2.0;
        if (middle >= fromNanos && middle <= toNanos) {
            seen.computeIfAbsent(o.what(), w -> new Seen()).add(o);
        }
    }

    /** By broker id, as {@code brokers} of a trial has it. Rates are per second, times mean milliseconds of a request. */
    List<Map<String, Object>> brokers() {
        List<Map<String, Object>> brokers = new ArrayList<>();
        new TreeMap<>(seen).forEach((what, s) -> {
            if (what.startsWith(BROKER)) {
                brokers.add(broker(Integer.parseInt(what.substring(BROKER.length())), s));
            }
        });
        brokers.sort(java.util.Comparator.comparing(b -> (Integer) b.get("id")));
        return List.copyOf(brokers);
    }

    private static Map<String, Object> broker(int id, Seen s) {
        Map<String, Object> b = new LinkedHashMap<>();
        b.put("id", id);
        b.put("sources", s.sources.stream().sorted().toList());
        Double cpu = s.per("cpuSeconds", "seconds");
        b.put("cpu", cpu == null ? s.per("process.cpuSeconds", "process.seconds") : cpu);
        for (String rate : List.of(
                "bytesIn", "bytesOut", "messagesIn", "bytesRejected", "replicationBytesIn", "replicationBytesOut")) {
            b.put(rate, s.per(rate, "seconds"));
        }
        b.put("produceRequests", s.per("produce.requests", "seconds"));
        b.put("fetchRequests", s.per("fetch.requests", "seconds"));
        STAGES.forEach(stage -> b.put(stage, s.per("produce." + stage, "produce.requests")));
        for (String request : List.of("fetch", "follower")) {
            Map<String, Object> stages = new LinkedHashMap<>();
            STAGES.forEach(stage -> stages.put(stage, s.per(request + "." + stage, request + ".requests")));
            b.put(request, stages);
        }
        b.put("requestQueueSize", s.mean("requestQueueSize"));
        b.put("handlerIdle", share(s.per("handlerIdleNanos", "seconds")));
        b.put("networkIdle", networkIdle(s));
        disk(b, s);
        replicas(b, s);
        b.put("gcShare", s.per("gcSeconds", "seconds"));
        b.put("openFiles", s.most("openFiles"));
        b.put("memoryBytes", s.most("process.memoryBytes"));
        host(b, s);
        return b;
    }

    private static Double share(Double nanosPerSecond) {
        return nanosPerSecond == null ? null : Math.min(1, nanosPerSecond / 1e9);
    }

    /** Of the busiest listener; only where that is not counted, what the broker says itself. */
    private static Double networkIdle(Seen s) {
        Double least = null;
        for (String name : s.sums.keySet()) {
            if (name.startsWith("networkIdleNanos.")) {
                Double idle = share(s.per(name, "seconds"));
                least = least == null || (idle != null && idle < least) ? idle : least;
            }
        }
        return least == null ? s.mean("networkIdleNow") : least;
    }

    private static void disk(Map<String, Object> b, Seen s) {
        for (String figure : List.of("diskReadBytes", "diskWriteBytes")) {
            Double own = s.per(figure, "seconds");
            b.put(figure, own == null ? s.per("process." + figure, "process.seconds") : own);
        }
        b.put("flushes", s.per("flushes", "seconds"));
        b.put("flushMs", s.per("flushMs", "flushes"));
    }

    private static void replicas(Map<String, Object> b, Seen s) {
        b.put("underReplicated", s.most("underReplicated"));
        b.put("underMinIsr", s.most("underMinIsr"));
        b.put("isrShrinks", s.sum("isrShrinks"));
        b.put("isrExpands", s.sum("isrExpands"));
        b.put("followerLag", s.most("followerLag"));
        b.put("leaders", s.mean("leaders"));
    }

    /** Of the broker's own host, where an exporter tells. */
    private static void host(Map<String, Object> b, Seen s) {
        boolean any = s.sums.keySet().stream().anyMatch(name -> name.startsWith("host."));
        if (any) {
            Map<String, Object> host = new LinkedHashMap<>();
            for (String rate : List.of(
                    "cpuSeconds",
                    "stealSeconds",
                    "diskBusySeconds",
                    "diskReadBytes",
                    "diskWriteBytes",
                    "networkInBytes",
                    "networkOutBytes")) {
                host.put(rate, s.per("host." + rate, "seconds"));
            }
            b.put("host", host);
        }
    }

    /**
     * What the clients say of themselves: by entry of the scenario, or entry and broker. Sums that were counted in a
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
        s.gaugeMost.keySet().forEach(gauge -> c.put(gauge, s.mean(gauge)));
        put(c, "seconds", s.sum("clientSeconds"));
        for (String count : List.of("requests", "batches", "fetches", "bytesOut", "fetchBytes")) {
            put(c, count, s.sum(count));
        }
        put(c, "requestMs", s.per("requestMs", "requests"));
        put(c, "queueMs", s.per("queueMs", "batches"));
        put(c, "fetchMs", s.per("fetchMs", "fetches"));
        Double throttled = s.per("throttleMs", "clientSeconds");
        put(c, "throttleShare", throttled == null ? null : throttled / 1e3);
        put(c, "bufferWaitShare", s.per("bufferWaitSeconds", "clientSeconds"));
        put(c, "ioIdle", s.per("ioIdleSeconds", "clientSeconds"));
        put(c, "pollIdle", s.per("pollIdleSeconds", "clientSeconds"));
        put(c, "commitShare", s.per("commitSyncSeconds", "clientSeconds"));
        return c;
    }

    private static void put(Map<String, Double> figures, String name, Double value) {
        if (value != null) {
            figures.put(name, value);
        }
    }

    /** Of the host that makes the load, or the busiest of several; empty if it was not observed. Rates are per second. */
    Map<String, Object> host() {
        String busiest = "host";
        for (String what : seen.keySet()) {
            // Of several hosts the one that has least left.
            if (what.startsWith(HOST_OF) && (!seen.containsKey(busiest) || cpuShare(what) > cpuShare(busiest))) {
                busiest = what;
            }
        }
        return seen.containsKey(busiest) ? host(busiest, seen.get(busiest)) : Map.of();
    }

    private double cpuShare(String host) {
        Double share = seen.get(host).per("cpuSeconds", "seconds");
        Double cores = seen.get(host).most("cores");
        return share == null || cores == null ? 0 : share / cores;
    }

    private static Map<String, Object> host(String what, Seen s) {
        Map<String, Object> host = new LinkedHashMap<>();
        if (what.startsWith(HOST_OF)) {
            host.put("worker", what.substring(HOST_OF.length()));
        }
        host.put("cores", s.most("cores"));
        host.put("cpu", s.per("cpuSeconds", "seconds"));
        host.put("steal", s.per("stealSeconds", "seconds"));
        host.put("busiestCore", s.mean("busiestCore"));
        host.put("runnable", s.mean("runnable"));
        host.put("ioWait", s.per("ioWaitSeconds", "seconds"));
        host.put("memoryAvailableBytes", s.mean("memoryAvailableBytes"));
        host.put("dirtyBytes", s.most("dirtyBytes"));
        host.put("writebackBytes", s.most("writebackBytes"));
        host.put("diskBusy", s.mean("busiestDisk"));
        host.put("diskAwaitMs", await(s));
        host.put("diskReadBytes", s.per("diskReadBytes", "seconds"));
        host.put("diskWriteBytes", s.per("diskWriteBytes", "seconds"));
        host.put("networkInBytes", s.per("networkInBytes", "seconds"));
        host.put("networkOutBytes", s.per("networkOutBytes", "seconds"));
        host.put("loopbackBytes", s.per("loopbackOutBytes", "seconds"));
        host.put("linkShare", s.mean("busiestLink"));
        host.put("retransmits", s.per("segmentsRetransmitted", "segmentsOut"));
        for (String stall : List.of("cpu", "io", "memory")) {
            host.put(stall + "Stall", s.per(stall + "StallSeconds", "seconds"));
        }
        return host;
    }

    private static Double await(Seen s) {
        Double wait = s.sum("diskWaitSeconds");
        Double reads = s.sum("diskReads");
        Double writes = s.sum("diskWrites");
        boolean any = wait != null && reads != null && writes != null && reads + writes > 0;
        return any ? wait * 1e3 / (reads + writes) : null;
    }

    /** What Admin says of the trial's topics; empty if it was not asked. */
    Map<String, Object> cluster() {
        Seen s = seen.get("cluster");
        if (s == null) {
            return Map.of();
        }
        Map<String, Object> cluster = new LinkedHashMap<>();
        cluster.put("underReplicated", s.most("underReplicated"));
        cluster.put("leaderless", s.most("leaderless"));
        for (String changes : List.of("isrShrinks", "isrExpansions", "leaderChanges")) {
            cluster.put(changes, s.sum(changes));
        }
        cluster.put("logBytes", s.most("logBytes"));
        cluster.put("idleRoundTripMs", s.mean("idleRoundTripMs"));
        return cluster;
    }
}
