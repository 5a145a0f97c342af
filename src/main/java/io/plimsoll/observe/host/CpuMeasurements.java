package io.plimsoll.observe.host;

import com.github.luben.zstd.ZstdCompressCtx;
import io.plimsoll.text.Sentence;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/** Measures the throughput of one core for the work of a Kafka client: checksums, compression, copies. One thread. */
final class CpuMeasurements {
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int SOURCE_BYTES = 4 << 20;
    private static final int RECORD_BYTES = 1024;
    /** Greater than most caches, so that memory is measured and not the cache. */
    private static final int COPY_BYTES = 32 << 20;

    private static final int ZSTD_LEVEL = 3;

    private final long budgetNanos;
    private final byte[] source = halfRandom();
    private int at;

    CpuMeasurements(long budgetNanos) {
        this.budgetNanos = budgetNanos;
    }

    void run(Consumer<Measurement> measured) {
        measured.accept(crc32c());
        compress(measured, "cpu.lz4.compress", this::lz4);
        compress(measured, "cpu.zstd.compress", this::zstd);
        measured.accept(copy());
    }

    /** Half of each kibibyte is random, the rest zero: it compresses to about half its size. */
    private static byte[] halfRandom() {
        byte[] bytes = new byte[SOURCE_BYTES];
        Random random = new Random(1);
        byte[] noise = new byte[RECORD_BYTES / 2];
        for (int record = 0; record < bytes.length; record += RECORD_BYTES) {
            random.nextBytes(noise);
            System.arraycopy(noise, 0, bytes, record, noise.length);
        }
        return bytes;
    }

    private int nextBlock() {
        at = at + BLOCK_BYTES >= source.length ? 0 : at + BLOCK_BYTES;
        return at;
    }

    private Measurement crc32c() {
        CRC32C crc = new CRC32C();
        return measure("cpu.crc32c", Sentence.of("observe.how.blocks"), () -> {
            crc.update(source, nextBlock(), BLOCK_BYTES);
            return BLOCK_BYTES;
        });
    }

    private static void compress(Consumer<Measurement> measured, String name, Function<String, Measurement> measuring) {
        try {
            measured.accept(measuring.apply(name));
        } catch (LinkageError e) {
            measured.accept(Measurement.notMeasured(
                    name,
                    Measurement.MEGABYTES_PER_SECOND,
                    Sentence.of("observe.noNativeLibrary"),
                    Sentence.of("observe.how.blocks")));
        }
    }

    private Measurement lz4(String name) {
        LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
        byte[] target = new byte[compressor.maxCompressedLength(BLOCK_BYTES)];
        int compressed = compressor.compress(source, 0, BLOCK_BYTES, target, 0, target.length);
        return measure(name, how(compressed), () -> {
            compressor.compress(source, nextBlock(), BLOCK_BYTES, target, 0, target.length);
            return BLOCK_BYTES;
        });
    }

    private Measurement zstd(String name) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setLevel(ZSTD_LEVEL);
            byte[] target = new byte[2 * BLOCK_BYTES];
            int compressed = context.compressByteArray(target, 0, target.length, source, 0, BLOCK_BYTES);
            return measure(name, how(compressed), () -> {
                context.compressByteArray(target, 0, target.length, source, nextBlock(), BLOCK_BYTES);
                return BLOCK_BYTES;
            });
        }
    }

    private static Sentence how(int compressedBytes) {
        double ratio = (double) BLOCK_BYTES / compressedBytes;
        return Sentence.of("observe.how.compressed", String.format(Locale.ROOT, "%.1f", ratio));
    }

    private Measurement copy() {
        byte[] from = new byte[COPY_BYTES];
        byte[] to = new byte[COPY_BYTES];
        return measure("memory.copy", Sentence.of("observe.how.copy"), () -> {
            System.arraycopy(from, 0, to, 0, COPY_BYTES);
            return COPY_BYTES;
        });
    }

    /** @param work returns how many bytes it dealt with */
    private Measurement measure(String name, Sentence how, LongSupplier work) {
        run(work, budgetNanos / 4);
        long start = System.nanoTime();
        long bytes = run(work, budgetNanos);
        return Measurement.throughput(name, bytes, System.nanoTime() - start, how);
    }

    private static long run(LongSupplier work, long nanos) {
        long start = System.nanoTime();
        long bytes = 0;
        do {
            bytes += work.getAsLong();
        } while (System.nanoTime() - start < nanos);
        return bytes;
    }
}
