package io.plimsoll.payload;

import static io.plimsoll.payload.RecordsTesting.SEED;
import static io.plimsoll.payload.RecordsTesting.generator;
import static io.plimsoll.payload.RecordsTesting.keyed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.KeySequence.KeyEncoder;
import io.plimsoll.scenario.KeySpec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** All seeds of statistical tests are fixed: they give the same answer every time. */
class KeysTest {
    private static final int DRAWS = 200_000;

    @Property(tries = 200)
    void encodesNumbersLikeKafkasSerializers(@ForAll @LongRange(max = Long.MAX_VALUE) long number) {
        assertThat(new KeyEncoder(KeySpec.Type.STRING, 0).encode(number))
                .isEqualTo(Long.toString(number).getBytes(UTF_8));
        assertThat(ByteBuffer.wrap(new KeyEncoder(KeySpec.Type.BYTES, 0).encode(number))
                        .getLong())
                .isEqualTo(number);
        byte[] integer = new KeyEncoder(KeySpec.Type.INTEGER, 0).encode(number);
        assertThat(integer).hasSize(4);
        assertThat(ByteBuffer.wrap(integer).getInt()).isEqualTo((int) number);
    }

    @Property(tries = 20)
    void sequentialKeysCoverEachNumberOnceAcrossThreads(
            @ForAll @IntRange(min = 1, max = 17) int threads, @ForAll KeySpec.Type type) {
        BitSet seen = new BitSet();
        for (int thread = 0; thread < threads; thread++) {
            RecordGenerator generator = generator(keyed(new KeySpec.Sequential(type)), SEED, thread, threads);
            for (int i = 0; i < 50; i++) {
                int number = number(generator.nextKey(0), type);
                assertThat(seen.get(number)).isFalse();
                seen.set(number);
            }
        }
        assertThat(seen.nextClearBit(0)).isEqualTo(50 * threads);
        assertThat(seen.length()).isEqualTo(50 * threads);
    }

    @Property(tries = 20)
    void everyThreadCyclesThroughAllRoundRobinKeys(
            @ForAll @IntRange(min = 1, max = 17) int threads, @ForAll @IntRange(min = 1, max = 40) int n) {
        Set<Integer> firsts = new HashSet<>();
        for (int thread = 0; thread < threads; thread++) {
            RecordGenerator generator =
                    generator(keyed(new KeySpec.RoundRobin(n, KeySpec.Type.INTEGER)), SEED, thread, threads);
            int first = number(generator.nextKey(0), KeySpec.Type.INTEGER);
            firsts.add(first);
            for (int i = 1; i < 2 * n; i++) {
                assertThat(number(generator.nextKey(0), KeySpec.Type.INTEGER)).isEqualTo((first + i) % n);
            }
        }
        assertThat(firsts).hasSize(Math.min(threads, n));
    }

    @Test
    void paddedKeysHaveFixedLength() {
        KeySpec padded = new KeySpec.Padded(new KeySpec.RoundRobin(1_000, KeySpec.Type.STRING), 3);
        RecordGenerator generator = generator(keyed(padded));
        for (int i = 0; i < 1_100; i++) {
            assertThat(new String(generator.nextKey(0), UTF_8)).isEqualTo(String.format("%03d", i % 1_000));
        }
        assertThat(generator.meanPayloadBytes()).isEqualTo(103);
        KeySpec longer = new KeySpec.Padded(new KeySpec.Sequential(KeySpec.Type.STRING), 25);
        assertThat(new String(generator(keyed(longer)).nextKey(0), UTF_8)).isEqualTo("0".repeat(25));
    }

    private static int number(byte[] key, KeySpec.Type type) {
        return switch (type) {
            case INTEGER -> ByteBuffer.wrap(key).getInt();
            case BYTES -> (int) ByteBuffer.wrap(key).getLong();
            case STRING -> Integer.parseInt(new String(key, UTF_8));
        };
    }

    @ParameterizedTest
    @EnumSource(KeySpec.Type.class)
    void uniformKeysAreEquallyLikely(KeySpec.Type type) {
        RecordGenerator generator = generator(keyed(new KeySpec.Uniform(200, type)));
        long[] counts = new long[200];
        for (int i = 0; i < DRAWS; i++) {
            counts[number(generator.nextKey(0), type)]++;
        }
        double[] probabilities = new double[200];
        Arrays.fill(probabilities, 1 / 200.0);
        assertThat(chiSquareDeviation(counts, probabilities)).isBetween(-3.0, 3.0);
    }

    @ParameterizedTest
    @CsvSource({
        "0.001, 100",
        "0.5, 1000",
        "0.99, 200",
        "0.999999999999, 200",
        "1, 1",
        "1, 2",
        "1, 200",
        "1.000000000001, 200",
        "1.2, 1000",
        "2, 100",
        "5, 10"
    })
    void zipfKeysFollowTheirDistribution(double s, int n) {
        RecordGenerator generator = generator(keyed(new KeySpec.Zipf(s, n, KeySpec.Type.INTEGER)));
        long[] counts = new long[n];
        for (int i = 0; i < DRAWS; i++) {
            counts[number(generator.nextKey(0), KeySpec.Type.INTEGER)]++;
        }
        double[] probabilities = new double[n];
        Arrays.setAll(probabilities, k -> Math.pow(k + 1, -s));
        double sum = Arrays.stream(probabilities).sum();
        Arrays.setAll(probabilities, k -> probabilities[k] / sum);
        assertThat(chiSquareDeviation(counts, probabilities)).isBetween(-3.0, 3.0);
    }

