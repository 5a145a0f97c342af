package io.plimsoll.capacity;

import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Generator;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The result of a search on brokers with known costs, with records of 1,000 bytes. */
public final class PlantedCosts {
    private static final double[] SHARES = {0.6, 0.5, 0.6, 0.4, 0.2};
    private static final double[] FULLER_SHARES = {0.4, 0.2, 0.6};
    private static final double FULLER = 3;

    private final int brokers;
    private final Double low;
    private final Double high;
    private double fixedCores;
    private double coresPerMegabyte;
    private double handlersPerMegabyte = 1e-4;
    private double requestMegabytes;
    private double fills;
    private double coresPerRequest;
    private Double generatorPerMegabyte;
    private double spunCores;
    private int unobserved;
    private boolean tellsCores = true;
    private String replication;
    private double noise;
    private Random random = new Random(1);

    private PlantedCosts(int brokers, Double low, Double high) {
        this.brokers = brokers;
        this.low = low;
        this.high = high;
    }

    /** @param low bounds of the ceiling in bytes per second; null if none */
    public static PlantedCosts of(int brokers, Double low, Double high) {
        return new PlantedCosts(brokers, low, high);
    }

    /** For each broker, at its own load. */
    public PlantedCosts cpu(double fixed, double perMegabyte) {
        fixedCores = fixed;
        coresPerMegabyte = perMegabyte;
        return this;
    }

    /** Like exporters that report only the CPU of a process. */
    PlantedCosts withoutCores() {
        tellsCores = false;
        return this;
    }

    /** Busy share of its request handlers, likewise. */
    PlantedCosts handlers(double perMegabyte) {
        handlersPerMegabyte = perMegabyte;
        return this;
    }

    /**
     * Per broker, relative to its own load: size of a request, its growth per MB/s, and cores per request per second in
     * addition to the cores per megabyte.
     */
    PlantedCosts requests(double megabytes, double more, double cores) {
        requestMegabytes = megabytes;
        fills = more;
        coresPerRequest = cores;
        return this;
    }

    /** Brokers and generator share a host: the generator's CPU per MB/s, and its spinning CPU. */
    PlantedCosts onOneHost(double perMegabyte, double spun) {
        generatorPerMegabyte = perMegabyte;
        spunCores = spun;
        return this;
    }

    /** The last brokers are not observed. */
    PlantedCosts unobserved(int last) {
        unobserved = last;
        return this;
    }

    /** Numbers of replicas of the written topics, as in a result. */
    PlantedCosts copied(String replicas) {
        replication = replicas;
        return this;
    }

    /** Measurements differ from the truth by this fraction. */
    PlantedCosts noise(double share, Random by) {
        noise = share;
        random = by;
        return this;
    }

    RunResult withoutCeiling() {
        return result(List.of());
    }

    public RunResult result() {
        Ceiling.Bound bound = new Ceiling.Bound(records(low), records(high), low, high, 4, true);
        return result(List.of(new Ceiling(
                Map.of(),
                new Ceiling.Found(null, bound, null),
                new Ceiling.Course(false, false, Ceiling.FOUND, true),
                new Ceiling.Cause(
                        new Ceiling.Named(Sentence.of("diagnose.cause.quota"), null),
                        false,
                        List.of(),
                        List.of(),
                        Sentence.verbatim("A quota."),
                        List.of(),
                        null,
                        List.of(),
                        null),
                List.of(),
                List.of(),
                List.of(),
                null)));
    }

    private static Double records(Double bytes) {
        return bytes == null ? null : Double.valueOf(bytes / 1000);
    }

