package io.plimsoll.perf.capture.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.dynatrace.hash4j.hashing.Hashing;
import io.plimsoll.perf.capture.shape.TopicTally.KeyTally;
import io.plimsoll.payload.ZipfSampler;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Guards that planted numbers and skews of keys are estimated from samples within the errors stated in
 * docs/guides/capture-a-workload.md.
 */
class KeyTallyTest {
    private static TopicShape.Keys shape(int records, int most, LongSupplier keys) {
        KeyTally tally = new KeyTally(most);
        for (int i = 0; i < records; i++) {
            tally.add(
                    Hashing.komihash5_0()
                            .hashBytesToLong(Long.toString(keys.getAsLong()).getBytes(StandardCharsets.UTF_8)),
                    8);
        }
        return tally.shape();
    }

    @ParameterizedTest
    @CsvSource({
        "0.8, 1000, 100000",
        "0.8, 100000, 100000",
        "0.9, 10000, 50000",
        "1.0, 10000, 100000",
        "1.0, 1000000, 200000",
        "1.1, 10000, 100000",
        "1.2, 10000, 100000",
        "1.3, 1000, 20000",
        "1.3, 100000, 200000"
    })
    void estimatesZipfKeys(double s, long n, int records) {
        ZipfSampler sampler = new ZipfSampler(s, n);
        SplittableRandom random = new SplittableRandom(1);
        TopicShape.Keys shape = shape(records, 8192, () -> sampler.next(random));
        assertThat(shape.exponent()).isCloseTo(s, within(0.05));
        assertThat((double) shape.count()).isCloseTo(n, within(0.25 * n));
    }

    @ParameterizedTest
    @CsvSource({"1, 1000", "2, 1000", "100, 20000", "10000, 100000", "100000, 100000", "1000000, 300000"})
    void estimatesUniformKeys(long n, int records) {
        SplittableRandom random = new SplittableRandom(2);
        TopicShape.Keys shape = shape(records, 8192, () -> random.nextLong(n));
        assertThat(shape.exponent()).isZero();
        assertThat((double) shape.count()).isCloseTo(n, within(0.1 * n));
    }

    /**
     * Above the exact limit, evenly distributed keys have no top key; a key with a fifth of the other side differs by
     * that share.
     */
    @Test
    void hotKeyDiffersFromEvenKeysByItsShare() {
        SplittableRandom random = new SplittableRandom(4);
        TopicShape.Keys hot = shape(32_000, 256, () -> random.nextInt(5) == 0 ? 0 : 1 + random.nextLong(100_000));
        TopicShape.Keys even = shape(32_000, 256, () -> random.nextLong(100_000));
        assertThat(hot.top()).hasSize(1);
        assertThat(even.top()).isEmpty();
        assertThat(hot.apart(even)).isCloseTo(0.2, within(0.02));
        assertThat(even.apart(hot)).isCloseTo(0.2, within(0.02));
        assertThat(even.apart(even)).isZero();
    }

    @Test
    void recognizesFreshKeys() {
        long[] next = {0};
        assertThat(shape(50_000, 8192, () -> next[0]++).fresh()).isTrue();
    }
}
