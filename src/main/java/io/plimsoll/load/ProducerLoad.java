package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Arrivals;
import io.plimsoll.pace.PoissonArrivals;
import io.plimsoll.pace.Schedule;
import io.plimsoll.pace.Schedules;
import io.plimsoll.pace.UniformArrivals;
import io.plimsoll.pace.WarmupSchedule;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/** Decides what a producer entry sends and when, and how its sending threads share that. Immutable. */
public final class ProducerLoad {
    /** More clients than this are reported as one: nobody reads a thousand lines. */
    private static final int MOST_SHARES = 50;

    private final ProducerSpec spec;
    private final Schedule schedule;
    private final long warmupNanos;
    private final long seed;
    private final Slice slice;

    /**
     * @param slice of the entry's clients that are here
     * @param payloadBytes mean key + value bytes of a record
     * @param wireBytes mean bytes of a record in its batch
     * @param warmupNanos length of the warm-up, which runs at the schedule's initial rate
     */
    private ProducerLoad(
            ProducerSpec spec, Slice slice, double payloadBytes, double wireBytes, long warmupNanos, long seed) {
        this.spec = spec;
        this.slice = slice;
        this.warmupNanos = warmupNanos;
        this.seed = seed;
        this.schedule = Schedules.isClosedLoop(spec.rate())
                ? null
                : new WarmupSchedule(Schedules.of(spec.rate(), payloadBytes, wireBytes), warmupNanos);
    }

    /**
     * Reads an entry of a scenario.
     *
     * @param part such as {@code producers-0}
     * @param sample of its records; may be used up
     * @throws PlimsollException {@link Exit#USAGE} if the rate cannot be kept
     */
    static ProducerLoad of(
            LoadContext context,
            ProducerSpec spec,
            Slice slice,
            String part,
            RecordGenerator sample,
            long warmupNanos) {
        double payloadBytes = sample.meanPayloadBytes();
        double wireBytes = ClientProperties.wireBytes(context, spec, part, sample);
        return new ProducerLoad(spec, slice, payloadBytes, wireBytes, warmupNanos, context.seed());
    }

    /** Reads an entry on one worker, whose records have these contents. */
    public static ProducerLoad of(ProducerKind.Entry entry, PayloadSource payload) {
        LoadContext context = entry.context();
        RecordGenerator sample =
                RecordGenerator.of(entry.spec().record(), context.seed(), 0, 1, context.runId(), payload);
        return of(context, entry.spec(), entry.slice(), entry.part(), sample, entry.warmupNanos());
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the entry names partitions that a topic does not have */
    public static void checkPartitions(ProducerSpec spec, String part, int topicIndex, int partitionCount) {
        for (int partition : spec.partitions()) {
            if (partition >= partitionCount) {
                throw new PlimsollException(
                        Exit.USAGE,
                        part + ".partitions: topic " + spec.topics().get(topicIndex) + " has " + partitionCount
                                + " partitions, numbered from 0; there is no " + partition);
            }
        }
    }

    public boolean closedLoop() {
        return schedule == null;
    }

    /** The intended times of one of {@code count} sending threads, those of all workers together. */
    public DueTimes dueTimes(int index, int count) {
        long records = spec.records().isEmpty()
                ? Long.MAX_VALUE
                : Arrivals.share(spec.records().getAsLong(), index, count);
        return new DueTimes(schedule == null ? null : arrivals(index, count), records);
    }

    private Arrivals arrivals(int index, int count) {
        return spec.arrivals() == ProducerSpec.Arrivals.POISSON
                ? new PoissonArrivals(schedule, count, seed * 31 + index)
                : new UniformArrivals(schedule, index, count);
    }

    /** The trial's clock with the end that this entry has. */
    public TrialClock clock(TrialClock trial) {
        if (spec.records().isPresent()) {
            return trial.withMeasureEnd(Long.MAX_VALUE);
        }
        return spec.duration()
                .map(d -> trial.withMeasureEnd(trial.measureStartNanos() + d.toNanos()))
                .orElse(trial);
    }

    /**
     * How many records have been due so far, for {@link io.plimsoll.measure.ProduceTally#read}.
     *
     * @param clock null before the start
     * @param nowNanos now, or when the trial was stopped
     */
    public LongUnaryOperator due(TrialClock clock, long nowNanos) {
        // The numbers of Poisson arrivals are drawn as they come: due is what was drawn.
        if (schedule == null || clock == null || spec.arrivals() == ProducerSpec.Arrivals.POISSON) {
            return window -> -1;
        }
        long now = Math.min(nowNanos, clock.measureEndNanos()) - clock.startNanos();
        long warmup = here(schedule.dueBefore(Math.min(now, warmupNanos)));
        long measured = Math.max(0, here(schedule.dueBefore(now)) - warmup);
        long limit = spec.records().isPresent() ? here(spec.records().getAsLong()) : Long.MAX_VALUE;
        return window -> window == 0 ? warmup : Math.min(measured, limit);
    }

    /** Counts how many of the first events of the schedule fall to the threads that are here. */
    private long here(long events) {
        int first = slice.from() * spec.threads();
        return Arrivals.shareOf(events, first, first + slice.count() * spec.threads(), spec.totalThreads());
    }

    /**
     * Says what each client contributed.
     *
     * @param meters one a client, or one for several of them
     * @param clock null before the start
     */
    public List<Producers.ClientShare> shares(List<AckMeter> meters, String part, TrialClock clock, long nowNanos) {
        if (clock == null || slice.count() == 0) {
            return List.of();
        }
        boolean own = meters.size() == slice.count() && meters.size() <= MOST_SHARES;
        List<Producers.ClientShare> shares = new ArrayList<>();
        if (own) {
            for (int i = 0; i < meters.size(); i++) {
                shares.add(share(part + " client " + (slice.from() + i), 1, meters.subList(i, i + 1), clock, nowNanos));
            }
        } else {
            shares.add(share(part, slice.count(), meters, clock, nowNanos));
        }
        return List.copyOf(shares);
    }

    private static Producers.ClientShare share(
            String name, int clients, List<AckMeter> meters, TrialClock clock, long nowNanos) {
        long[] sums = new long[4];
        long lastAck = 0;
        for (AckMeter meter : meters) {
            long[] totals = meter.measuredTotals();
            for (int i = 0; i < sums.length; i++) {
                sums[i] += totals[i];
            }
            lastAck = Math.max(lastAck, meter.lastAckNanos());
        }
        long end = clock.measureEndNanos() == Long.MAX_VALUE ? lastAck : Math.min(nowNanos, clock.measureEndNanos());
        double seconds = Math.max(0, end - clock.measureStartNanos()) / 1e9;
        return new Producers.ClientShare(name, clients, sums[0], sums[1], sums[2], sums[3], seconds);
    }

    /** Acknowledged records per {@code topic-partition}, of these meters together. */
    public Map<String, Long> acknowledgedByPartition(List<AckMeter> meters, int[] partitions) {
        Map<String, Long> counts = new TreeMap<>();
        for (int t = 0; t < partitions.length; t++) {
            for (int p = 0; p < partitions[t]; p++) {
                int topic = t;
                int partition = p;
                long sum = meters.stream()
                        .mapToLong(m -> m.acknowledgedOf(topic, partition))
                        .sum();
                counts.merge(spec.topics().get(t) + "-" + p, sum, Long::sum);
            }
        }
        return counts;
    }
}
