package io.plimsoll.testing;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Headers;

/**
 * Records acknowledgments independently of the audit, as {@code interceptor.classes}: tags each record with a header
 * and keeps the tags of acknowledged records by topic.
 */
public final class AckedRecords implements ProducerInterceptor<byte[], byte[]> {
    public static final String HEADER = "name";

    private static final Map<String, Set<String>> ACKNOWLEDGED = new ConcurrentHashMap<>();

    /** Tags of acknowledged records of a topic. */
    public static Set<String> of(String topic) {
        return ACKNOWLEDGED.getOrDefault(topic, Set.of());
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
        record.headers().add(HEADER, UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII));
        return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception, Headers headers) {
        if (exception == null) {
            ACKNOWLEDGED
                    .computeIfAbsent(metadata.topic(), t -> ConcurrentHashMap.newKeySet())
                    .add(new String(headers.lastHeader(HEADER).value(), StandardCharsets.US_ASCII));
        }
    }

    @Override
    public void close() {
        // the records outlive the client
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // no settings
    }
}
