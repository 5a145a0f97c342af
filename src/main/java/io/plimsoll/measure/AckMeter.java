package io.plimsoll.measure;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;

/**
 * Takes the outcomes of sent records. The owner is the client's I/O thread, which reports acknowledgements; failures
 * come from any thread. Where several clients share one meter (there may be thousands), {@code shared} guards it with
 * its lock.
 */
public final class AckMeter {
    private static final int WARMUP = 0;
    private static final int MEASURED = 1;

    private final boolean shared;
    private final boolean closedLoop;
    private final LatencyRecorder[] response = {new LatencyRecorder(), new LatencyRecorder()};
    private final LatencyRecorder[] service;
    private final Counter[] acknowledged = {new Counter(), new Counter()};
    private final Counter[] acknowledgedBytes = {new Counter(), new Counter()};
    private final Counter[] arrived = {new Counter(), new Counter()};
    private final Counter[] arrivedBytes = {new Counter(), new Counter()};
    private final ErrorCounts[] errors = {new ErrorCounts(), new ErrorCounts()};
    private final ErrorCounts[] events = {new ErrorCounts(), new ErrorCounts()};
    private final AtomicLongArray[] partitions;

    private final Object chargeLock = new Object();
    /** The charges of each window; null until there is one. */
    private final Histogram[] charged = new Histogram[2];

    private final long[] unacknowledged = new long[2];
    private final long[] unsent = new long[2];

    private volatile TrialClock clock;
    private final AtomicLong lastAckNanos = new AtomicLong();

    /**
     * @param partitionCounts partitions of each topic, in the order of the topic indexes given to {@link #acknowledged}
     * @param closedLoop records are due when they are sent: response and service time are the same
     * @param shared several threads report acknowledgements
     */
    public AckMeter(int[] partitionCounts, boolean closedLoop, boolean shared) {
        this.shared = shared;
        this.closedLoop = closedLoop;
        this.service = closedLoop ? response : new LatencyRecorder[] {new LatencyRecorder(), new LatencyRecorder()};
        this.partitions = new AtomicLongArray[partitionCounts.length];
        for (int i = 0; i < partitionCounts.length; i++) {
            partitions[i] = new AtomicLongArray(partitionCounts[i]);
        }
    }

    /** Before the first record is sent. */
    public void start(TrialClock trialClock) {
        clock = trialClock;
    }

    /**
     * A record was acknowledged.
     *
     * @param partition as the broker said; outside the known partitions (they were added in mid-run) it is not counted
     *     per partition
     */
    public void acknowledged(
            int topicIndex, int partition, long intendedNanos, long sentNanos, long nowNanos, int bytes) {
        if (shared) {
            synchronized (this) {
                count(topicIndex, partition, intendedNanos, sentNanos, nowNanos, bytes);
            }
        } else {
            count(topicIndex, partition, intendedNanos, sentNanos, nowNanos, bytes);
        }
    }

    private void count(int topicIndex, int partition, long intendedNanos, long sentNanos, long nowNanos, int bytes) {
        TrialClock c = clock;
        int window = c.measured(intendedNanos) ? MEASURED : WARMUP;
        response[window].recordNanos(nowNanos - intendedNanos);
        if (!closedLoop) {
            service[window].recordNanos(nowNanos - sentNanos);
        }
        count(c, topicIndex, partition, 1, window, nowNanos, bytes);
    }

    /**
     * Records of one batch were acknowledged at the same time.
     *
     * @param due intended times, in nanoTime: of {@code count} records from {@code from} on
     * @param handed when they were handed to the engine, in nanoTime, of the same records
     * @param bytes key + value bytes of all of them
     */
    public void acknowledged(
            int topicIndex, int partition, long[] due, long[] handed, int count, long nowNanos, long bytes) {
        if (shared) {
            synchronized (this) {
                countBatch(topicIndex, partition, due, handed, count, nowNanos, bytes);
            }
        } else {
            countBatch(topicIndex, partition, due, handed, count, nowNanos, bytes);
        }
    }

    private void countBatch(
            int topicIndex, int partition, long[] due, long[] handed, int count, long nowNanos, long bytes) {
        TrialClock c = clock;
        int measured = 0;
        for (int i = 0; i < count; i++) {
            int window = c.measured(due[i]) ? MEASURED : WARMUP;
            measured += window;
            response[window].recordNanos(nowNanos - due[i]);
            service[window].recordNanos(nowNanos - handed[i]);
        }
        count(c, topicIndex, partition, count, measured, nowNanos, bytes);
    }

    /** As the other, of records that were all due and handed over at one time, as those of a closed loop are. */
    public void acknowledged(int topicIndex, int partition, long dueNanos, int count, long nowNanos, long bytes) {
        if (shared) {
            synchronized (this) {
                countAtOnce(topicIndex, partition, dueNanos, count, nowNanos, bytes);
            }
        } else {
            countAtOnce(topicIndex, partition, dueNanos, count, nowNanos, bytes);
        }
    }

