package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.payload.KeySequence.KeyGenerator;
import io.plimsoll.payload.PayloadSource.ValueGenerator;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.Sizes;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.scenario.SchemaSpec.Field;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The material for the values of one producer entry, shared by its threads. Immutable. */
public final class PayloadSource {
    /** Creates the values of one thread. The thread's share determines its start in the shared random bytes. */
    private interface Maker {
        ValueGenerator values(long seed, Share thread, long runId, int producer);
    }

    private record Share(int index, int count) {
        double start() {
            return (double) index / count;
        }
    }

    private static final int SAMPLE = 1000;
    private static final int SAMPLE_BYTES = 4_000_000;
    private static final long SAMPLE_SEQUENCE = (long) Math.pow(10, KeySequence.TYPICAL_SEQUENCE_DIGITS - 1);
    private static final byte FILLER = 'x';
    private static final long SAMPLE_EPOCH_NANOS = 1_700_000_000_000_000_000L;

    /** Sizes in bytes of some sample keys or values of a schema. */
    private static IntSummaryStatistics sizes(SchemaSupport.Schema schema) {
        SchemaSupport.Writer writer = schema.writer(0, 0, 1);
        IntSummaryStatistics sizes = sizes(writer);
        if (writer.evolves()) {
            writer.at(Long.MAX_VALUE);
            sizes.combine(sizes(writer));
        }
        return sizes;
    }

    private static IntSummaryStatistics sizes(ValueMaker sample) {
        IntSummaryStatistics sizes = new IntSummaryStatistics();
        for (int i = 0; i < SAMPLE && sizes.getSum() < SAMPLE_BYTES; i++) {
            sizes.accept(sample.next(SAMPLE_SEQUENCE + i, SAMPLE_EPOCH_NANOS + i).length);
        }
        return sizes;
    }

    /** Sizes in bytes of some sample values of a template. Padded values must fit the smallest size. */
    private static IntSummaryStatistics sizes(List<Field> template, RecordSpec record) {
        boolean padded = record.padded();
        IntSummaryStatistics sizes = sizes(new TemplateValues(unpadded(template), record, 0, new Share(0, 1)));
        int least = record.mix().stream().mapToInt(WeightedSize::size).min().orElse(record.size());
        Exit.USAGE.when(padded && sizes.getMax() > least, "payload.notPadded", sizes.getMax(), least);
        return sizes;
    }

    private static List<Field> unpadded(List<Field> template) {
        return template.stream()
                .filter(part -> !(part instanceof Field.Padding))
                .toList();
    }

    private static double meanBytes(RecordSpec record, IntSummaryStatistics unpadded) {
        return record.padded() ? record.meanSize() : unpadded.getAverage();
    }

    /** The values of headers that are templates, by header name. */
    static Map<String, ValueMaker> headers(RecordSpec.Headers headers, long seed, int thread, int threads) {
        Map<String, ValueMaker> makers = new LinkedHashMap<>();
        headers.values()
                .forEach((name, text) -> makers.put(
                        name,
                        new TemplateValues(
                                unpadded(new Payload.Template(text).parts()),
                                RecordSpec.DEFAULT,
                                seed + makers.size(),
                                new Share(thread, threads))));
        return makers;
    }

    /** The same headers, with values of their mean size. */
    private static RecordSpec.Headers sized(RecordSpec.Headers headers) {
        Map<String, String> values = new LinkedHashMap<>();
        headers(headers, 0, 0, 1)
                .forEach((name, maker) -> values.put(
                        name, "x".repeat((int) Math.round(sizes(maker).getAverage()))));
        return new RecordSpec.Headers(headers.count(), headers.keyBytes(), headers.valueBytes(), values);
    }

    private final Maker maker;
    private final SchemaSupport.@Nullable Schema ofKeys;

    private PayloadSource(Maker maker) {
        this(maker, null);
    }

    private PayloadSource(Maker maker, SchemaSupport.@Nullable Schema ofKeys) {
        this.maker = maker;
        this.ofKeys = ofKeys;
    }

