package io.plimsoll.measure;

import io.plimsoll.measure.Quiet.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Records the outcomes of sent records. The client's I/O thread owns the meter and reports acknowledgments; any thread
 * reports failures.
 */
public class AckMeter {
    /** Counts of the warm-up or of the measured window. */
    private static final class Half {
        private final LatencyRecorder response = new LatencyRecorder();
        /** Service times; unused in a closed loop. */
        private final LatencyRecorder service = new LatencyRecorder();

        private final Counter acknowledged = new Counter();
        private final Counter acknowledgedBytes = new Counter();
        private final Counter arrived = new Counter();
        private final Counter arrivedBytes = new Counter();
        private final ErrorCounts errors = new ErrorCounts();
        private final ErrorCounts events = new ErrorCounts();
        /** Latencies charged to unanswered records. This object guards it and both counters. */
        private @Nullable Histogram charged;

        private long unacknowledged;
        private long unsent;

        private synchronized void charge(boolean sent, long nanos) {
            unacknowledged += sent ? 1 : 0;
            unsent += sent ? 0 : 1;
            Histogram times = charged == null ? new Histogram(Latencies.DIGITS) : charged;
            charged = times;
            times.recordValue(Math.max(1, nanos / 1000));
        }

        private synchronized void drainInto(Counts.Sum sum, boolean closedLoop) {
            Latencies answered = response.drain();
            Latencies times = charged == null ? answered : answered.plus(Latencies.of(charged));
            charged = null;
            sum.add(Produced.RESPONSE_TIME, times)
                    .add(Produced.SERVICE_TIME, closedLoop ? times : service.drain())
                    .add(Produced.ACKNOWLEDGED, acknowledged.drain())
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

    /** A meter for several client threads, possibly thousands, guarded by a lock. */
    private static final class Shared extends AckMeter {
        private Shared(int[] partitionCounts, boolean closedLoop) {
            super(partitionCounts, closedLoop);
        }

        @Override
        public synchronized void acknowledged(Acknowledgment answer, long[] due, long[] handed, int count, long bytes) {
            super.acknowledged(answer, due, handed, count, bytes);
        }

        @Override
        public synchronized void acknowledged(Acknowledgment answer, long due, long sent, int count, long bytes) {
            super.acknowledged(answer, due, sent, count, bytes);
        }
    }

    private final boolean closedLoop;
    private final Half warmup = new Half();
    private final Half measured = new Half();
    /**
     * Counters by topic; the owner replaces arrays when partitions are added. Each partition has two slots:
     * acknowledged records, and time of the last acknowledgment.
     */
    private volatile AtomicLongArray[] partitions;

    private volatile @Nullable TrialClock clock;
    private final AppendClock appends = new AppendClock();
    private final SlowTail slow = new SlowTail(false);
    private final AtomicLong lastAckNanos = new AtomicLong();
    private volatile long firstRecordNanos;

    private AckMeter(int[] partitionCounts, boolean closedLoop) {
        this.closedLoop = closedLoop;
        this.partitions = IntStream.of(partitionCounts)
                .mapToObj(n -> new AtomicLongArray(2 * n))
                .toArray(AtomicLongArray[]::new);
    }

    /**
     * @param partitionCounts number of partitions by topic index
     * @param closedLoop whether records are due when they are sent, so that response time equals service time
     * @param shared whether several threads report acknowledgments
     */
    public static AckMeter of(int[] partitionCounts, boolean closedLoop, boolean shared) {
        return shared ? new Shared(partitionCounts, closedLoop) : new AckMeter(partitionCounts, closedLoop);
    }

    /** Sets the clock; call before the first record, and again if the window ends earlier than planned. */
    public void start(TrialClock trialClock) {
        clock = trialClock;
    }

    private TrialClock clock() {
        return Objects.requireNonNull(clock);
    }

    private Half half(long intendedNanos) {
        return clock().measured(intendedNanos) ? measured : warmup;
    }

    /**
     * Records the acknowledgment of records with the same times: one record, or a batch of a closed loop.
     *
     * @param answer can name a partition beyond the initial count if partitions were added during the run
     * @param due intended time, in nanoTime like {@code sent}
     * @param bytes key and value bytes of all records
     */
    public void acknowledged(Acknowledgment answer, long due, long sent, int count, long bytes) {
        long now = answer.nanos;
        Half half = half(due);
        first(now - sent);
        half.response.recordNanos(now - due, count);
        if (!closedLoop) {
            half.service.recordNanos(now - sent, count);
        }
        // A backlog from the warm-up would displace the slow records of the window.
        if (half == measured && slow.takes(now - due)) {
            slow.add(answer, due, sent, count);
        }
        count(answer.topic, answer.partition, count, half == measured ? count : 0, now, bytes);
    }

    /**
     * Records the acknowledgment of one batch.
     * @param due intended times (nanoTime) of the first {@code count} records, ascending
     * @param handed times (nanoTime) at which these records were passed to the engine
     * @param bytes key and value bytes of the batch
     */
    public void acknowledged(Acknowledgment answer, long[] due, long[] handed, int count, long bytes) {
        TrialClock c = clock();
        long now = answer.nanos;
        first(now - handed[0]);
        int inMeasured = 0;
        for (int i = 0; i < count; i++) {
            boolean in = c.measured(due[i]);
            inMeasured += in ? 1 : 0;
            Half half = in ? measured : warmup;
            half.response.recordNanos(now - due[i]);
            half.service.recordNanos(now - handed[i]);
        }
        int first = count - inMeasured;
        if (inMeasured > 0 && slow.takes(now - due[first])) {
            answer.offset += answer.offset < 0 ? 0 : first;
            slow.add(answer, due[first], handed[first], inMeasured);
        }
        count(answer.topic, answer.partition, count, inMeasured, now, bytes);
    }

    /**
     * The slowest batches of the measured window since the last call, at most {@value SlowTail#MOST}. Usable by any
     * thread.
     * @param of entry of the scenario
     * @param topics returns the name of a topic by its index
     */
    public List<SlowBatch> takeSlow(String of, IntFunction<String> topics) {
        return slow.take(of, topics, clock().startNanos());
    }

    private void first(long serviceNanos) {
        if (lastAckNanos.getPlain() == 0) {
            firstRecordNanos = serviceNanos;
        }
    }

    /** Service time of the first acknowledged record; 0 if none. Usable by any thread. */
    public long firstRecordNanos() {
        return firstRecordNanos;
    }

    private void count(int topic, int partition, int count, int inMeasured, long nowNanos, long bytes) {
        TrialClock c = clock();
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
        // Ordered, not volatile: a fence per record would cost more than the counting.
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
     * Records the append time returned with an acknowledgment.
     * @param sentNanos send time (nanoTime), the lower bound of the append time; a later send time gives narrower
     *     bounds
     * @param appendMillis append time by the broker's clock, ms since 1970
     */
    public void appended(int topic, int partition, long sentNanos, long now, long appendMillis) {
        TrialClock c = clock();
        appends.appended(topic, partition, c.toEpochNanos(sentNanos), c.toEpochNanos(now), appendMillis);
    }

    /** Error bound of times since append, from acknowledgments since the last call; null if none. Called by one reading thread. */
    public @Nullable Long takeAppendErrorNanos() {
        return appends.takeError();
    }

    /**
     * Intervals of continuous appends to a partition since the last call, in nanoseconds since the trial's start by the
     * broker's clock. Called by one reading thread.
     */
    public List<Span> takeAppended(int topicIndex, int partition) {
        List<Span> taken = appends.takeStretches(topicIndex, partition);
        if (taken.isEmpty()) {
            return taken;
        }
        TrialClock c = clock();
        long start = c.toEpochNanos(c.startNanos());
        return taken.stream()
                .map(span -> new Span(span.fromNanos() - start, span.toNanos() - start))
                .toList();
    }

    /** Reports that a record failed permanently. */
    public void failed(long intendedNanos, String kind) {
        half(intendedNanos).errors.add(kind, 1);
    }

    /** Reports an event other than a failed record. */
    public void event(long atNanos, String kind) {
        half(atNanos).events.add(kind, 1);
    }

    /** Reports a sent record that was given up without a response; charges its waiting time. */
    public void abandoned(long intendedNanos, long nowNanos) {
        half(intendedNanos).charge(true, nowNanos - intendedNanos);
    }

    /** Reports a record that was due but not sent before the end; charges its waiting time. */
    public void unsent(long intendedNanos, long nowNanos) {
        half(intendedNanos).charge(false, nowNanos - intendedNanos);
    }

    /** Time of the last acknowledgment, in nanoTime; 0 if none. */
    public long lastAckNanos() {
        return lastAckNanos.get();
    }

    /** Number of records acknowledged since the trial's start. Usable by any thread. */
    public long acknowledgedTotal() {
        return warmup.acknowledged.get() + measured.acknowledged.get();
    }

    /** Acknowledged records of a partition since the trial's start. Usable by any thread; exact once the owner has ended. */
    public long acknowledgedOf(int topicIndex, int partition) {
        AtomicLongArray counts = partitions[topicIndex];
        return 2 * partition < counts.length() ? counts.get(2 * partition) : 0;
    }

    /** Number of known partitions of a topic, including added ones. Usable by any thread. */
    public int partitionsOf(int topicIndex) {
        return partitions[topicIndex].length() / 2;
    }

    /** Time of the partition's last acknowledgment, in nanoTime; 0 if none. Usable by any thread. */
    public long lastAckOf(int topicIndex, int partition) {
        AtomicLongArray counts = partitions[topicIndex];
        return 2 * partition < counts.length() ? counts.get(2 * partition + 1) : 0;
    }

    /** Key and value bytes acknowledged since the trial's start, including the warm-up. Usable by any thread. */
    public long acknowledgedBytes() {
        return warmup.acknowledgedBytes.get() + measured.acknowledgedBytes.get();
    }

    /** Acknowledgment counts of the measured window so far. Usable by any thread. */
    public Counts measuredVolume() {
        return Counts.Sum.overTime()
                .add(Produced.ACKNOWLEDGED, measured.acknowledged.get())
                .add(Produced.ACKNOWLEDGED_BYTES, measured.acknowledgedBytes.get())
                .add(Produced.ARRIVED, measured.arrived.get())
                .add(Produced.ARRIVED_BYTES, measured.arrivedBytes.get())
                .total();
    }

    /** Adds all counts since the last call. Called by one reading thread. */
    public void drainInto(Counts.Sum warmupSum, Counts.Sum measuredSum) {
        warmup.drainInto(warmupSum, closedLoop);
        measured.drainInto(measuredSum, closedLoop);
    }

    /**
     * Bounds the error of times measured from a broker's append time. A broker appends a record between send and
     * acknowledgment, and returns the append time by its own clock, in milliseconds. Each acknowledgment therefore
     * bounds the offset of the broker's clock; {@link #MOST_DRIFT} widens the bounds over time. Each partition has its
     * own bounds and append intervals. Thread-safe: each partition's state is its own lock, so a client thread waits
     * only for a reader of the same partition.
     */
    static final class AppendClock {
        /** Maximum relative drift of two clocks: each quartz clock is off by up to 100 ppm. */
        private static final double MOST_DRIFT = 200e-6;

        private static final long MILLI = 1_000_000;
        /** Maximum time between two appends of the same interval, in ms. */
        private static final long APART_MILLIS = 100;
        /** Limit of unread intervals per partition; a minute has at most 600. */
        private static final int MOST_STRETCHES = 1_000;
        /** Number of first acknowledgments to ignore, because cold clients and leaders give wide bounds. */
        private static final int LEAST_ANSWERS = 8;

        private static final class Bounds {
            /** Bounds of the offset of the broker's clock at the last acknowledgment. */
            private long low;

            private long high;
            private long atNanos;
            private int answers;
            private boolean fresh;

            /** Finished intervals by the broker's clock, in ns since 1970; the open interval is in ms. */
            private final List<Span> stretches = new ArrayList<>();

            private long fromMillis;
            private long toMillis;
            private boolean grown;

            void stretch(long millis) {
                boolean begins = millis < fromMillis - APART_MILLIS || millis > toMillis + APART_MILLIS;
                if (begins) {
                    keepStretch();
                }
                fromMillis = begins ? millis : Math.min(fromMillis, millis);
                toMillis = begins ? millis : Math.max(toMillis, millis);
                grown = true;
            }

            private void keepStretch() {
                if (grown) {
                    if (stretches.size() == MOST_STRETCHES) {
                        stretches.remove(0);
                    }
                    stretches.add(new Span(fromMillis * MILLI, toMillis * MILLI));
                }
                grown = false;
            }

            /** Takes the finished intervals; the open interval continues without a gap in the next call. */
            List<Span> takeStretches() {
                keepStretch();
                fromMillis = toMillis;
                List<Span> taken = List.copyOf(stretches);
                stretches.clear();
                return taken;
            }

            void add(long least, long most, long nowNanos) {
                long drift = Math.round(Math.abs(nowNanos - atNanos) * MOST_DRIFT);
                boolean known = atNanos != 0 && low - drift <= most && high + drift >= least;
                // Disjoint bounds mean another clock: the leader moved, or a clock was set.
                low = known ? Math.max(least, low - drift) : least;
                high = known ? Math.min(most, high + drift) : most;
                answers = known ? answers + (nowNanos == atNanos ? 0 : 1) : 1;
                atNanos = nowNanos;
                fresh = answers >= LEAST_ANSWERS;
            }

            /**
             * Error bound: times since append are too short by at most {@code high}, or too long by at most a
             * millisecond (truncation) minus {@code low}.
             */
            long error() {
                return Math.max(Math.abs(high), Math.abs(MILLI - low));
            }
        }

        /** Bounds by topic and partition; replaced by a larger copy when partitions are added. */
        private volatile Bounds[][] partitions = {};

        /** @param sentNanos send time by the local clock, in ns since 1970 like {@code acknowledgedNanos} */
        void appended(int topic, int partition, long sentNanos, long acknowledgedNanos, long appendMillis) {
            if (partition < 0) {
                return;
            }
            long least = appendMillis * MILLI - acknowledgedNanos;
            long most = (appendMillis + 1) * MILLI - sentNanos;
            Bounds known = known(topic, partition);
            Bounds bounds = known == null ? added(topic, partition) : known;
            synchronized (bounds) {
                bounds.add(least, most, acknowledgedNanos);
                bounds.stretch(appendMillis);
            }
        }

        private @Nullable Bounds known(int topic, int partition) {
            Bounds[][] all = partitions;
            return topic < all.length && partition < all[topic].length ? all[topic][partition] : null;
        }

        private synchronized Bounds added(int topic, int partition) {
            Bounds known = known(topic, partition);
            if (known != null) {
                return known;
            }
            Bounds[][] all = Arrays.copyOf(partitions, Math.max(partitions.length, topic + 1));
            for (int t = partitions.length; t < all.length; t++) {
                all[t] = new Bounds[0];
            }
            all[topic] = Arrays.copyOf(all[topic], Math.max(all[topic].length, partition + 1));
            Bounds added = new Bounds();
            all[topic][partition] = added;
            partitions = all;
            return added;
        }

        /** Append intervals since the last call, ns since 1970. */
        List<Span> takeStretches(int topic, int partition) {
            Bounds bounds = known(topic, partition);
            if (bounds == null) {
                return List.of();
            }
            synchronized (bounds) {
                return bounds.takeStretches();
            }
        }

        /** Largest error of all partitions written since the last call, in nanoseconds; null if none. */
        @Nullable
        Long takeError() {
            Long most = null;
            for (Bounds[] ofTopic : partitions) {
                for (Bounds bounds : ofTopic) {
                    if (bounds != null) {
                        synchronized (bounds) {
                            if (bounds.fresh) {
                                bounds.fresh = false;
                                most = Math.max(most == null ? 0 : most, bounds.error());
                            }
                        }
                    }
                }
            }
            return most;
        }
    }
}
