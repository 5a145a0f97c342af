package io.plimsoll.observe.host;

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
import java.util.Locale;

/**
 * A file for disk measurements. Its name is removed as soon as it is open, so that the operating system frees it
 * however this process ends, including SIGKILL. Owned by one thread.
 *
 * @param cached reads and writes through the page cache
 * @param direct reads and writes around it; positions and lengths must be multiples of the block size
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
