package io.plimsoll.load.raw;

import io.plimsoll.load.DueTimes;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.wire.BatchLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forms batches of due records, as Kafka's producer does with the same {@code batch.size}. Owned by the client's
 * thread.
 */
final class RecordSource {
    final DueTimes times;
    private final Partitioner partitions;
    private final Shares shares;
    private final int maxRecords;
    private final int batchBytes;
    private final double recordBytes;
    private final long bufferBytes;
    private final SendMeter sends;
    final AckMeter acks;
    /** All batches, including unused batches, which contain no records. */
    private final List<PendingBatch> made = new ArrayList<>();

    private final ArrayDeque<PendingBatch> spare = new ArrayDeque<>();
    private long bufferedRecords;
    /** Time in nanoTime since which due records exceed the buffer; 0 if they fit. */
    private long fullNanos;
    /** Whether the client has waited for the next record to become due. */
    private boolean waited;

    private boolean ended;

    RecordSource(DueTimes times, PartitionPlan plan, RawSettings settings, SendMeter sends, AckMeter acks) {
        this.times = times;
        this.partitions = plan.routing();
        this.shares = plan.shares();
        this.maxRecords = plan.maxRecords();
        this.recordBytes = plan.recordBytes();
        this.batchBytes = settings.batch().batchBytes();
        this.bufferBytes = settings.bufferBytes();
        this.sends = sends;
        this.acks = acks;
    }

    boolean ended() {
        return ended;
    }

    boolean allDone() {
        return bufferedRecords == 0;
    }

    private boolean bufferFull() {
        return bufferedRecords * recordBytes >= bufferBytes;
    }

    /** Due time of the next record, in nanoTime; {@link Long#MAX_VALUE} if none or the buffer is full. */
    long nextDue() {
        return ended || times.closedLoop() || bufferFull() ? Long.MAX_VALUE : times.next();
    }

    void take(long nowNanos) {
        if (ended || times.closedLoop()) {
            return;
        }
        if (fullNanos != 0) {
            sends.held(nowNanos - fullNanos);
            fullNanos = 0;
        }
        long due = times.next();
        if (waited && due <= nowNanos) {
            sends.tick(nowNanos - due);
        }
        while (due <= nowNanos && !bufferFull()) {
            if (times.tooLate(nowNanos)) {
                ended = true;
                return;
            }
            times.taken();
            append(due, nowNanos);
            due = times.next();
        }
        waited = due > nowNanos;
        fullNanos = waited ? 0 : nowNanos;
        ended = due == Long.MAX_VALUE;
    }

    private void append(long due, long nowNanos) {
        PartitionQueue queue = partitions.next();
        if (queue.open() == null && queue.closeLast()) {
            // The partition can change when a batch is full, as in the official client.
            queue = partitions.next();
        }
        PendingBatch batch = queue.open();
        if (batch == null) {
            queue.closeLast();
            batch = begin(nowNanos);
            queue.add(batch);
        }
        long before = batch.count == 0 ? 0 : bytes(batch.count);
        batch.append(due, nowNanos);
        long after = bytes(batch.count);
        if (after >= batchBytes) {
            queue.closeLast();
        }
        bufferedRecords++;
        sends.sent(due, nowNanos, 1);
        partitions.produced((int) (after - before));
    }

    private long bytes(int records) {
        return BatchLayout.RECORDS + (long) (records * recordBytes);
    }

    /** Closed loop: a full batch for this partition; null if no record may be sent. */
    @Nullable
    PendingBatch takeAtOnce(PartitionQueue queue, long nowNanos) {
        TemplateRing templates = queue.templates;
        if (templates == null || !mayTakeAtOnce(queue)) {
            return null;
        }
        int records = times.claim(Math.min(maxRecords, templates.maxRecords()), nowNanos);
        if (records == 0) {
            ended = times.over(nowNanos);
            return null;
        }
        PendingBatch batch = begin(nowNanos);
        batch.fillAtOnce(records, nowNanos);
        sends.sent(nowNanos, nowNanos, records);
        shares.took(queue.share, records);
        bufferedRecords += records;
        return batch;
    }

    private PendingBatch begin(long nowNanos) {
        PendingBatch batch = spare.poll();
        if (batch == null) {
            batch = new PendingBatch(maxRecords);
            made.add(batch);
        }
        batch.begin(nowNanos);
        return batch;
    }

    /** Closed loop: whether {@link #takeAtOnce} can return a batch. */
    boolean mayTakeAtOnce(PartitionQueue queue) {
        return mayTakeAtOnce() && queue.templates != null && shares.mayTake(queue.share);
    }

    /** Closed loop: true until the end of sending. */
    boolean mayTakeAtOnce() {
        return !ended && times.closedLoop();
    }

    /** Cuts a batch after its first {@code records}; returns the remaining records as a batch with consecutive sequences. */
    PendingBatch split(PendingBatch batch, int records) {
        PendingBatch rest = begin(batch.createdNanos);
        rest.attempts = batch.attempts;
        rest.firstSentNanos = batch.firstSentNanos;
        rest.doubtful = batch.doubtful;
        rest.cut = batch.cut;
        rest.firstSequence = batch.firstSequence < 0 ? -1 : batch.firstSequence + records;
        rest.baseSequence = batch.baseSequence < 0 ? -1 : BatchSender.increment(batch.baseSequence, records);
        rest.atOnce = batch.atOnce;
        rest.count = batch.count - records;
        System.arraycopy(batch.due, records, rest.due, 0, rest.count);
        System.arraycopy(batch.handed, records, rest.handed, 0, rest.count);
        batch.count = records;
        return rest;
    }

    void recycle(PendingBatch batch) {
        bufferedRecords -= batch.count;
        batch.count = 0;
        spare.add(batch);
    }

    void stop() {
        ended = true;
    }

    List<PendingBatch> unfinished() {
        return made.stream().filter(batch -> batch.count > 0).toList();
    }

    void start(TrialClock clock) {
        times.start(clock);
    }

    /**
     * Keeps a closed loop in the proportions of {@link Partitioner}, although the loop sends full batches to any broker
     * that is ready. Owned by one thread.
     */
    static final class Shares {
        private final double[] weights;
        private final long[] taken;
        private final long ahead;
        private long total;

        /**
         * @param weights of the groups of partitions by {@link PartitionQueue#share}; their sum is 1
         * @param aheadRecords total number of records by which groups can be ahead
         */
        Shares(double[] weights, long aheadRecords) {
            this.weights = weights.clone();
            this.taken = new long[weights.length];
            this.ahead = aheadRecords;
            if (Math.abs(Arrays.stream(weights).sum() - 1) > 1e-6) {
                throw new IllegalArgumentException(
                        "the weights are together " + Arrays.stream(weights).sum());
            }
        }

        /** Whether a group may send; always true for the group furthest behind. */
        boolean mayTake(int group) {
            return taken.length == 1 || taken[group] < weights[group] * (total + ahead);
        }

        void took(int group, int records) {
            taken[group] += records;
            total += records;
        }
    }
}
