package io.plimsoll.watch;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.SpreadTopic;
import io.plimsoll.result.Json;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The directory of a watch: {@code accounts.json}, written every minute; {@code audit.json}, written every second;
 * {@code latencies.json}, written every ten minutes and at the end; {@code status.json}, for people and programs; {@code events.jsonl}, whose older parts are numbered. A file is replaced as a
 * whole, so that one that is cut off is never found. One process at a time. Used by one thread but for {@link #event}.
 */
final class WatchFiles implements AutoCloseable {
    private static final Map<Class<?>, String> NAMES = Map.of(
            Accounts.class, "accounts.json",
            Audited.class, "audit.json",
            Latest.class, "latencies.json",
            WatchStatus.class, "status.json");
    private static final String EVENTS = "events.jsonl";
    private static final long MOST_EVENT_BYTES = 4 << 20;
    private static final int OLDER_EVENTS = 4;

    private final Path directory;
    private final Consumer<Sentence> problem;
    private final FileChannel lockFile;

    /**
     * What was counted.
     *
     * @param broker its id; {@link WatchStatus#ALL} for all together
     */
    record Counted(Signal signal, int broker, Availability availability) {}

    /**
     * All counts up to a time.
     *
     * @param watch whose records the topic holds
     * @param since when the first process began
     * @param clusterId which may not be another one later
     * @param brokers those that were watched last; a later process looks for one that is not there as well
     */
    record Accounts(
            String schema,
            UUID watch,
            Instant since,
            String clusterId,
            String topic,
            List<Address> brokers,
            List<Counted> counted,
            List<WatchStatus.Outage> outages) {
        Accounts {
            // Files of earlier versions have none.
            brokers = brokers == null ? List.of() : List.copyOf(brokers);
        }
    }

    /** Where a broker was seen last. */
    record Address(int id, String host, int port) {}

    /** All that was counted within a minute since 1970. */
    record Minute(Signal signal, int broker, long minute, long good, long bad) {}

    /**
     * What is newer than the accounts.
     *
     * @param topicId of the topic whose log is audited; null where it is not known
     * @param given brokers that have been given a partition; null in files of earlier versions
     * @param partitions where sending and reading have come to
     * @param minutes the last two
     */
    record Audited(
            String schema,
            UUID watch,
            String topicId,
            SpreadTopic.Given given,
            Map<Integer, WatchedPartitions.Saved> partitions,
            List<Minute> minutes) {
        static final Audited NONE =
                new Audited(WatchStatus.SCHEMA, null, null, SpreadTopic.Given.NONE, new TreeMap<>(), List.of());
    }

    /**
     * How long attempts have taken.
     *
     * @param hours by hour since 1970, as {@link io.plimsoll.measure.Latencies#encode} writes them
     */
    record Timed(Signal signal, int broker, Map<Long, String> hours) {}

    /** All latencies of a day. */
    record Latest(String schema, UUID watch, List<Timed> latencies) {
        static final Latest NONE = new Latest(WatchStatus.SCHEMA, null, List.of());
    }

    /**
     * Takes a directory, which is made where there is none.
     *
     * @param problem is told of files that cannot be read, and can be done without
     * @throws PlimsollException ({@link Exit#USAGE}) where another process has it, or it cannot be written to
     */
    WatchFiles(Path directory, Consumer<Sentence> problem) {
        this.directory = directory;
        this.problem = problem;
        try {
            if (!Files.isDirectory(directory)) {
                PrivateFiles.directory(directory);
            }
            Path lock = directory.resolve("lock");
            PrivateFiles.file(lock);
            lockFile = FileChannel.open(lock, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "watch.cannotWrite", directory, RunDirectory.reason(e));
        }
        // Held until it is closed, or this process has ended, however.
        try {
            FileLock held = lockFile.tryLock();
            if (held == null) {
                throw Exit.USAGE.because("watch.inUse", directory);
            }
        } catch (IOException | OverlappingFileLockException e) {
            throw Exit.USAGE.because(e, "watch.inUse", directory);
        }
    }

    /**
     * What an earlier process has counted.
     *
     * @throws PlimsollException ({@link Exit#USAGE}) where that cannot be read: nobody else has it
     */
    Optional<Accounts> accounts() {
        return read(Accounts.class);
    }

    /** Where an earlier process had come to. */
    Audited audited() {
        return readable(Audited.class).orElse(Audited.NONE);
    }

    /** How long attempts of an earlier process have taken. */
    Latest latest() {
        return readable(Latest.class).orElse(Latest.NONE);
    }

    /** A watch that would not start for the sake of this would be worse than one without. */
    private <T> Optional<T> readable(Class<T> type) {
        try {
            return read(type);
        } catch (PlimsollException e) {
            problem.accept(Sentence.of(
                    "watch.leftOut",
                    directory.resolve(NAMES.get(type)),
                    String.valueOf(e.getCause().getMessage())));
            return Optional.empty();
        }
    }

    private <T> Optional<T> read(Class<T> type) {
        Path file = directory.resolve(NAMES.get(type));
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(Json.MAPPER.readValue(file.toFile(), type));
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "watch.unreadable", file, e.getMessage());
        }
    }

    /** Replaces the file of what it holds; that of the status is written for people. */
    void write(Record content) {
        String name = NAMES.get(content.getClass());
        String text = content instanceof WatchStatus ? Json.pretty(content) : Json.line(content);
        try {
            Path next = directory.resolve(name + ".next");
            PrivateFiles.file(next);
            try (FileChannel file =
                    FileChannel.open(next, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
                // A name that outlives a failure of power has to have its contents with it.
                file.force(true);
            }
            Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a line to what has happened. */
    synchronized void event(Object event) {
        try {
            Path file = directory.resolve(EVENTS);
            if (Files.exists(file) && Files.size(file) > MOST_EVENT_BYTES) {
                for (int n = OLDER_EVENTS; n > 0; n--) {
                    Path from = n == 1 ? file : directory.resolve(EVENTS + "." + (n - 1));
                    if (Files.exists(from)) {
                        Files.move(from, directory.resolve(EVENTS + "." + n), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
            PrivateFiles.file(file);
            Files.writeString(file, Json.line(event) + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            // The lock goes with the process.
        }
    }
}
