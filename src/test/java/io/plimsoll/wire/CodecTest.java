package io.plimsoll.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.compress.GzipCompression;
import org.apache.kafka.common.compress.Lz4Compression;
import org.apache.kafka.common.compress.ZstdCompression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Kafka decompresses this program's output and vice versa. */
class CodecTest {

    /** Alternating random and constant stretches. */
    private static byte[] sample(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(1).nextBytes(bytes);
        for (int at = 0; at < length; at += 200) {
            Arrays.fill(bytes, at, Math.min(length, at + 120), (byte) 'p');
        }
        return bytes;
    }

    private static byte[] byKafka(Compression compression, byte[] bytes) throws IOException {
        ByteBufferOutputStream out = new ByteBufferOutputStream(1_000);
        try (OutputStream stream = compression.wrapForOutput(out, (byte) 2)) {
            stream.write(bytes);
        }
        ByteBuffer written = out.buffer().flip();
        byte[] compressed = new byte[written.remaining()];
        written.get(compressed);
        return compressed;
    }

    @ParameterizedTest
    @EnumSource(Codec.class)
    void compressesLikeKafkasClient(Codec codec) throws IOException {
        Compression kafka =
                Compression.of(CompressionType.forName(codec.toString())).build();
        for (int length : new int[] {1, 100, 65_535, 65_536, 65_537, 300_000}) {
            byte[] bytes = sample(length);
            assertThat(codec.compress(bytes, length, OptionalInt.empty()))
                    .as("%d bytes", length)
                    .isEqualTo(byKafka(kafka, bytes));
        }
    }

    @ParameterizedTest
    @CsvSource({"GZIP,1", "GZIP,9", "LZ4,1", "LZ4,17", "ZSTD,1", "ZSTD,19", "ZSTD,-5"})
    void levelsMatchKafkasClient(Codec codec, int level) throws IOException {
        Compression kafka =
                switch (codec) {
                    case GZIP -> new GzipCompression.Builder().level(level).build();
                    case LZ4 -> new Lz4Compression.Builder().level(level).build();
                    default -> new ZstdCompression.Builder().level(level).build();
                };
        byte[] bytes = sample(100_000);
        assertThat(codec.compress(bytes, bytes.length, OptionalInt.of(level))).isEqualTo(byKafka(kafka, bytes));
    }

    @Test
    void codecNumbersMatchKafka() {
        for (Codec codec : Codec.values()) {
            assertThat(codec.attributes()).isEqualTo((short) CompressionType.forName(codec.toString()).id);
            assertThat(Codec.of(codec.toString())).isEqualTo(codec);
        }
    }

    @Test
    void refusesUnknownCodecAndListsKnownOnes() {
        assertThatThrownBy(() -> Codec.of("brotli"))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .message()
                .matches(Said.en("wire.unknownCodec", "brotli", "none, gzip, snappy, lz4, zstd"));
    }
}
