package io.plimsoll.payload;

import static io.plimsoll.payload.RecordsTesting.RUN_ID;
import static io.plimsoll.payload.RecordsTesting.SEED;
import static io.plimsoll.payload.RecordsTesting.generator;
import static io.plimsoll.payload.RecordsTesting.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.payload.PayloadSource.PayloadRegion;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values have the requested size and randomness. */
class ValuesTest {

    @Property(tries = 100)
    void valuesHaveTheirSizeStampAndRandomShare(
            @ForAll @IntRange(max = 5_000) int size, @ForAll @DoubleRange(max = 1) double ratio) {
        RecordGenerator generator = generator(random(size, ratio));
        assertThat(generator.stamped()).isEqualTo(size >= Stamp.BYTES);
        assertThat(generator.maxValueBytes()).isEqualTo(size);
        assertThat(generator.meanPayloadBytes()).isEqualTo(size);
        int head = generator.stamped() ? Stamp.BYTES : 0;
        int randomBytes = (int) Math.min(Math.round(ratio * size), size - head);
        for (long i = 0; i < 20; i++) {
            byte[] value = generator.nextValue(i, 1_000 + i);
            assertThat(value).hasSize(size);
            if (generator.stamped()) {
                assertThat(Stamp.isOurs(ByteBuffer.wrap(value), RUN_ID)).isTrue();
                assertThat(Stamp.intendedEpochNanos(ByteBuffer.wrap(value))).isEqualTo(1_000 + i);
            }
            byte[] rest = Arrays.copyOfRange(value, head + randomBytes, size);
            assertThat(rest).containsOnly(new byte[rest.length]);
            if (randomBytes >= 32) {
                long distinct = IntStream.range(head, head + randomBytes)
                        .map(at -> value[at])
                        .distinct()
                        .count();
                assertThat(distinct).isGreaterThan(16);
            }
        }
    }

