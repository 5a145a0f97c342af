package io.plimsoll.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one run: {@code scenario.yaml}, {@code timeline.jsonl} (appended during the run; data older than an
 * hour is folded into minutes), {@code result.json}, reports. Thread-safe.
 *
 * <p>Each event reaches the operating system before {@link #append} returns, so that no event is lost if the process is
 * killed.
 */
public final class RunDirectory implements AutoCloseable {
    public static final String SCENARIO = "scenario.yaml";
    public static final String TIMELINE = "timeline.jsonl";
    public static final String RESULT = "result.json";
    public static final String REPORT_MARKDOWN = "report.md";
    public static final String REPORT_HTML = "report.html";
    /** Name of the file with warnings and errors of libraries. */
    public static final String LOG = "plimsoll.log";

    private static final Pattern AUDIT_HEADER = Pattern.compile("audit-(\\d{1,9})\\.json");

    /** Name of the file with the data needed to audit a trial again. */
    public static String auditHeader(int trial) {
        return "audit-" + trial + ".json";
    }

    /** The numbers of the trials that can be audited again, in order. */
    public static List<Integer> audited(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> AUDIT_HEADER.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(header -> Integer.valueOf(header.group(1)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "result.cannotRead", directory, e.getMessage());
        }
    }

    /** Name of the file with the outcomes of a trial's records. */
    public static String auditJournal(int trial) {
        return "audit-" + trial + ".journal";
    }

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int LONGEST_NAME = 80;

    /** Parts of error texts, which the C library translates into the language of the user. */
    private static final List<String> FULL = Stream.of("result.system.noSpace", "result.system.overQuota")
            .flatMap(key -> Stream.of(Language.values()).map(Sentence.of(key)::in))
            .toList();

    private final Path path;
    private final Object lock = new Object();
    /** Null if the directory is opened for reading. */
    private @Nullable TimelineWriter timeline;

    private RunDirectory(Path path) {
        this.path = path;
    }

    /**
     * Creates a new directory {@code OUT/<UTC time>-<name>}, with a number appended if two runs start in the same
     * second.
     *
     * @throws PlimsollException {@link Exit#USAGE} if this fails, {@link Exit#INTERNAL} if the disk is full
     */
    public static RunDirectory create(Path out, String name, Instant now) {
        try {
            return attach(place(out, name, now).path);
        } catch (IOException e) {
            throw cannotCreate(out, e);
        }
    }

    /** Creates a directory, without a timeline, for output other than a run. */
    public static RunDirectory place(Path out, String name, Instant now) {
        String base = TIME.format(now) + "-" + fileName(name);
        try {
            Files.createDirectories(out);
            for (int attempt = 1; ; attempt++) {
                Path path = out.resolve(attempt == 1 ? base : base + "-" + attempt);
                try {
                    PrivateFiles.directory(path);
                } catch (FileAlreadyExistsException e) {
                    continue;
                }
                return new RunDirectory(path);
            }
        } catch (FileAlreadyExistsException e) {
            throw Exit.USAGE.because(e, "result.cannotWriteTo.file", out, e.getFile());
        } catch (IOException e) {
            throw cannotCreate(out, e);
        }
    }

    /** Opens an existing directory from {@link #place}. */
    public static RunDirectory again(Path path) {
        return new RunDirectory(path);
    }

    private static PlimsollException cannotCreate(Path out, IOException e) {
        return isDiskFull(e)
                ? Exit.INTERNAL.because(e, "result.cannotWriteTo.full", out, reason(e))
                : Exit.USAGE.because(e, "result.cannotWriteTo.other", out, reason(e));
    }

    static RunDirectory attach(Path path) throws IOException {
        return attach(path, Folding.USUAL);
    }

    static RunDirectory attach(Path path, Folding folding) throws IOException {
        RunDirectory directory = new RunDirectory(path);
        directory.timeline = new TimelineWriter(path.resolve(TIMELINE), folding);
        return directory;
    }

    /** Opens a run for reading. Throws {@link PlimsollException} {@link Exit#USAGE} if the path is not the directory of a run. */
    public static RunDirectory open(Path path) {
        Sentence problem;
        if (Files.isRegularFile(path)) {
            problem = Sentence.of("result.noRun.file");
        } else if (!Files.isDirectory(path)) {
            problem = Sentence.of("result.noRun.missing");
        } else if (!Files.exists(path.resolve(TIMELINE))) {
            problem = Sentence.of("result.noRun.noTimeline", TIMELINE);
        } else if (!Files.isReadable(path.resolve(TIMELINE))) {
            problem = Sentence.of("result.noRun.denied", TIMELINE);
        } else {
            return new RunDirectory(path);
        }
        throw Exit.USAGE.because("result.noRunDirectory", path, problem);
    }

    /** Whether a process on this host is still writing to the timeline of a run. */
    public static boolean isBeingWritten(Path path) {
        try (RandomAccessFile file = new RandomAccessFile(path.resolve(TIMELINE).toFile(), "rw");
                FileLock lock = file.getChannel().tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            // Without write permission, the lock cannot be tested.
            return false;
        }
    }

    public Path path() {
        return path;
    }

    /**
     * Adds one event to the timeline. Even after a failure, the timeline ends with a complete line.
     *
     * @throws PlimsollException {@link Exit#INTERNAL} if it cannot be written, such as on a full disk
     */
    public void append(TimelineEvent event) {
        synchronized (lock) {
            if (timeline == null) {
                throw new IllegalStateException(path + " is not open for writing");
            }
            try {
                timeline.append(event);
            } catch (IOException e) {
                throw cannotWrite(TIMELINE, e);
            }
        }
    }

    /** @param yaml scenario as resolved, with secrets redacted */
    public Path writeScenario(String yaml) {
        return write(SCENARIO, yaml);
    }

    public Path writeResult(RunResult result) {
        return write(RESULT, Json.pretty(result));
    }

    /**
     * Writes a file atomically: readers never see a partial file.
     *
     * @return its path
     * @throws PlimsollException {@link Exit#INTERNAL} if it cannot be written, such as on a full disk
     */
    public Path write(String fileName, String text) {
        Path file = path.resolve(fileName);
        Path temporary = path.resolve("." + fileName + ".tmp");
        try {
            PrivateFiles.file(temporary);
            return PrivateFiles.replace(file, temporary, fileName.endsWith(".html") ? text : Secrets.clean(text));
        } catch (IOException e) {
            throw cannotWrite(fileName, e);
        }
    }

    /** The error for a file of this directory that cannot be written, as one sentence. */
    public PlimsollException cannotWrite(String fileName, IOException e) {
        String key = isDiskFull(e) ? "result.cannotWrite.full" : "result.cannotWrite.other";
        return Exit.INTERNAL.because(e, key, fileName, path, reason(e));
    }

    /**
     * The events in order, read lazily, because a long run does not fit into memory. A truncated last line, as left by
     * a killed process, is omitted.
     * @return a stream that the caller must close; it throws {@link PlimsollException} with {@link Exit#USAGE} at an
     *     invalid line
     */
    public Stream<TimelineEvent> readTimeline() {
        try {
            return TimelineReader.read(path.resolve(TIMELINE));
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "result.cannotRead", path.resolve(TIMELINE), reason(e));
        }
    }

    /**
     * The first event, and events about resources created on the cluster, up to the first of these events that cannot
     * be read.
     */
    public List<TimelineEvent> readMade() {
        List<TimelineEvent> events = new ArrayList<>();
        // Unlike Files.lines, this reader accepts a last character that a killed process did not complete.
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Files.newInputStream(path.resolve(TIMELINE)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("{\"type\":\"run\",") || line.startsWith("{\"type\":\"made\",")) {
                    events.add(Json.MAPPER.readValue(line, TimelineEvent.class));
                }
            }
        } catch (IOException e) {
            // The events before the unreadable one are still known.
        }
        return events;
    }

    /** Removes the directory of a run that never started, unless it contains other files, such as broker logs. */
    public void discardIfUnused() {
        close();
        try {
            if (Files.size(path.resolve(TIMELINE)) > 0) {
                return;
            }
            Set<String> ours = Set.of(TIMELINE, SCENARIO, LOG);
            try (Stream<Path> files = Files.list(path)) {
                if (files.allMatch(f -> ours.contains(f.getFileName().toString()))) {
                    for (String file : ours) {
                        Files.deleteIfExists(path.resolve(file));
                    }
                    Files.delete(path);
                }
            }
        } catch (IOException e) {
            // An empty directory that remains is harmless.
        }
    }

    /** Closes the timeline for writing; the directory can still be read. */
    @Override
    public void close() {
        synchronized (lock) {
            if (timeline == null) {
                return;
            }
            try {
                timeline.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                timeline = null;
            }
        }
    }

    private static String fileName(String name) {
        String safe = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[.-]+", "");
        return safe.isEmpty() ? "run" : safe.substring(0, Math.min(safe.length(), LONGEST_NAME));
    }

    private static boolean isDiskFull(IOException e) {
        return saysDiskFull(String.valueOf(e.getMessage()));
    }

    /** Whether a text contains the system's error for a full disk or an exceeded quota, in English or Chinese. */
    public static boolean saysDiskFull(String text) {
        return FULL.stream().anyMatch(text::contains);
    }

    /** The reason why a file cannot be read or written, for the end of a sentence, without Java class names. */
    public static Object reason(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return Sentence.of("result.denied", denied.getFile());
        }
        if (e instanceof NoSuchFileException missing) {
            return Sentence.of("result.cannotBeMade", missing.getFile());
        }
        if (e instanceof FileSystemException known && known.getReason() != null) {
            return known.getReason() + " (" + known.getFile() + ")";
        }
        return String.valueOf(e.getMessage());
    }

    /** Reads a timeline line by line; see {@link RunDirectory#readTimeline()}. Used by one thread. */
    private static final class TimelineReader extends Spliterators.AbstractSpliterator<TimelineEvent> {
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

        /** The next event; null at the end. */
        private @Nullable TimelineEvent readEvent() throws IOException {
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
                    // Without a line break at the end: the writer was killed within this line.
                    return null;
                }
                throw corrupt(e.getOriginalMessage().lines().findFirst().orElse("unreadable"), e);
            }
        }

        private PlimsollException corrupt(Object reason, @Nullable JsonProcessingException e) {
            return Exit.USAGE.because(e, "result.corruptLine", lineNumber, file, reason);
        }

        /**
         * Reads up to the line break, which is consumed but not returned; sets {@code atEnd} at the end of the file.
         */
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
                    throw Exit.USAGE.because(
                            "text.fileTooLarge", file + ":" + (lineNumber + 1), LONGEST_LINE / 1_000_000);
                }
                line.write(buffer, start, position - start);
                if (position < limit) {
                    position++;
                    return line.toByteArray();
                }
            }
        }
    }
}
