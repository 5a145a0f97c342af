package io.plimsoll.watch;

import io.plimsoll.Daemon;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.watch.WatchedPartitions.Partition;
import io.plimsoll.watch.WatchedPartitions.WatchRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to each partition on a schedule, regardless of earlier results, and reads and audits them.
 * Thread-safe.
 */
final class WatchedLog implements AutoCloseable {
    private static final long EVERY_NANOS = 10_000_000;
    private static final long LONGEST_ARREARS_NANOS = 1_000_000_000L;
    private static final long EXPIRE_NANOS = 1_000_000_000L;
    static final Duration DELIVERY_LIMIT = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    private static final Duration END_LIMIT = Duration.ofSeconds(2);
    private static final long ASSIGN_NANOS = 2_000_000_000L;
    private static final long PAUSE_MILLIS = 50;
    /**
     * Maximum wait in ns for records in flight, before and after a leadership move; later silence counts as an outage.
     */
    private static final long REST_LIMIT_NANOS = 5_000_000_000L;

    private final WatchSettings settings;
    private final Ledger ledger;
    private final Refusals refusals;
    private final IntFunction<@Nullable Integer> leaders;
    private final IntFunction<Integer> homes;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final WatchedPartitions partitions;
    private final WatchedMoments moments;
    private final long startNanos = System.nanoTime();
    private final PeriodicTask sending;
    private final Thread reader;
    private volatile Set<Integer> wanted = Set.of();
    private volatile @Nullable String wantedTopic;
    /** Partitions with a known read position; records are written only to these. */
    private volatile Set<Integer> reading = Set.of();

    private volatile Set<Integer> resting = Set.of();
    private volatile boolean ended;
    private long expiredNanos;

