package io.plimsoll.measure;

import java.util.concurrent.atomic.AtomicLong;

/** Takes what a sending thread does, which is the owner. */
public class SendMeter {
    /** A wake-up later than this after the intended time counts as late. */
    public static final long LATE_NANOS = 1_000_000;

    /** Takes what several threads do, which wait for each other. */
    private static final class Shared extends SendMeter {
        private Shared(boolean closedLoop) {
            super(closedLoop);
        }

        @Override
        public synchronized void sent(long intendedNanos, long nowNanos) {
            super.sent(intendedNanos, nowNanos);
        }

        @Override
        public synchronized void sentAtOnce(int records, long nowNanos) {
            super.sentAtOnce(records, nowNanos);
        }

        @Override
        public synchronized void tick(long lateNanos) {
            super.tick(lateNanos);
        }

        @Override
        public synchronized void held(long nanos) {
            super.held(nanos);
        }

        /** Of several threads nobody knows which one still waits. */
        @Override
        public void handing(long nowNanos) {}
    }

    private final boolean closedLoop;
    private final LatencyRecorder[] delay = {new LatencyRecorder(), new LatencyRecorder()};
    private final Counter[] sent = {new Counter(), new Counter()};
    private final Counter ticks = new Counter();
    private final Counter lateTicks = new Counter();
    private final Counter heldNanos = new Counter();
    /** Since when the client has had a record that it has not taken yet; 0 if there is none. */
    private final AtomicLong handing = new AtomicLong();

    private long heldSoFar;
    private volatile TrialClock clock;

    private SendMeter(boolean closedLoop) {
        this.closedLoop = closedLoop;
    }

    /**
     * Makes a meter.
     *
     * @param closedLoop records are due when they are sent
     * @param shared several threads send
     */
    public static SendMeter of(boolean closedLoop, boolean shared) {
        return shared ? new Shared(closedLoop) : new SendMeter(closedLoop);
    }

    /** Before the first record is sent. */
    public void start(TrialClock trialClock) {
        clock = trialClock;
    }

    /** A record is handed to the client. */
    public void sent(long intendedNanos, long nowNanos) {
        int window = clock.measured(intendedNanos) ? 1 : 0;
        sent[window].add(1);
        if (!closedLoop) {
            delay[window].recordNanos(nowNanos - intendedNanos);
        }
    }

    /** The client does not give the thread back before it has taken a record; a wait that goes on counts as one so far. */
    public void handing(long nowNanos) {
        handing.lazySet(nowNanos);
    }

    /** It has taken it, or refused it. */
    public void handed() {
        handing.lazySet(0);
    }

    /** Records that are due as they are handed over, as those of a closed loop are. */
    public void sentAtOnce(int records, long nowNanos) {
        sent[clock.measured(nowNanos) ? 1 : 0].add(records);
    }

    /** The thread slept until an intended time and woke up. */
    public void tick(long lateNanos) {
        ticks.add(1);
        if (lateNanos > LATE_NANOS) {
            lateTicks.add(1);
        }
    }

    /** The thread could not go on for so long, because of whom it hands records to: a full buffer, a synchronous send. */
    public void held(long nanos) {
        heldNanos.add(nanos);
    }

    /** Adds what is new since the last call. Called by one reading thread. */
    public void drainInto(Counts.Sum warmupSum, Counts.Sum measuredSum) {
        for (int w = 0; w < 2; w++) {
            Counts.Sum sum = w == 0 ? warmupSum : measuredSum;
            sum.add(Produced.SENT, sent[w].drain());
            delay[w].drainInto(sum, Produced.SEND_DELAY);
        }
    }

    /**
     * Adds what the thread did since the last call. A wait that has ended is counted by the owner, so that what was added of it
     * before is taken back then. Called by one reading thread.
     */
    public void drainInto(Counts.Sum whole, long nowNanos) {
        whole.add(GeneratorUse.TICKS, ticks.drain()).add(GeneratorUse.LATE_TICKS, lateTicks.drain());
        long since = handing.get();
        long soFar = since == 0 ? 0 : Math.max(0, nowNanos - since);
        whole.add(WireUse.HELD_NANOS, heldNanos.drain() + soFar - heldSoFar);
        heldSoFar = soFar;
    }
}
