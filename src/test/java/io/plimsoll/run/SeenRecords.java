package io.plimsoll.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A consumer interceptor that counts how often each record is delivered. */
public final class SeenRecords implements ConsumerInterceptor<Object, Object> {
    private static final Map<String, Integer> TIMES = new ConcurrentHashMap<>();

    /** Records of a topic that were delivered repeatedly, each time. */
    static long again(String topic) {
        return TIMES.entrySet().stream()
                .filter(e -> e.getKey().startsWith(topic + "-"))
                .mapToLong(e -> e.getValue() - 1)
                .sum();
    }

    static long distinct(String topic) {
        return TIMES.keySet().stream().filter(k -> k.startsWith(topic + "-")).count();
    }

    @Override
    public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
        records.forEach(r -> TIMES.merge(r.topic() + "-" + r.partition() + "@" + r.offset(), 1, Integer::sum));
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        // not of interest
    }

    @Override
    public void close() {
        // nothing is open
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // nothing to configure
    }
}
