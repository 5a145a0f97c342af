package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * Reads records of a topic, without a group or as a member of a group. Single use, by one thread; {@link #stop()} is
 * safe from any thread.
 */
public final class LogReader {
    /** Maximum time of a single poll, the resolution of the timeout. */
    private static final Duration POLL = Duration.ofMillis(250);

    private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    /** The start position. A group with committed offsets starts from these offsets instead. */
    public sealed interface Start {
        record Earliest() implements Start {}

        record Latest() implements Start {}

        /** The same offset in each partition; if negative, the number of records before the end. */
        record At(long offset) implements Start {}

        /** The first record at or after this time in each partition; the end if none exists. */
        record Since(Instant time) implements Start {}
    }

    /**
     * A partition or all, a maximum number of records, a maximum wait for the next record (empty for unlimited), and a
     * group to join. In a group, the offsets of delivered records are committed; without a group, reading leaves no
     * trace in the cluster.
     * @param toEnd whether reading stops at the offset that was the end of each partition at the start; has no effect
     *     in a group
     */
    public record Options(
            String topic,
            Start start,
            OptionalInt partition,
            OptionalLong max,
            Optional<Duration> timeout,
            Optional<String> group,
            boolean toEnd) {}

    /** Receives the records of each poll in order. */
    public interface Sink {
        void accept(ConsumerRecord<byte[], byte[]> consumed);

        /** Called after the records of a poll; false stops reading, and the offsets of these records are not committed. */
        boolean endOfBatch();
    }

    /** Why reading ended. */
    public enum End {
        MAX,
        LOG_END,
        TIMEOUT,
        STOPPED
    }

    public record Outcome(long read, End end) {}

    private final Options options;
    private final KafkaConsumer<byte[], byte[]> consumer;
    /** The end offsets at which reading stops; empty if reading continues beyond the end of the log. */
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    /** Partitions that are not read, because they had no leader at the start. */
    private List<TopicPartition> skipped = List.of();

    private volatile boolean stopped;
    private long read;

    /** Fails if the topic, partition, or offset does not exist, or options are invalid. */
    public LogReader(ClusterConnection connection, Options options) {
        this.options = options;
        requireGroupOptions();
        TopicDescription topic;
        try (Admin admin = connection.admin()) {
            topic = new Topics(admin).describe(options.topic);
        }
        options.partition.ifPresent(partition -> LineProducer.requirePartition(topic, partition));
        String reset = options.start instanceof Start.Latest ? "latest" : "earliest";
        Map<String, Object> config = new HashMap<>(Map.of("auto.offset.reset", reset));
        options.group.ifPresent(group -> config.put("group.id", group));
        this.consumer = connection.consumer(config);
        try {
            if (options.group.isPresent()) {
                consumer.subscribe(List.of(options.topic));
            } else {
                seek(topic);
            }
        } catch (RuntimeException e) {
            consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
            throw KafkaErrors.explain(e, "read from topic", options.topic);
        }
    }

    private void requireGroupOptions() {
        boolean exact = options.start instanceof Start.At || options.start instanceof Start.Since;
        Exit.USAGE.when(
                options.group.isPresent() && (exact || options.partition.isPresent()),
                "cluster.groupReadsItsOwn",
                Sentence.of(exact ? "cluster.theOffset" : "cluster.thePartition"));
    }

    /** The partitions to read. A partition without a leader would delay all partitions until a timeout. */
    private List<TopicPartition> choose(TopicDescription topic) {
        List<TopicPartition> led = new ArrayList<>();
        List<TopicPartition> unled = new ArrayList<>();
        for (TopicPartitionInfo info : topic.partitions()) {
            if (options.partition.isEmpty() || info.partition() == options.partition.getAsInt()) {
                boolean leads = info.leader() != null && !info.leader().isEmpty();
                (leads ? led : unled).add(new TopicPartition(topic.name(), info.partition()));
            }
        }
        if (led.isEmpty()) {
            return unled;
        }
        skipped = List.copyOf(unled);
        return led;
    }

    private void seek(TopicDescription topic) {
        List<TopicPartition> partitions = choose(topic);
        consumer.assign(partitions);
        if (options.start instanceof Start.Earliest) {
            consumer.seekToBeginning(partitions);
        } else if (options.start instanceof Start.At at) {
            seekTo(partitions, at.offset());
        } else if (options.start instanceof Start.Since since) {
            seekTo(partitions, since.time());
        } else {
            consumer.seekToEnd(partitions);
        }
        if (!(options.start instanceof Start.Earliest)) {
            // Seeks are lazy; "latest" must refer to the present, not to the first poll.
            partitions.forEach(consumer::position);
        }
        if (options.toEnd) {
            ends.putAll(consumer.endOffsets(partitions));
        }
    }

    private void seekTo(Collection<TopicPartition> partitions, long offset) {
        Map<TopicPartition, Long> earliest = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        for (TopicPartition partition : partitions) {
            long first = Objects.requireNonNull(earliest.get(partition));
            long end = Objects.requireNonNull(ends.get(partition));
            long from = offset < 0 ? Math.max(first, end + offset) : offset;
            Exit.USAGE.when(from < first || from > end, "cluster.noSuchOffset", from, partition, first, end);
            consumer.seek(partition, from);
        }
    }

    private void seekTo(Collection<TopicPartition> partitions, Instant time) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(partition -> times.put(partition, time.toEpochMilli()));
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(times);
        for (TopicPartition partition : partitions) {
            if (found.get(partition) == null) {
                consumer.seekToEnd(List.of(partition));
            } else {
                consumer.seek(partition, found.get(partition).offset());
            }
        }
    }

    /** Partitions that are not read, because they had no leader at the start. */
    public List<TopicPartition> skipped() {
        return skipped;
    }

    /**
     * Reads until the maximum, the end, the timeout, {@link #stop()}, or a false {@link Sink#endOfBatch}; closes the
     * consumer.
     */
    public Outcome read(Sink sink) {
        long max = options.max.orElse(Long.MAX_VALUE);
        long lastNanos = System.nanoTime();
        try {
            while (read < max && !stopped) {
                if (isAtEnd()) {
                    return new Outcome(read, End.LOG_END);
                }
                ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
                if (!records.isEmpty()) {
                    if (!handOn(records, max, sink)) {
                        break;
                    }
                    lastNanos = System.nanoTime();
                } else if (options.timeout.isPresent()
                        && System.nanoTime() - lastNanos > options.timeout.get().toNanos()) {
                    return new Outcome(read, End.TIMEOUT);
                }
            }
            return new Outcome(read, read >= max ? End.MAX : End.STOPPED);
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "read from topic", options.topic);
        } finally {
            consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
        }
    }

    private boolean isAtEnd() {
        return !ends.isEmpty()
                && ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private boolean handOn(ConsumerRecords<byte[], byte[]> records, long max, Sink sink) {
        // Commit the offsets of delivered records, not of all fetched records or of records that the sink lost.
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> consumed : records) {
            if (read == max) {
                break;
            }
            sink.accept(consumed);
            read++;
            next.put(
                    new TopicPartition(consumed.topic(), consumed.partition()),
                    new OffsetAndMetadata(consumed.offset() + 1));
        }
        boolean goOn = sink.endOfBatch();
        if (goOn && options.group.isPresent()) {
            consumer.commitSync(next, COMMIT_TIMEOUT);
        }
        return goOn;
    }

    /** Makes {@link #read} end soon; delivered records stay counted. */
    public void stop() {
        // wakeup() would also abort the commit of delivered records.
        stopped = true;
    }
}
