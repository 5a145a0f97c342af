package io.plimsoll.load.raw;

import io.plimsoll.load.ProducerTrail;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.TopicRef;
import java.util.ArrayDeque;

/** The batches of one partition of one client, in order, and what is in flight. Owned by the client's thread. */
final class PartitionQueue {
    private static final long NANOS_PER_MILLI = 1_000_000;

    final int topicIndex;
    final int partition;
    /** Index of this pair of client and partition in the identities of its records. */
    final int producerIndex;

    private final boolean ordered;
    /** Takes the outcomes of its records; null without an audit. */
    ProducerTrail trail;

    final ArrayDeque<PendingBatch> batches = new ArrayDeque<>();
    /** The source of the batches that go there; null if none do. */
    TemplateRing templates;
    /** Its group in {@link Shares}. */
    int share;

    TopicRef topic;
    private Route route;
    private int indexInRoute;
    int inFlight;
    /** The connection over which what is in flight went. */
    private RawLink sentOver;

    long nextAuditSequence;
    /** The identity of batches with a sequence; one that came before it is in no batch any more. */
    BatchSealer.ProducerIdentity producer = BatchSealer.ProducerIdentity.NONE;

    int nextBaseSequence;
    /** The record of {@link #nextBaseSequence} in the audit's numbering; −1 if the next batch begins another epoch. */
    long numberedTo = -1;
    /** Whose batches the audit knows to be of this queue. */
    BatchSealer.ProducerIdentity knownProducer = BatchSealer.ProducerIdentity.NONE;
    /** From this record on the broker refuses batches, since those before it will never come; MAX_VALUE without a gap. */
    private long gapAt = Long.MAX_VALUE;
    /** Nothing is sent before: a batch came back and waits for its next attempt. */
    long retryAtNanos;

    /** @param ordered whether records must be in the log as they were sent, whatever becomes of the leader */
    PartitionQueue(int topicIndex, int partition, int producerIndex, boolean ordered) {
        this.ordered = ordered;
        this.topicIndex = topicIndex;
        this.partition = partition;
        this.producerIndex = producerIndex;
    }

    /** Null while it has no leader that can be reached. */
    void route(Route newRoute, int index) {
        route = newRoute;
        indexInRoute = index;
        changed();
    }

    /** It is called when a batch came or went, got full, or may be sent again. */
    void changed() {
        if (route != null) {
            route.changed(indexInRoute);
        }
    }

    /** The batch that takes the next record; null if a new one must be begun. */
    PendingBatch open() {
        PendingBatch last = batches.peekLast();
        return last == null || !last.hasRoom() || last.attempts > 0 || last.atOnce ? null : last;
    }

    /** No further record comes to the last batch, which then waits for none; returns false if there is no batch. */
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

    PendingBatch poll() {
        PendingBatch polled = batches.poll();
        changed();
        return polled;
    }

    /** The batch to send next: while there is a gap, the first one that may be in the log. */
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

    /** A batch that began with this record of the audit's numbering, or one before it, will never be in the log. */
    void gap(long sequence) {
        gapAt = Math.min(gapAt, sequence);
    }

    boolean behindGap(PendingBatch batch) {
        return batch.firstSequence >= gapAt;
    }

    /**
     * Gives the batches behind a gap other numbers, once it is certain that none of them is in the log: under other numbers
     * the broker would not recognize them.
     */
    void closeGap() {
        if (gapAt != Long.MAX_VALUE && inFlight == 0 && batches.stream().noneMatch(this::unresolved)) {
            gapAt = Long.MAX_VALUE;
            numberedTo = -1;
            batches.forEach(batch -> batch.baseSequence = -1);
        }
    }

    /** A part of a batch was written, so the whole was not, nor was what had been sent behind it. */
    void wholeWasMissing() {
        batches.stream().filter(batch -> batch.cut).forEach(batch -> {
            batch.cut = false;
            batch.doubtful = false;
        });
    }

    /** Whether a batch may be in the log, or may still get there under its present number. */
    private boolean unresolved(PendingBatch batch) {
        return batch.attempts > 0 && (batch.doubtful || !behindGap(batch));
    }

    /** False while the first batch must not be sent, although it may be ready. */
    boolean mayDrain(long nowNanos) {
        PendingBatch head = batches.peekFirst();
        return head != null && nowNanos >= retryAtNanos && !overtakes(head);
    }

    /** A batch that is sent again must not be overtaken by, nor overtake, those that are on their way. */
    private boolean overtakes(PendingBatch head) {
        return inFlight > 0 && (head.attempts > 0 || held());
    }

    /**
     * True while nothing new may follow what is on its way: behind a gap, or over another connection than its present one. In
     * that case its leader has changed, and were the old leader to refuse it, what follows would be before it in the log.
     */
    @SuppressWarnings("ReferenceEquality") // a link stands for itself
    boolean held() {
        boolean moved = ordered && route != null && route.link != sentOver;
        return inFlight > 0 && (gapAt != Long.MAX_VALUE || moved);
    }

    void sending() {
        inFlight++;
        sentOver = route == null ? null : route.link;
    }

    /**
     * When the first batch need not wait for more records any longer, in nanoTime; {@link Long#MAX_VALUE} if there is
     * none, or if an answer must come first.
     */
    long readyNanos(long lingerNanos) {
        PendingBatch head = batches.peekFirst();
        if (head == null || overtakes(head)) {
            return Long.MAX_VALUE;
        }
        boolean waitsForNothing = head.attempts > 0 || batches.size() > 1 || head.full;
        return waitsForNothing ? retryAtNanos : Math.max(lingerEnd(head, lingerNanos), retryAtNanos);
    }

    /** As in the official client, linger counts from the whole millisecond before the first record. */
    private static long lingerEnd(PendingBatch batch, long lingerNanos) {
        return batch.createdNanos - Math.floorMod(batch.createdNanos, NANOS_PER_MILLI) + lingerNanos;
    }

    /** Takes back a batch that is to be sent again, before all that were sent or formed after it. */
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
}
