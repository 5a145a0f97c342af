package io.plimsoll.wire;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.xerial.snappy.SnappyInputStream;
import org.xerial.snappy.SnappyOutputStream;

/** The values of {@code compression.type}, each in the framing of Kafka's clients, to the byte. */
public enum Codec {
    // In the order of the numbers that the batch's attributes hold.
    NONE(0),
    GZIP(Deflater.DEFAULT_COMPRESSION) {
        @Override
        OutputStream open(OutputStream out, int level) throws IOException {
            return new LevelledGzip(out, level);
        }
    },
    SNAPPY(0) {
        @Override
        OutputStream open(OutputStream out, int level) {
            return new SnappyOutputStream(out);
        }
    },
    LZ4(Lz4Frame.DEFAULT_LEVEL) {
        @Override
        OutputStream open(OutputStream out, int level) throws IOException {
            return new Lz4Frame(out, level);
        }
    },
    ZSTD(3) {
        @Override
        OutputStream open(OutputStream out, int level) throws IOException {
            // As Kafka's clients do, which therefore end with a flush: it costs a block of three bytes.
            return new BufferedOutputStream(
                    new ZstdOutputStreamNoFinalizer(out, RecyclingBufferPool.INSTANCE, level), ZSTD_BUFFER_BYTES);
        }
    };

    private static final int GZIP_BUFFER_BYTES = 8192;
    private static final int ZSTD_BUFFER_BYTES = 16_384;

    private final int defaultLevel;

    Codec(int defaultLevel) {
        this.defaultLevel = defaultLevel;
    }

    /**
     * @param compressionType as the producer's setting has it
     * @throws PlimsollException {@link Exit#USAGE} for any other
     */
    public static Codec of(String compressionType) {
        for (Codec codec : values()) {
            if (codec.toString().equals(compressionType)) {
                return codec;
            }
        }
        String known = Arrays.stream(values()).map(Codec::toString).collect(Collectors.joining(", "));
        throw new PlimsollException(
                Exit.USAGE, "compression.type \"" + compressionType + "\" is not known; give one of " + known + ".");
    }

    /** As {@code compression.type} has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The bits of this codec in the attributes of a batch. */
    @SuppressWarnings("EnumOrdinal") // the order is that of the bits
    public short attributes() {
        return (short) ordinal();
    }

    /**
     * @param level as {@code compression.gzip.level} and its like have it; ignored by none and snappy
     * @return the compressed bytes
     */
    public byte[] compress(byte[] bytes, int length, OptionalInt level) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(length / 2 + 64);
        try (OutputStream out = open(compressed, level.orElse(defaultLevel))) {
            out.write(bytes, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException("compression in memory", e);
        }
        return compressed.toByteArray();
    }

    OutputStream open(OutputStream out, int level) throws IOException {
        return out;
    }

    /** @throws UncheckedIOException if they are not what this codec compresses to */
    public byte[] decompress(byte[] bytes) {
        try (InputStream in = open(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("decompression in memory", e);
        }
    }

    private InputStream open(InputStream in) throws IOException {
        return switch (this) {
            case NONE -> in;
            case GZIP -> new GZIPInputStream(in);
            case SNAPPY -> new SnappyInputStream(in);
            case LZ4 -> new LZ4FrameInputStream(in);
            case ZSTD -> new ZstdInputStreamNoFinalizer(in, RecyclingBufferPool.INSTANCE);
        };
    }

    private static final class LevelledGzip extends GZIPOutputStream {
        LevelledGzip(OutputStream out, int level) throws IOException {
            super(out, GZIP_BUFFER_BYTES);
            def.setLevel(level);
        }
    }
}
