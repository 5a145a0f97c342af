package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * An immutable latency distribution in microseconds with three significant digits (HdrHistogram). Merging is
 * lossless. The JSON form is HdrHistogram's compressed V2 encoding in base64; empty without values.
 */
public final class Latencies {
    /** Highest trackable value of a new histogram before it resizes. */
    public static final long HIGHEST_MICROS = 120_000_000L;

    public static final int DIGITS = 3;
    public static final Latencies EMPTY = new Latencies(newHistogram());

    private final Histogram histogram;

    private Latencies(Histogram histogram) {
        this.histogram = histogram;
    }

    /** An empty, auto-resizing histogram of this resolution. */
    public static Histogram newHistogram() {
        Histogram histogram = new Histogram(1, HIGHEST_MICROS, DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }

    /** Copies the histogram. */
    public static Latencies of(Histogram source) {
        if (source.getTotalCount() == 0) {
            return EMPTY;
        }
        Histogram copy = newHistogram();
        copy.add(source);
        return new Latencies(copy);
    }

    /** Takes ownership of the histogram; the caller must not use it again. */
    static Latencies owned(Histogram source) {
        return source.getTotalCount() == 0 ? EMPTY : new Latencies(source);
    }

    @JsonCreator
    public static Latencies decode(String base64) {
        if (base64.isEmpty()) {
            return EMPTY;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
            Histogram histogram = Histogram.decodeFromCompressedByteBuffer(bytes, HIGHEST_MICROS);
            // Not shared, so it is not copied: copies would dominate the cost of merging the snapshots of many agents.
            boolean asOurs = histogram.getNumberOfSignificantValueDigits() == DIGITS
                    && histogram.getLowestDiscernibleValue() == 1
                    && histogram.getTotalCount() > 0;
            return asOurs ? new Latencies(histogram) : of(histogram);
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("not a histogram: " + e.getMessage(), e);
        }
    }

    @JsonValue
    public String encode() {
        return encode(histogram);
    }

    /** Encodes a histogram of any resolution for {@link #decode}. */
    public static String encode(Histogram source) {
        if (source.getTotalCount() == 0) {
            return "";
        }
        // A histogram retains its encoding buffer, which is larger than the histogram, so encode a copy.
        Histogram histogram = source.copy();
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(bytes.array(), length));
    }

    public Latencies plus(Latencies other) {
        if (other.isEmpty()) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        Histogram sum = histogram.copy();
        sum.setAutoResize(true);
        sum.add(other.histogram);
        return new Latencies(sum);
    }

    void addTo(Histogram sum) {
        if (!isEmpty()) {
            sum.add(histogram);
        }
    }

    public boolean isEmpty() {
        return histogram.getTotalCount() == 0;
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /** The minimum in microseconds. 0 without values, as for the next methods. */
    public long minMicros() {
        return isEmpty() ? 0 : histogram.getMinValue();
    }

    public long maxMicros() {
        return isEmpty() ? 0 : histogram.getMaxValue();
    }

    public double meanMicros() {
        return isEmpty() ? 0 : histogram.getMean();
    }

    /**
     * @param percentile 0 to 100
     * @return the value in microseconds; 0 without values
     */
    public long percentileMicros(double percentile) {
        return isEmpty() ? 0 : histogram.getValueAtPercentile(percentile);
    }

    /** Number of values at or above {@code micros}, at the histogram's resolution. */
    public long countAtOrAbove(long micros) {
        if (isEmpty() || micros > histogram.getMaxValue()) {
            return 0;
        }
        return histogram.getCountBetweenValues(micros, histogram.getMaxValue());
    }

    /** A copy of the histogram, for iteration over the buckets. */
    public Histogram toHistogram() {
        return histogram.copy();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Latencies that && histogram.equals(that.histogram);
    }

    @Override
    public int hashCode() {
        return histogram.hashCode();
    }

    @Override
    public String toString() {
        return isEmpty()
                ? "Latencies[empty]"
                : "Latencies[n=" + count() + " p50=" + percentileMicros(50) + "us max=" + maxMicros() + "us]";
    }

    /** Sums distributions at two significant digits, at low cost in memory and CPU. Not thread-safe. */
    public static final class LatencySum {
        private static final int DIGITS = 2;

        private final Histogram sum;

        public LatencySum() {
            sum = new Histogram(1, Latencies.HIGHEST_MICROS, DIGITS);
            sum.setAutoResize(true);
        }

        public void add(Latencies more) {
            more.addTo(sum);
        }

        public Latencies total() {
            return Latencies.of(sum);
        }

        /**
         * @param percentile 0 to 100
         * @return the value in microseconds; 0 without values
         */
        public long percentileMicros(double percentile) {
            return sum.getTotalCount() == 0 ? 0 : sum.getValueAtPercentile(percentile);
        }
    }
}
