package io.plimsoll.wire.server;

import io.plimsoll.wire.TopicRef;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;

/** The topics of a server by name and by id, of which nothing is kept but counts. Safe for several threads. */
public final class ServedTopics {
    /** Bounds what a client that asks for random names can make the server keep. */
    private static final int MOST_TOPICS = 10_000;

    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private final Map<String, Topic> byName = new ConcurrentHashMap<>();
    private final Map<Uuid, Topic> byId = new ConcurrentHashMap<>();
    private final Partition deleted = new Partition(0);
    private final int defaultPartitions;
    private final long preloadedRecords;

    /**
     * @param defaultPartitions of topics that come into being because a client asks for them
     * @param preloadedRecords that each partition has from the start
     * @param topics that are there from the start, each with its partitions
     * @throws IllegalArgumentException if a name is that of no topic
     */
    public ServedTopics(int defaultPartitions, long preloadedRecords, Map<String, Integer> topics) {
        this.defaultPartitions = defaultPartitions;
        this.preloadedRecords = preloadedRecords;
        topics.forEach((name, partitions) -> {
            if (create(name, partitions) == null) {
                throw new IllegalArgumentException("not the name of a topic: " + name);
            }
        });
    }

    /** Null if there is none. */
    public Topic named(String name) {
        return name == null ? null : byName.get(name);
    }

    /** Null if there is none. */
    Topic withId(Uuid id) {
        return byId.get(id);
    }

    public Collection<Topic> all() {
        return byName.values();
    }

    /**
     * @param partitions 0: as many as topics have by default
     * @return the topic, which may have been there before; null if the name is not allowed or there are too many
     */
    Topic create(String name, int partitions) {
        if (!LEGAL.matcher(name).matches() || byName.size() >= MOST_TOPICS) {
            return null;
        }
        return byName.computeIfAbsent(name, key -> {
            // From the name, so that a client survives a restart of the server on the same port.
            UUID hash = UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
            Uuid id = new Uuid(hash.getMostSignificantBits(), hash.getLeastSignificantBits());
            Topic topic =
                    new Topic(new TopicRef(key, id), partitions > 0 ? partitions : defaultPartitions, preloadedRecords);
            byId.put(id, topic);
            return topic;
        });
    }

    void delete(String name) {
        Topic topic = byName.remove(name);
        if (topic != null) {
            byId.remove(topic.ref().id(), topic);
            for (Partition had : topic.partitions) {
                deleted.records.addAndGet(had.records());
                deleted.bytes.addAndGet(had.bytes());
                deleted.batches.addAndGet(had.batches());
            }
        }
    }

    /** The counts of topics that are deleted, as one partition. */
    public Partition deleted() {
        return deleted;
    }

    /** A topic, of which nothing is kept but counts. */
    public static final class Topic {
        private final TopicRef ref;
        private final Partition[] partitions;

        private Topic(TopicRef ref, int partitionCount, long preloadedRecords) {
            this.ref = ref;
            this.partitions = Stream.generate(() -> new Partition(preloadedRecords))
                    .limit(partitionCount)
                    .toArray(Partition[]::new);
        }

        public TopicRef ref() {
            return ref;
        }

        public int partitionCount() {
            return partitions.length;
        }

        /** Null if there is no such partition. */
        public Partition partition(int index) {
            return index >= 0 && index < partitions.length ? partitions[index] : null;
        }
    }

    /** The counters of one partition. */
    public static final class Partition {
        private final long preloadedRecords;
        private final AtomicLong records = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong batches = new AtomicLong();

        private Partition(long preloadedRecords) {
            this.preloadedRecords = preloadedRecords;
        }

        /** @return the offset of the batch's first record */
        long append(int batchRecords, int batchBytes) {
            bytes.addAndGet(batchBytes);
            batches.incrementAndGet();
            return preloadedRecords + records.getAndAdd(batchRecords);
        }

        long endOffset() {
            return preloadedRecords + records.get();
        }

        /** Those that it had from the start are not among them. */
        public long records() {
            return records.get();
        }

        public long bytes() {
            return bytes.get();
        }

        public long batches() {
            return batches.get();
        }
    }
}
