package io.plimsoll.observe.broker;

import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentSource;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/**
 * Follows the flight recording that a broker on this host writes to a directory: pauses of the broker's JVM, slow file
 * operations, and waits of its request handlers for locks. The broker decides which events it records. A restarted
 * broker begins a new recording. Used by one thread and by the thread of the event stream.
 */
public final class BrokerFlight implements IncidentSource {
    /** Maximum delay until an event is read: a JVM writes once a second, and the stream reads once a second. */
    public static final Duration LATENCY = Duration.ofMillis(1_500);

    private static final String HANDLERS = "data-plane-kafka-request-handler";
    /** Safepoint operations of collectors, which have separate events. */
    private static final Pattern OF_A_COLLECTOR = Pattern.compile("^(G1|Z|X|CGC|Gen|Parallel|Serial|Shenandoah).*");

    private final String broker;
    private final Path directory;
    private final LongSupplier pid;
    private long followed = -1;
    private @Nullable EventStream stream;

    /**
     * @param broker ID of the broker
     * @param directory that contains its recordings
     * @param pid returns the ID of its current process
     */
    public BrokerFlight(int broker, Path directory, LongSupplier pid) {
        this.broker = "broker " + broker;
        this.directory = directory;
        this.pid = pid;
    }

    @Override
    public int every() {
        return 25;
    }

    @Override
    public void look(long nowNanos, IncidentSink sink) {
        long present = pid.getAsLong();
        if (present != followed) {
            try (DirectoryStream<Path> recordings = Files.newDirectoryStream(directory, "*_" + present)) {
                for (Path recording : recordings) {
                    close();
                    follow(recording, sink);
                    followed = present;
                }
            } catch (IOException | LinkageError e) {
                // The recording does not exist yet, or the runtime does not support flight recordings.
            }
        }
    }

    private void follow(Path recording, IncidentSink sink) throws IOException {
        EventStream events = EventStream.openRepository(recording);
        stream = events;
        events.setStartTime(Instant.now());
        on(events, sink, "jdk.GCPhasePause", e -> new Found(Kind.GC, e.getString("name")));
        on(events, sink, "jdk.SafepointStateSynchronization", e -> new Found(Kind.SAFEPOINT, null));
        on(events, sink, "jdk.ExecuteVMOperation", e -> {
            String operation = e.getString("operation");
            return e.getBoolean("safepoint")
                            && !OF_A_COLLECTOR.matcher(operation).matches()
                    ? new Found(Kind.SAFEPOINT, operation)
                    : null;
        });
        on(events, sink, "jdk.FileForce", e -> new Found(Kind.FLUSH, file(e.getString("path"))));
        on(events, sink, "jdk.FileWrite", e -> new Found(Kind.FILE_STALL, file(e.getString("path"))));
        on(events, sink, "jdk.FileRead", e -> new Found(Kind.FILE_STALL, file(e.getString("path"))));
        on(events, sink, "jdk.JavaMonitorEnter", e -> lock(e, e.getClass("monitorClass")));
        on(events, sink, "jdk.ThreadPark", e -> {
            RecordedClass parked = e.getClass("parkedClass");
            // Idle handlers park on a condition, not on a lock.
            return parked != null && parked.getName().endsWith("Sync") ? lock(e, parked) : null;
        });
        events.startAsync();
    }

    private record Found(Kind kind, @Nullable String detail) {}

    private interface Reading {
        /** The incident of an event; null if the event is not an incident. */
        @Nullable
        Found of(RecordedEvent event);
    }

    private void on(EventStream events, IncidentSink sink, String name, Reading reading) {
        events.onEvent(name, event -> {
            Found found = reading.of(event);
            if (found != null) {
                long from = nanoTime(event.getStartTime(), sink);
                sink.add(found.kind, broker, from, nanoTime(event.getEndTime(), sink), 1_000_000, found.detail);
            }
        });
    }

    private static @Nullable Found lock(RecordedEvent event, @Nullable RecordedClass of) {
        RecordedThread thread = event.getThread();
        boolean handler = thread != null
                && thread.getJavaName() != null
                && thread.getJavaName().startsWith(HANDLERS);
        return handler ? new Found(Kind.LOCK, of == null ? null : of.getName()) : null;
    }

    private static long nanoTime(Instant at, IncidentSink sink) {
        return sink.nanoTime(at.getEpochSecond() * 1_000_000_000L + at.getNano());
    }

    /** For a log file, its partition, taken from the name of the directory; for any other file, its name. */
    static @Nullable String file(@Nullable String path) {
        Path file = path == null ? null : Path.of(path);
        if (file == null || file.getParent() == null) {
            return path;
        }
        String parent = String.valueOf(file.getParent().getFileName());
        return parent.matches(".+-\\d+")
                        && Character.isDigit(file.getFileName().toString().charAt(0))
                ? parent
                : file.getFileName().toString();
    }

    @Override
    public void close() {
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }
}
