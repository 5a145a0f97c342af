package io.plimsoll.result;

import io.plimsoll.measure.Connected;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.WireUse;
import io.plimsoll.result.TimelineEvent.Measured;
import io.plimsoll.result.TimelineEvent.RunStarted;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TimelineEvent.TrialStarted;
import io.plimsoll.scenario.Check;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;

/** Timelines for tests, with figures that are easy to verify by hand. */
public final class Timelines {
    /** Distributions of seconds that are alike. */
    private static final int MOST_KEPT = 1000;

    private static final Map<List<Long>, Latencies> SPREAD = new ConcurrentHashMap<>();

    public static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    public static final long SECOND = 1_000_000_000L;
    public static final long RECORD_BYTES = 1000;

    private Timelines() {}

    /** Keeps seconds for 60 stretches of time, then the sums of these stretches. */
    public static RunDirectory directory(Path path, int stretchSeconds) throws IOException {
        return RunDirectory.attach(path, new Folding(60L * stretchSeconds * SECOND));
    }

    public static RunStarted runStarted(String name) {
        Map<String, Object> host = new LinkedHashMap<>();
        host.put("cpu", Map.of("model", "Test CPU", "physicalCores", 2));
        host.put("memory", Map.of("totalBytes", 17_200_000_000L));
        host.put("limits", Map.of("cpuCores", "no limit", "memoryBytes", 8_590_000_000L));
        host.put("cores", 2);
        var broker = new RunResult.Broker(1, "127.0.0.1", 9092, null);
        var cluster = new RunResult.Cluster("abc", "4.3", List.of(broker), true);
        return new RunStarted(
                name,
                START,
                List.of("plimsoll", "run", name),
                new RunResult.Tool("0.1.0", "1234567", "4.3.1", "17.0.15"),
                new RunResult.Environment(host, cluster),
                Map.of("name", name),
                42,
                1,
                null,
                List.of());
    }

    /** Open loop, 32 MiB buffer, one producer and one consumer of the client engine, 2 s of warm-up, 10 s planned. */
    public static TrialPlan plan(boolean openLoop) {
        return new TrialPlan(
                new TimelineEvent.Course(openLoop, 2, 10, null, null),
                new TimelineEvent.Producing(RECORD_BYTES, 32 << 20, "client", 1, null),
                new TimelineEvent.Consuming("client", 1, "intended time", null, false, null),
                null);
    }

    public static TrialPlan plan(boolean openLoop, int producers, int consumers) {
        return new TrialPlan(
                new TimelineEvent.Course(openLoop, 2, 10, null, null),
                new TimelineEvent.Producing(RECORD_BYTES, 32 << 20, "client", producers, null),
                new TimelineEvent.Consuming("client", consumers, "intended time", null, false, null),
                null);
    }

    public static TrialStarted trialStarted(String name, TrialPlan plan) {
        return new TrialStarted(
                name, START, Map.of(), plan, Map.of("producers[0]", Map.of("acks", "all", "linger.ms", "5")));
    }

    public static Latencies latencies(long count, long micros) {
        return spread(count, micros, micros);
    }

    /** Evenly from the first to the last value. */
    public static Latencies spread(long count, long fromMicros, long toMicros) {
        if (SPREAD.size() >= MOST_KEPT) {
            SPREAD.clear();
        }
        return SPREAD.computeIfAbsent(
                List.of(count, fromMicros, toMicros), any -> spreadOf(count, fromMicros, toMicros));
    }

    /** A new distribution, as {@link #spread} of other values. */
    public static Latencies spreadOf(long count, long fromMicros, long toMicros) {
        Histogram histogram = new Histogram(3);
        for (long i = 0; i < count; i++) {
            histogram.recordValue(fromMicros + (toMicros - fromMicros) * i / Math.max(1, count - 1));
        }
        return Latencies.of(histogram);
    }

    /** The figures of connections without records. */
    public static Counts connects(Map<String, Long> counts, Map<String, Latencies> times) {
        return Counts.Sum.overTime()
                .add(Connected.COUNTS, counts)
                .add(Connected.TIMES, times)
                .total();
    }