    private RunResult result(List<Ceiling> ceilings) {
        RunResult sample = Timelines.oneTrial(
                Timelines.plan(true),
                Stream.generate(() -> new Second(5000, Timelines.spread(5000, 900, 63_000)))
                        .limit(10)
                        .toList(),
                Timelines.trialEnded("t", 10, 50_000, 0));
        List<TrialResult> trials = new ArrayList<>();
        double most = low == null ? 1e6 : low;
        for (double share : SHARES) {
            trials.add(trial(sample.trials().get(0), share * most, CapacityPlan.COST));
        }
        for (double share : FULLER_SHARES) {
            trials.add(trial(sample.trials().get(0), share * most, CapacityPlan.FULLER));
        }
        trials.add(trial(sample.trials().get(0), 0.85 * most, CapacityPlan.CHECK));
        RunResult.Environment environment = new RunResult.Environment(
                Map.of(),
                new RunResult.Cluster(
                        "c",
                        null,
                        IntStream.rangeClosed(1, brokers)
                                .mapToObj(id -> new RunResult.Broker(id, "h" + id, 9092, null))
                                .toList(),
                        generatorPerMegabyte != null));
        return new RunResult(
                sample.head(),
                sample.tool(),
                environment,
                sample.scenario(),
                sample.verdict(),
                trials,
                sample.published(),
                ceilings);
    }

    private TrialResult trial(TrialResult t, double bytes, String kind) {
        List<Map<String, Object>> seen = IntStream.rangeClosed(1, brokers - unobserved)
                .mapToObj(id -> broker(id, bytes / brokers, kind.equals(CapacityPlan.FULLER) ? FULLER : 1))
                .toList();
        TrialResult.Produce p = t.produce();
        long records = Math.round(bytes / 100);
        return new TrialResult(
                kind + bytes,
                t.course(),
                new TrialResult.Produce(
                        p.sources(),
                        new TrialResult.Volume(records, 1000 * records, bytes / 1000, bytes),
                        p.schedule(),
                        p.wire(),
                        p.waits(),
                        p.times(),
                        p.errors(),
                        p.events()),
                t.consume(),
                t.audit(),
                new TrialResult.Observed(
                        generator(t.observed().generator()), seen, host(seen, bytes), null, null, null, null, null),
                t.judgement(),
                new TrialResult.Detail(
                        Map.of("trial", kind),
                        replication == null
                                ? Map.of()
                                : Map.of(TrialResult.DURABILITY, Map.of("replication", replication)),
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of(),
                        Map.of(),
                        List.of(),
                        List.of()));
    }

    private Generator generator(Generator g) {
        return new Generator(
                g.cpu(),
                new Generator.Ticks(g.wakeUps().ticks(), g.wakeUps().lateTicks(), spunCores),
                g.gcSeconds(),
                g.heapUsedBytes(),
                g.limited(),
                g.calibratedShare(),
                g.part());
    }

    private Map<String, Object> host(List<Map<String, Object>> seen, double bytes) {
        double brokersCores =
                seen.stream().mapToDouble(b -> (Double) b.get("cpu")).sum();
        return generatorPerMegabyte == null
                ? null
                : Map.of("cpu", brokersCores + generatorPerMegabyte * bytes / 1e6 + spunCores);
    }

    private Map<String, Object> broker(int id, double bytes, double fuller) {
        double megabytes = bytes / 1e6;
        double requests = requestMegabytes > 0 ? megabytes / (requestMegabytes + fuller * fills * megabytes) : 0;
        double off = 1 + noise * random.nextGaussian();
        Map<String, Object> broker = new HashMap<>();
        broker.put("id", id);
        broker.put("sources", List.of("jmx"));
        if (tellsCores) {
            broker.put("processors", 4.0);
        }
        broker.put("cpu", (fixedCores + coresPerMegabyte * megabytes + coresPerRequest * requests) * off);
        if (requests > 0) {
            broker.put("produceRequests", requests / 3);
            broker.put("followerRequests", 2 * requests / 3);
        }
        broker.put("bytesIn", 1.01 * bytes);
        broker.put("replicationBytesIn", 0.0);
        broker.put("bytesOut", 2.02 * bytes);
        broker.put("handlerIdle", 1 - handlersPerMegabyte * megabytes);
        return broker;
    }
}