    /** @param leaders returns the current or last leader of a partition */
    WatchedLog(
            WatchSettings settings,
            Ledger ledger,
            Refusals refusals,
            IntFunction<@Nullable Integer> leaders,
            IntFunction<Integer> homes,
            WatchedPartitions partitions,
            WatchedMoments moments) {
        this.settings = settings;
        this.ledger = ledger;
        this.refusals = refusals;
        this.leaders = leaders;
        this.homes = homes;
        this.partitions = partitions;
        this.moments = moments;
        producer = new KafkaProducer<>(
                settings.client(
                        "produce",
                        Map.of("acks", "all", "linger.ms", 0, "max.block.ms", 500, "delivery.timeout.ms", (int)
                                DELIVERY_LIMIT.toMillis()),
                        settings.load().producing()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        moments.observe(producer);
        consumer = new KafkaConsumer<>(
                settings.client(
                        "read",
                        Map.of(
                                "auto.offset.reset",
                                "none",
                                "enable.auto.commit",
                                false,
                                "allow.auto.create.topics",
                                false,
                                "fetch.max.wait.ms",
                                200),
                        settings.load().reading()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        reader = Daemon.start("plimsoll-watch-read", this::read);
        sending = PeriodicTask.each("plimsoll-watch-send", startNanos, EVERY_NANOS, 1, this::sendDue);
    }

    /** @param topicId ID of the partitions' topic */
    void use(@Nullable String topicId, Collection<Integer> numbers) {
        partitions.add(numbers);
        wantedTopic = topicId;
        wanted = Set.copyOf(numbers);
    }

    /**
     * Moves leadership while only one record, which does not count, is written to the partitions. Followers that query
     * the new leader too early retry after a second, and until then the new leader acknowledges no record. This silence
     * is due to the move, not to the cluster.
     */
    void whileResting(Set<Integer> numbers, Runnable move) {
        rest(numbers);
        try {
            awaitRead(numbers);
            move.run();
            synchronized (this) {
                numbers.forEach(number -> send(number, partitions.get(number), false));
            }
            awaitRead(numbers);
        } finally {
            rest(Set.of());
        }
    }

    /** Pauses writing to these partitions only; an empty set resumes all. */
    private synchronized void rest(Set<Integer> numbers) {
        resting = Set.copyOf(numbers);
    }

    /** Waits until no record to these partitions is in flight. */
    private void awaitRead(Set<Integer> numbers) {
        long deadline = System.nanoTime() + REST_LIMIT_NANOS;
        while (!ended
                && System.nanoTime() - deadline < 0
                && !numbers.stream()
                        .allMatch(number -> partitions.get(number).under.isEmpty())) {
            Daemon.pause(PAUSE_MILLIS);
        }
    }

    private synchronized void sendDue() {
        Set<Integer> now = reading;
        long everyNanos = settings.load().everyNanos(now.size());
        long nowNanos = System.nanoTime() - startNanos;
        for (int number : now) {
            Partition partition = partitions.get(number);
            // Records missed before the start, or during a suspension or pause, are not sent later.
            partition.dueNanos = partition.dueNanos == 0 || resting.contains(number)
                    ? nowNanos + everyNanos
                    : Math.max(partition.dueNanos, nowNanos - LONGEST_ARREARS_NANOS);
            while (partition.dueNanos <= nowNanos && !ended) {
                send(number, partition, true);
                Integer home = homes.apply(number);
                if (home != null && !home.equals(leaders.apply(number))) {
                    ledger.unmade(Signal.PRODUCE, home);
                    ledger.unmade(Signal.END_TO_END, home);
                }
                partition.dueNanos += everyNanos;
            }
        }
        if (nowNanos - expiredNanos >= EXPIRE_NANOS) {
            expiredNanos = nowNanos;
            partitions.all().forEach(partition -> partition.under.expire());
        }
    }

    private void send(int number, Partition partition, boolean counted) {
        Integer broker = leaders.apply(number);
        if (broker == null) {
            // The topic has just lost or gained this partition, which is not an outage of a broker.
            return;
        }
        WatchRecord record = partitions.next(partition);
        long sequence = record.sequence();
        Attempt producing = counted ? ledger.begin(Signal.PRODUCE, broker) : Attempt.NONE;
        partition.under.begin(sequence, broker, counted);
        byte[] value = record.value(settings.load().recordBytes());
        long dueNanos = startNanos + partition.dueNanos;
        long sentNanos = System.nanoTime();
        try {
            var unused =
                    producer.send(new ProducerRecord<>(settings.topic(), number, null, value), (written, failure) -> {
                        if (ended) {
                            return;
                        }
                        if (failure != null) {
                            failed(broker, failure);
                        }
                        ledger.end(Signal.PRODUCE, broker, producing, failure == null);
                        if (failure == null && written.hasOffset()) {
                            partition.acknowledged(written.offset(), sequence);
                            if (counted) {
                                long acked =
                                        moments.acknowledged(number, broker, written.offset(), dueNanos, sentNanos);
                                partition.under.acknowledged(sequence, dueNanos, acked);
                            }
                        } else {
                            partition.under.fail(sequence);
                        }
                    });
        } catch (KafkaException | IllegalStateException e) {
            failed(broker, e);
            ledger.end(Signal.PRODUCE, broker, producing, false);
            partition.under.fail(sequence);
        }
    }

    private void failed(int broker, Exception failure) {
        ledger.tell(Signal.PRODUCE, broker, KafkaErrors.kind(failure));
        refusals.report(failure, "send to topic", settings.topic());
    }

    private void read() {
        long nextNanos = 0;
        boolean changed = true;
        while (!ended) {
            try {
                // At this point, all records that were read have been audited.
                changed |= partitions.follow(wantedTopic);
                if (changed || (!reading.equals(wanted) && (reading.isEmpty() || System.nanoTime() - nextNanos >= 0))) {
                    nextNanos = System.nanoTime() + ASSIGN_NANOS;
                    changed = false;
                    assign(wanted);
                }
                if (reading.isEmpty()) {
                    Daemon.pause(PAUSE_MILLIS);
                } else {
                    poll();
                }
            } catch (WakeupException | InterruptException e) {
                break;
            } catch (KafkaException e) {
                // A permanent failure becomes visible as an outage.
                partitions.all().forEach(partition -> partition.under.tell(KafkaErrors.kind(e)));
                refusals.report(e, "read from topic", settings.topic());
                Daemon.pause(PAUSE_MILLIS);
                changed = true;
            }
        }
        consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
    }

    private void poll() {
        try {
            ConsumerRecords<byte[], byte[]> found = consumer.poll(POLL);
            long nowNanos = System.nanoTime();
            found.forEach(record -> partitions.take(record, nowNanos));
        } catch (OffsetOutOfRangeException e) {
            jump(e);
        }
    }

    /** Continues at the last position; new partitions are read from their end. */
    private void assign(Set<Integer> numbers) {
        Map<TopicPartition, Long> positions = new HashMap<>();
        for (int number : numbers) {
            TopicPartition id = new TopicPartition(settings.topic(), number);
            Partition partition = partitions.get(number);
            try {
                long end = partition.audit == null
                        ? consumer.endOffsets(List.of(id), END_LIMIT).get(id)
                        : 0;
                synchronized (partition) {
                    partition.audit = partition.audit == null ? new PartitionAudit(end) : partition.audit;
                    positions.put(id, partition.audit.position());
                }
            } catch (TimeoutException e) {
                // The partition has no leader yet; retried later.
            }
        }
        consumer.assign(positions.keySet());
        positions.forEach(consumer::seek);
        reading = positions.keySet().stream().map(TopicPartition::partition).collect(Collectors.toSet());
    }

    /** Handles deletion at the start or truncation at the end of the log. */
    private void jump(OffsetOutOfRangeException e) {
        Set<TopicPartition> where = e.offsetOutOfRangePartitions().keySet();
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(where, END_LIMIT);
        Map<TopicPartition, Long> ends = consumer.endOffsets(where, END_LIMIT);
        e.offsetOutOfRangePartitions().forEach((id, offset) -> {
            Partition partition = partitions.get(id.partition());
            long end = e instanceof LogTruncationException cut
                            && cut.divergentOffsets().containsKey(id)
                    ? cut.divergentOffsets().get(id).offset()
                    : ends.get(id);
            synchronized (partition) {
                PartitionAudit audit = Objects.requireNonNull(partition.audit, "read from a known start");
                long begin = Objects.requireNonNull(begins.get(id));
                if (offset < begin) {
                    audit.deletedBefore(begin);
                } else {
                    audit.truncatedTo(end);
                }
                consumer.seek(id, audit.position());
            }
        });
    }

    /** Waits briefly for records in flight; takes at most about 2 s. */
    @Override
    public void close() {
        sending.end(CLOSE_LIMIT.toMillis());
        producer.close(CLOSE_LIMIT);
        ended = true;
        consumer.wakeup();
        Daemon.join(reader, CLOSE_LIMIT.toMillis());
    }
}
