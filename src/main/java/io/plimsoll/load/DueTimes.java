package io.plimsoll.load;

import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Arrivals;
import io.plimsoll.pace.Throttle;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The intended times of one sender within a trial: warm-up first, then the measured window, which ends after a number of
 * records or with the clock. The sender takes one after the other; who ends the trial charges those that it never took.
 * Owned by the sender's thread, and by who ends the trial once that thread has ended.
 */
public final class DueTimes {
    /** So long after the window's end a sender may go on sending what was due within the window. */
    public static final long CATCH_UP_NANOS = Duration.ofSeconds(2).toNanos();

    private final Arrivals arrivals;
    private final long records;
    private final Throttle throttle;
    private TrialClock clock;
    private long measured;
    private boolean drawn;
    private long next;
    /** Drawn before the end of the warm-up was known: a time behind it will not be that of its record. */
    private boolean early;
    /** The halvings that were known when it was drawn: with one more it is due later. */
    private int halvings;
    /** It was counted as one of the measured window. */
    private boolean counted;

    private long takenNanos = Long.MIN_VALUE;

    /**
     * @param arrivals null in a closed loop
     * @param records of the measured window; {@link Long#MAX_VALUE} if bound by time
     * @param throttle holds the load back, and with it the arrivals
     */
    public DueTimes(Arrivals arrivals, long records, Throttle throttle) {
        this.arrivals = arrivals;
        this.records = records;
        this.throttle = throttle;
    }

    public void start(TrialClock trialClock) {
        clock = trialClock;
    }

    public boolean closedLoop() {
        return arrivals == null;
    }

    /**
     * Open loop: the next intended time in nanoTime; {@link Long#MAX_VALUE} if there is none within the window. Whoever
     * waits for it asks again before it takes the record: when the end of the warm-up is told it may become earlier, and
     * later when the load is held back.
     */
    public long next() {
        if (!drawn) {
            drawn = true;
            counted = false;
            next = intended(arrivals::nextDueNanos);
        } else if ((early && clock.warmup().known()) || halvings != throttle.halvings()) {
            measured -= counted ? 1 : 0;
            counted = false;
            next = intended(arrivals::lastDueNanos);
        }
        return next;
    }

    private long intended(LongSupplier drawing) {
        early = !clock.warmup().known();
        halvings = throttle.halvings();
        long due = drawing.getAsLong();
        if (due == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        long intended = clock.startNanos() + due;
        if (intended >= clock.measureEndNanos()) {
            return Long.MAX_VALUE;
        }
        if (!early && clock.measured(intended)) {
            if (measured >= records) {
                return Long.MAX_VALUE;
            }
            measured++;
            counted = true;
        }
        return intended;
    }

    /**
     * Open loop: the next record is handed over; whatever happens to it, it is not charged as one that never was. Does nothing
     * in a closed loop.
     */
    public void taken() {
        if (drawn) {
            takenNanos = next;
            drawn = false;
        }
    }

    /** Open loop: when the last record was due that was taken, in nanoTime; {@link Long#MIN_VALUE} if none was. */
    public long takenNanos() {
        return takenNanos;
    }

    /**
     * Open loop: charges every record that was due by then and never taken with the time it has waited. A second call
     * finds nothing more.
     *
     * @param nowNanos when the trial was stopped, or came to its end
     * @param unsent told when each was due, and until when it has waited
     */
    public void charge(long nowNanos, Unsent unsent) {
        if (clock == null || closedLoop()) {
            return;
        }
        // A sender takes what was due within the window for so long after its end: what it left had waited as long.
        long end = clock.measureEndNanos();
        long until = end == Long.MAX_VALUE ? nowNanos : Math.min(nowNanos, end + CATCH_UP_NANOS);
        while (next() < until) {
            unsent.charge(next(), until);
            taken();
        }
    }

    /** Whom a record is charged to that was due and never taken. */
    public interface Unsent {
        void charge(long dueNanos, long nowNanos);
    }

    /** True if the window is over for so long that what was due in it is not sent any more. */
    public boolean tooLate(long nowNanos) {
        return clock.measureEndNanos() != Long.MAX_VALUE && nowNanos > clock.measureEndNanos() + CATCH_UP_NANOS;
    }

    /** Closed loop: when records may be sent next, in nanoTime; not before now, and later where the load is held back. */
    public long goesOnNanos(long nowNanos) {
        return throttle.halvings() == 0
                ? nowNanos
                : clock.startNanos() + throttle.goesOn(nowNanos - clock.startNanos());
    }

    /** Closed loop: how many of {@code wanted} records may be sent now; 0 before the start, after the end, and while it rests. */
    public int claim(int wanted, long nowNanos) {
        if (nowNanos < clock.startNanos() || over(nowNanos) || goesOnNanos(nowNanos) > nowNanos) {
            return 0;
        }
        if (!clock.measured(nowNanos)) {
            return wanted;
        }
        int allowed = (int) Math.min(wanted, records - measured);
        measured += allowed;
        return allowed;
    }

    /** Closed loop: true if nothing more is to be sent. */
    public boolean over(long nowNanos) {
        return nowNanos >= clock.measureEndNanos() || measured >= records;
    }
}
