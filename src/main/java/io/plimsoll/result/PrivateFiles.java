package io.plimsoll.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/** Creates files and directories that only their owner can read, if the file system supports owners, and deletes them. Stateless. */
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

    /** Deletes a temporary directory, except for files that cannot be deleted. */
    public static void discard(Path directory) {
        try {
            delete(directory);
        } catch (IOException e) {
            // Another process has files in the directory.
        }
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
