package io.plimsoll.payload;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.ValueTemplate.TemplateValues;
import io.plimsoll.scenario.RecordKeys;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.Sizes;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The material for the values of one producer entry, shared by its threads. Immutable. */
public final class PayloadSource {
    /** Creates the values of one thread, which starts at this fraction of the material. */
    private interface Maker {
        ValueGenerator values(long seed, double start, long runId, int producer);
    }

    private final Maker maker;

    private PayloadSource(Maker maker) {
        this.maker = maker;
    }

    /**
     * Reads the payload file or parses the template, if any.
     * @throws PlimsollException (usage) on failure
     */
    public static PayloadSource load(RecordSpec record, long seed) {
        if (record.payload() instanceof Payload.Template template) {
            ValueTemplate text = ValueTemplate.parse(template.text());
            return new PayloadSource((threadSeed, start, runId, producer) -> new TemplateValues(text, threadSeed));
        }
        return new PayloadSource(pieces(record.payload())
                .<Maker>map(all -> (threadSeed, start, runId, producer) -> new PieceValues(all, threadSeed))
                .orElseGet(() -> made(record, seed)));
    }

    /** The values of files; empty for other payloads. */
    private static Optional<List<byte[]>> pieces(Payload payload) {
        if (payload instanceof Payload.File file) {
            return Optional.of(PayloadFile.read(file.path(), file.delimiter()));
        }
        return payload instanceof Payload.Files files
                ? Optional.of(PayloadFile.readWhole(files.paths()))
                : Optional.empty();
    }

    /**
     * A random record with the sizes of the values of a file or template; other records are returned unchanged.
     * Running numbers count with seven digits.
     * @throws PlimsollException (usage) as {@link #load}
     */
    public static RecordSpec sized(RecordSpec record) {
        Map<Integer, Integer> sizes = new TreeMap<>();
        if (record.payload() instanceof Payload.Template template) {
            ValueGenerator values = new TemplateValues(ValueTemplate.parse(template.text()), 0);
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
        return record.with(RecordKeys.PAYLOAD, new Payload.Random())
                .with(RecordKeys.SIZE, mix.size() == 1 ? new Sizes(mix.get(0).size()) : new Sizes(mix));
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
        return (seed, start, runId, producer) -> {
            PayloadRegion.Walk walk = new PayloadRegion.Walk(region, start, record.size());
            ValueGenerator[] blocks = IntStream.range(0, sizes.length)
                    .mapToObj(i -> new BlockValues(
                            region, sizes[i], ratio, walk, pools[i], new SplittableRandom(seed), runId, producer))
                    .toArray(ValueGenerator[]::new);
            return blocks.length == 1 ? blocks[0] : new MixValues(blocks, weights, seed);
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

    /** @param producer of the identities; negative for none */
    ValueGenerator values(long seed, int threadIndex, int threadCount, long runId, int producer) {
        return maker.values(seed, (double) threadIndex / threadCount, runId, producer);
    }

    /** Returns a random piece; the arrays are shared and read-only. */
    private static final class PieceValues implements ValueGenerator {
        private final byte[][] pieces;
        private final SplittableRandom random;

        PieceValues(List<byte[]> pieces, long seed) {
            this.pieces = pieces.toArray(new byte[0][]);
            this.random = new SplittableRandom(seed);
        }

        @Override
        public byte[] next(long sequence, long intendedEpochNanos) {
            return pieces[random.nextInt(pieces.length)];
        }

        @Override
        public double meanBytes() {
            return Arrays.stream(pieces).mapToInt(p -> p.length).average().orElse(0);
        }

        @Override
        public int maxBytes() {
            return Arrays.stream(pieces).mapToInt(p -> p.length).max().orElse(0);
        }
    }

    /** Values of several random sizes. */
    private static final class MixValues implements ValueGenerator {
        private final ValueGenerator[] sizes;
        /** Cumulative share of the sizes. */
        private final double[] cumulated;

        private final SplittableRandom random;

        /** At least one size; weights are positive. */
        MixValues(ValueGenerator[] sizes, double[] weights, long seed) {
            this.sizes = sizes;
            this.random = new SplittableRandom(seed);
            double sum = Arrays.stream(weights).sum();
            this.cumulated = Arrays.stream(weights).map(weight -> weight / sum).toArray();
            Arrays.parallelPrefix(cumulated, Double::sum);
        }

        @Override
        public byte[] next(long sequence, long intendedEpochNanos) {
            double pick = random.nextDouble();
            int i = 0;
            while (i < sizes.length - 1 && pick >= cumulated[i]) {
                i++;
            }
            return sizes[i].next(sequence, intendedEpochNanos);
        }

        @Override
        public double meanBytes() {
            double mean = 0;
            double before = 0;
            for (int i = 0; i < sizes.length; i++) {
                mean += (cumulated[i] - before) * sizes[i].meanBytes();
                before = cumulated[i];
            }
            return mean;
        }

        @Override
        public int maxBytes() {
            return Arrays.stream(sizes).mapToInt(ValueGenerator::maxBytes).max().orElse(0);
        }

        /** True only if all are: latencies of the large records alone would be biased. */
        @Override
        public boolean stamped() {
            return Arrays.stream(sizes).allMatch(ValueGenerator::stamped);
        }

        @Override
        public boolean identifiable() {
            return Arrays.stream(sizes).allMatch(ValueGenerator::identifiable);
        }
    }

    /** Values of one size: stamp or identity (if large enough), random bytes, zeros, always in the same array. */
    private static final class BlockValues implements ValueGenerator {
        private final PayloadRegion region;
        private final byte[] value;
        private final boolean stamped;
        private final int randomStart;
        private final int randomBytes;
        private final long runId;
        /** Negative without identities. */
        private final int producer;

        /** Picks contents of the pool. */
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

        @Override
        public double meanBytes() {
            return value.length;
        }

        @Override
        public int maxBytes() {
            return value.length;
        }

        @Override
        public boolean stamped() {
            return stamped;
        }
    }

    /** The values of one thread. */
    interface ValueGenerator {

        /** Valid until the next call; read-only. */
        byte[] next(long sequence, long intendedEpochNanos);

        double meanBytes();

        int maxBytes();

        default boolean stamped() {
            return false;
        }

        /** Whether each value has room for an {@link Identity}. */
        default boolean identifiable() {
            return stamped() && maxBytes() >= Identity.BYTES;
        }
    }

    /**
     * A block of random bytes from which all threads copy their values, because copying is cheaper than random
     * generation. It is longer than the window of codecs. Immutable.
     */
    public static final class PayloadRegion {
        public static final int DEFAULT_BYTES = 4 << 20;

        private final byte[] bytes;

        /** @param letters capital letters instead of bytes */
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

            /** Position of the next bytes. */
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
}
