package io.plimsoll.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/** Walks over files that a running broker may remove at any moment. */
final class LabFiles {
    private LabFiles() {}

    /** Removes a file or a directory with all that is in it; no error if it is not there. Follows no links. */
    static void delete(Path path) throws IOException {
        walk(path, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /**
     * The bytes of a broker's data. Index files are left out: they are made 10 MB long in advance and hold next to
     * nothing.
     */
    static long dataBytes(Path dataDirectory) {
        AtomicLong bytes = new AtomicLong();
        try {
            walk(dataDirectory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (!file.toString().endsWith("index")) {
                        bytes.addAndGet(attributes.size());
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    return goneIsFine(e);
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                    return e == null ? FileVisitResult.CONTINUE : goneIsFine(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the size of " + dataDirectory, e);
        }
        return bytes.get();
    }

    private static void walk(Path path, SimpleFileVisitor<Path> visitor) throws IOException {
        if (Files.exists(path, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            Files.walkFileTree(path, visitor);
        }
    }

    private static FileVisitResult goneIsFine(IOException e) throws IOException {
        if (e instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw e;
    }
}
