package io.plimsoll.load.raw;

import java.util.Arrays;
import io.plimsoll.load.DueTimes;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.wire.BatchLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Forms batches from the records that are due, as Kafka's producer would with the same {@code batch.size}. Owned by the
 * client's thread.
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
    /** All that were ever made; those that are over hold no records. */
    private final List<PendingBatch> made = new ArrayList<>();

    private final ArrayDeque<PendingBatch> spare = new ArrayDeque<>();
    private long bufferedRecords;
    /** Since when what is due has found no room, in nanoTime; 0 if it does. */
    private long fullNanos;
    /** It has waited for the next record to come due. */
    private boolean waited;

    private boolean ended;

    /**
     * @param times say in a closed loop how much there is to send, and not when
     * @param plan where the records go
     */
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

    /** True if no record will come any more. */
    boolean ended() {
        return ended;
    }

    /** True if every record that was taken is acknowledged or has failed. */
    boolean allDone() {
        return bufferedRecords == 0;
    }

    private boolean bufferFull() {
        return bufferedRecords * recordBytes >= bufferBytes;
    }

    /** When the next record is due, in nanoTime; {@link Long#MAX_VALUE} if none is, or if the buffer is full. */
    long nextDue() {
        return ended || times.closedLoop() || bufferFull() ? Long.MAX_VALUE : times.next();
    }

    /** Puts every record that is due into its batch. */
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
            // A record that finds no room in what is open may go elsewhere, as with the official client.
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
        sends.sent(due, nowNanos);
        partitions.produced((int) (after - before));
    }

    private long bytes(int records) {
        return BatchLayout.RECORDS + (long) (records * recordBytes);
    }

    /** In a closed loop: a whole batch for this partition; null if there is nothing more to send. */
    PendingBatch takeAtOnce(PartitionQueue queue, long nowNanos) {
        if (!mayTakeAtOnce(queue)) {
            return null;
        }
        int records = times.claim(Math.min(maxRecords, queue.templates.maxRecords()), nowNanos);
        if (records == 0) {
            ended = times.over(nowNanos);
            return null;
        }
        PendingBatch batch = begin(nowNanos);
        batch.fillAtOnce(records, nowNanos);
        sends.sentAtOnce(records, nowNanos);
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

    /** In a closed loop: true if {@link #takeAtOnce} may have a batch for this partition. */
    boolean mayTakeAtOnce(PartitionQueue queue) {
        return mayTakeAtOnce() && queue.templates != null && shares.mayTake(queue.share);
    }

    /** In a closed loop: true until its end. */
    boolean mayTakeAtOnce() {
        return !ended && times.closedLoop();
    }

    /** Cuts a batch after its first {@code records}; returns the rest, whose sequences go on where they were given. */
    PendingBatch split(PendingBatch batch, int records) {
        PendingBatch rest = begin(batch.createdNanos);
        rest.attempts = batch.attempts;
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

    /** The batches whose records have no outcome yet. */
    List<PendingBatch> unfinished() {
        return made.stream().filter(batch -> batch.count > 0).toList();
    }

    void start(TrialClock clock) {
        times.start(clock);
    }

    /**
     * Keeps the records of a closed loop in the proportions in which {@link Partitioner} would spread them, although whole
     * batches are taken wherever a broker is ready for one. Owned by one thread.
     */
    static final class Shares {
        private final double[] weights;
        private final long[] taken;
        private final long ahead;
        private long total;

        /**
         * @param weights of the groups of partitions, by their {@link PartitionQueue#share}; together 1
         * @param aheadRecords so many records, divided among all groups, they may be ahead of their proportions
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

        /** Always true for the group that is furthest behind. */
        boolean mayTake(int group) {
            return taken.length == 1 || taken[group] < weights[group] * (total + ahead);
        }

        void took(int group, int records) {
            taken[group] += records;
            total += records;
        }
    }
}