    /**
     * Reads the payload file or parses the template, if any.
     * @throws PlimsollException (usage) on failure
     */
    public static PayloadSource load(RecordSpec record, long seed) {
        Maker values = values(record, seed).maker;
        return new PayloadSource(
                values,
                record.key() instanceof KeySpec.InSchema in
                        ? SchemaSupport.get().open(in.schema())
                        : null);
    }

    private static PayloadSource values(RecordSpec record, long seed) {
        if (record.payload() instanceof Payload.InSchema in) {
            SchemaSupport.Schema schema = SchemaSupport.get().open(in.schema());
            IntSummaryStatistics sizes = sizes(schema);
            return new PayloadSource((threadSeed, thread, runId, producer) -> new ValueGenerator(
                    schema.writer(threadSeed, thread.index(), thread.count()),
                    sizes.getAverage(),
                    sizes.getMax(),
                    false,
                    false));
        }
        if (record.payload() instanceof Payload.Template template) {
            List<Field> parts = template.parts();
            IntSummaryStatistics sizes = sizes(parts, record);
            return new PayloadSource((threadSeed, thread, runId, producer) -> new ValueGenerator(
                    new TemplateValues(parts, record, threadSeed, thread),
                    meanBytes(record, sizes),
                    record.padded() ? record.size() : sizes.getMax(),
                    false,
                    false));
        }
        return new PayloadSource(pieces(record.payload())
                .<Maker>map(all -> (threadSeed, thread, runId, producer) -> pieces(all, threadSeed))
                .orElseGet(() -> made(record, seed)));
    }

    private static Optional<List<byte[]>> pieces(Payload payload) {
        if (payload instanceof Payload.File file) {
            return Optional.of(PayloadFile.read(file.path(), file.delimiter()));
        }
        return payload instanceof Payload.Files files
                ? Optional.of(PayloadFile.readWhole(files.paths()))
                : Optional.empty();
    }

    /**
     * The same record with random values as large as the values of its file, or of the mean size of its template or
     * schema; other records are returned unchanged. Sequence numbers count as seven digits.
     * @throws PlimsollException (usage) as {@link #load}
     */
    public static RecordSpec sized(RecordSpec written) {
        RecordSpec named = written.with(RecordSpec.HEADERS, sized(written.headers()));
        RecordSpec record = named.key() instanceof KeySpec.InSchema in
                ? named.with(RecordSpec.KEY, sized(sizes(SchemaSupport.get().open(in.schema()))))
                : named;
        Map<Integer, Integer> sizes = new TreeMap<>();
        if (record.payload() instanceof Payload.InSchema in) {
            IntSummaryStatistics values = sizes(SchemaSupport.get().open(in.schema()));
            sizes.put((int) Math.round(values.getAverage()), 1);
        } else if (record.payload() instanceof Payload.Template template) {
            IntSummaryStatistics values = sizes(template.parts(), record);
            if (record.padded()) {
                return record.with(RecordSpec.PAYLOAD, new Payload.Random());
            }
            sizes.put((int) Math.round(values.getAverage()), 1);
        } else {
            pieces(record.payload()).ifPresent(all -> all.forEach(piece -> sizes.merge(piece.length, 1, Integer::sum)));
        }
        if (sizes.isEmpty()) {
            return record;
        }
        List<WeightedSize> mix = sizes.entrySet().stream()
                .map(size -> new WeightedSize(size.getKey(), size.getValue()))
                .toList();
        return record.with(RecordSpec.SCHEMA, Optional.empty())
                .with(RecordSpec.PAYLOAD, new Payload.Random())
                .with(RecordSpec.SIZE, mix.size() == 1 ? new Sizes(mix.get(0).size()) : new Sizes(mix));
    }

    private static KeySpec sized(IntSummaryStatistics keys) {
        int bytes = (int) Math.max(1, Math.round(keys.getAverage()));
        return new KeySpec.Padded(new KeySpec.Sequential(KeySpec.Type.STRING), bytes);
    }

