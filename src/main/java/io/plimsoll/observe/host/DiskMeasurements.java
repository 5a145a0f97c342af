package io.plimsoll.observe.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Sequential throughput and fsync latency of a file. The order keeps one measurement from disturbing the next: what
 * leaves dirty pages behind comes last. One thread.
 */
final class DiskMeasurements {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int WARMUP_BLOCKS = 8;
    private static final long FSYNC_EVERY_BYTES = 64L << 20;
    private static final int APPEND_BYTES = 4096;
    private static final int WARMUP_APPENDS = 20;
    private static final int MAX_APPENDS = 10_000;
    /** Storage that deduplicates does so in blocks of this size or greater. */
    private static final int STAMP_EVERY_BYTES = 4096;

    private final ScratchFile file;
    private final long fileBytes;
    private final long budgetNanos;
    private final ByteBuffer block;
    private long stamp;

    /** @param fileBytes upper bound of the file's size; rounded down to whole blocks */
    DiskMeasurements(ScratchFile file, long fileBytes, long budgetNanos) {
        this.file = file;
        this.budgetNanos = budgetNanos;
        this.block = file.buffer(BLOCK_BYTES);
        this.fileBytes = Math.max(1, fileBytes / block.capacity()) * block.capacity();
        byte[] noise = new byte[block.capacity()];
        new Random(1).nextBytes(noise);
        block.put(noise).clear();
    }

    void run(Consumer<Measurement> measured) throws IOException {
        fsyncLatency().forEach(measured);
        direct(measured);
        measured.accept(sustained());
        measured.accept(cachedRead());
        measured.accept(
                write(file.cached(), "disk.write.cached", "write to page cache", "1 MiB writes, no fsync", false));
        file.cached().truncate(0);
    }

    /** Writing through the page cache, at the pace of the disk. */
    Measurement sustained() throws IOException {
        return write(file.cached(), "disk.write.fsync", "write and fsync", "1 MiB writes, fsync every 64 MiB", true);
    }

    private List<Measurement> fsyncLatency() throws IOException {
        FileChannel channel = file.cached();
        ByteBuffer append = ByteBuffer.allocateDirect(APPEND_BYTES);
        append.put(block.duplicate().limit(APPEND_BYTES)).clear();
        CallTimes times = new CallTimes();
        long start = System.nanoTime();
        for (int i = 0; i < MAX_APPENDS && (i <= WARMUP_APPENDS || elapsed(start) < budgetNanos); i++) {
            writeFully(channel, append.clear(), (long) i * APPEND_BYTES);
            long before = System.nanoTime();
            channel.force(true);
            if (i >= WARMUP_APPENDS) {
                times.record(System.nanoTime() - before);
            }
        }
        return times.measurements("disk.fsync", "fsync", "fsync", "after each 4 KiB append");
    }

    private void direct(Consumer<Measurement> measured) throws IOException {
        String how = "1 MiB, O_DIRECT, around the page cache";
        try {
            if (!file.direct().isKnown()) {
                throw new IOException(file.direct().words());
            }
            FileChannel channel = file.direct().value();
            measured.accept(write(channel, "disk.write.direct", "write direct", how, false));
            measured.accept(read(channel, "disk.read.direct", "read direct", how));
        } catch (IOException e) {
            if (HostMeasurements.isDiskFull(e)) {
                throw e;
            }
            String unit = Measurement.MEGABYTES_PER_SECOND;
            String words = ScratchFile.reason(e);
            measured.accept(Measurement.notMeasured("disk.write.direct", "write direct", unit, words, how));
            measured.accept(Measurement.notMeasured("disk.read.direct", "read direct", unit, words, how));
        }
    }

    /** Writes a new file once from beginning to end, or as far as the time allows. */
    private Measurement write(FileChannel channel, String name, String label, String how, boolean fsync)
            throws IOException {
        file.cached().truncate(0);
        for (int i = 0; i < WARMUP_BLOCKS && i < fileBytes / block.capacity(); i++) {
            writeFully(channel, stamped(), (long) i * block.capacity());
        }
        file.cached().truncate(0);
        long start = System.nanoTime();
        long written = 0;
        while (written < fileBytes && elapsed(start) < budgetNanos) {
            writeFully(channel, stamped(), written);
            written += block.capacity();
            if (fsync && written % FSYNC_EVERY_BYTES < block.capacity()) {
                channel.force(true);
            }
        }
        if (fsync) {
            channel.force(true);
        }
        return Measurement.throughput(name, label, written, elapsed(start), how + "; " + HostText.decimal(written));
    }

    private Measurement cachedRead() throws IOException {
        FileChannel channel = file.cached();
        long start = System.nanoTime();
        long size = channel.size();
        for (long at = 0; at < size && elapsed(start) < budgetNanos; at += block.capacity()) {
            readFully(channel, at);
        }
        return read(channel, "disk.read.cached", "read from page cache", "1 MiB reads of a file read before");
    }

    /** Reads what the last write left, again and again until the time is over. */
    private Measurement read(FileChannel channel, String name, String label, String how) throws IOException {
        long blocks = channel.size() / block.capacity();
        for (int i = 0; i < WARMUP_BLOCKS && i < blocks; i++) {
            readFully(channel, (long) i * block.capacity());
        }
        long start = System.nanoTime();
        long read = 0;
        do {
            readFully(channel, read / block.capacity() % blocks * block.capacity());
            read += block.capacity();
        } while (elapsed(start) < budgetNanos);
        return Measurement.throughput(name, label, read, elapsed(start), how + "; " + HostText.decimal(read));
    }

    /** The block with a number of its own in each part, so that no two parts of the file are equal. */
    private ByteBuffer stamped() {
        for (int at = 0; at < block.capacity(); at += STAMP_EVERY_BYTES) {
            block.putLong(at, stamp++);
        }
        return block.clear();
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes, position + bytes.position());
        }
    }

    private void readFully(FileChannel channel, long position) throws IOException {
        block.clear();
        while (block.hasRemaining()) {
            if (channel.read(block, position + block.position()) < 0) {
                throw new IOException(String.format(Locale.ROOT, "the file ends before byte %d", position));
            }
        }
    }

    private static long elapsed(long startNanos) {
        return System.nanoTime() - startNanos;
    }
}
