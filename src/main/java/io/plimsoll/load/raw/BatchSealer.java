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
    private ProducerIdentity producer = ProducerIdentity.NONE;

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
    }

    void start(TrialClock trialClock) {
        clock = trialClock;
    }

    void identify(ProducerIdentity identity) {
        producer = identity;
    }

    /** Makes the bytes of a batch; false if all templates are in flight. */
    boolean seal(PartitionQueue queue, PendingBatch batch) {
        boolean first = batch.template == null;
        if (first) {
            BatchTemplate template = queue.templates.acquire(batch.count);
            if (template == null) {
                return false;
            }
            if (template.records() < batch.count) {
                queue.addFirst(source.split(batch, template.records()));
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
        if (idempotent && batch.baseSequence < 0) {
            batch.baseSequence = queue.nextBaseSequence;
            queue.nextBaseSequence = increment(queue.nextBaseSequence, batch.count);
            identifyBatches(queue, batch);
            if (!first) {
                batch.template.producer(producer.id(), producer.epoch(), batch.baseSequence);
                batch.template.seal();
            }
        }
        if (first) {
            stamp(queue, batch);
        }
        return true;
    }

    /** Writes what a batch says of its records and its producer, in a template that it has already. */
    void stamp(PartitionQueue queue, PendingBatch batch) {
        batch.template.timestamp(clock.toEpochNanos(batch.due[0]) / 1_000_000);
        batch.template.producer(producer.id(), producer.epoch(), batch.baseSequence);
        batch.template.stamp(queue.producerIndex, batch.firstSequence, batch.due, 0, clock.epochOffsetNanos());
    }

    /** Where records carry no identity of their own, their batch's header says what they are. */
    private void identifyBatches(PartitionQueue queue, PendingBatch batch) {
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