    /** The figures of one second. */
    public static final class Second {
        private final long due;
        private long acknowledged;
        private long arrived = -1;
        private Latencies response;
        private Map<String, Long> errors = Map.of();
        private Map<String, Long> events = Map.of();
        private Counts connects = Counts.NONE;
        private Counts replies = Counts.NONE;
        private long handedOver;
        private double busiest = 0.3;
        private long lateTicks;
        private long spunNanos;
        private long lag;
        private long leastLag = -1;
        private Latencies appended = Latencies.EMPTY;
        private long negative;
        private boolean stopped;
        private String label;

        public Second(long due, Latencies response) {
            this.due = due;
            this.acknowledged = due;
            this.handedOver = due;
            this.response = response;
        }

        public Second acknowledged(long records) {
            acknowledged = records;
            return this;
        }

        /** All of its clients have this label. */
        public Second labeled(String name) {
            label = name;
            return this;
        }

        private Counts labeled(Counts counts) {
            return label == null
                    ? counts
                    : Counts.Sum.overTime()
                            .add(counts)
                            .add(Counts.BY_LABEL, Map.of(label, counts))
                            .total();
        }

        /** Acknowledgments within the second, regardless of their due time. */
        public Second arrived(long records) {
            arrived = records;
            return this;
        }

        /** The records that the generator passed to the client. */
        public Second handedOver(long records) {
            handedOver = records;
            return this;
        }

        public Second errors(Map<String, Long> byKind) {
            errors = byKind;
            return this;
        }

        /** Other counts of a kind of consumer. */
        public Second events(Map<String, Long> byName) {
            events = byName;
            return this;
        }

        /** The replies of an application. */
        public Second replies(Counts account) {
            replies = account;
            return this;
        }

        public Second connects(Counts account) {
            connects = account;
            return this;
        }

        public Second busiest(double share) {
            busiest = share;
            return this;
        }

        /** Of 1000 ticks. */
        public Second lateTicks(long ticks) {
            lateTicks = ticks;
            return this;
        }

        /** For this part of the half second of CPU time that the generator used. */
        public Second spun(long nanos) {
            spunNanos = nanos;
            return this;
        }

        /** Stopped for 80 ms of each 100. */
        public Second stopped() {
            stopped = true;
            return this;
        }

        /** By the clocks of several workers, 100 µs apart, and with the brokers' append times. */
        public Second appended() {
            return appended(response);
        }

        /** @param times from append to arrival */
        public Second appended(Latencies times) {
            appended = times;
            return this;
        }

        public Second lag(long records) {
            lag = records;
            return this;
        }

        /** The lag at its lowest in this second. */
        public Second leastLag(long records) {
            leastLag = records;
            return this;
        }

        public Second negative(long records) {
            negative = records;
            return this;
        }

        private void produce(Counts.Sum window) {
            long came = arrived < 0 ? acknowledged : arrived;
            window.add(Produced.DUE, due)
                    .add(Produced.SENT, handedOver)
                    .add(Produced.ACKNOWLEDGED, acknowledged)
                    .add(Produced.ACKNOWLEDGED_BYTES, acknowledged * RECORD_BYTES)
                    .add(Produced.ARRIVED, came)
                    .add(Produced.ARRIVED_BYTES, came * RECORD_BYTES)
                    .add(Produced.ERRORS, errors)
                    .add(Produced.RESPONSE_TIME, response)
                    .add(Produced.SERVICE_TIME, response)
                    .add(Produced.SEND_DELAY, latencies(acknowledged, 20));
        }

        private void consume(Counts.Sum window) {
            window.add(Consumed.RECORDS, acknowledged)
                    .add(Consumed.BYTES, acknowledged * RECORD_BYTES)
                    .add(Consumed.ARRIVED, acknowledged)
                    .add(Consumed.ARRIVED_BYTES, acknowledged * RECORD_BYTES)
                    .add(Consumed.ARRIVED_EVENTS, events)
                    .add(Consumed.END_TO_END, response)
                    .add(Consumed.NEGATIVE_END_TO_END, negative)
                    .add(Consumed.END_TO_END_FROM_APPEND, appended)
                    .add(Consumed.GROUP_RECORDS, "readers", acknowledged)
                    .add(Consumed.GROUP_BYTES, "readers", acknowledged * RECORD_BYTES)
                    .add(Consumed.GROUP_COMMITS, "readers", 1)
                    .add(Consumed.GROUP_REBALANCES, "readers", 0)
                    .add(Consumed.EVENTS, events);
        }

