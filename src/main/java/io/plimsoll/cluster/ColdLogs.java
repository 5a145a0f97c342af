package io.plimsoll.cluster;

import io.plimsoll.LinuxRoot;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.Node;

/**
 * Evicts broker logs from this host's page cache, so that they are read from disk. Needs the files on this host but no
 * root permissions.
 */
public final class ColdLogs {
    private static final int FILES_AT_ONCE = 500;
    /** Shell script: dd asks the kernel to drop a file from the cache, and fincore reports the bytes that are still cached. */
    private static final String FORGET = "for f do dd if=\"$f\" iflag=nocache count=0 status=none || exit 1; done; "
            + "if command -v fincore >/dev/null; then fincore --bytes --noheadings --output RES \"$@\"; fi";

    /** Flushes all segments of these topics to disk and evicts them from the page cache; returns a sentence with the result. */
    public static Sentence forget(Topics topics, Set<String> names) throws InterruptedException {
        String all = String.join(", ", names);
        List<Integer> brokers = topics.brokers().stream().map(Node::id).toList();
        LogDirs disks = new LogDirs(topics.admin(), brokers);
        try {
            List<Path> segments = new ArrayList<>();
            for (Path directory : disks.replicaDirectories(names)) {
                segments.addAll(segments(directory));
            }
            if (segments.isEmpty()) {
                return Sentence.of("cluster.cold.elsewhere", all);
            }
            if (!LinuxRoot.isHere()) {
                return Sentence.of("cluster.cold.failed", all, Sentence.of("cluster.cold.notLinux"));
            }
            long bytes = 0;
            for (Path segment : segments) {
                bytes += write(segment);
            }
            long left = forget(segments);
            return Sentence.of("cluster.cold.forgotten", all, megabytes(bytes), segments.size(), megabytes(left));
        } catch (IOException | UncheckedIOException e) {
            return Sentence.of("cluster.cold.failed", all, e.getMessage());
        }
    }

    private static long megabytes(long bytes) {
        return Math.round(bytes / 1e6);
    }

    private static List<Path> segments(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log")).toList();
        }
    }

    /** Writes dirty pages of a file to disk, since dirty pages cannot be evicted; returns its size. */
    static long write(Path segment) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ)) {
            file.force(false);
            return file.size();
        }
    }

    /** @return bytes still cached; 0 if unknown */
    static long forget(List<Path> files) throws IOException, InterruptedException {
        long left = 0;
        for (int from = 0; from < files.size(); from += FILES_AT_ONCE) {
            List<String> command = new ArrayList<>(List.of("sh", "-c", FORGET, "sh"));
            files.subList(from, Math.min(files.size(), from + FILES_AT_ONCE)).forEach(file -> command.add("" + file));
            Process process =
                    new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
            try (InputStream out = process.getInputStream()) {
                left += new String(out.readAllBytes(), StandardCharsets.US_ASCII)
                        .lines()
                        .mapToLong(line -> Long.parseLong(line.strip()))
                        .sum();
            }
            if (process.waitFor() != 0) {
                throw new IOException("dd iflag=nocache");
            }
        }
        return left;
    }
}
