package io.plimsoll.lab;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a broker's log. */
final class LogTail {
    private static final int MAX_BYTES = 64 * 1024;
    private static final int MAX_LINE_CHARS = 300;

    private LogTail() {}

    /**
     * The lines of the last 64 KiB but not before the byte {@code from}, oldest first, without what explains nothing:
     * frames of stack traces and listings of configuration values. Empty if there is no such file.
     */
    static List<String> of(Path logFile, long from) {
        try (RandomAccessFile file = new RandomAccessFile(logFile.toFile(), "r")) {
            // A file shorter than that has been started anew since.
            long start = Math.max(from > file.length() ? 0 : from, file.length() - MAX_BYTES);
            byte[] bytes = new byte[(int) (file.length() - start)];
            file.seek(start);
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("\t") && !line.startsWith(" ("))
                    .map(line -> line.length() > MAX_LINE_CHARS ? line.substring(0, MAX_LINE_CHARS) + "..." : line)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
