package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.LongStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;

/**
 * An immutable latency distribution in microseconds with three significant digits. Merging is lossless. Memory and time
 * grow with the number of different values, not with their range. The JSON form is the compressed V2 encoding of
 * <a href="https://github.com/HdrHistogram/HdrHistogram">HdrHistogram</a> in base64; empty without values.
 */
public final class Latencies {
    /** Highest trackable value that an encoding declares, unless the distribution has a higher maximum. */
    public static final long HIGHEST_MICROS = 120_000_000L;

    public static final int DIGITS = 3;
    public static final Latencies EMPTY = new Latencies(new int[0], new long[0]);

    /**
     * Three digits need 2048 linear steps; each further range doubles the step and needs only the upper half of the
     * steps.
     */
    private static final int HALF_STEPS_LOG2 = 10;

    private static final int HALF_STEPS = 1 << HALF_STEPS_LOG2;
    private static final int STEPS_MASK = 2 * HALF_STEPS - 1;

    private static final int V2_COOKIE = 0x1c849313;
    private static final int V2_COMPRESSED_COOKIE = 0x1c849314;
    private static final int V2_HEADER = 40;
    /** Maximum number of bytes of a count. */
    private static final int V2_COUNT = 9;

    /** Indices of the buckets with a count, ascending, as in HdrHistogram's array of counts. */
    private final int[] buckets;

    private final long[] counts;
    private final long count;

    private Latencies(int[] buckets, long[] counts) {
        this.buckets = buckets;
        this.counts = counts;
        this.count = LongStream.of(counts).sum();
    }

    /** The bucket of a value. */
    static int index(long micros) {
        int doublings = 63 - Long.numberOfLeadingZeros(micros | STEPS_MASK) - HALF_STEPS_LOG2;
        return (doublings << HALF_STEPS_LOG2) + (int) (micros >>> doublings);
    }

    private static long lowest(int index) {
        return index < 2 * HALF_STEPS ? index : (long) ((index & (HALF_STEPS - 1)) + HALF_STEPS) << doublings(index);
    }

    private static long highest(int index) {
        return lowest(index) + (1L << doublings(index)) - 1;
    }

    private static int doublings(int index) {
        return Math.max(0, (index >> HALF_STEPS_LOG2) - 1);
    }

    /** Copies a histogram of any resolution. */
    public static Latencies of(Histogram source) {
        Buckets copy = new Buckets();
        source.recordedValues()
                .forEach(value -> copy.add(
                        index(source.lowestEquivalentValue(value.getValueIteratedTo())),
                        value.getCountAtValueIteratedTo()));
        return copy.taken();
    }

    /** Collects counts of buckets in ascending order. Not thread-safe. */
    static final class Buckets {
        private int[] buckets = new int[64];
        private long[] counts = new long[64];
        private int number;

        void add(int bucket, long count) {
            if (number > 0 && buckets[number - 1] == bucket) {
                counts[number - 1] += count;
                return;
            }
            if (number == buckets.length) {
                buckets = Arrays.copyOf(buckets, 2 * number);
                counts = Arrays.copyOf(counts, 2 * number);
            }
            buckets[number] = bucket;
            counts[number++] = count;
        }

        Latencies taken() {
            return number == 0 ? EMPTY : new Latencies(Arrays.copyOf(buckets, number), Arrays.copyOf(counts, number));
        }
    }

    /** @throws IllegalArgumentException if the text is not an encoded histogram */
    @JsonCreator
    public static Latencies decode(String base64) {
        if (base64.isEmpty()) {
            return EMPTY;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
            ByteBuffer content = inflated(bytes.duplicate());
            boolean ours = content.getInt() == V2_COOKIE
                    && content.position(8).getInt() == 0
                    && content.getInt() == DIGITS
                    && content.getLong() == 1
                    && content.position(32).getDouble() == 1;
            return ours ? read(content) : of(Histogram.decodeFromCompressedByteBuffer(bytes, HIGHEST_MICROS));
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("not a histogram: " + e.getMessage(), e);
        }
    }

