package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Arrivals;
import io.plimsoll.pace.PoissonArrivals;
import io.plimsoll.pace.Schedule;
import io.plimsoll.pace.Schedules;
import io.plimsoll.pace.UniformArrivals;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/** Decides what a producer entry sends and when, and how its sending threads share that. Immutable. */
public final class ProducerLoad {
    private final LoadContext context;
    private final ProducerSpec spec;
    private final Slice slice;
    private final String part;
    private final WarmupEnd warmup;
    private final PayloadSource payload;
    private final Schedule schedule;

    /**
     * Reads an entry of a scenario.
     *
     * @param slice of the entry's clients that are here
     * @param part such as {@code producers-0}
     * @param warmup its end; it runs at the schedule's initial rate
     * @throws PlimsollException {@link Exit#USAGE} if a payload file cannot be read or the rate cannot be kept
     */
    ProducerLoad(LoadContext context, ProducerSpec spec, Slice slice, String part, WarmupEnd warmup) {
        this.context = context;
        this.spec = spec;
        this.slice = slice;
        this.part = part;
        this.warmup = warmup;
        this.payload = PayloadSource.load(spec.record(), context.seed());
        RecordGenerator sample = sample();
        double payloadBytes = sample.meanPayloadBytes();
        double wireBytes = ClientProperties.wireBytes(context, spec, part, sample);
        this.schedule = Schedules.isClosedLoop(spec.rate())
                ? null
                : context.throttle().of(Schedules.of(spec.rate(), payloadBytes, wireBytes), warmup);
    }

    /**
     * Makes records as those of an entry, for whoever wants to know what they are like; also tries its payload file and its
     * rate.
     *
     * @param part such as {@code producers-0}
     * @throws PlimsollException {@link Exit#USAGE} if a payload file cannot be read or the rate cannot be kept
     */
    public static RecordGenerator sample(LoadContext context, ProducerSpec spec, String part) {
        return new ProducerLoad(context, spec, Slice.all(spec.clients()), part, WarmupEnd.after(0)).sample();
    }

    private RecordGenerator sample() {
        return generator(0, 1, RecordGenerator.NOBODY);
    }

    /**
     * Makes the records of one of {@code count} sending threads, those of all workers together.
     *
     * @param producer of the identities of its records; {@link RecordGenerator#NOBODY} if these have none
     */
    public RecordGenerator generator(int index, int count, int producer) {
        return RecordGenerator.of(spec.record(), context.seed(), index, count, context.runId(), payload, producer);
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the entry names partitions that a topic does not have */
    public static void checkPartitions(ProducerSpec spec, String part, int topicIndex, int partitionCount) {
        for (int partition : spec.partitions()) {
            Exit.USAGE.when(
                    partition >= partitionCount,
                    "load.noPartition",
                    part,
                    spec.topics().get(topicIndex),
                    String.valueOf(partitionCount),
                    String.valueOf(partition));
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
        return new DueTimes(schedule == null ? null : arrivals(index, count), records, context.throttle());
    }

    private Arrivals arrivals(int index, int count) {
        return spec.arrivals() == ProducerSpec.Arrivals.POISSON
                ? new PoissonArrivals(schedule, count, seed(context.seed(), part, index))
                : new UniformArrivals(schedule, index, count);
    }

    /** Another for each entry: those of one rate would otherwise send at the same instants, and not independently. */
    static long seed(long ofRun, String part, int thread) {
        return (ofRun * 31 + part.hashCode()) * 1_000_003 + thread;
    }

    /** The trial's clock with the end that this entry has. */
    public TrialClock clock(TrialClock trial) {
        if (spec.records().isPresent()) {
            return trial.withWindow(Long.MAX_VALUE);
        }
        return spec.duration().map(d -> trial.withWindow(d.toNanos())).orElse(trial);
    }

    /**
     * The times of the sending threads that are here, drawn a second time from the same seeds: what is due is known before
     * a sender that is behind comes to it. Empty where {@link #due} has it in closed form.
     */
    List<DueTimes> drawnAgain() {
        return schedule == null || spec.arrivals() != ProducerSpec.Arrivals.POISSON
                ? List.of()
                : IntStream.range(slice.from() * spec.threads(), slice.to() * spec.threads())
                        .mapToObj(i -> dueTimes(i, spec.totalThreads()))
                        .toList();
    }

    /**
     * How many records of an evenly spaced schedule have been due since the trial's start, by window: 0 for the warm-up, 1 for
     * the measured window. Negative in a closed loop, where records are due as they are sent.
     *
     * @param clock null before the start
     * @param nowNanos now, or when the trial was stopped
     */
    public LongUnaryOperator due(TrialClock clock, long nowNanos) {
        if (schedule == null || clock == null) {
            return window -> -1;
        }
        long now = Math.min(nowNanos, clock.measureEndNanos()) - clock.startNanos();
        long before = here(schedule.dueBefore(Math.min(now, warmup.nanos())));
        long measured = Math.max(0, here(schedule.dueBefore(now)) - before);
        long limit = spec.records().isPresent() ? here(spec.records().getAsLong()) : Long.MAX_VALUE;
        return window -> window == 0 ? before : Math.min(measured, limit);
    }

    /** Counts how many of the first events of the schedule fall to the threads that are here. */
    private long here(long events) {
        int first = slice.from() * spec.threads();
        return Arrivals.shareOf(events, first, first + slice.count() * spec.threads(), spec.totalThreads());
    }
}
