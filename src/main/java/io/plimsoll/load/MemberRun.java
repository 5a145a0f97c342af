package io.plimsoll.load;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.text.Sentence;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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

/**
 * The lifecycle of one member with its own client. Runs in one thread, which owns the client; any thread may stop, kill, pause
 * or remove it.
 */
public abstract class MemberRun implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** How long a poll waits for records. */
    protected static final Duration POLL = Duration.ofMillis(100);
    /** Limit for committing and leaving the group, which takes milliseconds unless the brokers are down. */
    protected static final Duration LEAVE_LIMIT = Duration.ofSeconds(2);

    protected static final long PAUSE_NANOS = 100_000_000;

    protected final RecordIntake intake;
    protected final GroupState group;
    protected final ReceiveMeter meter;
    protected final Waiter waiter;
    private final Consumer<Sentence> notes;
    private volatile boolean stop;
    private volatile boolean killed;
    private volatile boolean paused;
    private volatile Throwable fatal;
    private volatile String told;
    private final AtomicLong waitedNanos = new AtomicLong();
    /** Polls that returned records so far. */
    private final AtomicLong polls = new AtomicLong();
    /** Metrics of the client; used by the thread that reads figures. */
    final ConsumerFigures figures;

    /**
     * @param metrics of its client
     * @param notes receives the reason if it fails
     */
    protected MemberRun(
            Supplier<Map<MetricName, ? extends Metric>> metrics,
            RecordIntake intake,
            Waiter waiter,
            Consumer<Sentence> notes) {
        this.figures = new ConsumerFigures(metrics, waitedNanos::get, polls::get);
        this.intake = intake;
        this.group = intake.group();
        this.meter = intake.meter();
        this.waiter = waiter;
        this.notes = notes;
    }

    /** Joins, reads until {@link #over}, and leaves cleanly unless killed. */
    protected abstract void read();

    /** Closes the client, also after an error in {@link #read}. */
    protected abstract void close();

    /** Aborts a poll in progress. Any thread. */
    protected abstract void wakeup();

    /** True once this member has its assignment (possibly empty). */
    public boolean joined() {
        return true;
    }

    /** Whether it must end, regardless of records in progress. */
    public final boolean over() {
        return stop || killed || group.done();
    }

    /** Ends at once and cleanly. */
    public final void stop() {
        stop = true;
        wakeup();
    }

    /** Ends without leaving the group, like a crash. */
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

    /** The fatal error of the member; null without one. */
    public final Throwable fatal() {
        return fatal;
    }

    protected final boolean stopping() {
        return stop;
    }

    /** Whether it was killed. Any thread. */
    public final boolean killed() {
        return killed;
    }

    /** The error of the last failed poll; null without one. */
    public final String told() {
        return told;
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
            // asked to stop
        } catch (RuntimeException | Error e) {
            // Any error counts, also OutOfMemoryError: a group that has lost a member is not the requested one.
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
            close();
        }
    }

    /**
     * Polls and survives errors from which the client recovers.
     *
     * @return no records if the poll failed
     */
    protected final ConsumerRecords<ByteBuffer, ByteBuffer> poll(
            Supplier<ConsumerRecords<ByteBuffer, ByteBuffer>> poll) {
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
            // The client recovers, for example after a broker crash or a moved coordinator; the run continues and
            // counts.
            meter.failed(KafkaErrors.kind(e));
            told = e.getMessage();
            rest();
            return ConsumerRecords.empty();
        } finally {
            worked = THREADS.getCurrentThreadCpuTime() - worked;
            waitedNanos.addAndGet(Math.max(0, waiter.nanoTime() - begun - worked));
        }
    }

    /**
     * The total time that polls have waited idle. The client's own {@code poll-idle-ratio-avg} is a mean over polls: of fifty
     * polls that return the records of one fetch, only one has waited, for nearly all of the time. Any thread.
     */
    public final long waitedNanos() {
        return waitedNanos.get();
    }

    /** Number of assigned partitions. */
    public final double assigned() {
        return figures.assigned();
    }

    /** @throws InterruptException if the thread is to end */
    protected final void rest() {
        waiter.park(PAUSE_NANOS);
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptException(new InterruptedException());
        }
    }
}