        /** @param sequence also the second of its start */
        public Snapshot snapshot(String trial, long sequence, Phase phase, TrialPlan plan) {
            Counts.Sum sum = Counts.Sum.overTime().add(connects).add(replies);
            boolean consumes = plan.consuming().consumerMembers() > 0;
            if (plan.producing().producerClients() > 0) {
                produce(sum);
            }
            if (consumes) {
                consume(sum);
            }
            Counts window = labeled(sum.total());
            Counts.Sum whole = Counts.Sum.overTime()
                    .add(WireUse.REQUESTS, 100)
                    .add(WireUse.BATCHES, 200)
                    .add(WireUse.BATCHED_RECORDS, 4000)
                    .add(WireUse.BATCH_BYTES, 2_000_000)
                    .add(WireUse.UNCOMPRESSED_BYTES, 4_000_000)
                    .add(WireUse.RETRIES, 1)
                    .add(WireUse.BUFFER_WAIT_NANOS, SECOND / 10)
                    .add(WireUse.FETCH_REQUESTS, 50)
                    .add(WireUse.HELD_NANOS, SECOND / 10)
                    .add(GeneratorUse.CPU_NANOS, SECOND / 2)
                    .add(GeneratorUse.GC_NANOS, SECOND / 100)
                    .add(GeneratorUse.TICKS, 1000)
                    .add(GeneratorUse.LATE_TICKS, lateTicks)
                    .add(GeneratorUse.SPUN_NANOS, spunNanos)
                    .add(GeneratorUse.HEAP_USED_BYTES, 1 << 20)
                    .add(GeneratorUse.ELAPSED_NANOS, SECOND)
                    .add(Consumed.LAG, consumes ? Map.of("readers", lag) : Map.of())
                    .add(Consumed.LEAST_LAG, leastLag < 0 ? Map.of() : Map.of("readers", leastLag))
                    .add(Produced.BY_PARTITION, "events-0", acknowledged)
                    .add(Consumed.BY_PARTITION, "events-0", acknowledged);
            if (stopped) {
                whole.add(GeneratorUse.WATCHED_NANOS, SECOND)
                        .add(GeneratorUse.STOOD_NANOS, SECOND / 10 * 8)
                        .add(GeneratorUse.STOOD_SQUARES, Double.valueOf(64e9));
            }
            boolean warm = phase == Phase.WARMUP;
            return new Snapshot(
                    "local",
                    trial,
                    sequence,
                    phase,
                    sequence * SECOND,
                    (sequence + 1) * SECOND,
                    appended.isEmpty() ? null : Long.valueOf(100_000),
                    null,
                    warm ? window : Counts.NONE,
                    warm ? Counts.NONE : window,
                    labeled(whole.total()),
                    new Busiest("sender", busiest),
                    List.of(),
                    List.of());
        }
    }

    /** The same trial, with other observations and details. */
    public static TrialResult with(TrialResult t, TrialResult.Observed observed, TrialResult.Detail detail) {
        return new TrialResult(
                t.name(), t.course(), t.produce(), t.consume(), t.audit(), observed, t.judgement(), detail);
    }

    /** The same trial, ended by the user. */
    public static TrialResult interrupted(TrialResult t) {
        TrialResult.Course c = t.course();
        TrialResult.Course cut = new TrialResult.Course(
                c.startedAt(),
                c.warmupSeconds(),
                c.warmup(),
                c.measuredSeconds(),
                c.steady(),
                false,
                c.valid(),
                c.topicsSeconds());
        return new TrialResult(
                t.name(), cut, t.produce(), t.consume(), t.audit(), t.observed(), t.judgement(), t.detail());
    }

    /** A trial's events: warm-up and measured seconds as given, without its end. */
    public static List<TimelineEvent> trial(String name, TrialPlan plan, List<Second> warmup, List<Second> measured) {
        List<TimelineEvent> events = new ArrayList<>();
        events.add(trialStarted(name, plan));
        long sequence = 0;
        for (Second second : warmup) {
            events.add(new Measured(second.snapshot(name, sequence++, Phase.WARMUP, plan)));
        }
        for (Second second : measured) {
            events.add(new Measured(second.snapshot(name, sequence++, Phase.MEASURE, plan)));
        }
        return events;
    }

