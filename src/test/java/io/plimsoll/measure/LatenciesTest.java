package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Latency distributions are added without loss, and answer as the same values in a histogram. */
class LatenciesTest {
    private static final double[] PERCENTILES = {0, 0.01, 10, 50, 90, 99, 99.9, 100};

    @Property(tries = 200)
    void answersLikeHistogram(
            @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 100_000_000) Long> first,
            @ForAll @Size(max = 60) List<@LongRange(min = 0, max = 5_000) Long> second,
            @ForAll @LongRange(max = 500_000_000) long bound) {
        Histogram expected = new Histogram(1, Latencies.HIGHEST_MICROS, Latencies.DIGITS);
        Stream.concat(first.stream(), second.stream()).forEach(expected::recordValue);
        Latencies actual = of(first).plus(of(second));
        for (Latencies each : List.of(actual, Latencies.decode(actual.encode()))) {
            assertThat(each).isEqualTo(actual).hasSameHashCodeAs(actual);
            assertThat(each.encode()).isEqualTo(encoded(expected));
            assertThat(each.count()).isEqualTo(expected.getTotalCount());
            assertThat(each.minMicros()).isEqualTo(expected.getMinValue());
            assertThat(each.maxMicros()).isEqualTo(expected.getMaxValue());
            assertThat(each.meanMicros()).isEqualTo(expected.getMean());
            assertThat(each.countAtOrAbove(bound))
                    .isEqualTo(
                            bound > expected.getMaxValue()
                                    ? 0
                                    : expected.getCountBetweenValues(bound, expected.getMaxValue()));
            for (double percentile : PERCENTILES) {
                assertThat(each.percentileMicros(percentile)).isEqualTo(expected.getValueAtPercentile(percentile));
            }
        }
    }

    /** A product of percentile and count can be a little above a whole number in floating-point arithmetic. */
    @Test
    void roundsLikeHistogram() {
        Histogram expected = new Histogram(Latencies.DIGITS);
        for (int n = 1; n <= 1_000; n++) {
            expected.recordValue(n);
            Latencies actual = n % 50 == 0 ? Latencies.of(expected) : Latencies.EMPTY;
            for (int tenth = 1; tenth <= 1_000 && !actual.isEmpty(); tenth++) {
                assertThat(actual.percentileMicros(tenth / 10.0))
                        .as("%d ‰ of %d", tenth, n)
                        .isEqualTo(expected.getValueAtPercentile(tenth / 10.0));
            }
        }
    }

    /** Other programs write the encoding, too: with another resolution or unit, and for longer times. */
    @Property(tries = 100)
    void decodesHistogramsOfOtherPrograms(
            @ForAll @Size(max = 60) List<@LongRange(max = 9_000_000_000_000L) Long> values,
            @ForAll @IntRange(min = 1, max = 4) int digits,
            @ForAll @LongRange(min = 1, max = 10) long unit) {
        Histogram stored = new Histogram(unit, 2 * unit, digits);
        stored.setAutoResize(true);
        values.forEach(stored::recordValue);
        Latencies read = Latencies.decode(encoded(stored));
        assertThat(read).isEqualTo(Latencies.of(stored));
        assertThat(read.count()).isEqualTo(values.size());
        double error = unit + stored.getMaxValue() * 2 / Math.pow(10, Math.min(digits, 3));
        assertThat((double) read.maxMicros()).isCloseTo(stored.getMaxValue(), within(error));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAA", "HISTEwAAAAA=", "HISTFAAAAP94nAMAAAAAAQ=="})
    void refusesInvalidHistogram(String text) {
        assertThatThrownBy(() -> Latencies.decode(text)).isInstanceOf(IllegalArgumentException.class);
    }

    /** As the library writes it. */
    private static String encoded(Histogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return "";
        }
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    private static Latencies of(List<Long> values) {
        Histogram histogram = new Histogram(Latencies.DIGITS);
        values.forEach(histogram::recordValue);
        return Latencies.of(histogram);
    }
}
