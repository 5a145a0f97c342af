package io.plimsoll.load;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClientInternals;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * The lifecycle of one member with its own client. Runs in one thread, which owns the client; any thread may stop,
 * kill, pause or remove the member.
 */
public abstract class MemberRun implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** Maximum time that a poll waits for records. */
    protected static final Duration POLL = Duration.ofMillis(100);
    /** Time limit for the last commit and for leaving the group. */
    protected static final Duration LEAVE_LIMIT = Duration.ofSeconds(2);

    protected static final long PAUSE_NANOS = 100_000_000;

    private static final Set<String> METRIC_GROUPS = Set.of(
            "consumer-metrics",
            "consumer-fetch-manager-metrics",
            "consumer-coordinator-metrics",
            "consumer-share-metrics",
            "consumer-share-fetch-manager-metrics");

    private static final String BETWEEN_POLLS = "time-between-poll-max";

    protected final RecordIntake intake;
    protected final GroupState group;
    protected final ReceiveMeter meter;
    protected final Waiter waiter;
    private final Consumer<Sentence> notes;
    private volatile boolean stop;
    private volatile boolean killed;
    private volatile boolean paused;
    private volatile boolean closing;
    private volatile @Nullable Throwable fatal;
    private volatile @Nullable String lastError;
    /** Number of failed polls. */
    private long failures;

    private final AtomicLong waitedNanos = new AtomicLong();
    private final AtomicLong polls = new AtomicLong();
    final Figures figures;

    protected MemberRun(
            Supplier<Map<MetricName, ? extends Metric>> metrics,
            RecordIntake intake,
            Waiter waiter,
            Consumer<Sentence> notes) {
        this.figures = new Figures(metrics);
        this.intake = intake;
        this.group = intake.group();
        this.meter = intake.meter();
        this.waiter = waiter;
        this.notes = notes;
    }

    /** Joins, reads until {@link #over}, and leaves cleanly unless killed. */
    protected abstract void read();

    /** Closes the client, even after an error. */
    protected abstract void close();

    /** Aborts a poll in progress. Usable by any thread. */
    protected abstract void wakeup();

    /** Whether the member has its assignment, which can be empty. */
    public boolean joined() {
        return true;
    }

    /** Whether the member must end, even while it processes records. */
    public final boolean over() {
        return stop || killed || group.done();
    }

    /** Ends the member immediately and cleanly. */
    public final void stop() {
        stop = true;
        wakeup();
    }

    /** Ends the member without leaving the group, like a crash. */
    public void kill() {
        killed = true;
        wakeup();
    }

    /** Leaves cleanly after the current poll, while other members continue. */
    public final void leave() {
        stop = true;
    }

    /** Stops or resumes polling. */
    public final void pause(boolean yes) {
        paused = yes;
    }

    /** The error that ended the member. */
    public final @Nullable Throwable fatal() {
        return fatal;
    }

    protected final boolean stopping() {
        return stop;
    }

    public final boolean killed() {
        return killed;
    }

    /** Error of the last failed poll. */
    public final @Nullable String lastError() {
        return lastError;
    }

    protected final boolean paused() {
        return paused;
    }

    protected final void note(Sentence text) {
        notes.accept(text);
    }

    @Override
    public final void run() {
        try {
            read();
        } catch (WakeupException | InterruptException e) {
            // The thread was asked to stop.
        } catch (RuntimeException | Error e) {
            // Catches OutOfMemoryError too, because a group without this member is not the requested group.
            fatal = e;
            if (!over()) {
                meter.ended(KafkaErrors.kind(e));
            }
            note(Sentence.of("load.memberEnded", group.id(), e.getMessage() == null ? e : e.getMessage()));
        } finally {
            Thread.interrupted();
            if (intake.work() != null) {
                intake.work().close();
            }
            closing = true;
            close();
        }
    }

    /**
     * Polls. After an error from which the client recovers, returns no records.
     * @param waits whether the member waits for records in this poll, so that its time is idle time
     */
    protected final ConsumerRecords<ByteBuffer, ByteBuffer> poll(
            Supplier<ConsumerRecords<ByteBuffer, ByteBuffer>> poll, boolean waits) {
        long begun = waiter.nanoTime();
        long worked = THREADS.getCurrentThreadCpuTime();
        try {
            ConsumerRecords<ByteBuffer, ByteBuffer> records = poll.get();
            polls.lazySet(polls.get() + (records.isEmpty() ? 0 : 1));
            return records;
        } catch (WakeupException
                | InterruptException
                | AuthorizationException
                | AuthenticationException
                | UnsupportedVersionException
                | InvalidGroupIdException e) {
            throw e;
        } catch (KafkaException e) {
            // For example, a broker crashed or the coordinator moved.
            meter.failed(KafkaErrors.kind(e));
            lastError = e.getMessage();
            failures++;
            rest();
            return ConsumerRecords.empty();
        } finally {
            worked = THREADS.getCurrentThreadCpuTime() - worked;
            waitedNanos.addAndGet(waits ? Math.max(0, waiter.nanoTime() - begun - worked) : 0);
        }
    }

    /** Polls like {@link #poll}, and measures the poll's duration. */
    protected final ConsumerRecords<ByteBuffer, ByteBuffer> read(
            Function<Duration, ConsumerRecords<ByteBuffer, ByteBuffer>> poll, Duration most) {
        intake.polls().begun(waiter.nanoTime());
        boolean failed = true;
        try {
            long before = failures;
            ConsumerRecords<ByteBuffer, ByteBuffer> records = poll(() -> poll.apply(most), true);
            failed = failures > before;
            return records;
        } finally {
            // A failed poll includes a rest, so its duration is not limited.
            intake.polls().ended(waiter.nanoTime(), failed ? Long.MAX_VALUE : most.toNanos());
        }
    }

    /**
     * Total idle time of polls. The client's {@code poll-idle-ratio-avg} is a mean over polls, although only the first
     * poll of each fetch waits. Usable by any thread.
     */
    public final long waitedNanos() {
        return waitedNanos.get();
    }

    /** Number of assigned partitions. */
    public final double assigned() {
        return figures.metrics.value("assigned-partitions");
    }

    /** @throws InterruptException if the thread was asked to end */
    protected final void rest() {
        waiter.park(PAUSE_NANOS);
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptException(new InterruptedException());
        }
    }

    /** Metrics of the client since the last reading. Used by one thread. */
    final class Figures {
        private final ClientMetrics metrics;
        private long waitedBefore;
        private long pollsBefore;

        Figures(Supplier<Map<MetricName, ? extends Metric>> source) {
            this.metrics = new ClientMetrics(
                    source,
                    name -> METRIC_GROUPS.contains(name.group()) && !name.tags().containsKey("topic")
                            ? name.name()
                            : null);
        }

        /** Adds the figures since the last call; returns the number of fetch requests. */
        double read(long nowNanos, ClientFigures into, String part, ClientEvents events) {
            double seconds = metrics.look(nowNanos);
            metrics.tell(ClientMetrics.LOGINS, 1, Incident.Kind.REAUTHENTICATION, events);
            long waited = waitedNanos.get();
            double waitedSeconds = Math.min(seconds, (waited - waitedBefore) / 1e9);
            waitedBefore = waited;
            long polled = polls.get();
            double fetches = metrics.since("fetch-total");
            // A member that has ended loses no connection when it closes its client, and is not busy.
            if (!closing) {
                metrics.tell("connection-close-total", 1, Incident.Kind.DISCONNECT, events);
                into.add(part, "clientSeconds", seconds);
                into.add(part, "pollIdleSeconds", waitedSeconds);
                into.least(part, "leastPollIdle", seconds > 0 ? waitedSeconds / seconds : Double.NaN);
            }
            into.add(part, "fetches", fetches);
            into.add(part, "fetchMs", fetches * metrics.value("fetch-latency-avg"));
            into.add(part, "fetchBytes", fetches * metrics.value("fetch-size-avg"));
            if (metrics.has(ClientInternals.CONSUMER_THROTTLES)) {
                into.add(part, "throttleMs", metrics.since(ClientInternals.CONSUMER_THROTTLES));
            }
            into.add(part, "polls", polled - pollsBefore);
            pollsBefore = polled;
            into.add(part, "recordsRead", metrics.since("records-consumed-total"));
            into.add(part, "commitSyncSeconds", metrics.since("commit-sync-time-ns-total") / 1e9);
            into.add(part, "rebalanceSeconds", metrics.since("rebalance-latency-total") / 1e3);
            if (metrics.has(BETWEEN_POLLS)) {
                into.most(part, "betweenPollsMs", metrics.value(BETWEEN_POLLS));
            }
            return fetches;
        }
    }
}
