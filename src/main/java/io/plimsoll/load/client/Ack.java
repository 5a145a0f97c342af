package io.plimsoll.load.client;

import io.plimsoll.measure.AckMeter;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;

/** The outcome of one record; the only object of ours that is made per record. */
class Ack implements Callback {
    private final ProducerClient client;
    private final long intendedNanos;
    private final long sentNanos;
    private final int topicIndex;
    private final int bytes;

    Ack(ProducerClient client, int topicIndex, long intendedNanos, long sentNanos, int bytes) {
        this.client = client;
        this.topicIndex = topicIndex;
        this.intendedNanos = intendedNanos;
        this.sentNanos = sentNanos;
        this.bytes = bytes;
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
        AckMeter meter = client.acks();
        meter.acknowledged(topicIndex, metadata.partition(), intendedNanos, sentNanos, client.nanoTime(), bytes);
        client.completed(topicIndex, metadata.partition());
    }
}
