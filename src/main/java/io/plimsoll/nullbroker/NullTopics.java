package io.plimsoll.nullbroker;

import io.plimsoll.wire.TopicRef;
import io.plimsoll.wire.server.Served;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/** The topics of a null broker by name and by id. Safe for several threads. */
final class NullTopics implements Served.Topics {
    /** Bounds what a client that asks for random names can make the broker keep. */
    private static final int MOST_TOPICS = 10_000;

    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private final Map<String, NullTopic> byName = new ConcurrentHashMap<>();
    private final Map<Uuid, NullTopic> byId = new ConcurrentHashMap<>();
    private final LongAdder deletedRecords = new LongAdder();
    private final LongAdder deletedBytes = new LongAdder();
    private final LongAdder deletedBatches = new LongAdder();
    private final int defaultPartitions;
    private final long preloadedRecords;

    NullTopics(NullBrokerOptions options) {
        defaultPartitions = options.partitions;
        preloadedRecords = options.log.records();
        options.topics.forEach((name, partitions) -> {
            if (create(name, partitions) == null) {
                throw new IllegalArgumentException("not the name of a topic: " + name);
            }
        });
    }

    @Override
    public NullTopic named(String name) {
        return name == null ? null : byName.get(name);
    }

    @Override
    public NullTopic withId(Uuid id) {
        return byId.get(id);
    }

    @Override
    public Collection<NullTopic> all() {
        return byName.values();
    }

    /** @return the topic, which may have been there before; null if the name is not allowed or there are too many */
    @Override
    public NullTopic create(String name, int partitions) {
        if (!LEGAL.matcher(name).matches() || byName.size() >= MOST_TOPICS) {
            return null;
        }
        return byName.computeIfAbsent(name, key -> {
            // From the name, so that a client survives a restart of the broker on the same port.
            UUID hash = UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
            Uuid id = new Uuid(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
            NullTopic topic = new NullTopic(
                    new TopicRef(key, id), partitions > 0 ? partitions : defaultPartitions, preloadedRecords);
            byId.put(id, topic);
            return topic;
        });
    }

    @Override
    public boolean delete(String name) {
        NullTopic topic = byName.remove(name);
        if (topic == null) {
            return false;
        }
        byId.remove(topic.ref().id(), topic);
        for (int i = 0; i < topic.partitionCount(); i++) {
            NullBrokerStats.Partition had = topic.partition(i).stats();
            deletedRecords.add(had.records());
            deletedBytes.add(had.bytes());
            deletedBatches.add(had.batches());
        }
        return true;
    }

    /** The counts of topics that are deleted, as one partition. */
    NullBrokerStats.Partition deleted() {
        return new NullBrokerStats.Partition(deletedRecords.sum(), deletedBytes.sum(), deletedBatches.sum(), 0);
    }

    /** A topic, of which nothing is kept but counts. */
    static final class NullTopic implements Served.Topic {
        private final TopicRef ref;
        private final NullPartition[] partitions;

        private NullTopic(TopicRef ref, int partitionCount, long preloadedRecords) {
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

    /** The counters of one partition. */
    static final class NullPartition implements Served.Partition {
        private final long preloadedRecords;
        private final AtomicLong records = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong batches = new AtomicLong();

        private NullPartition(long preloadedRecords) {
            this.preloadedRecords = preloadedRecords;
        }

        @Override
        public long append(int batchRecords, int batchBytes) {
            bytes.addAndGet(batchBytes);
            batches.incrementAndGet();
            return preloadedRecords + records.getAndAdd(batchRecords);
        }

        @Override
        public long endOffset() {
            return preloadedRecords + records.get();
        }

        NullBrokerStats.Partition stats() {
            long produced = records.get();
            return new NullBrokerStats.Partition(produced, bytes.get(), batches.get(), preloadedRecords + produced);
        }
    }
}
