package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * An immutable latency distribution in microseconds with three significant digits, as HdrHistogram keeps it. Merging
 * adds counts and loses nothing. In JSON it is HdrHistogram's compressed V2 encoding in base64 ("" when empty), which
 * any HdrHistogram library reads.
 */
public final class Latencies {
    /** Highest value that a new histogram tracks before it resizes itself. */
    public static final long HIGHEST_MICROS = 120_000_000L;

    public static final int DIGITS = 3;
    public static final Latencies EMPTY = new Latencies(newHistogram());

    private final Histogram histogram;

    private Latencies(Histogram histogram) {
        this.histogram = histogram;
    }

    /** An empty one with our resolution, which resizes itself. */
    public static Histogram newHistogram() {
        Histogram histogram = new Histogram(1, HIGHEST_MICROS, DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }

    /** Copies, so that the caller may go on using its histogram. */
    public static Latencies of(Histogram source) {
        if (source.getTotalCount() == 0) {
            return EMPTY;
        }
        Histogram copy = newHistogram();
        copy.add(source);
        return new Latencies(copy);
    }

    /** Keeps the histogram, which the caller does not use any more. */
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
            // Nobody else has it: a copy of each would be a good part of what many agents' snapshots cost.
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

    /** A histogram of any resolution as {@link #decode} reads it. */
    public static String encode(Histogram source) {
        if (source.getTotalCount() == 0) {
            return "";
        }
        // A copy: a histogram keeps the buffer in which it was put together, which is larger than itself.
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

    /** @return microseconds; 0 when empty */
    public long minMicros() {
        return isEmpty() ? 0 : histogram.getMinValue();
    }

    /** @return microseconds; 0 when empty */
    public long maxMicros() {
        return isEmpty() ? 0 : histogram.getMaxValue();
    }

    /** @return microseconds; 0 when empty */
    public double meanMicros() {
        return isEmpty() ? 0 : histogram.getMean();
    }

    /**
     * @param percentile 0 to 100
     * @return microseconds; 0 when empty
     */
    public long percentileMicros(double percentile) {
        return isEmpty() ? 0 : histogram.getValueAtPercentile(percentile);
    }

    /** How many values are at or above a value (to the histogram's resolution). */
    public long countAtOrAbove(long micros) {
        if (isEmpty() || micros > histogram.getMaxValue()) {
            return 0;
        }
        return histogram.getCountBetweenValues(micros, histogram.getMaxValue());
    }

    /** A copy for callers that walk the buckets. */
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
}