    private void countAtOnce(int topicIndex, int partition, long dueNanos, int count, long nowNanos, long bytes) {
        TrialClock c = clock;
        int window = c.measured(dueNanos) ? MEASURED : WARMUP;
        response[window].recordNanos(nowNanos - dueNanos, count);
        count(c, topicIndex, partition, count, window == MEASURED ? count : 0, nowNanos, bytes);
    }

    /** Counts records of one batch, or one record, of which so many belong to the measured window. */
    private void count(
            TrialClock c, int topicIndex, int partition, int count, int measured, long nowNanos, long bytes) {
        long measuredBytes = measured == count ? bytes : bytes * measured / count;
        if (measured > 0) {
            acknowledged[MEASURED].add(measured);
            acknowledgedBytes[MEASURED].add(measuredBytes);
        }
        if (measured < count) {
            acknowledged[WARMUP].add(count - measured);
            acknowledgedBytes[WARMUP].add(bytes - measuredBytes);
        }
        if (nowNanos < c.measureEndNanos()) {
            int arrival = nowNanos < c.measureStartNanos() ? WARMUP : MEASURED;
            arrived[arrival].add(count);
            arrivedBytes[arrival].add(bytes);
        }
        AtomicLongArray counts = partitions[topicIndex];
        if (partition >= 0 && partition < counts.length()) {
            counts.lazySet(partition, counts.getPlain(partition) + count);
        }
        // Ordered, not volatile: a fence for each record would cost more than the counting.
        lastAckNanos.lazySet(nowNanos);
    }

    /** A record failed for good. */
    public void failed(long intendedNanos, String kind) {
        errors[clock.measured(intendedNanos) ? MEASURED : WARMUP].add(kind, 1);
    }

    /** Something that is no failed record. */
    public void event(long atNanos, String kind) {
        events[clock.measured(atNanos) ? MEASURED : WARMUP].add(kind, 1);
    }

    /** A record that was sent and given up without an answer: charged with the time it has waited. */
    public void abandoned(long intendedNanos, long nowNanos) {
        charge(intendedNanos, nowNanos, unacknowledged);
    }

    /** A record that was due and could not be sent before the end: charged with the time it has waited. */
    public void unsent(long intendedNanos, long nowNanos) {
        charge(intendedNanos, nowNanos, unsent);
    }

    private void charge(long intendedNanos, long nowNanos, long[] counts) {
        int window = clock.measured(intendedNanos) ? MEASURED : WARMUP;
        synchronized (chargeLock) {
            counts[window]++;
            if (charged[window] == null) {
                charged[window] = Latencies.newHistogram();
            }
            charged[window].recordValue(Math.max(1, (nowNanos - intendedNanos) / 1000));
        }
    }

    /** When the last acknowledgement came; 0 if none did. */
    public long lastAckNanos() {
        return lastAckNanos.get();
    }

    /** Acknowledged records since the trial's start. Any thread. */
    public long acknowledgedTotal() {
        return acknowledged[WARMUP].get() + acknowledged[MEASURED].get();
    }

    /** Acknowledged records of a partition since the trial's start. Any thread; exact once the owner has ended. */
    public long acknowledgedOf(int topicIndex, int partition) {
        return partitions[topicIndex].get(partition);
    }

    /** Key + value bytes acknowledged since the trial's start, warm-up included. Any thread. */
    public long acknowledgedBytes() {
        return acknowledgedBytes[WARMUP].get() + acknowledgedBytes[MEASURED].get();
    }

    /** Acknowledged records of the measured window so far and their bytes, then those that arrived within it. */
    public long[] measuredTotals() {
        return new long[] {
            acknowledged[MEASURED].get(),
            acknowledgedBytes[MEASURED].get(),
            arrived[MEASURED].get(),
            arrivedBytes[MEASURED].get()
        };
    }

    /** Adds everything since the last call. Called by one reading thread. */
    void drainInto(ProduceTally tally) {
        for (int w = 0; w < 2; w++) {
            ProduceTally.Sums sums = tally.window(w == MEASURED);
            response[w].drainInto(sums.response);
            if (!closedLoop) {
                service[w].drainInto(sums.service);
            }
            sums.acknowledged += acknowledged[w].get();
            sums.acknowledgedBytes += acknowledgedBytes[w].get();
            sums.arrived += arrived[w].get();
            sums.arrivedBytes += arrivedBytes[w].get();
            sums.errors = ProduceCounts.sum(sums.errors, errors[w].drain());
            sums.events = ProduceCounts.sum(sums.events, events[w].drain());
            synchronized (chargeLock) {
                if (charged[w] != null) {
                    sums.response.add(charged[w]);
                    charged[w] = null;
                }
                sums.unacknowledged += unacknowledged[w];
                sums.unsent += unsent[w];
            }
        }
    }

    boolean closedLoop() {
        return closedLoop;
    }
}
