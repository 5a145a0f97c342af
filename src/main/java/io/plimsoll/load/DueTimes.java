package io.plimsoll.load;

import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Arrivals;
import io.plimsoll.pace.Throttle;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The intended send times of one sender within a trial: warm-up, then the measured window, which ends after a number of
 * records or a duration. The sender takes the times in order; the waiting time of records that were never sent is
 * charged at the end. Used by the sender's thread; once that thread has ended, by the thread that ends the trial.
 */
public final class DueTimes {
    /** Time after the window in which a sender may still send records that were due within it. */
    public static final long CATCH_UP_NANOS = Duration.ofSeconds(2).toNanos();

    private final @Nullable Arrivals arrivals;
    private final long records;
    private final Throttle throttle;
    private @Nullable TrialClock clock;
    private long measured;
    private boolean drawn;
    private long next;
    /** Whether the next time was computed before the end of the warm-up was known, and must be computed again. */
    private boolean early;

    private int halvings;
    private boolean counted;
    private long takenNanos = Long.MIN_VALUE;

    /**
     * @param arrivals null in a closed loop
     * @param records of the measured window; {@link Long#MAX_VALUE} if limited by time
     */
    public DueTimes(@Nullable Arrivals arrivals, long records, Throttle throttle) {
        this.arrivals = arrivals;
        this.records = records;
        this.throttle = throttle;
    }

    public void start(TrialClock trialClock) {
        clock = trialClock;
    }

    private TrialClock clock() {
        return Objects.requireNonNull(clock);
    }

    public boolean closedLoop() {
        return arrivals == null;
    }

    /**
     * Open loop: the next intended time in nanoTime; {@link Long#MAX_VALUE} after the last. Call again after a wait,
     * because the time becomes earlier when the warm-up ends, and later when the load is throttled.
     */
    public long next() {
        Arrivals own = Objects.requireNonNull(arrivals);
        if (!drawn) {
            drawn = true;
            counted = false;
            next = intended(own::nextDueNanos);
        } else if ((early && clock().warmup().known()) || halvings != throttle.halvings()) {
            measured -= counted ? 1 : 0;
            counted = false;
            next = intended(own::lastDueNanos);
        }
        return next;
    }

    private long intended(LongSupplier drawing) {
        early = !clock().warmup().known();
        halvings = throttle.halvings();
        long due = drawing.getAsLong();
        if (due == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        long intended = clock().startNanos() + due;
        if (intended >= clock().measureEndNanos()) {
            return Long.MAX_VALUE;
        }
        if (!early && clock().measured(intended)) {
            if (measured >= records) {
                return Long.MAX_VALUE;
            }
            measured++;
            counted = true;
        }
        return intended;
    }

    /** Open loop: marks the next record as taken, so that it is not charged as unsent. No effect in a closed loop. */
    public void taken() {
        if (drawn) {
            takenNanos = next;
            drawn = false;
        }
    }

    /** Open loop: due time of the last record taken, in nanoTime; {@link Long#MIN_VALUE} if none. */
    public long takenNanos() {
        return takenNanos;
    }

    /**
     * Open loop: charges the waiting time of every due record that was never taken. A second call has no effect.
     * @param unsent receives the due time of each record and the end of its wait
     */
    public void charge(long nowNanos, Unsent unsent) {
        if (clock == null || closedLoop()) {
            return;
        }
        long end = clock().measureEndNanos();
        long until = end == Long.MAX_VALUE ? nowNanos : Math.min(nowNanos, end + CATCH_UP_NANOS);
        while (next() < until) {
            unsent.charge(next(), until);
            taken();
        }
    }

    public interface Unsent {
        void charge(long dueNanos, long nowNanos);
    }

    /** True after the catch-up time of the window. */
    public boolean tooLate(long nowNanos) {
        return clock().measureEndNanos() != Long.MAX_VALUE && nowNanos > clock().measureEndNanos() + CATCH_UP_NANOS;
    }

    /** Closed loop: the next time to send, in nanoTime; {@code nowNanos}, or later while the load is throttled. */
    public long resumeNanos(long nowNanos) {
        return throttle.halvings() == 0
                ? nowNanos
                : clock().startNanos() + throttle.resumeNanos(nowNanos - clock().startNanos());
    }

    /**
     * Closed loop: how many of {@code wanted} records may be sent now; 0 before the start, after the end, and while
     * throttled.
     */
    public int claim(int wanted, long nowNanos) {
        if (nowNanos < clock().startNanos() || over(nowNanos) || resumeNanos(nowNanos) > nowNanos) {
            return 0;
        }
        if (!clock().measured(nowNanos)) {
            return wanted;
        }
        int allowed = (int) Math.min(wanted, records - measured);
        measured += allowed;
        return allowed;
    }

    /** Closed loop: true when sending is over. */
    public boolean over(long nowNanos) {
        return nowNanos >= clock().measureEndNanos() || measured >= records;
    }
}
