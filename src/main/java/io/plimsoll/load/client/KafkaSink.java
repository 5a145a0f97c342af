package io.plimsoll.load.client;

import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** A Kafka producer as a sink. */
record KafkaSink(KafkaProducer<byte[], byte[]> producer) implements RecordSink {

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback outcome) {
        return producer.send(record, outcome);
    }

    @Override
    public void flush() {
        producer.flush();
    }

    @Override
    public void beginTransaction() {
        producer.beginTransaction();
    }

    @Override
    public void commitTransaction() {
        producer.commitTransaction();
    }

    @Override
    public void abortTransaction() {
        producer.abortTransaction();
    }

    @Override
    public void closeAtOnce() {
        BoundedClose.closeAtOnce(producer);
    }
}
