package io.plimsoll.observe.broker;

import io.plimsoll.observe.incident.IncidentSink;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the new lines of a log that a lab's broker writes on this host. Used by one thread. */
final class LogTail {
    private static final Pattern LINE =
            Pattern.compile("\\[(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d),(\\d{3})] [A-Z]+ (.*)");
    private static final int MOST_BYTES = 4 << 20;

    private final Path file;
    private long position = -1;
    private long lineNanos = Long.MIN_VALUE;

    LogTail(Path file) {
        this.file = file;
    }

    /** Receives one line, without its prefix. */
    interface Reader {
        /**
         * @param nanos time of the line or, without one, of the line before, on the clock of {@link System#nanoTime}
         */
        void line(long nanos, String text);
    }

    /** Reads the lines since the last call; the first call only finds the end of the log. */
    void read(IncidentSink clock, Reader reader) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long length = log.length();
            if (position < 0) {
                position = length;
            }
            // A shorter file is a new file. Very long text is skipped.
            position = length < position ? 0 : Math.max(position, length - MOST_BYTES);
            byte[] bytes = new byte[(int) (length - position)];
            log.seek(position);
            log.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            int end = text.lastIndexOf('\n') + 1;
            position += text.substring(0, end).getBytes(StandardCharsets.UTF_8).length;
            text.substring(0, end).lines().forEach(line -> line(line, clock, reader));
        } catch (IOException e) {
            // Before the first line and during log rotation, the file does not exist. The next file is new.
            position = 0;
        }
    }

    /** Reads a line. A line without a time belongs to the line before. */
    void line(String line, IncidentSink clock, Reader reader) {
        Matcher parts = LINE.matcher(line);
        boolean whole = parts.matches();
        if (whole) {
            lineNanos = clock.nanoTimeOfMillis(LocalDateTime.parse(parts.group(1) + "T" + parts.group(2))
                                    .atZone(ZoneId.systemDefault())
                                    .toEpochSecond()
                            * 1_000
                    + Long.parseLong(parts.group(3)));
        }
        if (lineNanos != Long.MIN_VALUE) {
            reader.line(lineNanos, whole ? parts.group(4) : line);
        }
    }
}
