package io.plimsoll.load.raw;

import io.plimsoll.load.ProducerTrail;
import io.plimsoll.load.raw.RecordSource.Shares;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.TopicRef;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The queued and in-flight batches of one partition of one client, in order. Owned by the client's thread. */
final class PartitionQueue {
    private static final long NANOS_PER_MILLI = 1_000_000;

    final int topicIndex;
    final int partition;
    /** Producer number in the identities of this partition's records. */
    final int producerIndex;

    private final boolean ordered;

    @Nullable
    ProducerTrail trail;

    final ArrayDeque<PendingBatch> batches = new ArrayDeque<>();

    @Nullable
    TemplateRing templates;
    /** Index of the partition's group in {@link Shares}. */
    int share;

    @Nullable
    TopicRef topic;

    private @Nullable Route route;
    private int indexInRoute;
    int inFlight;
    private @Nullable RawLink sentOver;

    long nextAuditSequence;
    ProducerIdentity producer = ProducerIdentity.NONE;

    int nextBaseSequence;
    /** The audit's sequence for the record of {@link #nextBaseSequence}; −1 if the next batch starts an epoch. */
    long numberedTo = -1;

    ProducerIdentity knownProducer = ProducerIdentity.NONE;
    /** First record after a sequence gap, from which the broker rejects batches; MAX_VALUE without a gap. */
    private long gapAt = Long.MAX_VALUE;

    long retryAtNanos;

    /** @param ordered whether the log keeps the order of records, even across leader changes */
    PartitionQueue(int topicIndex, int partition, int producerIndex, boolean ordered) {
        this.ordered = ordered;
        this.topicIndex = topicIndex;
        this.partition = partition;
        this.producerIndex = producerIndex;
    }

    void route(Route newRoute, int index) {
        route = newRoute;
        indexInRoute = index;
        changed();
    }

    /** Reports that a batch was added, removed or filled, or can be retried. */
    void changed() {
        if (route != null) {
            route.changed(indexInRoute);
        }
    }

    /** The open batch; null if the next record needs a new one. */
    @Nullable
    PendingBatch open() {
        PendingBatch last = batches.peekLast();
        return last == null || !last.hasRoom() || last.attempts > 0 || last.atOnce ? null : last;
    }

    /** Ends the linger time of the last batch; returns false if the queue is empty. */
    boolean closeLast() {
        PendingBatch last = batches.peekLast();
        if (last != null && !last.full) {
            last.full = true;
            changed();
        }
        return last != null;
    }

    void add(PendingBatch batch) {
        batches.add(batch);
        changed();
    }

    @Nullable
    PendingBatch poll() {
        PendingBatch polled = batches.poll();
        changed();
        return polled;
    }

    /** The next batch to send; during a gap, the first batch that can already be in the log. */
    @Nullable
    PendingBatch pollNext() {
        if (gapAt == Long.MAX_VALUE) {
            return poll();
        }
        PendingBatch next =
                batches.stream().filter(this::unresolved).findFirst().orElseThrow();
        batches.remove(next);
        changed();
        return next;
    }

    /** Reports that neither a batch with this record nor an earlier one will be written to the log. */
    void gap(long sequence) {
        gapAt = Math.min(gapAt, sequence);
    }

    boolean behindGap(PendingBatch batch) {
        return batch.firstSequence >= gapAt;
    }

    /**
     * Assigns new sequences after a gap, once no queued batch can be in the log. If sequences were assigned earlier,
     * the broker could not detect duplicates.
     */
    void closeGap() {
        if (gapAt != Long.MAX_VALUE && inFlight == 0 && batches.stream().noneMatch(this::unresolved)) {
            gapAt = Long.MAX_VALUE;
            numberedTo = -1;
            batches.forEach(batch -> batch.baseSequence = -1);
        }
    }

    /**
     * Reports that a part of a split batch was written, so the whole batch and later batches had not been written
     * before.
     */
    void wholeWasMissing() {
        batches.stream().filter(batch -> batch.cut).forEach(batch -> {
            batch.cut = false;
            batch.doubtful = false;
        });
    }

    /** Whether a batch can be in the log, or can still be written under its current sequence. */
    private boolean unresolved(PendingBatch batch) {
        return batch.attempts > 0 && (batch.doubtful || !behindGap(batch));
    }

    /** Whether the first batch may be sent once it is ready. */
    boolean mayDrain(long nowNanos) {
        PendingBatch head = batches.peekFirst();
        return head != null && nowNanos >= retryAtNanos && !overtakes(head);
    }

    /** Whether the first batch must wait for the batches in flight, so that the log keeps their order. */
    private boolean overtakes(PendingBatch head) {
        return inFlight > 0 && (head.attempts > 0 || held());
    }

    /**
     * Whether new batches must wait for the batches in flight: after a gap, or after a leader change, since the old
     * leader can reject them.
     */
    @SuppressWarnings("ReferenceEquality") // A link is compared by identity.
    boolean held() {
        boolean moved = ordered && route != null && route.link != sentOver;
        return inFlight > 0 && (gapAt != Long.MAX_VALUE || moved);
    }

    void sending() {
        inFlight++;
        sentOver = route == null ? null : route.link;
    }

    /**
     * End of the first batch's linger time, in nanoTime; {@link Long#MAX_VALUE} without a batch, or if the batch must
     * wait for a response.
     */
    long readyNanos(long lingerNanos) {
        PendingBatch head = batches.peekFirst();
        if (head == null || overtakes(head)) {
            return Long.MAX_VALUE;
        }
        boolean waitsForNothing = head.attempts > 0 || batches.size() > 1 || head.full;
        return waitsForNothing ? retryAtNanos : Math.max(lingerEnd(head, lingerNanos), retryAtNanos);
    }

    /** End of the linger time, which is counted from a whole millisecond, as in the official client. */
    private static long lingerEnd(PendingBatch batch, long lingerNanos) {
        return batch.createdNanos - Math.floorMod(batch.createdNanos, NANOS_PER_MILLI) + lingerNanos;
    }

    void putBack(PendingBatch batch) {
        ArrayDeque<PendingBatch> earlier = new ArrayDeque<>();
        while (!batches.isEmpty()
                && batches.peekFirst().attempts > 0
                && batches.peekFirst().firstSequence < batch.firstSequence) {
            earlier.add(batches.pollFirst());
        }
        batches.addFirst(batch);
        while (!earlier.isEmpty()) {
            batches.addFirst(earlier.pollLast());
        }
        changed();
    }

    /** Kafka's identity of an idempotent producer; the ID is −1 without idempotence. */
    record ProducerIdentity(long id, short epoch) {
        static final ProducerIdentity NONE = new ProducerIdentity(-1, (short) -1);

        ProducerIdentity next() {
            return new ProducerIdentity(id, (short) (epoch + 1));
        }
    }
}
