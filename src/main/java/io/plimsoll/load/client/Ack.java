package io.plimsoll.load.client;

import io.plimsoll.audit.Journal.Ending;
import io.plimsoll.load.ProducerTrail;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;

/** The outcome of one record; the only object of ours that is made per record. */
class Ack implements Callback {
    private final ProducerClient client;
    private final long intendedNanos;
    private final long sentNanos;
    private final int topicIndex;
    private final int bytes;
    private Future<RecordMetadata> future;

    Ack(ProducerClient client, int topicIndex, long intendedNanos, long sentNanos, int bytes) {
        this.client = client;
        this.topicIndex = topicIndex;
        this.intendedNanos = intendedNanos;
        this.sentNanos = sentNanos;
        this.bytes = bytes;
    }

    /** The client has taken the record; its callback may have come already, or may not see this. */
    final void taken(Future<RecordMetadata> recordFuture) {
        future = recordFuture;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception failure) {
        if (failure != null) {
            client.failed(intendedNanos, failure);
            return;
        }
        long now = client.acknowledgedNanos(future);
        client.acks.acknowledged(topicIndex, metadata.partition(), intendedNanos, sentNanos, now, bytes);
        client.appended(topicIndex, metadata, sentNanos, now);
        client.completed(topicIndex, metadata.partition());
    }

    static final class AuditedAck extends Ack {
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
                trail.acknowledged(super.topicIndex, metadata.partition(), offset, sequence, 1);
            } else if (Thread.currentThread() == sender || certain(failure)) {
                // In the sending thread: it was refused before it came into a batch.
                trail.ended(Ending.FAILED, sequence, 1);
            }
            super.onCompletion(metadata, failure);
        }

        /**
         * Whether no attempt can have been written. What a limit of the topic forbids may have been allowed when the same
         * batch was written before, and its answer lost.
         */
        private boolean certain(Exception failure) {
            boolean limit = failure instanceof RecordTooLargeException
                    || failure instanceof RecordBatchTooLargeException
                    || failure instanceof InvalidTimestampException;
            return (limit && !super.client.hasRetried())
                    || failure instanceof SerializationException
                    || failure instanceof InvalidTopicException
                    || failure instanceof UnsupportedForMessageFormatException;
        }
    }
}