    private static ByteBuffer inflated(ByteBuffer bytes) throws DataFormatException {
        if (bytes.getInt() != V2_COMPRESSED_COOKIE) {
            return ByteBuffer.allocate(V2_HEADER);
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes.slice(8, bytes.getInt()));
            ByteBuffer header = ByteBuffer.allocate(V2_HEADER);
            inflater.inflate(header);
            ByteBuffer all = ByteBuffer.allocate(V2_HEADER + header.getInt(4)).put(header.flip());
            inflater.inflate(all);
            return all.flip();
        } finally {
            inflater.end();
        }
    }

    /** Reads counts in ZigZag LEB128; a negative number stands for that many buckets without a count. */
    private static Latencies read(ByteBuffer content) {
        Buckets buckets = new Buckets();
        int bucket = 0;
        while (content.hasRemaining()) {
            long zigzag = 0;
            for (int shift = 0; ; shift += 7) {
                long next = content.get() & 0xff;
                boolean last = next < 0x80 || shift == 7 * (V2_COUNT - 1);
                zigzag |= (last ? next : next & 0x7f) << shift;
                if (last) {
                    break;
                }
            }
            long count = (zigzag >>> 1) ^ -(zigzag & 1);
            if (count > 0) {
                buckets.add(bucket, count);
            }
            bucket += count < 0 ? Math.toIntExact(-count) : 1;
        }
        return buckets.taken();
    }

    @JsonValue
    public String encode() {
        if (isEmpty()) {
            return "";
        }
        ByteBuffer content = ByteBuffer.allocate(V2_HEADER + 2 * V2_COUNT * buckets.length);
        content.position(V2_HEADER);
        int next = 0;
        for (int i = 0; i < buckets.length; next = buckets[i++] + 1) {
            int without = buckets[i] - next;
            if (without > 0) {
                write(without == 1 ? 0 : -without, content);
            }
            write(counts[i], content);
        }
        content.flip()
                .putInt(V2_COOKIE)
                .putInt(content.limit() - V2_HEADER)
                .putInt(0)
                .putInt(DIGITS)
                .putLong(1)
                .putLong(Math.max(HIGHEST_MICROS, maxMicros()))
                .putDouble(1);
        return Base64.getEncoder().encodeToString(deflated(content.rewind()));
    }

    private static void write(long count, ByteBuffer content) {
        long zigzag = (count << 1) ^ (count >> 63);
        for (int i = 1; i < V2_COUNT && zigzag >>> 7 != 0; i++, zigzag >>>= 7) {
            content.put((byte) ((zigzag & 0x7f) | 0x80));
        }
        content.put((byte) zigzag);
    }

    private static byte[] deflated(ByteBuffer content) {
        Deflater deflater = new Deflater();
        try {
            byte[] bytes = new byte[content.limit() + 64];
            deflater.setInput(content);
            deflater.finish();
            int length = deflater.deflate(bytes, 8, bytes.length - 8);
            ByteBuffer.wrap(bytes).putInt(V2_COMPRESSED_COOKIE).putInt(length);
            return Arrays.copyOf(bytes, 8 + length);
        } finally {
            deflater.end();
        }
    }

    public Latencies plus(Latencies other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        int[] sumBuckets = new int[buckets.length + other.buckets.length];
        long[] sumCounts = new long[sumBuckets.length];
        int n = 0;
        int j = 0;
        for (int i = 0; i < buckets.length || j < other.buckets.length; n++) {
            int mine = i < buckets.length ? buckets[i] : Integer.MAX_VALUE;
            int theirs = j < other.buckets.length ? other.buckets[j] : Integer.MAX_VALUE;
            sumBuckets[n] = Math.min(mine, theirs);
            sumCounts[n] = (mine <= theirs ? counts[i++] : 0) + (theirs <= mine ? other.counts[j++] : 0);
        }
        return new Latencies(Arrays.copyOf(sumBuckets, n), Arrays.copyOf(sumCounts, n));
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public long count() {
        return count;
    }

    /** The minimum in microseconds; 0 without values, like the other statistics. */
    public long minMicros() {
        return isEmpty() ? 0 : lowest(buckets[0]);
    }

    public long maxMicros() {
        return isEmpty() ? 0 : highest(buckets[buckets.length - 1]);
    }

    public double meanMicros() {
        double sum = 0;
        for (int i = 0; i < buckets.length; i++) {
            long middle = lowest(buckets[i]) + (1L << doublings(buckets[i]) >> 1);
            sum += (double) middle * counts[i];
        }
        return isEmpty() ? 0 : sum / count;
    }

    /**
     * @param percentile 0 to 100
     * @return the value in microseconds; 0 without values
     */
    public long percentileMicros(double percentile) {
        // As in HdrHistogram: the next lower number, so that rounding does not lead to the next bucket.
        double asked = Math.min(100, Math.max(0, Math.nextDown(percentile)));
        long wanted = Math.max(1, (long) Math.ceil(asked * count / 100));
        long seen = 0;
        for (int i = 0; i < buckets.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return percentile == 0 ? lowest(buckets[i]) : highest(buckets[i]);
            }
        }
        return 0;
    }

    /** Number of values at or above {@code micros}, within the resolution. */
    public long countAtOrAbove(long micros) {
        int from = index(Math.max(0, micros));
        long above = 0;
        for (int i = buckets.length - 1; i >= 0 && buckets[i] >= from; i--) {
            above += counts[i];
        }
        return above;
    }

    /** Reports the highest value of each bucket with its count, ascending. */
    public void forEach(Counted consumer) {
        for (int i = 0; i < buckets.length; i++) {
            consumer.accept(highest(buckets[i]), counts[i]);
        }
    }

    /** Receives values with their counts. */
    public interface Counted {
        void accept(long micros, long count);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Latencies that
                && Arrays.equals(buckets, that.buckets)
                && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(buckets) + Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return isEmpty()
                ? "Latencies[empty]"
                : "Latencies[n=" + count() + " p50=" + percentileMicros(50) + "us max=" + maxMicros() + "us]";
    }
}
