package io.plimsoll.wire;

import io.plimsoll.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/** The values of {@code compression.type}, encoded by Kafka's own classes. */
public enum Codec {
    NONE,
    GZIP,
    SNAPPY,
    LZ4,
    ZSTD;

    /** The codec for a value of the producer setting. Fails with {@link Exit#USAGE} if unknown. */
    public static Codec of(String compressionType) {
        for (Codec codec : values()) {
            if (codec.toString().equals(compressionType)) {
                return codec;
            }
        }
        String known = Arrays.stream(values()).map(Codec::toString).collect(Collectors.joining(", "));
        throw Exit.USAGE.because("wire.unknownCodec", compressionType, known);
    }

    /** The codec in the attributes of a batch. Throws {@link IllegalArgumentException} if it is unknown. */
    public static Codec of(int attributes) {
        return of(CompressionType.forId(attributes & 0x07).name);
    }

    /** The value of {@code compression.type}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    @SuppressWarnings("EnumOrdinal") // Ordinals are the codec bits of a batch.
    public short attributes() {
        return CompressionType.forName(toString()).id;
    }

    /** The level set in the producer's properties; empty for codecs without levels. */
    public OptionalInt level(ProducerConfig config) {
        return switch (this) {
            case NONE, SNAPPY -> OptionalInt.empty();
            case GZIP -> OptionalInt.of(config.getInt(ProducerConfig.COMPRESSION_GZIP_LEVEL_CONFIG));
            case LZ4 -> OptionalInt.of(config.getInt(ProducerConfig.COMPRESSION_LZ4_LEVEL_CONFIG));
            case ZSTD -> OptionalInt.of(config.getInt(ProducerConfig.COMPRESSION_ZSTD_LEVEL_CONFIG));
        };
    }

    private Compression compression(OptionalInt level) {
        boolean given = level.isPresent();
        return switch (this) {
            case NONE -> Compression.NONE;
            case GZIP -> (given ? Compression.gzip().level(level.getAsInt()) : Compression.gzip()).build();
            case SNAPPY -> Compression.snappy().build();
            case LZ4 -> (given ? Compression.lz4().level(level.getAsInt()) : Compression.lz4()).build();
            case ZSTD -> (given ? Compression.zstd().level(level.getAsInt()) : Compression.zstd()).build();
        };
    }

    /** Compresses at a level as in {@code compression.gzip.level}; none and snappy ignore the level. */
    public byte[] compress(byte[] bytes, int length, OptionalInt level) {
        ByteBufferOutputStream compressed = new ByteBufferOutputStream(length / 2 + 64);
        try (OutputStream out = compression(level).wrapForOutput(compressed, BatchLayout.MAGIC_2)) {
            out.write(bytes, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException("compression in memory", e);
        }
        ByteBuffer written = compressed.buffer().flip();
        return Arrays.copyOfRange(written.array(), written.arrayOffset(), written.arrayOffset() + written.limit());
    }

    /** @throws UncheckedIOException if the data is corrupt */
    public byte[] decompress(byte[] bytes) {
        try (InputStream in = compression(OptionalInt.empty())
                .wrapForInput(ByteBuffer.wrap(bytes), BatchLayout.MAGIC_2, BufferSupplier.NO_CACHING)) {
            return in.readAllBytes();
        } catch (IOException | RuntimeException e) {
            // Corrupt input can make the libraries throw any exception.
            throw new UncheckedIOException("decompression in memory", new IOException(e));
        }
    }
}
