package io.plimsoll.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Records the receipt of records by one consumer. The consumer's thread owns the meter. */
public class ReceiveMeter {
    /**
     * The trial windows at the current time; called by the meter's owner.
     *
     * @param measured returns whether the warm-up is over, also during the drain
     * @param inWindow returns whether records count for throughput, in the measured window or the consumers' own window
     */
    public record Now(BooleanSupplier measured, BooleanSupplier inWindow) {
        private static final Now ALWAYS = new Now(() -> true, () -> true);
    }

    /** A meter for several consumers, guarded by a lock. */
    private static final class Shared extends ReceiveMeter {
        private Shared(String group) {
            super(group);
        }

        @Override
        public synchronized void received(int count, long bytes, boolean measured, boolean inWindow, long nowNanos) {
            super.received(count, bytes, measured, inWindow, nowNanos);
        }

        @Override
        public synchronized void decoded(Optional<Metric<Long>> defect) {
            super.decoded(defect);
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
    private final List<Map<Metric<Long>, Counter>> decoded = List.of(decoded(), decoded());
    private final Counter commits = new Counter();
    private final Counter rebalances = new Counter();
    private final ErrorCounts[] errors = {new ErrorCounts(), new ErrorCounts()};
    private final ErrorCounts[] events = {new ErrorCounts(), new ErrorCounts()};
    private final ErrorCounts eventsInWindow = new ErrorCounts();
    private final SlowTail slow = new SlowTail(true);
    /** Topics of slow records. Guarded by {@code slow}. */
    private final List<String> topics = new ArrayList<>();

    private volatile long lastRecordNanos;
    private volatile Now now = Now.ALWAYS;

    private ReceiveMeter(String group) {
        this.group = group;
    }

    /** Creates the meter for one member of this group, or for several members ({@code shared}). */
    public static ReceiveMeter of(String group, boolean shared) {
        return shared ? new Shared(group) : new ReceiveMeter(group);
    }

    public final String group() {
        return group;
    }

    /** Sets the windows in which errors and events count. */
    public final void windows(Now windows) {
        now = windows;
    }

    /**
     * Records the result of a poll.
     *
     * @param payloadBytes key and value bytes
     * @param measured whether the records count in the measured window
     * @param inWindow whether the records count for throughput
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
     * Records latency from the intended time.
     * @param millis whether the start time is truncated to milliseconds, so that −1 ms is not a clock error
     * @return whether the record can be among the slowest, see {@link #slow}
     */
    public final boolean endToEnd(TrialClock clock, long fromEpochNanos, boolean millis, long nowNanos, long count) {
        long from = fromEpochNanos - clock.epochOffsetNanos();
        long nanos = nowNanos - from;
        boolean measured = clock.measured(from);
        endToEnd(measured, millis && nanos > -MILLI ? Math.max(0, nanos) : nanos, count);
        return measured && slow.takes(nanos);
    }

    /**
     * Keeps the times of a slow record.
     * @param offset of the first of {@code count} records
     * @param broker leader's ID; negative if unknown
     * @param fromEpochNanos as for {@link #endToEnd}
     * @param stampEpochNanos timestamp of the record
     * @param polled time at which a poll returned it, in nanoTime
     */
    public final void slow(
            Polls polls,
            TrialClock clock,
            String topic,
            int partition,
            long offset,
            int broker,
            long fromEpochNanos,
            long stampEpochNanos,
            long polled,
            long now,
            int count) {
        long due = fromEpochNanos - clock.epochOffsetNanos();
        long inLog = Math.max(due, Math.min(stampEpochNanos - clock.epochOffsetNanos(), polled));
        synchronized (slow) {
            if (!topics.contains(topic)) {
                topics.add(topic);
            }
            slow.add(
                    polls.way(topics.indexOf(topic), partition, offset, broker, inLog, polled, now), due, inLog, count);
        }
    }

    /** The slowest batches of the measured window since the last call, at most {@value SlowTail#MOST}. Usable by any thread. */
    public final List<SlowBatch> takeSlow(long startNanos) {
        synchronized (slow) {
            return slow.take(group, topics::get, startNanos);
        }
    }

    /**
     * Records latency from an append time in ms since 1970. Records appended after the measured window do not count.
     */
    public final void fromAppend(TrialClock clock, long epochMillis, long nowNanos, long count) {
        long from = epochMillis * MILLI - clock.epochOffsetNanos();
        long nanos = nowNanos - from;
        if (from < clock.measureEndNanos()) {
            fromAppend(clock.measured(from), nanos > -MILLI ? Math.max(0, nanos) : nanos, count);
        }
    }

    /**
     * Charges unread records with their waiting time, the lower bound of their latency.
     * @param nowNanos time at which the group gave up
     */
    public void neverReceived(TrialClock clock, long fromEpochNanos, long nowNanos, long count) {
        long from = fromEpochNanos - clock.epochOffsetNanos();
        int window = clock.measured(from) ? 1 : 0;
        neverReceived[window].add(count);
        endToEnd[window].recordNanos(Math.max(0, nowNanos - from), count);
    }

    /** @param nanos latency; a negative value counts as a clock error */
    void endToEnd(boolean measured, long nanos, long count) {
        if (nanos < 0) {
            negative[measured ? 1 : 0].add(count);
        } else {
            endToEnd[measured ? 1 : 0].recordNanos(nanos, count);
        }
    }

    void fromAppend(boolean measured, long nanos, long count) {
        if (nanos < 0) {
            negativeFromAppend[measured ? 1 : 0].add(count);
        } else {
            fromAppend[measured ? 1 : 0].recordNanos(nanos, count);
        }
    }

    private static Map<Metric<Long>, Counter> decoded() {
        return Map.of(
                Consumed.DECODED, new Counter(),
                Consumed.UNDECODABLE, new Counter(),
                Consumed.UNKNOWN_SCHEMA, new Counter(),
                Consumed.UNEXPECTED, new Counter());
    }

    /**
     * Counts a decoded record.
     * @param defect metric that also counts the record; empty if the record is as expected
     */
    public void decoded(Optional<Metric<Long>> defect) {
        Map<Metric<Long>, Counter> counters = decoded.get(now.measured.getAsBoolean() ? 1 : 0);
        count(counters, Consumed.DECODED);
        defect.ifPresent(metric -> count(counters, metric));
    }

    private static void count(Map<Metric<Long>, Counter> counters, Metric<Long> metric) {
        Objects.requireNonNull(counters.get(metric)).add(1);
    }

    /** Counts commits. Called by the consumer's thread; callbacks of asynchronous commits run within poll. */
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
        errors[now.measured.getAsBoolean() ? 1 : 0].add(kind, 1);
    }

    /** Records that the member terminated because of an error. */
    public void ended(String errorKind) {
        failed(errorKind);
        count(Endings.event(errorKind), 1);
    }

    public void count(String event, long n) {
        Now moment = now;
        events[moment.measured.getAsBoolean() ? 1 : 0].add(event, n);
        if (moment.inWindow.getAsBoolean()) {
            eventsInWindow.add(event, n);
        }
    }

    /** Time of the last record, in nanoTime; 0 if none. */
    public long lastRecordNanos() {
        return lastRecordNanos;
    }

    /** Adds all counts since the last call. Called by one reading thread. */
    public void drainInto(Counts.Sum warmupSum, Counts.Sum measuredSum) {
        for (int w = 0; w < 2; w++) {
            Counts.Sum sum = w == 0 ? warmupSum : measuredSum;
            long taken = records[w].drain();
            long takenBytes = bytes[w].drain();
            decoded.get(w).forEach((metric, counter) -> sum.add(metric, counter.drain()));
            sum.add(Consumed.END_TO_END, endToEnd[w].drain())
                    .add(Consumed.END_TO_END_FROM_APPEND, fromAppend[w].drain())
                    .add(Consumed.RECORDS, taken)
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
