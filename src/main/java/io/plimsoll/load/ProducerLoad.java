package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Arrivals;
import io.plimsoll.pace.Arrivals.PoissonArrivals;
import io.plimsoll.pace.Arrivals.UniformArrivals;
import io.plimsoll.pace.Schedule;
import io.plimsoll.pace.Schedules;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.wire.Codec;
import io.plimsoll.wire.VarInts;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/** The records and times of a producer entry, and their division among sending threads. Immutable. */
public final class ProducerLoad {
    private final LoadContext context;
    private final ProducerSpec spec;
    private final Slice slice;
    private final String part;
    private final WarmupEnd warmup;
    private final PayloadSource payload;
    private final @Nullable Schedule schedule;

    /**
     * @param slice local clients of the entry
     * @param part such as {@code producers-0}
     * @param warmup end of the warm-up, which runs at the schedule's initial rate
     * @throws PlimsollException {@link Exit#USAGE} for an unreadable payload file or an impossible rate
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
        double wireBytes = wireBytes(sample);
        this.schedule = Schedules.isClosedLoop(spec.rate())
                ? null
                : context.throttle().of(Schedules.of(spec.rate(), payloadBytes, wireBytes), warmup);
    }

    /**
     * Mean size of a record in bytes: for rates in wire bytes, the size within a batch (estimated from samples if
     * compressed); for other rates, the payload size.
     * @param sample generator that this method consumes
     */
    private double wireBytes(RecordGenerator sample) {
        double payloadBytes = sample.meanPayloadBytes();
        if (!Rate.inWireBytes(spec.rate())) {
            return payloadBytes;
        }
        ProducerConfig config = ClientProperties.config(context, spec, part);
        int batchBytes = config.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
        Codec codec = Codec.of(config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG));
        return codec == Codec.NONE
                ? WireSize.ofRecord(
                        payloadBytes, PayloadSource.sized(spec.record()).headers(), batchBytes)
                : WireSize.ofCompressedRecord(sample, batchBytes, codec, codec.level(config));
    }

    /**
     * Sample records of an entry; also checks its payload file and its rate.
     * @throws PlimsollException {@link Exit#USAGE} for an unreadable payload file or an impossible rate
     */
    public static RecordGenerator sample(LoadContext context, ProducerSpec spec, String part) {
        return new ProducerLoad(context, spec, Slice.all(spec.clients()), part, WarmupEnd.after(0)).sample();
    }

    private RecordGenerator sample() {
        return generator(0, 1, RecordGenerator.NO_PRODUCER);
    }

    /**
     * The records of one of {@code count} sending threads of all workers.
     * @param producer number in the identities; {@link RecordGenerator#NO_PRODUCER} for none
     */
    public RecordGenerator generator(int index, int count, int producer) {
        return RecordGenerator.of(spec.record(), context.seed(), index, count, context.runId(), payload, producer);
    }

    /** @throws PlimsollException {@link Exit#USAGE} if the topic lacks one of the entry's partitions */
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

    /** The intended times of one of {@code count} sending threads of all workers. */
    public DueTimes dueTimes(int index, int count) {
        long records = spec.records().isEmpty()
                ? Long.MAX_VALUE
                : Arrivals.share(spec.records().getAsLong(), index, count);
        return new DueTimes(schedule == null ? null : arrivals(schedule, index, count), records, context.throttle());
    }

    private Arrivals arrivals(Schedule of, int index, int count) {
        return spec.get(ProducerSpec.ARRIVALS) == ProducerSpec.Arrivals.POISSON
                ? new PoissonArrivals(of, count, seed(context.seed(), part, index))
                : new UniformArrivals(of, index, count);
    }

    /**
     * The random seed of a sending thread; it also differs between entries, because entries with the same rate must not
     * send simultaneously.
     */
    static long seed(long ofRun, String part, int thread) {
        return (ofRun * 31 + part.hashCode()) * 1_000_003 + thread;
    }

    /** The trial's clock, with the end of this entry. */
    public TrialClock clock(TrialClock trial) {
        if (spec.records().isPresent()) {
            return trial.withWindow(Long.MAX_VALUE);
        }
        return spec.duration().map(d -> trial.withWindow(d.toNanos())).orElse(trial);
    }

    /**
     * A copy of the local threads' due times, drawn from the same seeds: a sender that is late has not yet drawn all
     * times that are due. Empty if {@link #due} has a closed form.
     */
    List<DueTimes> drawnAgain() {
        return schedule == null || spec.get(ProducerSpec.ARRIVALS) != ProducerSpec.Arrivals.POISSON
                ? List.of()
                : IntStream.range(slice.from() * spec.threads(), slice.to() * spec.threads())
                        .mapToObj(i -> dueTimes(i, spec.totalThreads()))
                        .toList();
    }

    /**
     * Function that returns the number of records due so far in a window; its argument is 0 for the warm-up, 1 for the
     * measured window. The result is negative in a closed loop or before the start.
     * @param clock null before the start
     * @param nowNanos now, or the time of the stop
     */
    public LongUnaryOperator due(@Nullable TrialClock clock, long nowNanos) {
        if (schedule == null || clock == null) {
            return window -> -1;
        }
        long now = Math.min(nowNanos, clock.measureEndNanos()) - clock.startNanos();
        long before = here(schedule.dueBefore(Math.min(now, warmup.nanos())));
        long measured = Math.max(0, here(schedule.dueBefore(now)) - before);
        long limit = spec.records().isPresent() ? here(spec.records().getAsLong()) : Long.MAX_VALUE;
        return window -> window == 0 ? before : Math.min(measured, limit);
    }

    /** How many of the first {@code events} events belong to local threads. */
    private long here(long events) {
        int first = slice.from() * spec.threads();
        return Arrivals.shareOf(events, first, first + slice.count() * spec.threads(), spec.totalThreads());
    }

    /**
     * Bytes of a record on the wire, for rates in wire bytes. A batch of format version 2 has a 61-byte header. Each
     * record has a length, attributes, two deltas, two lengths and a header count, all varints except the attributes.
     */
    static final class WireSize {
        private static final int BATCH_HEADER_BYTES = 61;
        private static final int MOST_SAMPLE_BYTES = 1_000_000;
        private static final long SAMPLE_EPOCH_NANOS = 1_700_000_000_000_000_000L;
        private static final byte[] FRAMING = new byte[6];

        /**
         * Mean bytes of a compressed record, from batches of sample records.
         * @param sample generator that this method consumes
         * @param batchBytes size of a full compressed batch
         * @param level of the codec; empty for its default
         */
        public static double ofCompressedRecord(
                RecordGenerator sample, int batchBytes, Codec codec, OptionalInt level) {
            int wanted = Math.max(1, batchBytes - BATCH_HEADER_BYTES);
            Batch first = batch(sample, wanted, codec, level);
            // The compression ratio depends on the length of the batch, which depends on the ratio.
            double ratio = (double) first.compressed() / first.plain();
            int longer = (int) Math.min(MOST_SAMPLE_BYTES, wanted / Math.max(ratio, 1e-3));
            Batch second = batch(sample, longer, codec, level);
            return (double) (BATCH_HEADER_BYTES + second.compressed()) / second.records();
        }

        private record Batch(int records, int plain, int compressed) {}

        private static Batch batch(RecordGenerator sample, int plainBytes, Codec codec, OptionalInt level) {
            ByteArrayOutputStream plain = new ByteArrayOutputStream(plainBytes + sample.maxValueBytes());
            int records = 0;
            do {
                long epochNanos = SAMPLE_EPOCH_NANOS + records;
                byte[] key = sample.nextKey(epochNanos);
                byte[] value = sample.nextValue(records, epochNanos);
                plain.write(value.length);
                plain.write(records);
                plain.writeBytes(FRAMING);
                plain.writeBytes(key == null ? new byte[0] : key);
                plain.writeBytes(value);
                for (byte[] header : sample.headerValues()) {
                    plain.writeBytes(header);
                }
                records++;
            } while (plain.size() < plainBytes);
            byte[] bytes = plain.toByteArray();
            return new Batch(records, bytes.length, codec.compress(bytes, bytes.length, level).length);
        }

        /**
         * Mean bytes of an uncompressed record.
         * @param payloadBytes mean key and value bytes
         * @param batchBytes {@code batch.size}
         */
        public static double ofRecord(double payloadBytes, RecordSpec.Headers headers, int batchBytes) {
            double inHeaders = headers.sum((name, value) -> 2 + name + value);
            double body = 1 + 1 + 2 + 1 + VarInts.size((long) payloadBytes) + payloadBytes + 1 + inHeaders;
            double record = VarInts.size((long) body) + body;
            double perBatch = Math.max(1, Math.floor((batchBytes - BATCH_HEADER_BYTES) / record));
            return record + BATCH_HEADER_BYTES / perBatch;
        }
    }
}
