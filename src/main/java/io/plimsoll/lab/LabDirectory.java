package io.plimsoll.lab;

import io.plimsoll.result.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/** A lab's directory. If {@code own}, it is removed with the lab. A running broker can delete files in it at any time. */
record LabDirectory(Path path, boolean own) {
    static final String LAUNCHER = "launcher.jar";

    /**
     * Everything that a lab with these nodes creates: the directory if {@code own}, otherwise the files in it, and
     * external disks.
     */
    List<Path> made(Collection<LabNode> nodes) {
        Stream<Path> here = own
                ? Stream.of(path)
                : Stream.concat(
                        nodes.stream().map(LabNode::directory),
                        Stream.of(LabFile.in(path), path.resolve(LAUNCHER), LabLogins.in(path)));
        Stream<Path> disks = nodes.stream()
                .flatMap(node -> node.disks().stream())
                .flatMap(disk -> Stream.of(disk, LabExtras.lost(disk)));
        return Stream.concat(here, disks.filter(disk -> !disk.startsWith(path))).toList();
    }

    /** A text that is in the command line of each of the lab's brokers and of no other process. */
    String marker() {
        return "-Dplimsoll.broker.log=" + path + "/node-";
    }

    void remove(Collection<LabNode> nodes) throws IOException {
        for (Path each : made(nodes)) {
            PrivateFiles.delete(each);
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
