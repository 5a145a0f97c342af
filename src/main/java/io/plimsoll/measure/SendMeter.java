package io.plimsoll.measure;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Records the activity of a sending thread, which owns the meter. */
public class SendMeter {
    /** Delay in ns after the intended time above which a wake-up counts as late. */
    public static final long LATE_NANOS = 1_000_000;

    /** A meter for several threads, guarded by a lock. */
    private static final class Shared extends SendMeter {
        private Shared(boolean closedLoop) {
            super(closedLoop);
        }

        @Override
        public synchronized void sent(long intendedNanos, long nowNanos, int records) {
            super.sent(intendedNanos, nowNanos, records);
        }

        @Override
        public synchronized void serialized(long intendedNanos, long nanos, long cpuNanos) {
            super.serialized(intendedNanos, nanos, cpuNanos);
        }

        @Override
        public synchronized void tick(long lateNanos) {
            super.tick(lateNanos);
        }

        @Override
        public synchronized void held(long nanos) {
            super.held(nanos);
        }

        /** With several threads, the waiting thread is unknown. */
        @Override
        public void handing(long nowNanos) {}
    }

    private final boolean closedLoop;
    private final LatencyRecorder[] delay = {new LatencyRecorder(), new LatencyRecorder()};
    private final Counter[] sent = {new Counter(), new Counter()};
    private final Counter[] serialized = {new Counter(), new Counter()};
    private final Counter[] serializeNanos = {new Counter(), new Counter()};
    private final Counter[] serializeCpuNanos = {new Counter(), new Counter()};
    private final Counter ticks = new Counter();
    private final Counter lateTicks = new Counter();
    private final Counter heldNanos = new Counter();
    /** Start of the client call in progress; 0 if none. */
    private final AtomicLong handing = new AtomicLong();

    private long heldSoFar;
    private volatile @Nullable TrialClock clock;

    private SendMeter(boolean closedLoop) {
        this.closedLoop = closedLoop;
    }

    /**
     * @param closedLoop whether records are due when they are sent
     * @param shared whether several threads send
     */
    public static SendMeter of(boolean closedLoop, boolean shared) {
        return shared ? new Shared(closedLoop) : new SendMeter(closedLoop);
    }

    /** Sets the clock. Call before the first record. */
    public void start(TrialClock trialClock) {
        clock = trialClock;
    }

    /** Counts records, all with the same intended time, that were passed to the client. */
    public void sent(long intendedNanos, long nowNanos, int records) {
        int window = Objects.requireNonNull(clock).measured(intendedNanos) ? 1 : 0;
        sent[window].add(records);
        if (!closedLoop) {
            delay[window].recordNanos(nowNanos - intendedNanos, records);
        }
    }

    /** Records the time and the thread's CPU time in which a record was generated and encoded. */
    public void serialized(long intendedNanos, long nanos, long cpuNanos) {
        int window = Objects.requireNonNull(clock).measured(intendedNanos) ? 1 : 0;
        serialized[window].add(1);
        serializeNanos[window].add(nanos);
        serializeCpuNanos[window].add(cpuNanos);
    }

    /** Records the start of a blocking client call. An unfinished wait counts up to the present. */
    public void handing(long nowNanos) {
        handing.lazySet(nowNanos);
    }

    /** Records that the client call returned or threw. */
    public void handed() {
        handing.lazySet(0);
    }

    /** Records that the thread woke up from waiting for an intended time. */
    public void tick(long lateNanos) {
        ticks.add(1);
        if (lateNanos > LATE_NANOS) {
            lateTicks.add(1);
        }
    }

    /** Records that the client blocked the thread for this time, because of a full buffer or a synchronous send. */
    public void held(long nanos) {
        heldNanos.add(nanos);
    }

    /** Adds all counts since the last call. Called by one reading thread. */
    public void drainInto(Counts.Sum warmupSum, Counts.Sum measuredSum) {
        for (int w = 0; w < 2; w++) {
            Counts.Sum sum = w == 0 ? warmupSum : measuredSum;
            sum.add(Produced.SENT, sent[w].drain())
                    .add(Produced.SERIALIZED, serialized[w].drain())
                    .add(Produced.SERIALIZE_NANOS, serializeNanos[w].drain())
                    .add(Produced.SERIALIZE_CPU_NANOS, serializeCpuNanos[w].drain())
                    .add(Produced.SEND_DELAY, delay[w].drain());
        }
    }

    /**
     * Adds the thread's activity since the last call; the part of a wait that was already added is subtracted. Called
     * by one reading thread.
     */
    public void drainInto(Counts.Sum whole, long nowNanos) {
        whole.add(GeneratorUse.TICKS, ticks.drain()).add(GeneratorUse.LATE_TICKS, lateTicks.drain());
        long since = handing.get();
        long soFar = since == 0 ? 0 : Math.max(0, nowNanos - since);
        whole.add(WireUse.HELD_NANOS, heldNanos.drain() + soFar - heldSoFar);
        heldSoFar = soFar;
    }
}