    private static Maker made(RecordSpec record, long runSeed) {
        double ratio = record.payload() instanceof Payload.Constant ? 0 : record.randomBytesRatio();
        PayloadRegion region = region(record, ratio, runSeed);
        int[] sizes = record.mix().isEmpty()
                ? new int[] {record.size()}
                : record.mix().stream().mapToInt(WeightedSize::size).toArray();
        double[] weights =
                record.mix().stream().mapToDouble(WeightedSize::weight).toArray();
        int[] pools = pools(record);
        return (seed, thread, runId, producer) -> {
            PayloadRegion.Walk walk = new PayloadRegion.Walk(region, thread.start(), record.size());
            ValueGenerator[] blocks = IntStream.range(0, sizes.length)
                    .mapToObj(i -> new BlockValues(
                                    region,
                                    sizes[i],
                                    ratio,
                                    walk,
                                    pools[i],
                                    new SplittableRandom(seed),
                                    runId,
                                    producer)
                            .generator())
                    .toArray(ValueGenerator[]::new);
            return blocks.length == 1 ? blocks[0] : mixed(blocks, weights, seed);
        };
    }

    private static PayloadRegion region(RecordSpec record, double ratio, long seed) {
        boolean letters = record.payload() instanceof Payload.Letters;
        if (ratio == 0) {
            return PayloadRegion.of(seed, 1, false); // Never read.
        }
        if (record.pool() == 0) {
            return PayloadRegion.forValuesOf(record.size(), seed, letters);
        }
        int[] pools = pools(record);
        long bytes = record.mix().isEmpty()
                ? (long) pools[0] * record.size()
                : IntStream.range(0, pools.length)
                        .mapToLong(i -> (long) pools[i] * record.mix().get(i).size())
                        .max()
                        .orElse(0);
        Exit.USAGE.when(
                bytes > PayloadFile.MAX_BYTES,
                "payload.poolTooLarge",
                record.pool(),
                bytes / 1_000_000,
                PayloadFile.MAX_BYTES / 1_000_000);
        return PayloadRegion.of(seed, (int) Math.max(1, bytes), letters);
    }

