package io.plimsoll.measure;

/** Takes what one consumer receives. The owner is the consumer's thread. */
public class ReceiveMeter {
    /** The windows that the present moment belongs to; asked by the meter's owner. */
    public interface Now {
        /** Whether the warm-up is over, the drain included. */
        boolean measured();

        /** Whether it counts for rates: the measured window, or the consumers' own window. */
        boolean inWindow();

        /** Without a trial's clock, everything is measured. */
        Now ALWAYS = new Now() {
            @Override
            public boolean measured() {
                return true;
            }

            @Override
            public boolean inWindow() {
                return true;
            }
        };
    }

    /** Takes what several consumers receive, whose threads wait for each other. */
    private static final class Shared extends ReceiveMeter {
        private Shared(String group) {
            super(group);
        }

        @Override
        public synchronized void received(int count, long bytes, boolean measured, boolean inWindow, long nowNanos) {
            super.received(count, bytes, measured, inWindow, nowNanos);
        }

        @Override
        synchronized void endToEnd(boolean measured, long nanos, long count) {
            super.endToEnd(measured, nanos, count);
        }

        @Override
        synchronized void fromAppend(boolean measured, long nanos, long count) {
            super.fromAppend(measured, nanos, count);
        }

        @Override
        public synchronized void neverReceived(TrialClock clock, long fromEpochNanos, long nowNanos, long count) {
            super.neverReceived(clock, fromEpochNanos, nowNanos, count);
        }
    }

    private static final long MILLI = 1_000_000;

    private final String group;
    private final LatencyRecorder[] endToEnd = {new LatencyRecorder(), new LatencyRecorder()};
    private final LatencyRecorder[] fromAppend = {new LatencyRecorder(), new LatencyRecorder()};
    private final Counter[] records = {new Counter(), new Counter()};
    private final Counter[] bytes = {new Counter(), new Counter()};
    private final Counter arrived = new Counter();
    private final Counter arrivedBytes = new Counter();
    private final Counter[] neverReceived = {new Counter(), new Counter()};
    private final Counter[] negative = {new Counter(), new Counter()};
    private final Counter[] negativeFromAppend = {new Counter(), new Counter()};
    private final Counter commits = new Counter();
    private final Counter rebalances = new Counter();
    private final ErrorCounts[] errors = {new ErrorCounts(), new ErrorCounts()};
    private final ErrorCounts[] events = {new ErrorCounts(), new ErrorCounts()};
    private final ErrorCounts eventsInWindow = new ErrorCounts();
    private volatile long lastRecordNanos;
    private volatile Now now = Now.ALWAYS;

    private ReceiveMeter(String group) {
        this.group = group;
    }

    /** Makes the meter of a member of this group, or of several ({@code shared}). */
    public static ReceiveMeter of(String group, boolean shared) {
        return shared ? new Shared(group) : new ReceiveMeter(group);
    }

    /** The id of the group whose members count with it. */
    public final String group() {
        return group;
    }

    /** Errors and events are counted by these windows from now on. */
    public final void windows(Now windows) {
        now = windows;
    }

    /**
     * A poll returned records.
     *
     * @param payloadBytes of their keys and values
     * @param measured they count for the measured window
     * @param inWindow they came within the window whose throughput is measured
     */
    public void received(int count, long payloadBytes, boolean measured, boolean inWindow, long nowNanos) {
        int window = measured ? 1 : 0;
        records[window].add(count);
        bytes[window].add(payloadBytes);
        if (inWindow) {
            arrived.add(count);
            arrivedBytes.add(payloadBytes);
        }
        lastRecordNanos = nowNanos;
    }

    /**
     * The way of records from their intended time to here.
     *
     * @param millis their time was cut to whole milliseconds: up to one of them is no clock fault
     */
    public final void endToEnd(TrialClock clock, long fromEpochNanos, boolean millis, long nowNanos, long count) {
        long from = fromEpochNanos - clock.epochOffsetNanos();
        long nanos = nowNanos - from;
        endToEnd(clock.measured(from), millis && nanos > -MILLI ? Math.max(0, nanos) : nanos, count);
    }

