package io.plimsoll.engine.client;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Makes the {@link ProducerRecord}s of one sending thread. Generated values lie in one array that is written again for
 * each record, and {@code send} copies it before it returns; so where nothing else differs either, one object per topic
 * serves for all records. Owned by that thread.
 */
final class Records {
    private final String[] topics;
    private final List<Header> headers;
    private final boolean reuse;
    private final ProducerRecord<byte[], byte[]>[] last;

    /** @param reuse false if a record may be changed on its way, or has a timestamp of its own */
    @SuppressWarnings({"unchecked", "rawtypes"})
    Records(List<String> topics, List<Header> headers, boolean reuse) {
        this.topics = topics.toArray(new String[0]);
        this.headers = headers;
        this.reuse = reuse;
        this.last = new ProducerRecord[this.topics.length];
    }

    int topics() {
        return topics.length;
    }

    /** @param timestamp null for the client's own */
    ProducerRecord<byte[], byte[]> of(int topic, Long timestamp, byte[] key, byte[] value) {
        if (reuse) {
            ProducerRecord<byte[], byte[]> before = last[topic];
            if (before != null && before.key() == key && before.value() == value) {
                return before;
            }
        }
        return last[topic] = new ProducerRecord<>(topics[topic], null, timestamp, key, value, headers);
    }
}
