package io.plimsoll.result;

import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import java.util.Spliterators;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Reads a timeline line by line; see {@link RunDirectory#readTimeline()}. Used by one thread. */
final class TimelineReader extends Spliterators.AbstractSpliterator<TimelineEvent> {
    private static final int LONGEST_LINE = 100_000_000;

    private final Path file;
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int position;
    private int limit;
    private long lineNumber;
    private boolean atEnd;

    private TimelineReader(Path file, InputStream in) {
        super(Long.MAX_VALUE, ORDERED | NONNULL);
        this.file = file;
        this.in = in;
    }

    static Stream<TimelineEvent> read(Path file) throws IOException {
        TimelineReader reader = new TimelineReader(file, Files.newInputStream(file));
        return StreamSupport.stream(reader, false).onClose(reader::close);
    }

    private void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super TimelineEvent> action) {
        try {
            TimelineEvent event = readEvent();
            if (event != null) {
                action.accept(event);
            }
            return event != null;
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "result.cannotRead", file, String.valueOf(e.getMessage()));
        }
    }

    /** Null at the end. */
    private TimelineEvent readEvent() throws IOException {
        byte[] line = readLine();
        if (line.length == 0 && atEnd) {
            return null;
        }
        lineNumber++;
        try {
            TimelineEvent event = Json.MAPPER.readValue(line, TimelineEvent.class);
            if (event != null) {
                return event;
            }
            throw corrupt(Sentence.of("result.holdsNothing"), null);
        } catch (JsonProcessingException e) {
            if (atEnd) {
                // No line break follows: the writer was killed in the middle of this line.
                return null;
            }
            throw corrupt(e.getOriginalMessage().lines().findFirst().orElse("unreadable"), e);
        }
    }

    private PlimsollException corrupt(Object reason, JsonProcessingException e) {
        return Exit.USAGE.because(e, "result.corruptLine", lineNumber, file, reason);
    }

    /** Reads up to the line break, which is consumed but not returned; sets {@code atEnd} without one. */
    private byte[] readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(4096);
        while (true) {
            if (position == limit) {
                limit = Math.max(0, in.read(buffer));
                position = 0;
                if (limit == 0) {
                    atEnd = true;
                    return line.toByteArray();
                }
            }
            int start = position;
            while (position < limit && buffer[position] != '\n') {
                position++;
            }
            if (line.size() > LONGEST_LINE) {
                throw Exit.USAGE.because("text.fileTooLarge", file + ":" + (lineNumber + 1), LONGEST_LINE / 1_000_000);
            }
            line.write(buffer, start, position - start);
            if (position < limit) {
                position++;
                return line.toByteArray();
            }
        }
    }
}
