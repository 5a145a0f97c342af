package io.plimsoll.load.share;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The records that a member was given and of which the cluster has not yet confirmed what became of them. A record that
 * comes again before that is there twice. Of the member's thread.
 */
final class InHand {
    static final class One {
        final int delivery;
        final long sinceNanos;
        AcknowledgeType type = AcknowledgeType.ACCEPT;
        boolean late;

        One(int delivery, long sinceNanos) {
            this.delivery = delivery;
            this.sinceNanos = sinceNanos;
        }
    }

    private final Map<TopicPartition, Map<Long, Deque<One>>> records = new HashMap<>();

    void add(TopicPartition partition, long offset, One record) {
        records.computeIfAbsent(partition, p -> new HashMap<>())
                .computeIfAbsent(offset, o -> new ArrayDeque<>(1))
                .add(record);
    }

    /** As it was given last. */
    One last(ConsumerRecord<?, ?> record) {
        return records.get(new TopicPartition(record.topic(), record.partition()))
                .get(record.offset())
                .peekLast();
    }

    /** Takes it out as it was given first; null if it is not there. */
    One takeOut(TopicPartition partition, long offset) {
        Map<Long, Deque<One>> ofPartition = records.getOrDefault(partition, Map.of());
        Deque<One> same = ofPartition.get(offset);
        One first = same == null ? null : same.poll();
        if (same != null && same.isEmpty()) {
            ofPartition.remove(offset);
        }
        return first;
    }
}
