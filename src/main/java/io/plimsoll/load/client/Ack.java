package io.plimsoll.load.client;

import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;

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

    final int topicIndex() {
        return topicIndex;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception failure) {
        if (failure != null) {
            client.failed(intendedNanos, failure);
            return;
        }
        long now = client.acknowledgedNanos(future);
        client.acks().acknowledged(topicIndex, metadata.partition(), intendedNanos, sentNanos, now, bytes);
        client.completed(topicIndex, metadata.partition());
    }
}
