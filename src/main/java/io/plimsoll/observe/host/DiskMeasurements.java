package io.plimsoll.observe.host;

import io.plimsoll.observe.host.Measurement.CallTimes;
import com.sun.nio.file.ExtendedOpenOption;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/** Sequential throughput and fsync latency of a file. Writes that leave dirty pages come last. One thread. */
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
        measured.accept(write(file.cached(), "disk.write.cached", Sentence.of("observe.how.noFsync"), false));
        file.cached().truncate(0);
    }

    /** Writing through the page cache, at the pace of the disk. */
    Measurement sustained() throws IOException {
        return write(file.cached(), "disk.write.fsync", Sentence.of("observe.how.fsync"), true);
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
        return times.measurements("disk.fsync", "fsync", Sentence.of("observe.how.append"));
    }

    private void direct(Consumer<Measurement> measured) throws IOException {
        Sentence how = Sentence.of("observe.how.direct");
        Sentence why = file.direct().words();
        if (why == null) {
            try {
                FileChannel channel = file.direct().value();
                measured.accept(write(channel, "disk.write.direct", how, false));
                measured.accept(read(channel, "disk.read.direct", how));
                return;
            } catch (IOException e) {
                if (HostMeasurements.isDiskFull(e)) {
                    throw e;
                }
                why = ScratchFile.reason(e);
            }
        }
        for (String name : List.of("disk.write.direct", "disk.read.direct")) {
            measured.accept(Measurement.notMeasured(name, Measurement.MEGABYTES_PER_SECOND, why, how));
        }
    }

    /** Writes a new file once from beginning to end, or as far as the time allows. */
    private Measurement write(FileChannel channel, String name, Sentence how, boolean fsync) throws IOException {
        file.cached().truncate(0);
        for (int i = 0; i < WARMUP_BLOCKS && i < fileBytes / block.capacity(); i++) {
            writeFully(channel, stamped(), (long) i * block.capacity());
        }
        file.cached().truncate(0);
        long start = System.nanoTime();
        long written = 0;
        do {
            writeFully(channel, stamped(), written);
            written += block.capacity();
            if (fsync && written % FSYNC_EVERY_BYTES < block.capacity()) {
                channel.force(true);
            }
        } while (written < fileBytes && elapsed(start) < budgetNanos);
        if (fsync) {
            channel.force(true);
        }
        return Measurement.throughput(name, written, elapsed(start), amount(how, written));
    }

    private Measurement cachedRead() throws IOException {
        FileChannel channel = file.cached();
        long start = System.nanoTime();
        long size = channel.size();
        for (long at = 0; at < size && elapsed(start) < budgetNanos; at += block.capacity()) {
            readFully(channel, at);
        }
        return read(channel, "disk.read.cached", Sentence.of("observe.how.readAgain"));
    }

    private Measurement read(FileChannel channel, String name, Sentence how) throws IOException {
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
        return Measurement.throughput(name, read, elapsed(start), amount(how, read));
    }

    /** Stamps a unique number on each part of the block, so that no two parts of the file are equal. */
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

    private static Sentence amount(Sentence how, long bytes) {
        return Sentence.of("observe.how.amount", how, HostText.decimal(bytes));
    }

    private static long elapsed(long startNanos) {
        return System.nanoTime() - startNanos;
    }

    /**
     * A file for disk measurements. Its name is removed once it is open, so that it vanishes with this process, even
     * after SIGKILL. {@code cached} uses the page cache; {@code direct} bypasses it, with positions and lengths in
     * multiples of the block size. Owned by one thread.
     */
    record ScratchFile(FileChannel cached, Fact<FileChannel> direct, int blockBytes) implements AutoCloseable {
        private static final int MIN_BLOCK_BYTES = 512;
        private static final int MAX_BLOCK_BYTES = 16 << 20;

        /** @throws PlimsollException with {@link Exit#USAGE} if no file can be made there */
        static ScratchFile create(Path directory) {
            Exit.USAGE.when(!Files.exists(directory), "observe.noDirectory", directory);
            Exit.USAGE.when(!Files.isDirectory(directory), "observe.notADirectory", directory);
            Path path = null;
            FileChannel cached = null;
            try {
                path = Files.createTempFile(directory, ".plimsoll-host-", ".tmp");
                cached = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileStore store = Files.getFileStore(path);
                int blockBytes = (int) Math.min(MAX_BLOCK_BYTES, Math.max(MIN_BLOCK_BYTES, store.getBlockSize()));
                return new ScratchFile(cached, openDirect(path, store), blockBytes);
            } catch (IOException e) {
                closeQuietly(cached);
                Exit exit = HostMeasurements.isDiskFull(e) ? Exit.INTERNAL : Exit.USAGE;
                throw exit.because(e, "observe.otherDirectory", directory, reason(e));
            } finally {
                delete(path);
            }
        }

        private static Fact<FileChannel> openDirect(Path path, FileStore store) {
            try {
                return Fact.of(FileChannel.open(
                        path, StandardOpenOption.READ, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT));
            } catch (IOException | UnsupportedOperationException e) {
                return Fact.unknown("observe.refusesDirect", store.type());
            }
        }

        private static void delete(Path path) {
            try {
                if (path != null) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException e) {
                throw Exit.INTERNAL.because(e, "observe.notDeleted", path);
            }
        }

        private static void closeQuietly(FileChannel channel) {
            try {
                if (channel != null) {
                    channel.close();
                }
            } catch (IOException e) {
                // The reason why it is being closed is about to be reported, and says more.
            }
        }

        static Sentence reason(Exception e) {
            if (e instanceof AccessDeniedException) {
                return Sentence.of("observe.permissionDenied");
            }
            if (e instanceof NoSuchFileException) {
                return Sentence.of("observe.noFilesThere");
            }
            if (e instanceof FileSystemException known && known.getReason() != null) {
                return Sentence.verbatim(known.getReason().toLowerCase(Locale.ROOT));
            }
            return Sentence.verbatim(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }

        /** A buffer that suits both channels: aligned, and a multiple of the block size of at least the given length. */
        ByteBuffer buffer(int bytes) {
            int length = (bytes + blockBytes - 1) / blockBytes * blockBytes;
            return ByteBuffer.allocateDirect(length + blockBytes)
                    .alignedSlice(blockBytes)
                    .limit(length)
                    .slice();
        }

        @Override
        public void close() {
            closeQuietly(cached);
            closeQuietly(direct.value());
        }
    }
}
