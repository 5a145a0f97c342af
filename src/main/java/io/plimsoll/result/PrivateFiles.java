package io.plimsoll.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Creates files and directories that only their owner can read, if the file system supports POSIX permissions; also
 * replaces and deletes files. Stateless.
 */
public final class PrivateFiles {
    /** Permissions of a file, in the notation of {@code ls}. */
    public static final String FILE = "rw-------";

    private static final String DIRECTORY = "rwx------";

    /** Creates a directory. Throws {@link FileAlreadyExistsException} if something exists at this path. */
    public static void directory(Path path) throws IOException {
        Files.createDirectory(path, only(path, DIRECTORY));
    }

    /** Creates an empty file; an existing file is not changed. */
    public static void file(Path path) throws IOException {
        try {
            Files.createFile(path, only(path, FILE));
        } catch (FileAlreadyExistsException e) {
            // The process that created the file has set its permissions.
        }
    }

    /**
     * Replaces a file atomically: readers never see a partial file, and a failure leaves the file unchanged.
     *
     * @param next temporary file in the same directory; if the file exists, it keeps its permissions; deleted on a
     *     failure
     * @return the file
     */
    public static Path replace(Path file, Path next, String text) throws IOException {
        try {
            Files.writeString(next, text);
            return Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            try {
                Files.deleteIfExists(next);
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /** Deletes a file or directory tree if it exists, without following links. */
    public static void delete(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> all = Files.walk(path)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }

    private static final class AtExit {
        private static final Set<Path> PATHS = ConcurrentHashMap.newKeySet();

        static {
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(() -> List.copyOf(PATHS).forEach(PrivateFiles::discard), "plimsoll-discard"));
        }
    }

    /** Deletes a temporary file or directory, except for files that cannot be deleted. */
    public static void discard(Path path) {
        AtExit.PATHS.remove(path);
        try {
            delete(path);
        } catch (IOException e) {
            // Another process has files in the directory.
        }
    }

    /** Discards a temporary file or directory when the JVM exits: after a signal, no other cleanup runs. */
    public static void discardAtExit(Path path) {
        AtExit.PATHS.add(path);
    }

    public static boolean knownAt(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?>[] only(Path path, String permissions) {
        return knownAt(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
