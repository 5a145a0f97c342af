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
import org.jspecify.annotations.Nullable;

/** Topics of a server by name and id; only counts are stored. Thread-safe. */
public final class ServedTopics {
    /** Maximum number of topics, to limit the memory that a client with random topic names can occupy. */
    private static final int MOST_TOPICS = 10_000;

    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    private final Map<String, Topic> byName = new ConcurrentHashMap<>();
    private final Map<Uuid, Topic> byId = new ConcurrentHashMap<>();
    private final Partition deleted = new Partition(0);
    private final int defaultPartitions;
    private final long preloadedRecords;

    /** Creates the initial topics with their number of partitions. Throws {@link IllegalArgumentException} for an invalid name. */
    public ServedTopics(int defaultPartitions, long preloadedRecords, Map<String, Integer> topics) {
        this.defaultPartitions = defaultPartitions;
        this.preloadedRecords = preloadedRecords;
        topics.forEach((name, partitions) -> {
            if (create(name, partitions) == null) {
                throw new IllegalArgumentException("not the name of a topic: " + name);
            }
        });
    }

    public @Nullable Topic named(@Nullable String name) {
        return name == null ? null : byName.get(name);
    }

    @Nullable
    Topic withId(Uuid id) {
        return byId.get(id);
    }

    public Collection<Topic> all() {
        return byName.values();
    }

    /**
     * A new or existing topic, with the default number of partitions for 0; null if the name is invalid or the limit is
     * reached.
     */
    @Nullable
    Topic create(String name, int partitions) {
        if (!LEGAL.matcher(name).matches() || byName.size() >= MOST_TOPICS) {
            return null;
        }
        return byName.computeIfAbsent(name, key -> {
            // The ID is derived from the name, so that clients survive a restart of the server on the same port.
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

    public Partition deleted() {
        return deleted;
    }

    /** A topic, stored only as counts. */
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

        public @Nullable Partition partition(int index) {
            return index >= 0 && index < partitions.length ? partitions[index] : null;
        }
    }

    public static final class Partition {
        private final long preloadedRecords;
        private final AtomicLong records = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong batches = new AtomicLong();

        private Partition(long preloadedRecords) {
            this.preloadedRecords = preloadedRecords;
        }

        /** @return offset of the batch's first record */
        long append(int batchRecords, int batchBytes) {
            bytes.addAndGet(batchBytes);
            batches.incrementAndGet();
            return preloadedRecords + records.getAndAdd(batchRecords);
        }

        long endOffset() {
            return preloadedRecords + records.get();
        }

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
