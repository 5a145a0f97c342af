package io.plimsoll.watch;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
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
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state directory of a watch: {@code accounts.json} (written every minute), {@code audit.json} (every second),
 * {@code latencies.json} (every ten minutes and at the end), {@code status.json} for users and programs, and {@code
 * events.jsonl} with numbered older parts. Files are replaced atomically. Only one process at a time can use the
 * directory. Used by one thread, except {@link #event}.
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

    record Counted(Signal signal, int broker, Availability availability) {}

    /**
     * All counts up to a time. A later process must use the same cluster, and also probes brokers listed here that are
     * then missing from the cluster.
     */
    record Accounts(
            String schema,
            UUID watch,
            Instant since,
            String clusterId,
            String topic,
            @JsonSetter(nulls = AS_EMPTY) List<Address> brokers,
            List<Counted> counted,
            List<WatchStatus.Outage> outages) {}

    record Address(int id, String host, int port) {}

    record Minute(Signal signal, int broker, long minute, long good, long bad) {}

    /** State that is newer than the accounts; {@code minutes} contains the last two minutes. */
    record Audited(
            String schema,
            @Nullable UUID watch,
            @Nullable String topicId,
            SpreadTopic.ProvidedBrokers given,
            Map<Integer, WatchedPartitions.Saved> partitions,
            List<Minute> minutes) {
        static final Audited NONE = new Audited(
                WatchStatus.SCHEMA, null, null, SpreadTopic.ProvidedBrokers.NONE, new TreeMap<>(), List.of());
    }

    /** Latencies of a signal; {@code hours} is by hour since 1970, encoded by {@link io.plimsoll.measure.Latencies#encode}. */
    record Timed(Signal signal, int broker, Map<Long, String> hours) {}

    record Latest(String schema, @Nullable UUID watch, List<Timed> latencies) {
        static final Latest NONE = new Latest(WatchStatus.SCHEMA, null, List.of());
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if another process uses the directory or it is not writable */
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
        // The lock is released by close(), or at the end of this process.
        try {
            FileLock held = lockFile.tryLock();
            if (held == null) {
                throw Exit.USAGE.because("watch.inUse", directory);
            }
        } catch (IOException | OverlappingFileLockException e) {
            throw Exit.USAGE.because(e, "watch.inUse", directory);
        }
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if the file cannot be read, because it is the only copy */
    Optional<Accounts> accounts() {
        return read(directory, Accounts.class);
    }

    Audited audited() {
        return readable(Audited.class).orElse(Audited.NONE);
    }

    Latest latest() {
        return readable(Latest.class).orElse(Latest.NONE);
    }

    /** Reads an optional file. If it is unreadable, the watch runs without it. */
    <T> Optional<T> readable(Class<T> type) {
        try {
            return read(directory, type);
        } catch (PlimsollException e) {
            problem.accept(Sentence.of(
                    "watch.leftOut",
                    directory.resolve(NAMES.get(type)),
                    String.valueOf(Objects.requireNonNullElse(e.getCause(), e).getMessage())));
            return Optional.empty();
        }
    }

    static <T> Optional<T> read(Path directory, Class<T> type) {
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

    /** Replaces the file of this type; the status is formatted for reading. */
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
                // The content must be durable before the rename.
                file.force(true);
            }
            Files.move(next, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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
            // The end of the process releases the lock.
        }
    }
}
