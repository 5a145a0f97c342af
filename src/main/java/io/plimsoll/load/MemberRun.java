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
 * The life of one member that polls with a client of its own: told from outside to stop, to die, to hang or to leave.
 * Runs in one thread, which owns the client; what tells it may be called by any thread.
 */
public abstract class MemberRun implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    /** How long a poll waits for records. */
    protected static final Duration POLL = Duration.ofMillis(100);
    /** To commit and leave the group takes milliseconds, unless the brokers are gone. */
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
    /** That brought something so far. */
    private final AtomicLong polls = new AtomicLong();
    /** What its client says of itself; of the thread that reads figures. */
    final ConsumerFigures figures;

    /**
     * @param metrics of its client
     * @param notes takes why it could not go on
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

    /** Joins, reads until it is {@link #over}, and leaves in good order unless it was killed. */
    protected abstract void read();

    /** Ends the client, however {@link #read} ended. */
    protected abstract void close();

    /** Breaks off a poll under way. Any thread. */
    protected abstract void wakeup();

    /** True once the group has told this member its partitions (perhaps none). */
    public boolean joined() {
        return true;
    }

    /** Whether it has to end, whatever it has in hand. */
    public final boolean over() {
        return stop || killed || group.done();
    }

    /** Ends at once, and in good order. */
    public final void stop() {
        stop = true;
        wakeup();
    }

    /** Ends without a word to the group. */
    public void kill() {
        killed = true;
        wakeup();
    }

    /** Ends in good order after the poll under way, while others go on. */
    public final void leave() {
        stop = true;
    }

    /** Stops or resumes polling. */
    public final void pause(boolean yes) {
        paused = yes;
    }

    /** Why the member cannot go on; null if it can. */
    public final Throwable fatal() {
        return fatal;
    }

    protected final boolean stopping() {
        return stop;
    }

    /** Whether it ends, or has ended, without a word to the group. Any thread. */
    public final boolean killed() {
        return killed;
    }

    /** What the last poll that failed was told; null if none did. */
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
            // Whatever it is, want of memory too: a group that has lost a member so is not the one that was asked for.
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
     * Polls, and outlives what the client recovers from.
     *
     * @return nothing if the poll failed
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
            // A broker that died, a coordinator that moved: the client recovers, the run goes on and counts.
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
     * The time for which polls have waited, and done nothing, so far. The client's own {@code poll-idle-ratio-avg} is a mean over
     * polls: of fifty that hand out what one fetch has brought, one has waited, for nearly all of the time. Any thread.
     */
    public final long waitedNanos() {
        return waitedNanos.get();
    }

    /** Partitions that it has to read, as its group gave them out. */
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
