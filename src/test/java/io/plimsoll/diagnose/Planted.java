package io.plimsoll.diagnose;

import io.plimsoll.measure.SlowBatch;
import io.plimsoll.result.CheckResult;
import io.plimsoll.result.Generator;
import io.plimsoll.result.Generator.BusiestThread;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Errors;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.TrialResult.Produce;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A trial without problems, and the problems planted in it. Three brokers, one client, a closed loop of ten seconds.
 */
final class Planted {
    static final double SECONDS = 10;
    private static final Latency NO_LATENCY = new Latency(
            "us", 0, null, null, new TrialResult.Percentiles(null, null, null, null, null, null, null), null);

    final Map<String, Map<String, Double>> clients = new TreeMap<>();
    final List<Map<String, Object>> brokers = new ArrayList<>();
    final Map<String, Object> host = new TreeMap<>(
            Map.of("cores", 8.0, "cpu", 2.0, "steal", 0.0, "diskBusy", 0.1, "linkShare", 0.1, "cpuStall", 0.0));
    final Map<String, Object> cluster = new TreeMap<>(Map.of("idleRoundTripMs", 1.0));
    final List<PartitionResult> partitions = new ArrayList<>();
    double thread = 0.3;
    Double calibratedShare;
    double gcSeconds;
    double bytesPerBatch = 16_000;
    long recordBytes = 1_000;
    double meanMicros = 20_000;
    /** For the response time. */
    double leastMicros = 1;

    double sendDelayMicros;
    double bufferWaitSeconds;
    boolean closedLoop = true;
    double achieved = 1;
    Consume consume;
    long unsent;
    /** No record of the window was acknowledged in it. */
    boolean unanswered;

    /** Errors by kind, of producers and of {@link #consumers}. */
    final Map<String, Long> errors = new TreeMap<>();

    final Map<String, Long> readErrors = new TreeMap<>();

    /** For the group that {@link #consumers} adds. */
    long rebalances;

    int members = 1;
    long lagAtEnd = 5_000;
    long retries;

    double endToEndMicros = 1_000;
    boolean produces = true;
    double generatorCores = 0.4;
    /** Settings that differ from the default, by part. */
    final Map<String, Map<String, String>> setup = new TreeMap<>();

    private long records = 1;
    private long fetches = 1;
    private final Map<String, Double> figures = new TreeMap<>();
    /** Of {@link #consumers}. */
    private final Map<String, Long> events = new TreeMap<>();

    /** Of the producers. */
    final Map<String, Long> produceEvents = new TreeMap<>();

    final List<CheckResult> checks = new ArrayList<>();
    final List<SlowMoment> moments = new ArrayList<>();
    /** Of the response time. */
    private TrialResult.Percentiles percentiles = new TrialResult.Percentiles(1L, 1L, 1L, 1L, 1L, null, null);

    Planted() {
        clients.put(
                "producers-0",
                figures(
                        "clients",
                        1,
                        "threads",
                        1,
                        "batchSize",
                        16_384,
                        "lingerMs",
                        5,
                        "bufferMemory",
                        33_554_432,
                        "maxInFlight",
                        5,
                        "acks",
                        -1,
                        "seconds",
                        SECONDS,
                        "requests",
                        3_000,
                        "batches",
                        3_000,
                        "requestMs",
                        3,
                        "queueMs",
                        5,
                        "throttleShare",
                        0,
                        "bufferWaitShare",
                        0,
                        "ioIdle",
                        0.8));
        for (int b = 1; b <= 3; b++) {
            link(b, 1_000, 3);
            brokers.add(new LinkedHashMap<>(Map.of("id", b, "sources", List.of("jmx", "proc"))));
            broker(b, "cpu", 0.3, "handlerIdle", 0.9, "networkIdle", 0.9, "gcShare", 0.01, "produceRequests", 100);
            broker(b, "totalMs", 1, "requestQueueMs", 0.1, "localMs", 0.5, "remoteMs", 0.2, "throttleMs", 0);
            broker(b, "responseQueueMs", 0.1, "responseSendMs", 0.1, "flushes", 0, "followerLag", 0, "isrShrinks", 0);
            broker(b, "diskReadBytes", 0, "bytesOut", 1e6);
            partitions.add(new PartitionResult("orders", b - 1, b, 10_000, 0, null, null));
        }
    }

