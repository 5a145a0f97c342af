package io.plimsoll.measure;

/**
 * Takes what one consumer receives. The owner is the consumer's thread; where several share one meter, {@code shared}
 * guards it with its lock.
 */
public final class ReceiveMeter {
    private final String group;
    private final boolean shared;
    private final LatencyRecorder[] endToEnd = {new LatencyRecorder(), new LatencyRecorder()};
    private final Counter[] records = {new Counter(), new Counter()};
    private final Counter[] bytes = {new Counter(), new Counter()};
    private final Counter arrived = new Counter();
    private final Counter arrivedBytes = new Counter();
    private final Counter negative = new Counter();
    private final Counter commits = new Counter();
    private final Counter rebalances = new Counter();
    private final ErrorCounts errors = new ErrorCounts();
    private volatile long lastRecordNanos;

    public ReceiveMeter(String group, boolean shared) {
        this.group = group;
        this.shared = shared;
    }

    public String group() {
        return group;
    }

    /**
     * A poll returned records.
     *
     * @param measured they count for the measured window
     * @param inWindow they came within the window whose throughput is measured
     */
    public void received(int count, long payloadBytes, boolean measured, boolean inWindow, long nowNanos) {
        if (shared) {
            synchronized (this) {
                count(count, payloadBytes, measured, inWindow);
            }
        } else {
            count(count, payloadBytes, measured, inWindow);
        }
        lastRecordNanos = nowNanos;
    }

    private void count(int count, long payloadBytes, boolean measured, boolean inWindow) {
        int window = measured ? 1 : 0;
        records[window].add(count);
        bytes[window].add(payloadBytes);
        if (inWindow) {
            arrived.add(count);
            arrivedBytes.add(payloadBytes);
        }
    }

    /**
     * One record's way from its intended time to here.
     *
     * @param nanos negative values are clock faults: counted as such
     */
    public void endToEnd(boolean measured, long nanos) {
        endToEnd(measured, nanos, 1);
    }

    /** As {@link #endToEnd(boolean, long)}, for several records with the same way. */
    public void endToEnd(boolean measured, long nanos, long count) {
        if (shared) {
            synchronized (this) {
                recordEndToEnd(measured, nanos, count);
            }
        } else {
            recordEndToEnd(measured, nanos, count);
        }
    }

    private void recordEndToEnd(boolean measured, long nanos, long count) {
        if (nanos < 0) {
            negative.add(count);
        } else {
            endToEnd[measured ? 1 : 0].recordNanos(nanos, count);
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
        errors.add(kind, 1);
    }

    /** When the last record came; 0 if none did. */
    public long lastRecordNanos() {
        return lastRecordNanos;
    }

    void drainInto(ConsumeTally tally) {
        for (int w = 0; w < 2; w++) {
            endToEnd[w].drainInto(tally.endToEnd[w]);
            tally.records[w] += records[w].get();
            tally.bytes[w] += bytes[w].get();
        }
        tally.arrived += arrived.get();
        tally.arrivedBytes += arrivedBytes.get();
        tally.negative += negative.get();
        tally.errors = ProduceCounts.sum(tally.errors, errors.drain());
        tally.groups.merge(
                group,
                new ConsumeCounts.Group(records[1].get(), bytes[1].get(), commits.get(), rebalances.get()),
                ConsumeCounts.Group::plus);
    }
}
