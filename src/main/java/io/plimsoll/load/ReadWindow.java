package io.plimsoll.load;

import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConsumerSpec;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The time in which the groups of a consumer entry read, and their measured window. Thread-safe.
 *
 * <p>Groups that keep up with the producers use the trial's window. Groups that start later or have a record limit have
 * their own window, from their start to their last record.
 */
public final class ReadWindow {
    private final ConsumerSpec.Start start;
    private final boolean bound;
    private volatile @Nullable TrialClock clock;
    private volatile long openedNanos = Long.MAX_VALUE;

    /** @param bound whether groups end after a number of records */
    public ReadWindow(ConsumerSpec.Start start, boolean bound) {
        this.start = start;
        this.bound = bound;
    }

    public void start(TrialClock trialClock) {
        clock = trialClock;
        if (!heldBack()) {
            openedNanos = trialClock.startNanos();
        }
    }

    /** Starts groups that wait for an amount of data. */
    public void openGate(long nowNanos) {
        if (start instanceof ConsumerSpec.Start.BacklogBytes && openedNanos == Long.MAX_VALUE) {
            openedNanos = nowNanos;
        }
    }

    /** Starts groups that wait for the end of the producers or for a backlog that no longer grows. */
    public void producersDone(long nowNanos) {
        if (heldBack()) {
            openedNanos = Math.min(openedNanos(), nowNanos);
        }
    }

    /** Start of reading, in nanoTime; {@link Long#MAX_VALUE} until it is known. */
    public long openedNanos() {
        TrialClock known = clock;
        return openedNanos == Long.MAX_VALUE
                        && known != null
                        && known.warmup().known()
                        && start instanceof ConsumerSpec.Start.Backlog backlog
                ? known.measureStartNanos() + backlog.time().toNanos()
                : openedNanos;
    }

    public boolean open(long nowNanos) {
        return started() && nowNanos >= openedNanos();
    }

    public boolean started() {
        return clock != null;
    }

    /** The clock of a trial that has started. */
    public TrialClock clock() {
        return Objects.requireNonNull(clock);
    }

    /** Whether records that arrive now count in the measured window. */
    public boolean measured(long nowNanos) {
        return clock().measured(nowNanos);
    }

    /** Whether records that arrive now count for throughput. */
    public boolean inWindow(long nowNanos) {
        return measured(nowNanos) && (ownEnd() || nowNanos < clock().measureEndNanos());
    }

    /** The windows that contain the current time; none before the trial. */
    ReceiveMeter.Now now(Waiter waiter) {
        return new ReceiveMeter.Now(
                () -> started() && measured(waiter.nanoTime()), () -> started() && inWindow(waiter.nanoTime()));
    }

    private boolean ownEnd() {
        return bound
                || start instanceof ConsumerSpec.Start.AfterProduce
                || (heldBack() && openedNanos() >= clock().measureEndNanos());
    }

    /** Whether groups start later than the load. */
    boolean heldBack() {
        return start instanceof ConsumerSpec.Start.AfterProduce
                || start instanceof ConsumerSpec.Start.BacklogBytes
                || start instanceof ConsumerSpec.Start.Backlog;
    }

    /** The time span for throughput so far; empty if no record was read. */
    public Optional<Consumers.Span> span(long lastRecordNanos, long nowNanos) {
        TrialClock known = clock;
        if (known == null || lastRecordNanos == 0 || !known.warmup().known()) {
            return Optional.empty();
        }
        long from = Math.max(openedNanos(), known.measureStartNanos());
        long to = ownEnd() ? lastRecordNanos : Math.min(known.measureEndNanos(), Math.max(lastRecordNanos, from));
        if (!ownEnd() && !known.endsWithLastRecord()) {
            // A trial ends earlier if no more records are due.
            to = Math.min(known.measureEndNanos(), nowNanos);
        }
        return to > from ? Optional.of(new Consumers.Span(from, to)) : Optional.empty();
    }
}
