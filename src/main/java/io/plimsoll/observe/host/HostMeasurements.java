package io.plimsoll.observe.host;

import com.github.luben.zstd.ZstdCompressCtx;
import com.sun.nio.file.ExtendedOpenOption;
import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.observe.host.Measurement.CallTimes;
import io.plimsoll.text.Sentence;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/** Measures the throughput of this host, which should otherwise be idle. */
public final class HostMeasurements {
    public static final long DEFAULT_FILE_BYTES = 1L << 30;
    public static final long MIN_FILE_BYTES = 16L << 20;

    /**
     * Directory to measure, file size (default: 1 GiB, or half of the free space if that is less), and time for each
     * measurement, excluding its warm-up.
     */
    public record Settings(Path directory, OptionalLong fileBytes, Duration perMeasurement) {}

    /** Fails as {@link #run} would at its start, so that no output is printed before the error. */
    public static void check(Settings settings) {
        onDisk(settings, (file, bytes) -> {});
    }

    /**
     * Measures the disk, loopback TCP and one core, one after the other; {@code measured} receives each result on the
     * calling thread. Fails with {@link Exit#USAGE} if the directory is not writable or the size is too small, and with
     * {@link Exit#INTERNAL} if the space is insufficient.
     */
    public static List<Measurement> run(Settings settings, Consumer<Measurement> measured) {
        List<Measurement> all = new ArrayList<>();
        Consumer<Measurement> each = measurement -> {
            all.add(measurement);
            measured.accept(measurement);
        };
        long budgetNanos = settings.perMeasurement.toNanos();
        onDisk(settings, (file, bytes) -> new DiskMeasurements(file, bytes, budgetNanos).run(each));
        new LoopbackMeasurements(budgetNanos).run(each);
        new CpuMeasurements(budgetNanos).run(each);
        return List.copyOf(all);
    }

    /** Measures loopback TCP and, in a given directory, sustained disk writes within seconds; fails as {@link #run} does. */
    public static List<Measurement> brief(Optional<Path> directory, Duration perMeasurement) {
        List<Measurement> all = new ArrayList<>();
        new LoopbackMeasurements(perMeasurement.toNanos()).stream(all::add);
        directory
                .map(d -> new Settings(d, OptionalLong.empty(), perMeasurement))
                .ifPresent(settings -> onDisk(
                        settings,
                        (file, bytes) ->
                                all.add(new DiskMeasurements(file, bytes, perMeasurement.toNanos()).sustained())));
        return List.copyOf(all);
    }