    public static TrialEnded trialEnded(String name, double seconds, long acknowledged, long lost) {
        return trialEnded(name, seconds, audit(acknowledged, lost));
    }

    public static TrialEnded trialEnded(String name, double seconds, AuditResult audit) {
        long acknowledged = audit.counts().acknowledged();
        return new TrialEnded(
                name,
                START.plusSeconds(13),
                seconds,
                seconds,
                Map.of("readers", seconds / 2),
                true,
                null,
                audit,
                List.of(new TrialResult.PartitionResult("events", 0, 1, acknowledged, acknowledged, null, null)),
                List.of(),
                List.of());
    }

    /** With an event of every kind. */
    public static AuditResult identified(long acknowledged) {
        AuditResult.Anomaly lost = new AuditResult.Anomaly(
                "lost",
                new AuditResult.Place("events", 0, 10L, 12L, 1),
                3,
                new AuditResult.Origin("producers-0/0", 10L, 12L, START.plusSeconds(4)),
                true,
                Sentence.of("run.fault.kill", Sentence.of("run.whom.broker", 1)));
        AuditResult.Anomaly absent = new AuditResult.Anomaly(
                "unknown, not in the log",
                new AuditResult.Place(null, null, null, null, null),
                2,
                new AuditResult.Origin("producers-0/0", 40L, 41L, null),
                false,
                null);
        return new AuditResult(
                "identities",
                new AuditResult.Counts(acknowledged, acknowledged + 4, 3, 7L, 6L, 1L, 9, 7L),
                new AuditResult.Identified(5L, 4L, 1L, 2L, 8L, 5L),
                false,
                List.of(Sentence.verbatim("3 records lost in events-0, offsets 10 to 12")),
                List.of(lost, absent),
                0L,
                List.of(new AuditResult.GroupAudit("readers", 12, 1L, null)));
    }

    public static AuditResult audit(long acknowledged, long lost) {
        return AuditResult.ofOffsets(
                new AuditResult.Counts(acknowledged, acknowledged - lost, lost, null, null, null, 0, null),
                true,
                List.of());
    }

    /** A whole run like {@code quick}: a paced trial and a closed loop. */
    public static List<TimelineEvent> quick() {
        List<TimelineEvent> events = new ArrayList<>(unended());
        Fold fold = new Fold();
        events.forEach(fold::accept);
        events.add(fold.end(START.plusSeconds(60)));
        return events;
    }

    /** {@link #quick} without its last line. */
    public static List<TimelineEvent> unended() {
        List<TimelineEvent> events = new ArrayList<>();
        events.add(runStarted("quick"));
        List<Second> paced = new ArrayList<>();
        List<Second> pushed = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            paced.add(new Second(5000, spread(5000, 1000, 9000)));
            pushed.add(new Second(200_000, spread(200_000, 150_000, 170_000)));
        }
        List<Second> warmup = List.of(new Second(5000, latencies(5000, 9000)), new Second(5000, latencies(5000, 5000)));
        events.addAll(trial("latency", plan(true), warmup, paced));
        events.add(end(events, trialEnded("latency", 10, 60_000, 0), List.of(check())));
        events.addAll(trial("throughput", plan(false), warmup, pushed));
        events.add(trialEnded("throughput", 10, 2_010_000, 0));
        return events;
    }

    private static TrialEnded end(List<TimelineEvent> before, TrialEnded end, List<Check> checks) {
        Fold fold = new Fold();
        before.forEach(fold::accept);
        return fold.endOf(end, checks);
    }

    public static Check check() {
        return new Check(
                "produce.response.p99 < 50ms",
                "produce.response.p99",
                Check.Operator.LESS,
                50_000,
                Check.Dimension.MICROSECONDS);
    }

    /** A successful run with one trial. */
    public static RunResult oneTrial(TrialPlan plan, List<Second> measured, TrialEnded end, Check... checks) {
        List<TimelineEvent> events = new ArrayList<>();
        events.add(runStarted("one"));
        events.addAll(trial(end.name(), plan, List.of(), measured));
        Fold fold = new Fold();
        events.forEach(fold::accept);
        fold.accept(fold.endOf(end, List.of(checks)));
        fold.accept(fold.end(START.plusSeconds(30)));
        return fold.result();
    }
}
