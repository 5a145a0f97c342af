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
     * The lines of the last 64 KiB, oldest first, without what explains nothing: frames of stack traces and listings
     * of configuration values (which could hold what must not be shown). Empty if there is no such file.
     */
    static List<String> of(Path logFile) {
        try (RandomAccessFile file = new RandomAccessFile(logFile.toFile(), "r")) {
            long from = Math.max(0, file.length() - MAX_BYTES);
            byte[] bytes = new byte[(int) (file.length() - from)];
            file.seek(from);
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
