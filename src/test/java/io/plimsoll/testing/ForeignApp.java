package io.plimsoll.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * An external consumer group of plain consumers that process records at a fixed rate and commit periodically. It logs
 * its commits and the age of the next record at each commit.
 */
public final class ForeignApp implements AutoCloseable {
    private final Map<String, Object> config;
    private final String topic;
    private final long nanosPerRecord;
    private final long commitEveryNanos;
    private final List<Thread> members = new ArrayList<>();
    /** Last committed offset of each partition. */
    public final Map<TopicPartition, Long> committed = new ConcurrentHashMap<>();
    /** Timestamp of the first record after it. */
    public final Map<TopicPartition, Long> nextMillis = new ConcurrentHashMap<>();
    /** Total committed offsets over time (nanoTime). */
    private final NavigableMap<Long, Long> progress = new ConcurrentSkipListMap<>();

    /** Processes each record. */
    private final java.util.function.Consumer<ConsumerRecord<String, String>> work;

    private volatile boolean stopped;

    /** @param rate records per second of each member */
    public ForeignApp(
            String bootstrapServers,
            String topic,
            String group,
            int members,
            double rate,
            Duration commitEvery,
            java.util.function.Consumer<ConsumerRecord<String, String>> work) {
        this.topic = topic;
        this.nanosPerRecord = Math.round(1e9 / rate);
        this.commitEveryNanos = commitEvery.toNanos();
        this.work = work;
        this.config = new HashMap<>(Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.GROUP_ID_CONFIG,
                group,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                100));
        for (int m = 0; m < members; m++) {
            start();
        }
    }

    /** Starts another member. */
    public void start() {
        Thread member = new Thread(this::consume, "foreign-member-" + members.size());
        member.setDaemon(true);
        members.add(member);
        member.start();
    }

    private void consume() {
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            long due = System.nanoTime();
            long lastCommit = due;
            Map<TopicPartition, ConsumerRecord<String, String>> done = new HashMap<>();
            while (!stopped) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(50))) {
                    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                    // Before processing: this record is the next one to commit.
                    if (System.nanoTime() - lastCommit > commitEveryNanos) {
                        lastCommit = System.nanoTime();
                        commit(consumer, partition, record);
                        done.remove(partition);
                        done.keySet().retainAll(consumer.assignment());
                        done.forEach((other, last) -> {
                            nextMillis.put(other, last.timestamp());
                            commit(consumer, other, last.offset() + 1);
                        });
                        done.clear();
                    }
                    due = Math.max(due + nanosPerRecord, System.nanoTime() - 50_000_000);
                    while (System.nanoTime() < due && !stopped) {
                        LockSupport.parkNanos(due - System.nanoTime());
                    }
                    if (stopped) {
                        commit(consumer, partition, record);
                        return;
                    }
                    work.accept(record);
                    done.put(partition, record);
                }
                if (System.nanoTime() - lastCommit > commitEveryNanos) {
                    lastCommit = System.nanoTime();
                    consumer.assignment().forEach(p -> commit(consumer, p, consumer.position(p)));
                }
            }
            consumer.assignment().forEach(p -> commit(consumer, p, consumer.position(p)));
        }
    }

    private void commit(KafkaConsumer<?, ?> consumer, TopicPartition partition, ConsumerRecord<?, ?> next) {
        nextMillis.put(partition, next.timestamp());
        commit(consumer, partition, next.offset());
    }

    private void commit(KafkaConsumer<?, ?> consumer, TopicPartition partition, long offset) {
        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(offset)));
        committed.put(partition, offset);
        progress.put(
                System.nanoTime(), committed.values().stream().mapToLong(o -> o).sum());
        synchronized (this) {
            notifyAll();
        }
    }

    /** Waits until so many partitions have a commit and a next record. */
    public synchronized void awaitCommits(int partitions) throws InterruptedException {
        while (Math.min(committed.size(), nextMillis.size()) < partitions) {
            wait();
        }
    }

    /** Minimum and maximum rate of its commits over any window of this length since then, in records/s. */
    public DoubleSummaryStatistics rates(long sinceNanos, Duration stretch) {
        DoubleSummaryStatistics rates = new DoubleSummaryStatistics();
        progress.tailMap(sinceNanos).forEach((from, before) -> {
            Map.Entry<Long, Long> to = progress.ceilingEntry(from + stretch.toNanos());
            if (to != null) {
                rates.accept((to.getValue() - before) * 1e9 / (to.getKey() - from));
            }
        });
        return rates;
    }

    @Override
    public void close() {
        stopped = true;
        for (Thread member : members) {
            try {
                member.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
