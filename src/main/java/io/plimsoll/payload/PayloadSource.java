package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.KeySequence.KeyGenerator;
import io.plimsoll.payload.PayloadSource.ValueGenerator;
import io.plimsoll.payload.PayloadSource.ValueTemplate.TemplateValues;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.Sizes;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.text.Sentence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The material for the values of one producer entry, shared by its threads. Immutable. */
public final class PayloadSource {
    /** Creates the values of one thread, which starts at this fraction of the material. */
    private interface Maker {
        ValueGenerator values(long seed, Share thread, long runId, int producer);
    }

    private record Share(int index, int count) {
        double start() {
            return (double) index / count;
        }
    }

    private static final int SAMPLE = 1000;
    private static final long SAMPLE_EPOCH_NANOS = 1_700_000_000_000_000_000L;

    /** Bytes of some keys or values of a schema. */
    private static IntSummaryStatistics sizes(SchemaSupport.Schema schema) {
        SchemaSupport.Writer sample = schema.writer(0, 0, 1);
        return IntStream.range(0, SAMPLE)
                .map(i -> sample.next(i, SAMPLE_EPOCH_NANOS + i).length)
                .summaryStatistics();
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
                    schema.writer(threadSeed, thread.index(), thread.count())::next,
                    sizes.getAverage(),
                    sizes.getMax(),
                    false,
                    false));
        }
        if (record.payload() instanceof Payload.Template template) {
            ValueTemplate text = ValueTemplate.parse(template.text());
            return new PayloadSource(
                    (threadSeed, thread, runId, producer) -> new TemplateValues(text, threadSeed).generator());
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
     * A random record with the sizes of the values of a file or template, or the mean size in a schema; other records are
     * returned unchanged. Running numbers count with seven digits.
     * @throws PlimsollException (usage) as {@link #load}
     */
    public static RecordSpec sized(RecordSpec written) {
        RecordSpec record = written.key() instanceof KeySpec.InSchema in
                ? written.with(RecordSpec.KEY, sized(sizes(SchemaSupport.get().open(in.schema()))))
                : written;
        Map<Integer, Integer> sizes = new TreeMap<>();
        if (record.payload() instanceof Payload.InSchema in) {
            IntSummaryStatistics values = sizes(SchemaSupport.get().open(in.schema()));
            sizes.put((int) Math.round(values.getAverage()), 1);
        } else if (record.payload() instanceof Payload.Template template) {
            ValueGenerator values = new TemplateValues(ValueTemplate.parse(template.text()), 0).generator();
            sizes.put((int) Math.round(values.meanBytes()), 1);
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
            return new PayloadRegion(seed, 1, false); // Never read.
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
        return new PayloadRegion(seed, (int) Math.max(1, bytes), letters);
    }

    /** The pool's contents by size, in proportion to the weights, at least one each. */
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
                () -> keys.next(next[0]++, SAMPLE_EPOCH_NANOS), sizes(ofKeys).getAverage());
    }

    /** Random pieces; the arrays are shared. */
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
     * Values of several random sizes, stamped and identifiable only if all are: latencies of the large records alone would be
     * biased.
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

    /** Values of one size: stamp or identity (if large enough), random bytes, zeros, always in the same array. */
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
         * @param walk of this thread, shared by all sizes
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

    /** Makes a value, valid until the next call; read-only. */
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
     * generation. It is longer than the window of codecs. Immutable.
     */
    public static final class PayloadRegion {
        public static final int DEFAULT_BYTES = 4 << 20;

        private final byte[] bytes;

        PayloadRegion(long seed, int length, boolean letters) {
            this.bytes = new byte[length];
            SplittableRandom random = new SplittableRandom(seed);
            if (!letters) {
                random.nextBytes(bytes);
            }
            for (int i = 0; letters && i < length; i++) {
                bytes[i] = (byte) ('A' + random.nextInt(26));
            }
        }

        /** A region that is long enough for values without repetition. */
        static PayloadRegion forValuesOf(int sizeBytes, long seed, boolean letters) {
            long twice = Math.min(2L * sizeBytes, Integer.MAX_VALUE - 8);
            return new PayloadRegion(seed, (int) Math.max(DEFAULT_BYTES, twice), letters);
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
            /** Each lap starts at another offset, so that no value repeats. */
            private static final int LAP_SHIFTS = 61;

            private final int length;
            private int position;
            private int lap;

            /**
             * @param start of this thread, 0 to 1: threads of one batch stay apart
             * @param most largest number of bytes taken at once
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

    /**
     * A text with <code>${sequence}</code> (from 0 on, or from N on with <code>${sequence:N}</code>),
     * <code>${timestamp}</code> (milliseconds of the intended time since the epoch),
     * <code>${random:N}</code> (N letters and digits) and <code>${uuid}</code>. Immutable.
     */
    record ValueTemplate(List<Part> parts) {
        private static final List<String> KNOWN = List.of("${sequence}", "${timestamp}", "${random:N}", "${uuid}");
        private static final int MAX_RANDOM = 10_000_000;
        static final int UUID_BYTES = 36;

        sealed interface Part {}

        record Literal(byte[] utf8) implements Part {}

        record Sequence(long first) implements Part {}

        record Timestamp() implements Part {}

        record RandomText(int length) implements Part {}

        record Uuid() implements Part {}

        ValueTemplate {
            parts = List.copyOf(parts);
        }

        /** @throws PlimsollException ({@link Exit#USAGE}) with the position of the error, in characters from 1 */
        static ValueTemplate parse(String text) {
            List<Part> parts = new ArrayList<>();
            int at = 0;
            while (at < text.length()) {
                int open = text.indexOf("${", at);
                int end = open < 0 ? text.length() : open;
                if (end > at) {
                    parts.add(new Literal(text.substring(at, end).getBytes(StandardCharsets.UTF_8)));
                }
                if (open < 0) {
                    break;
                }
                int close = text.indexOf('}', open);
                if (close < 0) {
                    throw wrong("unclosed", "\"${\"", open + 1, "\"}\"");
                }
                parts.add(placeholder(text.substring(open + 2, close), open + 1));
                at = close + 1;
            }
            return new ValueTemplate(parts);
        }

        private static Part placeholder(String name, int position) {
            return switch (name) {
                case "sequence" -> new Sequence(0);
                case "timestamp" -> new Timestamp();
                case "uuid" -> new Uuid();
                default -> {
                    if (name.startsWith("sequence:")) {
                        yield new Sequence(first(name.substring("sequence:".length()), position));
                    }
                    if (!name.startsWith("random:")) {
                        throw wrong("unknown", "${" + name + "}", position, KNOWN);
                    }
                    yield new RandomText(length(name.substring("random:".length()), position));
                }
            };
        }

        private static long first(String number, int position) {
            // Up to 18 digits, so that no run can count beyond the range.
            if (number.matches("[0-9]{1,18}")) {
                return Long.parseLong(number);
            }
            throw wrong("first", "${sequence:" + number + "}", position, "${sequence:1000}");
        }

        private static int length(String number, int position) {
            int length = number.matches("[0-9]{1,8}") ? Integer.parseInt(number) : 0;
            if (length < 1 || length > MAX_RANDOM) {
                throw wrong("length", "${random:" + number + "}", position, MAX_RANDOM, "${random:20}");
            }
            return length;
        }

        private static PlimsollException wrong(String key, Object... arguments) {
            return Exit.USAGE.because("payload.template", Sentence.of("payload.template." + key, arguments));
        }

        /** Fills in a template. Lengths differ only by the digits of numbers: one array is kept per length. */
        static final class TemplateValues implements ValueMaker {
            private static final byte[] ALPHANUMERICS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                    .getBytes(StandardCharsets.US_ASCII);
            private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
            private static final int TIMESTAMP_DIGITS =
                    13; // of today's milliseconds since the epoch, until the year 2286

            private final Part[] parts;
            private final int fixedBytes;
            private final int timestamps;
            private final long[] firsts;
            private final byte[][] byDigits;
            private final SplittableRandom random;

            TemplateValues(ValueTemplate template, long seed) {
                this.parts = template.parts().toArray(new Part[0]);
                this.random = new SplittableRandom(seed);
                this.fixedBytes = Math.toIntExact(template.parts().stream()
                        .mapToLong(TemplateValues::fixedBytes)
                        .sum());
                this.firsts = template.parts().stream()
                        .filter(Sequence.class::isInstance)
                        .mapToLong(part -> ((Sequence) part).first())
                        .toArray();
                this.timestamps = (int) template.parts().stream()
                        .filter(Timestamp.class::isInstance)
                        .count();
                this.byDigits = new byte[(firsts.length + timestamps) * Decimal.MAX_DIGITS + 1][];
            }

            private static int fixedBytes(Part part) {
                if (part instanceof RandomText randomText) {
                    return randomText.length();
                }
                if (part instanceof Literal text) {
                    return text.utf8().length;
                }
                return part instanceof Uuid ? ValueTemplate.UUID_BYTES : 0;
            }

            @Override
            public byte[] next(long sequence, long intendedEpochNanos) {
                long timestamp = intendedEpochNanos / 1_000_000;
                byte[] value = arrayFor(sequenceDigits(sequence) + timestamps * Decimal.digits(timestamp));
                int at = 0;
                for (Part part : parts) {
                    if (part instanceof Literal text) {
                        System.arraycopy(text.utf8(), 0, value, at, text.utf8().length);
                        at += text.utf8().length;
                    } else if (part instanceof Sequence numbered) {
                        at = number(numbered.first() + sequence, value, at);
                    } else if (part instanceof Timestamp) {
                        at = number(timestamp, value, at);
                    } else if (part instanceof RandomText randomText) {
                        at = alphanumerics(randomText.length(), value, at);
                    } else {
                        at = uuid(value, at);
                    }
                }
                return value;
            }

            private int sequenceDigits(long sequence) {
                int digits = 0;
                for (long first : firsts) {
                    digits += Decimal.digits(first + sequence);
                }
                return digits;
            }

            private byte[] arrayFor(int digits) {
                byte[] value = byDigits[digits];
                if (value == null) {
                    value = new byte[fixedBytes + digits];
                    byDigits[digits] = value;
                }
                return value;
            }

            private static int number(long number, byte[] value, int at) {
                int end = at + Decimal.digits(number);
                Decimal.write(number, value, end);
                return end;
            }

            private int alphanumerics(int length, byte[] value, int at) {
                for (int i = at; i < at + length; i++) {
                    long bits = random.nextInt() & 0xffff_ffffL;
                    value[i] = ALPHANUMERICS[(int) ((bits * ALPHANUMERICS.length) >>> 32)];
                }
                return at + length;
            }

            /** Version 4, variant 2, from this generator's seed. */
            private int uuid(byte[] value, int at) {
                long high = (random.nextLong() & ~0xf000L) | 0x4000L;
                long low = (random.nextLong() & ~(3L << 62)) | 2L << 62;
                int next = hex(high >>> 32, 8, value, at);
                next = hex(high >>> 16, 4, value, dash(value, next));
                next = hex(high, 4, value, dash(value, next));
                next = hex(low >>> 48, 4, value, dash(value, next));
                return hex(low, 12, value, dash(value, next));
            }

            private static int dash(byte[] value, int at) {
                value[at] = '-';
                return at + 1;
            }

            private static int hex(long bits, int digits, byte[] value, int at) {
                for (int i = 0; i < digits; i++) {
                    value[at + i] = HEX[(int) (bits >>> (4 * (digits - 1 - i))) & 0xf];
                }
                return at + digits;
            }

            ValueGenerator generator() {
                double meanBytes = fixedBytes
                        + firsts.length * KeySequence.TYPICAL_SEQUENCE_DIGITS
                        + (double) timestamps * TIMESTAMP_DIGITS;
                int maxBytes = fixedBytes + firsts.length * Decimal.MAX_DIGITS + timestamps * TIMESTAMP_DIGITS;
                return new ValueGenerator(this, meanBytes, maxBytes, false, false);
            }
        }
    }
}
