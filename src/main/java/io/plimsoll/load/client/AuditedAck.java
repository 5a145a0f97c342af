package io.plimsoll.load.client;

import io.plimsoll.audit.Journal.Ending;
import io.plimsoll.load.ProducerTrail;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;

/** The outcome of one record that has an identity. */
final class AuditedAck extends Ack {
    private final ProducerTrail trail;
    private final Thread sender;
    private final long sequence;

    AuditedAck(
            ProducerClient client,
            int topicIndex,
            long intendedNanos,
            long sentNanos,
            int bytes,
            ProducerTrail trail,
            long sequence) {
        super(client, topicIndex, intendedNanos, sentNanos, bytes);
        this.trail = trail;
        this.sender = Thread.currentThread();
        this.sequence = sequence;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception failure) {
        if (failure == null) {
            long offset = metadata.hasOffset() ? metadata.offset() : -1;
            trail.acknowledged(topicIndex(), metadata.partition(), offset, sequence, 1);
        } else if (Thread.currentThread() == sender || certain(failure)) {
            // In the sending thread: it was refused before it came into a batch.
            trail.ended(Ending.FAILED, sequence, 1);
        }
        super.onCompletion(metadata, failure);
    }

    /** Whether no attempt can have been written: every broker refuses such a record, at each attempt. */
    private static boolean certain(Exception failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof RecordBatchTooLargeException
                || failure instanceof SerializationException
                || failure instanceof InvalidTopicException
                || failure instanceof InvalidTimestampException
                || failure instanceof UnsupportedForMessageFormatException;
    }
}
