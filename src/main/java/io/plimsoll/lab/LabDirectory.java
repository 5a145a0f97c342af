package io.plimsoll.lab;

import io.plimsoll.result.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A lab's directory, created by the lab if {@code own}. A running broker can delete files in it at any time. */
record LabDirectory(Path path, boolean own) {
    static final String LAUNCHER = "launcher.jar";

    /**
     * Everything that a lab with these nodes creates: the directory if {@code own}, otherwise the files in it, and
     * external disks.
     */
    List<Path> made(Collection<LabNode> nodes) {
        return Stream.concat(own ? Stream.of(path) : files(nodes), disks(nodes)).toList();
    }

    private Stream<Path> files(Collection<LabNode> nodes) {
        return Stream.concat(
                nodes.stream().map(LabNode::directory),
                Stream.of(LabFile.in(path), path.resolve(LAUNCHER), LabLogins.in(path)));
    }

    private Stream<Path> disks(Collection<LabNode> nodes) {
        return nodes.stream()
                .flatMap(node -> node.disks().stream())
                .flatMap(disk -> Stream.of(disk, LabExtras.lost(disk)))
                .filter(disk -> !disk.startsWith(path));
    }

    /** A text that is in the command line of each of the lab's brokers and of no other process. */
    String marker() {
        return "-Dplimsoll.broker.log=" + path + "/node-";
    }

    /** Deletes the files of a lab with these nodes, and its own directory unless a user has stored files in it. */
    void remove(Collection<LabNode> nodes) throws IOException {
        for (Path each : Stream.concat(files(nodes), disks(nodes)).toList()) {
            PrivateFiles.delete(each);
        }
        if (own) {
            try {
                Files.deleteIfExists(path);
            } catch (DirectoryNotEmptyException e) {
                // The other files are not from the lab.
            }
        }
    }

    /** Size of a broker's data, without index files, which are preallocated at 10 MB. */
    static long dataBytes(List<Path> disks) {
        AtomicLong bytes = new AtomicLong();
        try {
            for (Path disk : disks) {
                Files.walkFileTree(disk, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (!file.toString().endsWith("index")) {
                            bytes.addAndGet(attributes.size());
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                        return ignoreMissing(e);
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                        return e == null ? FileVisitResult.CONTINUE : ignoreMissing(e);
                    }
                });
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the size of " + disks, e);
        }
        return bytes.get();
    }

    private static FileVisitResult ignoreMissing(IOException e) throws IOException {
        if (e instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw e;
    }
}