    /** A codec would find content shared by values of different sizes. */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.6, 1})
    void mixedSizesCompressToRandomShare(double ratio) {
        List<WeightedSize> mix = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> new WeightedSize(100 * i, 1))
                .toList();
        RecordGenerator generator = generator(RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(mix))
                .with(RecordSpec.RANDOM_BYTES_RATIO, ratio));
        Deflater deflater = new Deflater();
        int bytes = 0;
        int compressed = 0;
        byte[] output = new byte[10_000];
        for (int i = 0; i < 200; i++) {
            byte[] value = generator.nextValue(i, i);
            bytes += value.length;
            deflater.setInput(value);
            compressed += deflater.deflate(output, 0, output.length, Deflater.SYNC_FLUSH);
        }
        deflater.end();
        assertThat((double) compressed / bytes).isBetween(ratio - 0.02, ratio + 0.06);
    }

    @Test
    void sizesFollowTheirWeights() {
        List<WeightedSize> mix = List.of(new WeightedSize(10, 6), new WeightedSize(100, 3), new WeightedSize(1_000, 1));
        RecordSpec record = RecordSpec.DEFAULT.with(RecordSpec.SIZE, new RecordSpec.Sizes(mix));
        RecordGenerator generator = generator(record);
        Map<Integer, Integer> seen = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            seen.merge(generator.nextValue(i, i).length, 1, Integer::sum);
        }
        assertThat(seen).hasSize(3);
        assertThat(seen.get(10)).isCloseTo(6_000, within(200));
        assertThat(seen.get(100)).isCloseTo(3_000, within(200));
        assertThat(generator.meanPayloadBytes()).isCloseTo(0.6 * 10 + 0.3 * 100 + 0.1 * 1_000, within(1e-9));
        assertThat(generator.maxValueBytes()).isEqualTo(1_000);
        // 10 bytes cannot hold a stamp.
        assertThat(generator.stamped()).isFalse();
    }

    @Test
    void poolHasExactNumberOfContents() {
        RecordSpec record = RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(100))
                .with(RecordSpec.RANDOM_BYTES_RATIO, 0.5)
                .with(RecordSpec.POOL, 7);
        RecordGenerator generator = generator(record);
        Set<ByteBuffer> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            byte[] value = generator.nextValue(i, i);
            seen.add(ByteBuffer.wrap(Arrays.copyOfRange(value, Stamp.BYTES, Stamp.BYTES + 50)));
            assertThat(Arrays.copyOfRange(value, Stamp.BYTES + 50, 100)).containsOnly(new byte[34]);
        }
        assertThat(seen).hasSize(7);
    }

    /**
     * A rare large size has its proportional share of the contents and the memory, not as much as the frequent small
     * one.
     */
    @Test
    void poolIsSharedAmongSizesByWeight() {
        List<WeightedSize> mix = List.of(new WeightedSize(100, 999), new WeightedSize(655_360, 1));
        RecordSpec record = RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(mix))
                .with(RecordSpec.POOL, 1_000);
        assertThat(record.meanSize()).isCloseTo((999 * 100 + 655_360) / 1_000.0, within(1e-9));
        RecordGenerator generator = generator(record);
        Map<Integer, Set<ByteBuffer>> seen = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            byte[] value = generator.nextValue(i, i);
            seen.computeIfAbsent(value.length, size -> new HashSet<>())
                    .add(ByteBuffer.wrap(Arrays.copyOfRange(value, Stamp.BYTES, 100)));
        }
        assertThat(seen.get(100)).hasSizeBetween(990, 999);
        assertThat(seen.get(655_360)).hasSize(1);
    }

    @Test
    void eachFileIsOneValue(@TempDir Path dir) throws IOException {
        Path a = Files.write(dir.resolve("a"), new byte[] {1, 10, 2});
        Path b = Files.write(dir.resolve("b"), new byte[] {3});
        RecordGenerator generator =
                generator(RecordsTesting.of(new Payload.Files(List.of(a.toString(), b.toString()))));
        Set<Integer> lengths = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            lengths.add(generator.nextValue(i, i).length);
        }
        assertThat(lengths).containsExactlyInAnyOrder(1, 3);
        assertThat(generator.stamped()).isFalse();
    }

    /** Sizes for which a codec sees 1 MB of values at once: 3 % overhead for its framing. */
    @ParameterizedTest
    @CsvSource({
        "100, 0", "100, 0.1", "100, 0.5", "100, 1",
        "1000, 0", "1000, 0.1", "1000, 0.5", "1000, 1",
        "10000, 0", "10000, 0.1", "10000, 0.5", "10000, 1"
    })
    void compressionRatioMatchesRequest(int size, double ratio) {
        RecordGenerator generator = generator(random(size, ratio));
        ByteBuffer values = ByteBuffer.allocate(1_000_000);
        long due = 1_700_000_000_000_000_000L;
        for (int i = 0; i < values.capacity() / size; i++) {
            values.put(generator.nextValue(i, due + i * 10_007L));
        }
        double compressed = deflated(values.array()) / 1e6;
        // In a stamp, the run id and high bytes repeat, and about six bytes do not; it replaces 16 random bytes.
        double expected = (Math.min(ratio * size, size - Stamp.BYTES) + 6) / size;
        assertThat(compressed).isCloseTo(expected, within(0.03));
        if (size >= 1_000) {
            assertThat(compressed).isCloseTo(ratio, within(0.03));
        }
    }

    private static int deflated(byte[] input) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(input);
            deflater.finish();
            return deflater.deflate(new byte[2 * input.length]);
        } finally {
            deflater.end();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 100, 1_024, 1_000_000})
    void regionLapsDoNotRepeat(int size) {
        RecordGenerator generator = generator(random(size, 1));
        Set<ByteBuffer> seen = new HashSet<>();
        int count = 5 * PayloadRegion.DEFAULT_BYTES / size;
        for (int i = 0; i < count; i++) {
            byte[] value = generator.nextValue(i, 0);
            assertThat(seen.add(ByteBuffer.wrap(Arrays.copyOfRange(value, Stamp.BYTES, Stamp.BYTES + 32))))
                    .as("value %d is new", i)
                    .isTrue();
        }
        assertThat(seen).hasSize(count);
    }

    @Test
    void threadsSendDifferentValues() {
        RecordSpec record = random(100, 1);
        Set<ByteBuffer> seen = new HashSet<>();
        for (int thread = 0; thread < 8; thread++) {
            RecordGenerator generator = generator(record, SEED, thread, 8);
            for (int i = 0; i < 1_000; i++) {
                seen.add(ByteBuffer.wrap(generator.nextValue(i, 0).clone()));
            }
        }
        assertThat(seen).hasSize(8_000);
    }

    @Test
    void seedDeterminesRecords() {
        RecordSpec record = RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(100))
                .with(RecordSpec.KEY, new KeySpec.Uniform(1_000, KeySpec.Type.BYTES))
                .with(RecordSpec.HEADERS, new Headers(2, 8, 16));
        RecordGenerator one = generator(record, 1, 3, 4);
        RecordGenerator same = generator(record, 1, 3, 4);
        RecordGenerator other = generator(record, 2, 3, 4);
        for (int i = 0; i < 100; i++) {
            byte[] value = one.nextValue(i, i);
            assertThat(value).isEqualTo(same.nextValue(i, i)).isNotEqualTo(other.nextValue(i, i));
            assertThat(one.nextKey(i)).isEqualTo(same.nextKey(i));
        }
        assertThat(one.headerValues()).isDeepEqualTo(same.headerValues());
        assertThat(one.headerValues()[0]).isNotEqualTo(other.headerValues()[0]);
    }

    @Test
    void constantValuesAreZeroAfterStamp() {
        RecordGenerator generator = generator(RecordsTesting.of(new Payload.Constant()));
        byte[] value = generator.nextValue(0, 7);
        assertThat(generator.stamped()).isTrue();
        assertThat(Stamp.intendedEpochNanos(ByteBuffer.wrap(value))).isEqualTo(7);
        assertThat(Arrays.copyOfRange(value, Stamp.BYTES, 100)).containsOnly(0);
    }

    @Test
    void headersHaveRequestedLengthsAndDistinctNames() {
        RecordSpec record = RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(10))
                .with(RecordSpec.HEADERS, new Headers(12, 8, 16));
        RecordGenerator generator = generator(record);
        assertThat(generator.headerNames()).hasSize(12).doesNotHaveDuplicates().allMatch(name -> name.length() == 8);
        assertThat(generator.headerValues()).hasDimensions(12, 16);
        assertThat(generator(random(10, 1)).headerNames()).isEmpty();
    }

    @Test
    void readsStampAtAnyBufferPosition() {
        byte[] value = new byte[40];
        Stamp.write(value, 3, RUN_ID, 123_456_789_012L);
        ByteBuffer buffer = ByteBuffer.wrap(value).position(3).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(Stamp.isOurs(buffer, RUN_ID)).isTrue();
        assertThat(Stamp.intendedEpochNanos(buffer)).isEqualTo(123_456_789_012L);
        assertThat(buffer.position()).isEqualTo(3);
        assertThat(ByteBuffer.wrap(value).getLong(3)).isEqualTo(RUN_ID);
        ByteBuffer direct = ByteBuffer.allocateDirect(40).put(value).position(3);
        assertThat(Stamp.intendedEpochNanos(direct)).isEqualTo(123_456_789_012L);
        assertThat(Stamp.isOurs(buffer, RUN_ID + 1)).isFalse();
        assertThat(Stamp.isOurs(buffer.limit(18), RUN_ID)).isFalse();
        assertThat(Stamp.isOurs(ByteBuffer.allocate(15), 0)).isFalse();
        assertThat(Stamp.isOurs(ByteBuffer.allocate(16), 0)).isTrue();
        assertThat(Stamp.isOurs(null, 0)).isFalse();
    }
}