    @Test
    void zipfTestDetectsSlightlyDifferentExponent() {
        ZipfSampler sampler = new ZipfSampler(1.02, 200);
        SplittableRandom random = new SplittableRandom(SEED);
        long[] counts = new long[200];
        for (int i = 0; i < DRAWS; i++) {
            counts[(int) sampler.next(random) - 1]++;
        }
        double[] probabilities = new double[200];
        double harmonic = 0;
        for (int k = 1; k <= 200; k++) {
            harmonic += 1.0 / k;
        }
        for (int k = 1; k <= 200; k++) {
            probabilities[k - 1] = 1 / (k * harmonic);
        }
        assertThat(chiSquareDeviation(counts, probabilities)).isGreaterThan(5);
    }

    @Test
    void zipfWorksWithTooManyKeysForATable() {
        ZipfSampler sampler = new ZipfSampler(1, 1L << 40);
        SplittableRandom random = new SplittableRandom(SEED);
        int ones = 0;
        long max = 0;
        for (int i = 0; i < DRAWS; i++) {
            long k = sampler.next(random);
            assertThat(k).isBetween(1L, 1L << 40);
            ones += k == 1 ? 1 : 0;
            max = Math.max(max, k);
        }
        double harmonic = 40 * Math.log(2) + 0.5772156649;
        assertThat(ones / (double) DRAWS).isCloseTo(1 / harmonic, within(4 * Math.sqrt(1 / harmonic / DRAWS)));
        assertThat(max).isGreaterThan(1L << 38);
    }

    /** Pearson's statistic over the cells with at least 5 expected, as standard deviations from its mean. */
    private static double chiSquareDeviation(long[] counts, double[] probabilities) {
        long total = Arrays.stream(counts).sum();
        double sum = 0;
        int cells = 0;
        double rareExpected = 0;
        long rare = 0;
        for (int i = 0; i < counts.length; i++) {
            double expected = probabilities[i] * total;
            if (expected < 5) {
                rareExpected += expected;
                rare += counts[i];
            } else {
                sum += (counts[i] - expected) * (counts[i] - expected) / expected;
                cells++;
            }
        }
        if (rareExpected >= 5) {
            sum += (rare - rareExpected) * (rare - rareExpected) / rareExpected;
            cells++;
        }
        return cells <= 1 ? 0 : (sum - (cells - 1)) / Math.sqrt(2.0 * (cells - 1));
    }

    @ParameterizedTest
    @CsvSource({"uniform, 1", "uniform, 10", "uniform, 12345", "zipf, 1", "zipf, 12345", "zipf, 1000000"})
    void computesMeanLengthOfStringKeys(String kind, long n) {
        KeySpec key = kind.equals("uniform")
                ? new KeySpec.Uniform(n, KeySpec.Type.STRING)
                : new KeySpec.Zipf(1.1, n, KeySpec.Type.STRING);
        RecordGenerator generator = generator(keyed(key));
        long sum = 0;
        for (int i = 0; i < DRAWS; i++) {
            sum += generator.nextKey(0).length;
        }
        assertThat(generator.meanPayloadBytes() - 100).isCloseTo(sum / (double) DRAWS, within(0.02));
    }

    @Test
    void generatesFixedAndNullKeys() {
        assertThat(generator(keyed(new KeySpec.None())).nextKey(0)).isNull();
        RecordGenerator text = generator(keyed(new KeySpec.Fixed("Müller", KeySpec.Type.STRING)));
        assertThat(text.nextKey(0)).isEqualTo("Müller".getBytes(UTF_8));
        assertThat(text.nextKey(0)).isEqualTo("Müller".getBytes(UTF_8));
        assertThat(text.meanPayloadBytes()).isEqualTo(107);
        assertThat(generator(keyed(new KeySpec.Fixed("-2", KeySpec.Type.INTEGER)))
                        .nextKey(0))
                .containsExactly(255, 255, 255, 254);
        assertThat(generator(keyed(new KeySpec.Fixed("258", KeySpec.Type.BYTES)))
                        .nextKey(0))
                .containsExactly(0, 0, 0, 0, 0, 0, 1, 2);
    }

    @Test
    void refusesImpossibleKeys() {
        assertThatThrownBy(() -> generator(keyed(new KeySpec.Fixed("x", KeySpec.Type.INTEGER))))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining("\"x\" is not a number of type integer");
        assertThatThrownBy(() -> generator(keyed(new KeySpec.Uniform(1L << 33, KeySpec.Type.INTEGER))))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining("8589934592 different keys");
    }
}
