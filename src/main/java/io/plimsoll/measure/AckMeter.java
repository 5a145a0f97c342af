package io.plimsoll.measure;

import io.plimsoll.measure.Quiet.Span;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Takes the outcomes of sent records. The owner is the client's I/O thread, which reports acknowledgements; failures
 * come from any thread.
 */
public class AckMeter {
    /** The counts of one of the two windows. */
    private static final class Half {
        private final LatencyRecorder response = new LatencyRecorder();
        /** It takes nothing in a closed loop, where it is the response time. */
        private final LatencyRecorder service = new LatencyRecorder();

        private final Counter acknowledged = new Counter();
        private final Counter acknowledgedBytes = new Counter();
        private final Counter arrived = new Counter();
        private final Counter arrivedBytes = new Counter();
        private final ErrorCounts errors = new ErrorCounts();
        private final ErrorCounts events = new ErrorCounts();
        /** The charges, guarded as their two counts by this object; null until there is one. */
        private Histogram charged;

        private long unacknowledged;
        private long unsent;

        private synchronized void charge(boolean sent, long nanos) {
            unacknowledged += sent ? 1 : 0;
            unsent += sent ? 0 : 1;
            if (charged == null) {
                charged = Latencies.newHistogram();
            }
            charged.recordValue(Math.max(1, nanos / 1000));
        }

        private synchronized void drainInto(Counts.Sum sum, boolean closedLoop) {
            Histogram answered = charged == null ? Latencies.newHistogram() : charged;
            response.drainInto(answered);
            charged = null;
            Latencies times = Latencies.owned(answered);
            sum.add(Produced.RESPONSE_TIME, times);
            if (closedLoop) {
                sum.add(Produced.SERVICE_TIME, times);
            } else {
                service.drainInto(sum, Produced.SERVICE_TIME);
            }
            sum.add(Produced.ACKNOWLEDGED, acknowledged.drain())
                    .add(Produced.ACKNOWLEDGED_BYTES, acknowledgedBytes.drain())
                    .add(Produced.ARRIVED, arrived.drain())
                    .add(Produced.ARRIVED_BYTES, arrivedBytes.drain())
                    .add(Produced.ERRORS, errors.drain())
                    .add(Produced.EVENTS, events.drain())
                    .add(Produced.UNACKNOWLEDGED, unacknowledged)
                    .add(Produced.UNSENT, unsent);
            unacknowledged = 0;
            unsent = 0;
        }
    }

    /** Takes the outcomes of several clients (there may be thousands), whose threads wait for each other. */
    private static final class Shared extends AckMeter {
        private Shared(int[] partitionCounts, boolean closedLoop) {
            super(partitionCounts, closedLoop);
        }

        @Override
        public synchronized void acknowledged(int topic, int partition, long due, long sent, long now, int bytes) {
            super.acknowledged(topic, partition, due, sent, now, bytes);
        }

        @Override
        public synchronized void acknowledged(
                int topic, int partition, long[] due, long[] handed, int count, long now, long bytes) {
            super.acknowledged(topic, partition, due, handed, count, now, bytes);
        }

        @Override
        public synchronized void acknowledged(int topic, int partition, long due, int count, long now, long bytes) {
            super.acknowledged(topic, partition, due, count, now, bytes);
        }
    }

    private final boolean closedLoop;
    private final Half warmup = new Half();
    private final Half measured = new Half();
    /**
     * Of each topic, as many as are known; replaced by the owner when a topic has got more. Each partition has two places: how
     * many records were acknowledged, and when the last of them was.
     */
    private volatile AtomicLongArray[] partitions;

    private volatile TrialClock clock;
    private final AppendClock appends = new AppendClock();
    private final AtomicLong lastAckNanos = new AtomicLong();
    private volatile long firstRecordNanos;

    private AckMeter(int[] partitionCounts, boolean closedLoop) {
        this.closedLoop = closedLoop;
        this.partitions = IntStream.of(partitionCounts)
                .mapToObj(n -> new AtomicLongArray(2 * n))
                .toArray(AtomicLongArray[]::new);
    }