    /** Name of the disk that contains a directory; empty if the directory does not exist. */
    public static Optional<String> device(Path directory) {
        try {
            return Optional.of(Files.getFileStore(directory).name());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private interface DiskWork {
        void on(ScratchFile file, long bytes) throws IOException;
    }

    private static void onDisk(Settings settings, DiskWork work) {
        try (ScratchFile file = ScratchFile.create(settings.directory)) {
            work.on(file, fileBytes(settings));
        } catch (IOException e) {
            throw diskFailed(settings.directory, e);
        }
    }

    private static PlimsollException diskFailed(Path directory, IOException e) {
        Sentence what = isDiskFull(e)
                ? Sentence.of("observe.diskFull", directory)
                : Sentence.of("observe.diskFailed", directory, ScratchFile.reason(e));
        return new PlimsollException(Exit.INTERNAL, what, e);
    }

    private static long fileBytes(Settings settings) throws IOException {
        long free = Files.getFileStore(settings.directory).getUsableSpace();
        return fileBytes(settings.directory, settings.fileBytes, free);
    }

    static long fileBytes(Path directory, OptionalLong asked, long freeBytes) {
        if (asked.isPresent() && asked.getAsLong() < MIN_FILE_BYTES) {
            throw Exit.USAGE.because("observe.fileTooSmall", asked.getAsLong(), HostText.binary(MIN_FILE_BYTES));
        }
        long bytes = asked.orElse(Math.max(MIN_FILE_BYTES, Math.min(DEFAULT_FILE_BYTES, freeBytes / 2)));
        Exit.INTERNAL.when(
                bytes > freeBytes,
                "observe.notEnoughDisk",
                HostText.binary(bytes),
                directory,
                HostText.binary(freeBytes));
        return bytes;
    }

    static boolean isDiskFull(IOException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left")
                || message.contains("not enough space")
                || message.contains("quota exceeded");
    }

    /** Measures the throughput of one core for the work of a Kafka client: checksums, compression, copies. Used by one thread. */
    private static final class CpuMeasurements {
        private static final int BLOCK_BYTES = 64 << 10;
        private static final int SOURCE_BYTES = 4 << 20;
        private static final int RECORD_BYTES = 1024;
        /** Larger than most caches, so that the result applies to memory. */
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

        /** Data that compresses to about half of its size: half of each kibibyte is random, the other half zero. */
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

        private static void compress(
                Consumer<Measurement> measured, String name, Function<String, Measurement> measuring) {
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

        /** @param work returns the processed bytes */
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

    /** Measures TCP throughput on the loopback interface: the upper limit of a load generator next to its broker. */
    private record LoopbackMeasurements(long budgetNanos) {
        private static final int[] WRITE_KIBIBYTES = {64, 1024};
        private static final int READ_BYTES = 1 << 20;
        private static final long JOIN_MILLIS = 5_000;
        private static final int WARMUP_PART = 5;

        void run(Consumer<Measurement> measured) {
            for (int kibibytes : WRITE_KIBIBYTES) {
                stream(kibibytes, measured);
            }
            String name = "loopback.roundTrip";
            Sentence how = Sentence.of("observe.how.echo");
            try {
                roundTrip().measurements(name, how).forEach(measured);
            } catch (IOException e) {
                measured.accept(Measurement.notMeasured(name, Measurement.MICROSECONDS, ScratchFile.reason(e), how));
            }
        }

        void stream(Consumer<Measurement> measured) {
            stream(WRITE_KIBIBYTES[WRITE_KIBIBYTES.length - 1], measured);
        }

        private void stream(int kibibytes, Consumer<Measurement> measured) {
            String name = "loopback.stream." + (kibibytes < 1024 ? kibibytes + "k" : kibibytes / 1024 + "m");
            Sentence how = Sentence.of("observe.how.stream");
            try {
                measured.accept(stream(name, kibibytes << 10, how));
            } catch (IOException e) {
                measured.accept(
                        Measurement.notMeasured(name, Measurement.MEGABYTES_PER_SECOND, ScratchFile.reason(e), how));
            }
        }

        private Measurement stream(String name, int writeBytes, Sentence how) throws IOException {
            try (Pair pair = Pair.open("plimsoll-loopback-reader", LoopbackMeasurements::drain)) {
                ByteBuffer bytes = ByteBuffer.allocateDirect(writeBytes);
                write(pair.near, bytes, budgetNanos / WARMUP_PART);
                long start = System.nanoTime();
                long written = write(pair.near, bytes, budgetNanos);
                return Measurement.throughput(name, written, System.nanoTime() - start, how);
            }
        }

        private static long write(SocketChannel channel, ByteBuffer bytes, long nanos) throws IOException {
            long start = System.nanoTime();
            long written = 0;
            do {
                bytes.clear();
                while (bytes.hasRemaining()) {
                    written += channel.write(bytes);
                }
            } while (System.nanoTime() - start < nanos);
            return written;
        }

        private CallTimes roundTrip() throws IOException {
            try (Pair pair = Pair.open("plimsoll-loopback-echo", LoopbackMeasurements::echo)) {
                CallTimes times = new CallTimes();
                ByteBuffer bytes = ByteBuffer.allocateDirect(1);
                long warmupNanos = budgetNanos / WARMUP_PART;
                long start = System.nanoTime();
                // On a saturated host, the first iteration can exceed the time limit.
                for (long now = start; now - start < warmupNanos + budgetNanos || times.count() == 0; ) {
                    pair.near.write(bytes.clear());
                    if (pair.near.read(bytes.clear()) < 0) {
                        throw new EOFException("the other end closed the connection");
                    }
                    long after = System.nanoTime();
                    if (now - start >= warmupNanos) {
                        times.record(after - now);
                    }
                    now = after;
                }
                return times;
            }
        }

        private static void drain(SocketChannel channel) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocateDirect(READ_BYTES);
            while (channel.read(bytes.clear()) >= 0) {
                // Only the rate matters, so the content is ignored.
            }
        }

        private static void echo(SocketChannel channel) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocateDirect(1);
            while (channel.read(bytes.clear()) >= 0) {
                bytes.flip();
                channel.write(bytes);
            }
        }

        private interface Serving {
            void serve(SocketChannel channel) throws IOException;
        }

        /** The two ends of a connection. A thread serves the far end, and ends when the near end is closed. */
        private record Pair(SocketChannel near, Thread server) implements AutoCloseable {

            static Pair open(String threadName, Serving serving) throws IOException {
                try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                    listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
                    SocketChannel near = SocketChannel.open(listener.getLocalAddress());
                    near.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    SocketChannel far = listener.accept();
                    far.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    Thread server = Daemon.start(threadName, () -> serve(far, serving));
                    return new Pair(near, server);
                }
            }

            private static void serve(SocketChannel far, Serving serving) {
                try (far) {
                    serving.serve(far);
                } catch (IOException e) {
                    // This happens when the near end is closed.
                }
            }

            @Override
            public void close() throws IOException {
                near.close();
                Daemon.join(server, JOIN_MILLIS);
            }
        }
    }

    /** Sequential throughput and fsync latency of a file. Writes that leave dirty pages come last. Used by one thread. */
    private static final class DiskMeasurements {
        private static final int BLOCK_BYTES = 1 << 20;
        private static final int WARMUP_BLOCKS = 8;
        private static final long FSYNC_EVERY_BYTES = 64L << 20;
        private static final int APPEND_BYTES = 4096;
        private static final int WARMUP_APPENDS = 20;
        private static final int MAX_APPENDS = 10_000;
        /** Storage with deduplication compares blocks of this size or larger. */
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

        /** Writes through the page cache with regular fsyncs, so that the disk limits the rate. */
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
            return times.measurements("disk.fsync", Sentence.of("observe.how.append"));
        }

        private void direct(Consumer<Measurement> measured) throws IOException {
            Sentence how = Sentence.of("observe.how.direct");
            Sentence why;
            if (file.direct().isKnown()) {
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
            } else {
                why = file.direct().words();
            }
            for (String name : List.of("disk.write.direct", "disk.read.direct")) {
                measured.accept(Measurement.notMeasured(name, Measurement.MEGABYTES_PER_SECOND, why, how));
            }
        }

        /** Writes a new file once from beginning to end, or until the time is over. */
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

        /** A block in which each part has a unique number, so that no two parts of the file are equal. */
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
    }

    /**
     * A file for disk measurements. Its name is removed once it is open, so that it vanishes with this process, even
     * after SIGKILL. {@code cached} uses the page cache; {@code direct} bypasses it, with positions and lengths in
     * multiples of the block size. Owned by one thread.
     */
    private record ScratchFile(FileChannel cached, Fact<FileChannel> direct, int blockBytes) implements AutoCloseable {
        private static final int MIN_BLOCK_BYTES = 512;
        private static final int MAX_BLOCK_BYTES = 16 << 20;

        /** @throws PlimsollException with {@link Exit#USAGE} if no file can be created in the directory */
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

        private static void delete(@Nullable Path path) {
            try {
                if (path != null) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException e) {
                throw Exit.INTERNAL.because(e, "observe.notDeleted", path);
            }
        }

        private static void closeQuietly(@Nullable FileChannel channel) {
            try {
                if (channel != null) {
                    channel.close();
                }
            } catch (IOException e) {
                // The original error, which is more informative, is reported.
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

        /** A buffer for both channels: aligned, and a multiple of the block size with at least the given length. */
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
            if (direct.isKnown()) {
                closeQuietly(direct.value());
            }
        }
    }
}
