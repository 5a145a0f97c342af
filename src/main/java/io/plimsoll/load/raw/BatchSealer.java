package io.plimsoll.load.raw;

import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.raw.BatchTemplate.IdentityLevel;
import io.plimsoll.measure.TrialClock;
import org.apache.kafka.common.TopicPartition;

/**
 * Makes the bytes of batches as they are about to be sent: borrows a template, gives out sequences, and writes identities and
 * intended times. Owned by the client's thread.
 */
final class BatchSealer {
    private final RecordSource source;
    private final boolean idempotent;
    private final AuditTrail audit;
    private TrialClock clock;
    private ProducerIdentity newest = ProducerIdentity.NONE;
    private boolean exhausted;

    /** @param audit null without one by identities */
    BatchSealer(RecordSource source, boolean idempotent, AuditTrail audit) {
        this.source = source;
        this.idempotent = idempotent;
        this.audit = audit;
    }

    /**
     * Kafka's identity of an idempotent producer.
     *
     * @param id −1 without idempotence
     */
    record ProducerIdentity(long id, short epoch) {
        static final ProducerIdentity NONE = new ProducerIdentity(-1, (short) -1);

        private ProducerIdentity next() {
            return new ProducerIdentity(id, (short) (epoch + 1));
        }
    }

    void start(TrialClock trialClock) {
        clock = trialClock;
    }

    void identify(ProducerIdentity identity) {
        newest = identity;
        exhausted = false;
    }

    /** A partition has used all epochs of its producer id and waits for another id. */
    boolean exhausted() {
        return exhausted;
    }

    /**
     * Makes the bytes of a batch; false if it has to wait: all templates are in flight, or its partition needs another epoch
     * and batches are on their way under the present one, or there is no other epoch.
     */
    boolean seal(PartitionQueue queue, PendingBatch batch) {
        boolean first = batch.template == null;
        boolean numberless = idempotent && batch.baseSequence < 0;
        long sequence = batch.firstSequence < 0 ? queue.nextAuditSequence : batch.firstSequence;
        if (numberless && sequence != queue.numberedTo && !beginEpoch(queue, sequence)) {
            return false;
        }
        if (first) {
            BatchTemplate template = queue.templates.acquire(batch.count);
            if (template == null) {
                return false;
            }
            if (template.records() < batch.count) {
                queue.putBack(source.split(batch, template.records()));
            }
            batch.template = template;
            if (batch.firstSequence < 0) {
                batch.firstSequence = queue.nextAuditSequence;
                queue.nextAuditSequence += batch.count;
                if (queue.trail != null) {
                    queue.trail.sent(queue.nextAuditSequence);
                }
            }
        }
        if (numberless) {
            batch.baseSequence = queue.nextBaseSequence;
            queue.nextBaseSequence = increment(queue.nextBaseSequence, batch.count);
            queue.numberedTo = sequence + batch.count;
            identifyBatches(queue, batch);
            if (!first) {
                batch.template.producer(queue.producer.id(), queue.producer.epoch(), batch.baseSequence);
                batch.template.seal();
            }
        }
        if (first) {
            stamp(queue, batch);
        }
        return true;
    }

    /**
     * As Kafka's producer does: the client itself takes the next epoch, in which the sequences of this partition begin again,
     * and batches of the last one that are still on their way somewhere will be refused.
     */
    private boolean beginEpoch(PartitionQueue queue, long sequence) {
        boolean sameId = queue.producer.id() == newest.id();
        exhausted |= sameId && queue.producer.epoch() == Short.MAX_VALUE;
        if (queue.inFlight > 0 || (sameId && exhausted)) {
            return false;
        }
        queue.producer = sameId ? queue.producer.next() : newest;
        queue.nextBaseSequence = 0;
        queue.numberedTo = sequence;
        return true;
    }

    /** Writes what a batch says of its records and its producer, in a template that it has already. */
    void stamp(PartitionQueue queue, PendingBatch batch) {
        batch.template.timestamp(clock.toEpochNanos(batch.due[0]) / 1_000_000);
        batch.template.producer(queue.producer.id(), queue.producer.epoch(), batch.baseSequence);
        batch.template.stamp(queue.producerIndex, batch.firstSequence, batch.due, 0, clock.epochOffsetNanos());
    }

    /** Where records carry no identity of their own, their batch's header says what they are. */
    private void identifyBatches(PartitionQueue queue, PendingBatch batch) {
        ProducerIdentity producer = queue.producer;
        boolean known = queue.knownProducer.equals(producer);
        if (audit != null && !known && batch.template.level() != IdentityLevel.IDENTITY) {
            TopicPartition partition = new TopicPartition(queue.topic.name(), queue.partition);
            long sequence = batch.firstSequence - batch.baseSequence;
            audit.batches(queue.trail, partition, producer.id(), producer.epoch(), sequence);
            queue.knownProducer = producer;
        }
    }

    /** Sequences go on at 0 after the largest int. */
    static int increment(int sequence, int by) {
        return sequence > Integer.MAX_VALUE - by ? by - (Integer.MAX_VALUE - sequence) - 1 : sequence + by;
    }
}