    static Map<String, Double> figures(Object... namesAndValues) {
        Map<String, Double> figures = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            figures.put((String) namesAndValues[i], ((Number) namesAndValues[i + 1]).doubleValue());
        }
        return figures;
    }

    Planted producer(Object... namesAndValues) {
        clients.get("producers-0").putAll(figures(namesAndValues));
        return this;
    }

    /** Requests to a broker, and their mean time, for one client with five in flight. */
    Planted link(int broker, double requests, double ms) {
        clients.put(
                "producers-0 broker " + broker,
                figures("seconds", SECONDS, "requests", requests, "requestMs", ms, "bytesOut", requests * 16_000));
        return this;
    }

    /** All connections with the maximum number of requests in flight, and this time per request. */
    Planted pipelinesFull(double requestMs) {
        double requests = 5 * SECONDS * 1e3 / requestMs;
        for (int b = 1; b <= 3; b++) {
            link(b, requests, requestMs);
        }
        return producer("requests", 3 * requests, "requestMs", requestMs, "bufferWaitShare", 0.9);
    }

    Planted broker(int id, Object... namesAndValues) {
        brokers.get(id - 1).putAll(figures(namesAndValues));
        return this;
    }

    Planted everyBroker(Object... namesAndValues) {
        brokers.forEach(b -> b.putAll(figures(namesAndValues)));
        return this;
    }

    Planted host(Object... namesAndValues) {
        host.putAll(figures(namesAndValues));
        return this;
    }

    Planted consumers(double readPerSecond, Object... namesAndValues) {
        clients.put("consumers-0", figures(namesAndValues));
        consume = new Consume(
                "client",
                new TrialResult.Volume(records, records, readPerSecond, readPerSecond * 100),
                new TrialResult.Fetches(fetches, 1.0),
                new TrialResult.EndToEnd(latency(endToEndMicros), 0L, 0L, "intended time", null, null, null, null),
                errors(readErrors),
                List.of(new Group("readers", members, 1, 1, lagAtEnd, 1, rebalances, null, null, null)),
                new TrialResult.Reading(null, null, null, null),
                events);
        return this;
    }

    /** Records read from each partition, without unread records of {@link #consumers}. */
    Planted read(long... ofPartition) {
        for (int i = 0; i < ofPartition.length; i++) {
            PartitionResult p = partitions.get(i);
            partitions.set(
                    i,
                    new PartitionResult(
                            p.topic(), p.partition(), p.leader(), p.produced(), ofPartition[i], null, null));
        }
        return this;
    }

    /** The same amount was produced to another topic, which has no consumer. */
    Planted andAnotherTopic() {
        for (int b = 1; b <= 3; b++) {
            partitions.add(new PartitionResult("audit", b - 1, b, 10_000, 0, null, null));
        }
        return this;
    }

    /** The assignment of the partitions of {@link #consumers}. */
    Planted assigned(int toRead, int among, int inAll, int mostOfOne) {
        clients.get("consumers-0")
                .putAll(figures("toRead", toRead, "members", among, "assigned", inAll, "mostAssigned", mostOfOne));
        return this;
    }

    /**
     * A share group that reads existing records, with work that allows 800 records per second of 2,000 locks, and no
     * producers.
     */
    Planted shared(double readPerSecond, double inHand, double idle, double recordsPerFetch) {
        produces = false;
        return sharedBeside(readPerSecond, inHand, idle, recordsPerFetch);
    }

    /** The same beside producers. */
    Planted sharedBeside(double readPerSecond, double inHand, double idle, double recordsPerFetch) {
        double polled = recordsPerFetch == 50 ? 500 : recordsPerFetch;
        records = (long) (readPerSecond * SECONDS);
        fetches = (long) (records / recordsPerFetch);
        figures.put("share.inFlight", inHand);
        return consumers(
                readPerSecond,
                "pollIdle",
                idle,
                "fetchMs",
                5,
                "workBound",
                800,
                "recordLocks",
                2_000,
                "maxPollRecords",
                polled);
    }

    /** Records of share groups with expired locks. */
    Planted lockTimeouts(long records) {
        events.put("lockTimeouts", records);
        return this;
    }

    private static Errors errors(Map<String, Long> byKind) {
        return new Errors(byKind.values().stream().mapToLong(n -> n).sum(), byKind);
    }

    /** A failed check. */
    Planted failed(String check) {
        checks.add(new CheckResult(check, 1e6, "us", false));
        return this;
    }

    private Latency latency(double meanMicros) {
        return latency(1, meanMicros);
    }

    private Latency latency(double leastMicros, double meanMicros) {
        return new Latency("us", 30_000, (long) leastMicros, meanMicros, percentiles, percentiles.p99());
    }

    /** An open loop in which a twentieth of the response times is above 5 ms, and a hundredth above 500 ms. */
    Planted rarelySlow() {
        closedLoop = false;
        meanMicros = 10_000;
        percentiles = new TrialResult.Percentiles(3_000L, 3_000L, 4_000L, 5_000L, 500_000L, null, null);
        return this;
    }

    /** A slow moment with its probable cause. */
    Planted moment(String event, String where, long slow, double confidence, SlowBatch.Stage stage) {
        SlowBatch batch = new SlowBatch("producers[0]", "orders-1", 2, 0, 1, 0, Map.of(stage, 500_000_000L));
        SlowMoment.Cause cause = new SlowMoment.Cause(event, where, 1 + moments.size(), 1.5, null, confidence);
        moments.add(new SlowMoment(
                1,
                1.5,
                stage.word(),
                List.of(2),
                List.of("orders-1"),
                List.of(),
                slow,
                500_000,
                List.of(batch),
                List.of(cause)));
        return this;
    }

    TrialResult trial() {
        double offered = 3_000;
        Produce produce = new Produce(
                new TrialResult.Sources("client", 1, List.of()),
                new TrialResult.Volume(30_000L, 30_000 * recordBytes, offered, offered * recordBytes),
                new TrialResult.Schedule(
                        closedLoop, closedLoop ? null : Double.valueOf(offered / achieved), 0L, unsent, 0L, null),
                new TrialResult.Wire(3_000L, 300.0, 16.0, bytesPerBatch, 1.0, 1L, retries),
                new TrialResult.Waits(bufferWaitSeconds, 0.0),
                new TrialResult.Times(
                        latency(leastMicros, meanMicros),
                        unanswered ? NO_LATENCY : latency(meanMicros - sendDelayMicros),
                        unanswered ? NO_LATENCY : latency(sendDelayMicros)),
                errors(errors),
                produceEvents);
        return new TrialResult(
                "t",
                new TrialResult.Course(Instant.EPOCH, 0.0, null, SECONDS, true, true, true, null),
                produces ? produce : null,
                consume,
                null,
                new TrialResult.Observed(
                        new Generator(
                                new Generator.Cpu(
                                        generatorCores * SECONDS,
                                        generatorCores,
                                        1.0,
                                        new BusiestThread("sender", thread)),
                                new Generator.Ticks(0, 0, 0),
                                gcSeconds,
                                0,
                                calibratedShare != null && calibratedShare > 0.7,
                                calibratedShare,
                                null),
                        brokers,
                        host,
                        cluster,
                        clients,
                        List.of(),
                        List.of(),
                        List.of()),
                new TrialResult.Judgement(checks, List.of(), null),
                new TrialResult.Detail(
                        Map.of(), setup, partitions, List.of(), List.of(), figures, Map.of(), moments, List.of()));
    }
}
