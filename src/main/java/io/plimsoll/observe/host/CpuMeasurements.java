package io.plimsoll.observe.host;

import com.github.luben.zstd.ZstdCompressCtx;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/** Measures what one core does with bytes in the ways a Kafka client does: checksum, compress, copy. One thread. */
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
        compress(measured, "lz4", "lz4", this::lz4);
        compress(measured, "zstd", "zstd level " + ZSTD_LEVEL, this::zstd);
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
        String how = "one core, blocks of 64 KiB";
        return measure("cpu.crc32c", "CRC32C", how, () -> {
            crc.update(source, nextBlock(), BLOCK_BYTES);
            return BLOCK_BYTES;
        });
    }

    private interface Compression {
        Measurement measure(String name, String label) throws LinkageError;
    }

    private static void compress(Consumer<Measurement> measured, String codec, String label, Compression measuring) {
        String name = "cpu." + codec + ".compress";
        try {
            measured.accept(measuring.measure(name, label));
        } catch (LinkageError e) {
            String words = "its native library does not load (is the temporary directory noexec?)";
            String unit = Measurement.MEGABYTES_PER_SECOND;
            measured.accept(Measurement.notMeasured(name, label, unit, words, "one core, blocks of 64 KiB"));
        }
    }

    private Measurement lz4(String name, String label) {
        LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
        byte[] target = new byte[compressor.maxCompressedLength(BLOCK_BYTES)];
        int compressed = compressor.compress(source, 0, BLOCK_BYTES, target, 0, target.length);
        return measure(name, label, how(compressed), () -> {
            compressor.compress(source, nextBlock(), BLOCK_BYTES, target, 0, target.length);
            return BLOCK_BYTES;
        });
    }

    private Measurement zstd(String name, String label) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setLevel(ZSTD_LEVEL);
            byte[] target = new byte[2 * BLOCK_BYTES];
            int compressed = context.compressByteArray(target, 0, target.length, source, 0, BLOCK_BYTES);
            return measure(name, label, how(compressed), () -> {
                context.compressByteArray(target, 0, target.length, source, nextBlock(), BLOCK_BYTES);
                return BLOCK_BYTES;
            });
        }
    }

    private static String how(int compressedBytes) {
        double ratio = (double) BLOCK_BYTES / compressedBytes;
        return String.format(Locale.ROOT, "one core, blocks of 64 KiB, half random; ratio %.1f", ratio);
    }

    private Measurement copy() {
        byte[] from = new byte[COPY_BYTES];
        byte[] to = new byte[COPY_BYTES];
        return measure("memory.copy", "memory copy", "one core, 32 MiB to 32 MiB; bytes counted once", () -> {
            System.arraycopy(from, 0, to, 0, COPY_BYTES);
            return COPY_BYTES;
        });
    }

    /** @param work returns how many bytes it dealt with */
    private Measurement measure(String name, String label, String how, LongSupplier work) {
        run(work, budgetNanos / 4);
        long start = System.nanoTime();
        long bytes = run(work, budgetNanos);
        return Measurement.throughput(name, label, bytes, System.nanoTime() - start, how);
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
