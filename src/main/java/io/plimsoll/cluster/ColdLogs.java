package io.plimsoll.cluster;

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
 * Takes what brokers have written out of this host's memory, so that it is read from disk: where their files are on this
 * host, and without the rights of root.
 */
public final class ColdLogs {
    private static final int FILES_AT_ONCE = 500;
    /** dd tells the kernel that a file is not needed any more, fincore says what it still has of it. */
    private static final String FORGET = "for f do dd if=\"$f\" iflag=nocache count=0 status=none || exit 1; done; "
            + "if command -v fincore >/dev/null; then fincore --bytes --noheadings --output RES \"$@\"; fi";

    private ColdLogs() {}

    /** Waits until all segments of these topics are on disk, and lets the page cache forget them. Says what came of it. */
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

    /** Only what is on disk can be forgotten. */
    static long write(Path segment) throws IOException {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.READ)) {
            file.force(false);
            return file.size();
        }
    }

    /** @return bytes that are in memory all the same; 0 if nobody here can tell */
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