    /**
     * Makes a meter.
     *
     * @param partitionCounts partitions of each topic, in the order of the topic indexes given to {@link #acknowledged}
     * @param closedLoop records are due when they are sent: response and service time are the same
     * @param shared several threads report acknowledgements
     */
    public static AckMeter of(int[] partitionCounts, boolean closedLoop, boolean shared) {
        return shared ? new Shared(partitionCounts, closedLoop) : new AckMeter(partitionCounts, closedLoop);
    }

    /** Before the first record is sent; once more where the window turns out to end earlier. */
    public void start(TrialClock trialClock) {
        clock = trialClock;
    }

    private Half half(long intendedNanos) {
        return clock.measured(intendedNanos) ? measured : warmup;
    }

    /**
     * A record was acknowledged.
     *
     * @param partition as the broker said; there may be more than at first, if they were added in mid-run
     * @param due intended time, in nanoTime as the next two
     */
    public void acknowledged(int topic, int partition, long due, long sent, long now, int bytes) {
        Half half = half(due);
        first(now - sent);
        half.response.recordNanos(now - due);
        if (!closedLoop) {
            half.service.recordNanos(now - sent);
        }
        count(topic, partition, 1, half == measured ? 1 : 0, now, bytes);
    }

    /**
     * Records of one batch were acknowledged at the same time.
     *
     * @param due intended times of the first {@code count} records, in nanoTime
     * @param handed when they were handed to the engine, in nanoTime, of the same records
     * @param bytes key + value bytes of all of them
     */
    public void acknowledged(int topic, int partition, long[] due, long[] handed, int count, long now, long bytes) {
        TrialClock c = clock;
        first(now - handed[0]);
        int inMeasured = 0;
        for (int i = 0; i < count; i++) {
            boolean in = c.measured(due[i]);
            inMeasured += in ? 1 : 0;
            Half half = in ? measured : warmup;
            half.response.recordNanos(now - due[i]);
            half.service.recordNanos(now - handed[i]);
        }
        count(topic, partition, count, inMeasured, now, bytes);
    }

    /** As the other, of records that were all due and handed over at one time, as those of a closed loop are. */
    public void acknowledged(int topic, int partition, long due, int count, long now, long bytes) {
        Half half = half(due);
        first(now - due);
        half.response.recordNanos(now - due, count);
        count(topic, partition, count, half == measured ? count : 0, now, bytes);
    }

    private void first(long serviceNanos) {
        if (lastAckNanos.getPlain() == 0) {
            firstRecordNanos = serviceNanos;
        }
    }

    /** The service time of the first record that was acknowledged; 0 if none was. Any thread. */
    public long firstRecordNanos() {
        return firstRecordNanos;
    }

    /** Counts records of one batch, or one record, of which so many belong to the measured window. */
    private void count(int topic, int partition, int count, int inMeasured, long nowNanos, long bytes) {
        TrialClock c = clock;
        long measuredBytes = inMeasured == count ? bytes : bytes * inMeasured / count;
        if (inMeasured > 0) {
            measured.acknowledged.add(inMeasured);
            measured.acknowledgedBytes.add(measuredBytes);
        }
        if (inMeasured < count) {
            warmup.acknowledged.add(count - inMeasured);
            warmup.acknowledgedBytes.add(bytes - measuredBytes);
        }
        if (nowNanos < c.measureEndNanos()) {
            Half arrival = c.measured(nowNanos) ? measured : warmup;
            arrival.arrived.add(count);
            arrival.arrivedBytes.add(bytes);
        }
        AtomicLongArray counts = partitions[topic];
        if (2 * partition >= counts.length()) {
            counts = grown(topic, partition + 1);
        }
        if (partition >= 0) {
            counts.lazySet(2 * partition, counts.getPlain(2 * partition) + count);
            counts.lazySet(2 * partition + 1, nowNanos);
        }
        // Ordered, not volatile: a fence for each record would cost more than the counting.
        lastAckNanos.lazySet(nowNanos);
    }

    private AtomicLongArray grown(int topic, int count) {
        AtomicLongArray[] all = partitions.clone();
        all[topic] = new AtomicLongArray(2 * count);
        for (int i = 0; i < partitions[topic].length(); i++) {
            all[topic].setPlain(i, partitions[topic].getPlain(i));
        }
        partitions = all;
        return all[topic];
    }

