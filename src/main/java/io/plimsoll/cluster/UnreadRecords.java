package io.plimsoll.cluster;

import io.plimsoll.cluster.GroupWatch.Position;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads records that a group has not committed, with consumers that have no group: nothing joins, commits or subscribes. Markers
 * of transactions are no records, and neither are those of transactions that were aborted, unless the group is known to read
 * uncommitted records. Used by one thread at a time, but for {@link #close()}.
 */
final class UnreadRecords implements AutoCloseable {
    private static final Duration READING = Duration.ofMillis(800);
    private static final Duration COUNTING = Duration.ofSeconds(3);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSING = Duration.ofSeconds(1);
    /** A batch that is larger is read all the same, one in each answer. */
    private static final int BATCH_BYTES = 65_536;
    /** Of a partition; what is behind them is taken to be records. */
    private static final long MOST_OFFSETS = 10_000;
    /** Of all partitions. */
    private static final long MOST_BYTES = 16_000_000;

    private final ClusterConnection connection;
    private final String group;
    private final Map<IsolationLevel, KafkaConsumer<byte[], byte[]>> readers = new HashMap<>();

    UnreadRecords(ClusterConnection connection, String group) {
        this.connection = connection;
        this.group = group;
    }

    /**
     * The first record of a partition from some offset on.
     *
     * @param offset of it; without one, the offset up to which there is none
     * @param millis its time since 1970; negative without a record or a time
     */
    record First(long offset, long millis) {}

    /** Takes records, and says whether it has all that it wants of a partition. */
    private interface Reading {
        boolean take(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records, long position);
    }

    /**
     * The first record of each of these partitions that the group has yet to read; partitions of which that is not known in time
     * are left out.
     */
    Map<TopicPartition, First> first(Map<TopicPartition, Position> positions, boolean uncommitted) {
        Map<TopicPartition, Long> from = new HashMap<>();
        positions.forEach((partition, at) -> {
            if (at.from() < readable(at, uncommitted)) {
                from.put(partition, at.from());
            }
        });
        Map<TopicPartition, First> first = first(from, positions, uncommitted);
        if (!uncommitted) {
            // What is in an open transaction is waiting, too, and has a time.
            Map<TopicPartition, Long> open = new HashMap<>();
            positions.forEach((partition, at) -> {
                First found = first.get(partition);
                long next = found == null ? at.from() : found.offset();
                if (at.open() > 0 && next >= at.stable()) {
                    open.put(partition, next);
                }
            });
            first.putAll(first(open, positions, true));
        }
        return first;
    }

    private Map<TopicPartition, First> first(
            Map<TopicPartition, Long> from, Map<TopicPartition, Position> positions, boolean uncommitted) {
        Map<TopicPartition, First> first = new HashMap<>();
        read(from, uncommitted, READING, (partition, records, position) -> {
            if (!records.isEmpty()) {
                first.put(
                        partition,
                        new First(records.get(0).offset(), records.get(0).timestamp()));
            } else if (position >= readable(positions.get(partition), uncommitted)) {
                first.put(partition, new First(position, -1));
            }
            return first.containsKey(partition);
        });
        return first;
    }

    private static long readable(Position at, boolean uncommitted) {
        return uncommitted ? at.end() : at.end() - at.open();
    }

    /** How many offsets, from the first unread one on, hold no record, of those that could be looked at within its limits. */
    Map<TopicPartition, Long> gaps(Map<TopicPartition, Position> positions, boolean uncommitted) {
        Map<TopicPartition, Long> from = new HashMap<>();
        Map<TopicPartition, Long> until = new HashMap<>();
        positions.forEach((partition, at) -> {
            if (at.from() < readable(at, uncommitted)) {
                from.put(partition, at.from());
                until.put(partition, Math.min(readable(at, uncommitted), at.from() + MOST_OFFSETS));
            }
        });
        Map<TopicPartition, Long> found = new HashMap<>();
        Map<TopicPartition, Long> gaps = new HashMap<>();
        long[] bytes = {0};
        read(from, uncommitted, COUNTING, (partition, records, position) -> {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                bytes[0] += record.serializedKeySize() + record.serializedValueSize();
                if (record.offset() < until.get(partition)) {
                    found.merge(partition, 1L, Long::sum);
                }
            }
            long reached = Math.min(position, until.get(partition));
            gaps.put(partition, reached - from.get(partition) - found.getOrDefault(partition, 0L));
            return reached == until.get(partition) || bytes[0] > MOST_BYTES;
        });
        return gaps;
    }

    private void read(Map<TopicPartition, Long> from, boolean uncommitted, Duration patience, Reading reading) {
        if (from.isEmpty()) {
            return;
        }
        Set<TopicPartition> missing = new HashSet<>(from.keySet());
        try {
            KafkaConsumer<byte[], byte[]> reader = readers.computeIfAbsent(
                    uncommitted ? IsolationLevel.READ_UNCOMMITTED : IsolationLevel.READ_COMMITTED, this::reader);
            reader.assign(missing);
            reader.resume(missing);
            from.forEach(reader::seek);
            long untilNanos = System.nanoTime() + patience.toNanos();
            while (!missing.isEmpty() && System.nanoTime() < untilNanos) {
                ConsumerRecords<byte[], byte[]> records = reader.poll(POLL);
                Set<TopicPartition> done = new HashSet<>(missing);
                done.removeIf(partition ->
                        !reading.take(partition, records.records(partition), reader.position(partition, POLL)));
                missing.removeAll(done);
                reader.pause(done);
            }
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "read the first unread records of group", group);
        }
    }

    private KafkaConsumer<byte[], byte[]> reader(IsolationLevel level) {
        Map<String, Object> config = connection.clientProperties();
        config.remove(ConsumerConfig.GROUP_ID_CONFIG);
        config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, "plimsoll-lag");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, BATCH_BYTES);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, level.toString().toLowerCase(Locale.ROOT));
        try {
            return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException e) {
            throw connection.unusable(e);
        }
    }

    @Override
    public void close() {
        readers.values().forEach(reader -> reader.close(CloseOptions.timeout(CLOSING)));
    }
}
