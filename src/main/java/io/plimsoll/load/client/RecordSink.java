package io.plimsoll.load.client;

import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Takes the records of a sending thread: the methods of a Kafka producer that it needs, with their meaning. */
interface RecordSink {

    Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback outcome);

    void flush();

    void beginTransaction();

    void commitTransaction();

    void abortTransaction();

    /** Closes without waiting for answers: outcomes that are missing are told as failures. */
    void closeAtOnce();
}
