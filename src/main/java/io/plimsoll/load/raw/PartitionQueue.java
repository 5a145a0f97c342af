package io.plimsoll.load.raw;

import io.plimsoll.load.ProducerTrail;
import io.plimsoll.wire.TopicRef;
import java.util.ArrayDeque;

/** The batches of one partition of one client, in order, and what is in flight. Owned by the client's thread. */
final class PartitionQueue {
    private static final long NANOS_PER_MILLI = 1_000_000;

    final int topicIndex;
    final int partition;
    /** Index of this pair of client and partition in the identities of its records. */
    final int producerIndex;
    /** Takes the outcomes of its records; null without an audit. */
    ProducerTrail trail;

    final ArrayDeque<PendingBatch> batches = new ArrayDeque<>();
    /** Of the batches that go there; null if none do. */
    TemplateRing templates;
    /** Its group in {@link Shares}. */
    int share;

    TopicRef topic;
    int leader = -1;
    int inFlight;
    long nextAuditSequence;
    int nextBaseSequence;
    /** Whose batches the audit knows to be of this queue. */
    BatchSender.ProducerIdentity knownProducer = BatchSender.ProducerIdentity.NONE;
    /** Nothing is sent before: a batch came back and waits for its next attempt. */
    long retryAtNanos;

    PartitionQueue(int topicIndex, int partition, int producerIndex) {
        this.topicIndex = topicIndex;
        this.partition = partition;
        this.producerIndex = producerIndex;
    }

    /** The batch that takes the next record; null if a new one must be begun. */
    PendingBatch open() {
        PendingBatch last = batches.peekLast();
        return last == null || !last.hasRoom() || last.attempts > 0 || last.atOnce ? null : last;
    }

    /** No further record comes to the last batch, which then waits for none; returns false if there is no batch. */
    boolean closeLast() {
        PendingBatch last = batches.peekLast();
        if (last != null) {
            last.full = true;
        }
        return last != null;
    }

    /** True if the first batch need not wait for more records. */
    boolean ready(long nowNanos, long lingerNanos, boolean flushing) {
        PendingBatch first = batches.peekFirst();
        if (first == null || !mayDrain(nowNanos)) {
            return false;
        }
        return flushing
                || first.attempts > 0
                || batches.size() > 1
                || first.full
                || nowNanos >= lingerEnd(first, lingerNanos);
    }

    /** False while the first batch must not be sent, although it may be ready. */
    boolean mayDrain(long nowNanos) {
        PendingBatch first = batches.peekFirst();
        if (first == null || nowNanos < retryAtNanos) {
            return false;
        }
        // A batch that is sent again must not be overtaken by, nor overtake, those that are on their way.
        return first.attempts == 0 || inFlight == 0;
    }

    /** As in the official client, linger counts from the whole millisecond before the first record. */
    private static long lingerEnd(PendingBatch batch, long lingerNanos) {
        return batch.createdNanos - Math.floorMod(batch.createdNanos, NANOS_PER_MILLI) + lingerNanos;
    }

    /** When linger of the first batch ends, in nanoTime; {@link Long#MAX_VALUE} if there is none. */
    long lingerEndNanos(long lingerNanos) {
        PendingBatch first = batches.peekFirst();
        return first == null ? Long.MAX_VALUE : Math.max(lingerEnd(first, lingerNanos), retryAtNanos);
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
    }
}
