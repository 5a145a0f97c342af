package io.plimsoll.load.client;

import io.plimsoll.load.GroupState;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import io.plimsoll.scenario.ConsumerSpec.Start;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Where a group begins to read if the scenario names an offset or a time, or rewinds it. Immutable. */
record StartPositions(Start start) {

    /**
     * Sets the positions of partitions that the group has not had before; a partition that comes back to a group that
     * reads is read on from where it was.
     */
    void seek(Consumer<?, ?> consumer, Collection<TopicPartition> assigned, GroupState group, boolean reads) {
        Set<TopicPartition> fresh = new HashSet<>(assigned);
        fresh.removeIf(p -> reads && group.knows(p));
        if (fresh.isEmpty()) {
            return;
        }
        if (start instanceof Start.Offset from) {
            toOffset(consumer, fresh, from.offset());
        } else if (start instanceof Start.Timestamp from) {
            offsetsAt(consumer, fresh, from.time().toEpochMilli()).forEach(consumer::seek);
        }
    }

    private static void toOffset(Consumer<?, ?> consumer, Set<TopicPartition> partitions, long offset) {
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        partitions.forEach(p -> consumer.seek(p, Math.max(begins.get(p), Math.min(offset, ends.get(p)))));
    }

    /** The first offsets that are not older, or the ends of partitions that have none. */
    private static Map<TopicPartition, Long> offsetsAt(
            Consumer<?, ?> consumer, Set<TopicPartition> partitions, long epochMillis) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(p -> times.put(p, epochMillis));
        Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions));
        consumer.offsetsForTimes(times).forEach((partition, found) -> {
            if (found != null) {
                offsets.put(partition, found.offset());
            }
        });
        return offsets;
    }

    /**
     * Commits where a group that has no members yet will read from.
     *
     * @param consumer of the group, which is in use for nothing else
     */
    static void rewind(Consumer<?, ?> consumer, Rewind to, Set<TopicPartition> all) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        Map<TopicPartition, Long> found = to instanceof Rewind.ToTime time
                ? offsetsAt(consumer, all, time.time().toEpochMilli())
                : consumer.beginningOffsets(all);
        found.forEach((p, offset) -> offsets.put(p, new OffsetAndMetadata(offset)));
        consumer.assign(all);
        consumer.commitSync(offsets);
    }
}
