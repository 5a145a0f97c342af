package io.plimsoll.load.client;

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
    private final int topicsInTurn;
    private final Integer[] partitions;
    private final List<Header> headers;
    private final boolean reuse;
    private final ProducerRecord<byte[], byte[]>[] last;
    private int topic;

    /**
     * @param onlyTopic index of the one topic that all records go to; -1: they go to all topics in turn
     * @param partitions to which the records of each topic go in turn; empty: key or partitioner decide
     * @param reuse false if a record may be changed on its way, or has a timestamp of its own
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    Records(List<String> topics, int onlyTopic, List<Integer> partitions, List<Header> headers, boolean reuse) {
        this.topics = topics.toArray(new String[0]);
        this.topicsInTurn = onlyTopic >= 0 ? 1 : topics.size();
        this.partitions = partitions.isEmpty() ? new Integer[] {null} : partitions.toArray(new Integer[0]);
        this.headers = headers;
        this.topic = Math.max(0, onlyTopic);
        this.reuse = reuse;
        this.last = new ProducerRecord[this.topics.length * this.partitions.length];
    }

    int nextTopic() {
        int next = topic;
        if (topicsInTurn > 1) {
            topic = next + 1 == topics.length ? 0 : next + 1;
        }
        return next;
    }

    /**
     * @param sequence of the thread's record
     * @param timestamp null for the client's own
     */
    ProducerRecord<byte[], byte[]> of(int topic, long sequence, Long timestamp, byte[] key, byte[] value) {
        int turn = partitions.length == 1 ? 0 : (int) (sequence / topicsInTurn % partitions.length);
        int at = topic * partitions.length + turn;
        if (reuse) {
            ProducerRecord<byte[], byte[]> before = last[at];
            if (before != null && before.key() == key && before.value() == value) {
                return before;
            }
        }
        last[at] = new ProducerRecord<>(topics[topic], partitions[turn], timestamp, key, value, headers);
        return last[at];
    }
}