    /**
     * A broker has said when it appended records that were acknowledged.
     *
     * @param sentNanos when they were sent, in nanoTime; the later, the more is known
     * @param appendMillis by the broker's clock, since 1970
     */
    public void appended(int topic, int partition, long sentNanos, long now, long appendMillis) {
        TrialClock c = clock;
        appends.appended(topic, partition, c.toEpochNanos(sentNanos), c.toEpochNanos(now), appendMillis);
    }

    /**
     * By how much times from append on may be wrong, as acknowledgements since the last call tell; null if none told. Called
     * by one reading thread.
     */
    public Long takeAppendErrorNanos() {
        return appends.takeError();
    }

    /**
     * From when to when a partition was appended to without a pause, as acknowledgements since the last call tell, in nanoseconds after
     * the trial's start by the broker's clock; none where brokers do not say. Called by one reading thread.
     */
    public List<Span> takeAppended(int topicIndex, int partition) {
        List<Span> taken = appends.takeStretches(topicIndex, partition);
        if (taken.isEmpty()) {
            return taken;
        }
        long start = clock.toEpochNanos(clock.startNanos());
        return taken.stream()
                .map(span -> new Span(span.fromNanos() - start, span.toNanos() - start))
                .toList();
    }

    /** A record failed for good. */
    public void failed(long intendedNanos, String kind) {
        half(intendedNanos).errors.add(kind, 1);
    }

    /** Something that is no failed record. */
    public void event(long atNanos, String kind) {
        half(atNanos).events.add(kind, 1);
    }

    /** A record that was sent and given up without an answer: charged with the time it has waited. */
    public void abandoned(long intendedNanos, long nowNanos) {
        half(intendedNanos).charge(true, nowNanos - intendedNanos);
    }

    /** A record that was due and could not be sent before the end: charged with the time it has waited. */
    public void unsent(long intendedNanos, long nowNanos) {
        half(intendedNanos).charge(false, nowNanos - intendedNanos);
    }

    /** When the last acknowledgement came; 0 if none did. */
    public long lastAckNanos() {
        return lastAckNanos.get();
    }

    /** Acknowledged records since the trial's start. Any thread. */
    public long acknowledgedTotal() {
        return warmup.acknowledged.get() + measured.acknowledged.get();
    }

    /** Acknowledged records of a partition since the trial's start. Any thread; exact once the owner has ended. */
    public long acknowledgedOf(int topicIndex, int partition) {
        AtomicLongArray counts = partitions[topicIndex];
        return 2 * partition < counts.length() ? counts.get(2 * partition) : 0;
    }

    /** How many partitions of a topic are known, those included that were added since the start. Any thread. */
    public int partitionsOf(int topicIndex) {
        return partitions[topicIndex].length() / 2;
    }

    /** When the last acknowledgement of a partition came, in nanoTime; 0 if none did. Any thread. */
    public long lastAckOf(int topicIndex, int partition) {
        AtomicLongArray counts = partitions[topicIndex];
        return 2 * partition < counts.length() ? counts.get(2 * partition + 1) : 0;
    }

    /** Key + value bytes acknowledged since the trial's start, warm-up included. Any thread. */
    public long acknowledgedBytes() {
        return warmup.acknowledgedBytes.get() + measured.acknowledgedBytes.get();
    }

    /** What was acknowledged in the measured window so far. Any thread. */
    public Counts measuredVolume() {
        return Counts.Sum.overTime()
                .add(Produced.ACKNOWLEDGED, measured.acknowledged.get())
                .add(Produced.ACKNOWLEDGED_BYTES, measured.acknowledgedBytes.get())
                .add(Produced.ARRIVED, measured.arrived.get())
                .add(Produced.ARRIVED_BYTES, measured.arrivedBytes.get())
                .total();
    }

    /** Adds everything since the last call. Called by one reading thread. */
    public void drainInto(Counts.Sum warmupSum, Counts.Sum measuredSum) {
        warmup.drainInto(warmupSum, closedLoop);
        measured.drainInto(measuredSum, closedLoop);
    }
}