    /**
     * The way of records with the same append time, in whole milliseconds since 1970, from there to here. Records that
     * were appended after the measured window do not count.
     */
    public final void fromAppend(TrialClock clock, long epochMillis, long nowNanos, long count) {
        long from = epochMillis * MILLI - clock.epochOffsetNanos();
        long nanos = nowNanos - from;
        if (from < clock.measureEndNanos()) {
            fromAppend(clock.measured(from), nanos > -MILLI ? Math.max(0, nanos) : nanos, count);
        }
    }

    /**
     * Records that the group had to read and has not: they count with the time that they have waited, the least that their
     * latency can be.
     *
     * @param fromEpochNanos when they were due
     * @param nowNanos when the group gave up
     */
    public void neverReceived(TrialClock clock, long fromEpochNanos, long nowNanos, long count) {
        long from = fromEpochNanos - clock.epochOffsetNanos();
        int window = clock.measured(from) ? 1 : 0;
        neverReceived[window].add(count);
        endToEnd[window].recordNanos(Math.max(0, nowNanos - from), count);
    }

    /** @param nanos negative values are clock faults: counted as such */
    void endToEnd(boolean measured, long nanos, long count) {
        if (nanos < 0) {
            negative[measured ? 1 : 0].add(count);
        } else {
            endToEnd[measured ? 1 : 0].recordNanos(nanos, count);
        }
    }

    /** As {@link #endToEnd(boolean, long, long)}. */
    void fromAppend(boolean measured, long nanos, long count) {
        if (nanos < 0) {
            negativeFromAppend[measured ? 1 : 0].add(count);
        } else {
            fromAppend[measured ? 1 : 0].recordNanos(nanos, count);
        }
    }

    /** Commits come from the consumer's thread, also those of asynchronous commits (their callbacks run in poll). */
    public void committed(long n) {
        synchronized (commits) {
            commits.add(n);
        }
    }

    public void rebalanced() {
        synchronized (rebalances) {
            rebalances.add(1);
        }
    }

    public void failed(String kind) {
        errors[now.measured() ? 1 : 0].add(kind, 1);
    }

    /** The member could not go on. */
    public void ended(String errorKind) {
        failed(errorKind);
        count(Endings.event(errorKind), 1);
    }

    /** Something happened so often that a kind of consumer counts by this name. */
    public void count(String event, long n) {
        Now moment = now;
        events[moment.measured() ? 1 : 0].add(event, n);
        if (moment.inWindow()) {
            eventsInWindow.add(event, n);
        }
    }

    /** When the last record came; 0 if none did. */
    public long lastRecordNanos() {
        return lastRecordNanos;
    }

    /** Adds what is new since the last call. Called by one reading thread. */
    public void drainInto(Counts.Sum warmupSum, Counts.Sum measuredSum) {
        for (int w = 0; w < 2; w++) {
            Counts.Sum sum = w == 0 ? warmupSum : measuredSum;
            long taken = records[w].drain();
            long takenBytes = bytes[w].drain();
            endToEnd[w].drainInto(sum, Consumed.END_TO_END);
            fromAppend[w].drainInto(sum, Consumed.END_TO_END_FROM_APPEND);
            sum.add(Consumed.RECORDS, taken)
                    .add(Consumed.BYTES, takenBytes)
                    .add(Consumed.NEVER_RECEIVED, neverReceived[w].drain())
                    .add(Consumed.NEGATIVE_END_TO_END, negative[w].drain())
                    .add(Consumed.NEGATIVE_FROM_APPEND, negativeFromAppend[w].drain())
                    .add(Consumed.ERRORS, errors[w].drain())
                    .add(Consumed.EVENTS, events[w].drain())
                    .add(Consumed.GROUP_RECORDS, group, taken)
                    .add(Consumed.GROUP_BYTES, group, takenBytes);
        }
        measuredSum
                .add(Consumed.ARRIVED, arrived.drain())
                .add(Consumed.ARRIVED_BYTES, arrivedBytes.drain())
                .add(Consumed.ARRIVED_EVENTS, eventsInWindow.drain())
                .add(Consumed.GROUP_COMMITS, group, commits.drain())
                .add(Consumed.GROUP_REBALANCES, group, rebalances.drain());
    }
}
