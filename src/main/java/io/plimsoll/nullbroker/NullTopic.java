package io.plimsoll.nullbroker;

import io.plimsoll.wire.TopicRef;
import io.plimsoll.wire.server.Served;
import java.util.stream.Stream;

/** A topic of a null broker. */
final class NullTopic implements Served.Topic {
    private final TopicRef ref;
    private final NullPartition[] partitions;

    NullTopic(TopicRef ref, int partitionCount, long preloadedRecords) {
        this.ref = ref;
        this.partitions = Stream.generate(() -> new NullPartition(preloadedRecords))
                .limit(partitionCount)
                .toArray(NullPartition[]::new);
    }

    @Override
    public TopicRef ref() {
        return ref;
    }

    @Override
    public int partitionCount() {
        return partitions.length;
    }

    @Override
    public NullPartition partition(int index) {
        return index >= 0 && index < partitions.length ? partitions[index] : null;
    }
}
