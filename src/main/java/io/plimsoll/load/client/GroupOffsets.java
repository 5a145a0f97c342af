package io.plimsoll.load.client;

import io.plimsoll.scenario.ConsumerSpec.Rewind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Sets where a group that has no members yet will read from. */
final class GroupOffsets {
    private GroupOffsets() {}

    /** @param consumer of the group, which is in use for nothing else */
    static void set(KafkaConsumer<?, ?> consumer, Rewind to, Set<TopicPartition> all) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        offsetsAt(consumer, to, all).forEach((p, offset) -> offsets.put(p, new OffsetAndMetadata(offset)));
        consumer.assign(all);
        consumer.commitSync(offsets);
    }

    private static Map<TopicPartition, Long> offsetsAt(
            KafkaConsumer<?, ?> consumer, Rewind to, Set<TopicPartition> all) {
        if (!(to instanceof Rewind.ToTime time)) {
            return consumer.beginningOffsets(all);
        }
        Map<TopicPartition, Long> times = new HashMap<>();
        all.forEach(p -> times.put(p, time.time().toEpochMilli()));
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(all));
        consumer.offsetsForTimes(times).forEach((partition, found) -> {
            if (found != null) {
                offsets.put(partition, found.offset());
            }
        });
        return offsets;
    }
}
