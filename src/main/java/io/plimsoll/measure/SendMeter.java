package io.plimsoll.measure;

/**
 * Takes what a sending thread does. The owner is that thread; where several threads share one meter, {@code shared}
 * guards it with its lock.
 */
public final class SendMeter {
    /** A wake-up later than this after the intended time counts as late. */
    public static final long LATE_NANOS = 1_000_000;

    private final boolean shared;
    private final boolean closedLoop;
    private final LatencyRecorder[] delay = {new LatencyRecorder(), new LatencyRecorder()};
    private final Counter[] sent = {new Counter(), new Counter()};
    private final Counter ticks = new Counter();
    private final Counter lateTicks = new Counter();
    private volatile long measureStartNanos;

    public SendMeter(boolean closedLoop, boolean shared) {
        this.closedLoop = closedLoop;
        this.shared = shared;
    }

    /** Before the first record is sent. */
    public void start(TrialClock clock) {
        measureStartNanos = clock.measureStartNanos();
    }

    /** A record is handed to the client. */
    public void sent(long intendedNanos, long nowNanos) {
        if (shared) {
            synchronized (this) {
                count(intendedNanos, nowNanos);
            }
        } else {
            count(intendedNanos, nowNanos);
        }
    }

    /** Records that are due as they are handed over, as those of a closed loop are. */
    public void sentAtOnce(int records, long nowNanos) {
        if (shared) {
            synchronized (this) {
                sent[nowNanos >= measureStartNanos ? 1 : 0].add(records);
            }
        } else {
            sent[nowNanos >= measureStartNanos ? 1 : 0].add(records);
        }
    }

    private void count(long intendedNanos, long nowNanos) {
        int window = intendedNanos >= measureStartNanos ? 1 : 0;
        sent[window].add(1);
        if (!closedLoop) {
            delay[window].recordNanos(nowNanos - intendedNanos);
        }
    }

    /** The thread slept until an intended time and woke up. */
    public void tick(long lateNanos) {
        if (shared) {
            synchronized (this) {
                countTick(lateNanos);
            }
        } else {
            countTick(lateNanos);
        }
    }

    private void countTick(long lateNanos) {
        ticks.add(1);
        if (lateNanos > LATE_NANOS) {
            lateTicks.add(1);
        }
    }

    void drainInto(ProduceTally tally) {
        for (int w = 0; w < 2; w++) {
            ProduceTally.Sums sums = tally.window(w == 1);
            sums.sent += sent[w].get();
            delay[w].drainInto(sums.delay);
        }
        tally.ticks += ticks.get();
        tally.lateTicks += lateTicks.get();
    }
}