    /** The number of values in the pool by size, in proportion to the weights, at least one for each size. */
    private static int[] pools(RecordSpec record) {
        if (record.mix().isEmpty()) {
            return new int[] {record.pool()};
        }
        double sum = record.mix().stream().mapToDouble(WeightedSize::weight).sum();
        return record.mix().stream()
                .mapToInt(size ->
                        record.pool() == 0 ? 0 : (int) Math.max(1, Math.round(record.pool() * size.weight() / sum)))
                .toArray();
    }

    ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer) {
        return maker.values(seed, new Share(threadIndex, threadCount), runId, producer);
    }

    /** The keys of one thread. */
    KeyGenerator keys(KeySpec spec, long seed, int threadIndex, int threadCount) {
        if (ofKeys == null) {
            return KeySequence.of(spec, seed, threadIndex, threadCount);
        }
        SchemaSupport.Writer keys = ofKeys.writer(seed, threadIndex, threadCount);
        long[] next = {0};
        return new KeyGenerator(
                epochNanos -> keys.next(next[0]++, epochNanos), sizes(ofKeys).getAverage());
    }

    /** Random pieces of a file; the arrays are shared between threads. */
    private static ValueGenerator pieces(List<byte[]> all, long seed) {
        byte[][] pieces = all.toArray(new byte[0][]);
        SplittableRandom random = new SplittableRandom(seed);
        IntSummaryStatistics sizes = all.stream().mapToInt(p -> p.length).summaryStatistics();
        return new ValueGenerator(
                (sequence, time) -> pieces[random.nextInt(pieces.length)],
                sizes.getAverage(),
                sizes.getMax(),
                false,
                false);
    }

    /**
     * Values of several sizes, chosen at random. They are stamped, or identifiable, only if all sizes permit it,
     * because latencies of the large records alone would be biased.
     */
    private static ValueGenerator mixed(ValueGenerator[] sizes, double[] weights, long seed) {
        ValueMaker[] makers = Arrays.stream(sizes).map(ValueGenerator::maker).toArray(ValueMaker[]::new);
        SplittableRandom random = new SplittableRandom(seed);
        double sum = Arrays.stream(weights).sum();
        double[] cumulated = Arrays.stream(weights).map(weight -> weight / sum).toArray();
        Arrays.parallelPrefix(cumulated, Double::sum);
        double mean = 0;
        for (int i = 0; i < sizes.length; i++) {
            mean += (cumulated[i] - (i == 0 ? 0 : cumulated[i - 1])) * sizes[i].meanBytes();
        }
        return new ValueGenerator(
                (sequence, intendedEpochNanos) -> {
                    double pick = random.nextDouble();
                    int i = 0;
                    while (i < makers.length - 1 && pick >= cumulated[i]) {
                        i++;
                    }
                    return makers[i].next(sequence, intendedEpochNanos);
                },
                mean,
                Arrays.stream(sizes).mapToInt(ValueGenerator::maxBytes).max().orElse(0),
                Arrays.stream(sizes).allMatch(ValueGenerator::stamped),
                Arrays.stream(sizes).allMatch(ValueGenerator::identifiable));
    }

    /** Values of one size: a stamp or identity (if large enough), then random bytes, then zeros; always in the same array. */
    private static final class BlockValues implements ValueMaker {
        private final PayloadRegion region;
        private final byte[] value;
        private final boolean stamped;
        private final int randomStart;
        private final int randomBytes;
        private final long runId;
        private final int producer;
        private final SplittableRandom picks;
        private final int pool;
        private final PayloadRegion.Walk walk;

        /**
         * @param region covers a value and the pool
         * @param randomBytesRatio 0 to 1
         * @param walk position of this thread in the region, shared by all sizes
         * @param pool number of contents to pick from; 0 for consecutive values of the region
         * @param producer of the identities; negative for none
         */
        BlockValues(
                PayloadRegion region,
                int size,
                double randomBytesRatio,
                PayloadRegion.Walk walk,
                int pool,
                SplittableRandom picks,
                long runId,
                int producer) {
            this.region = region;
            this.value = new byte[size];
            this.stamped = size >= Stamp.BYTES;
            this.producer = size >= Identity.BYTES ? producer : -1;
            this.randomStart = this.producer >= 0 ? Identity.BYTES : stamped ? Stamp.BYTES : 0;
            this.randomBytes = (int) Math.min(Math.round(randomBytesRatio * size), size - randomStart);
            this.walk = walk;
            this.runId = runId;
            this.pool = pool;
            this.picks = picks;
        }

        @Override
        public byte[] next(long sequence, long intendedEpochNanos) {
            if (randomBytes > 0) {
                int position = pool > 0 ? picks.nextInt(pool) * randomBytes : walk.take(randomBytes);
                region.copy(position, value, randomStart, randomBytes);
            }
            if (producer >= 0) {
                Identity.write(value, 0, value.length, runId, intendedEpochNanos, producer, sequence);
            } else if (stamped) {
                Stamp.write(value, runId, intendedEpochNanos);
            }
            return value;
        }

        ValueGenerator generator() {
            return new ValueGenerator(this, value.length, value.length, stamped, value.length >= Identity.BYTES);
        }
    }

    /** Creates values; each is read-only and valid until the next call. */
    interface ValueMaker {
        byte[] next(long sequence, long intendedEpochNanos);
    }

    /**
     * The values of one thread.
     *
     * @param stamped whether each value begins with a {@link Stamp}
     * @param identifiable whether each value has room for an {@link Identity}
     */
    record ValueGenerator(ValueMaker maker, double meanBytes, int maxBytes, boolean stamped, boolean identifiable) {}

    /**
     * A block of random bytes from which all threads copy their values, because copying is cheaper than random
     * generation. It is longer than the window of compression codecs. Immutable.
     */
    public static final class PayloadRegion {
        public static final int DEFAULT_BYTES = 4 << 20;

        /** Regions of earlier producers and trials, for reuse: a seed always gives the same bytes. */
        private static final Map<List<Object>, SoftReference<PayloadRegion>> KNOWN = new HashMap<>();

        private final byte[] bytes;

        private PayloadRegion(long seed, int length, boolean letters) {
            this.bytes = new byte[length];
            SplittableRandom random = new SplittableRandom(seed);
            if (!letters) {
                random.nextBytes(bytes);
            }
            for (int i = 0; letters && i < length; i++) {
                bytes[i] = (byte) ('A' + random.nextInt(26));
            }
        }

        static synchronized PayloadRegion of(long seed, int length, boolean letters) {
            List<Object> key = List.of(seed, length, letters);
            PayloadRegion known =
                    KNOWN.getOrDefault(key, new SoftReference<>(null)).get();
            if (known == null) {
                KNOWN.values().removeIf(region -> region.get() == null);
                known = new PayloadRegion(seed, length, letters);
                KNOWN.put(key, new SoftReference<>(known));
            }
            return known;
        }

        /** A region in which values of this size do not repeat within one pass. */
        static PayloadRegion forValuesOf(int sizeBytes, long seed, boolean letters) {
            long twice = Math.min(2L * sizeBytes, Integer.MAX_VALUE - 8);
            return of(seed, (int) Math.max(DEFAULT_BYTES, twice), letters);
        }

        public int length() {
            return bytes.length;
        }

        void copy(int from, byte[] to, int at, int count) {
            System.arraycopy(bytes, from, to, at, count);
        }

        /**
         * A thread's position in the region. Its values are consecutive, since overlapping values would compress.
         * Owned by the thread.
         */
        static final class Walk {
            /**
             * Number of start offsets: each pass through the region starts at the next offset, so that values repeat
             * only after all offsets.
             */
            private static final int LAP_SHIFTS = 61;

            private final int length;
            private int position;
            private int lap;

            /**
             * @param start start of this thread in the region, 0 to 1, different for each thread
             * @param most maximum number of bytes taken at once
             */
            Walk(PayloadRegion region, double start, int most) {
                this.length = region.length();
                this.position = (int) (start * Math.max(0, length - most));
            }

            int take(int count) {
                int last = length - count;
                if (position > last) {
                    lap++;
                    position = Math.min(lap % LAP_SHIFTS, last);
                }
                int at = position;
                position += count;
                return at;
            }
        }
    }

    /** Creates values from a template. Owned by one thread. */
    static final class TemplateValues implements ValueMaker {
        private final List<ToIntFunction<Draw>> parts = new ArrayList<>();
        private final Share thread;
        private final Draw draw;
        private final Draw.Sink sink = new Draw.Sink();
        /** Index of the template part before which the value is padded; negative for no padding. */
        private final int padding;

        private final List<WeightedSize> mix;
        private final ToIntFunction<Draw> size;
        private final double randomBytesRatio;

        TemplateValues(List<Field> template, RecordSpec record, long seed, Share thread) {
            this.thread = thread;
            this.draw = new Draw(seed);
            this.padding = template.indexOf(new Field.Padding());
            for (Field part : template) {
                String text = part instanceof Field.OneOf oneOf ? oneOf.values().get(0) : "";
                Exit.USAGE.when(Secrets.isReference(text), "payload.unresolved", text);
                parts.add(part instanceof Field.Padding ? d -> 0 : FieldValues.texts("template", part, 0, 0));
            }
            this.mix = record.mix().isEmpty() ? List.of(new WeightedSize(record.size(), 1)) : record.mix();
            this.size = FieldValues.pick(mix.stream().map(WeightedSize::weight).toList());
            this.randomBytesRatio = record.randomBytesRatio();
        }

        @Override
        public byte[] next(long sequence, long intendedEpochNanos) {
            draw.number = thread.index() + sequence * thread.count();
            draw.epochNanos = intendedEpochNanos;
            sink.clear();
            int padded = 0;
            for (int i = 0; i < parts.size(); i++) {
                padded = i == padding ? sink.length() : padded;
                int length = parts.get(i).applyAsInt(draw);
                sink.write(draw.text, 0, length);
            }
            if (padding >= 0) {
                int missing = mix.get(size.applyAsInt(draw)).size() - sink.length();
                draw.reserve(missing);
                int random = draw.letters((int) Math.round(randomBytesRatio * Math.max(0, missing)));
                Arrays.fill(draw.text, random, Math.max(random, missing), FILLER);
                sink.insert(padded, draw.text, Math.max(0, missing));
            }
            return sink.taken();
        }
    }
}
