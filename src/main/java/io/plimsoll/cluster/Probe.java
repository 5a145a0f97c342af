package io.plimsoll.cluster;

import io.plimsoll.Daemon;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.PeriodicTask;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * A small producer and consumer that run beside a load and represent other clients. The producer sends 50 records of
 * 100 bytes per second on a fixed schedule to all partitions of a topic in turn. A record's latency runs from its due
 * time until it is read, or until now if unread; a failed record counts with the histogram's maximum. Thread-safe.
 */
public final class Probe implements AutoCloseable {
    private static final long EVERY_NANOS = 20_000_000;
    private static final int RECORD_BYTES = 100;
    /** Number of recent records tracked individually: about five minutes. */
    private static final int KEPT = 1 << 14;

    private static final long FAILED = -1;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final String topic;
    private final int partitions;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final long startNanos = System.nanoTime();
    /** Receive time of each recent record in ns since the start; 0 if unread. */
    private final AtomicLongArray ends = new AtomicLongArray(KEPT);

    private final Histogram all = new Histogram(1, Latencies.HIGHEST_MICROS, Latencies.DIGITS);
    private final Thread reader;
    private final PeriodicTask sending;
    private final AtomicLong sent = new AtomicLong();
    private long fromNanos;

    /** @param topic an existing topic that no other client uses */
    public Probe(ClusterConnection connection, String topic, int partitions) {
        this.topic = topic;
        this.partitions = partitions;
        producer = connection.producer(Map.of("client.id", topic, "acks", "all", "linger.ms", 0, "max.block.ms", 1000));
        consumer = connection.consumer(Map.of("client.id", topic, "auto.offset.reset", "earliest"));
        all.setAutoResize(true);
        consumer.assign(IntStream.range(0, partitions)
                .mapToObj(p -> new TopicPartition(topic, p))
                .toList());
        reader = Daemon.start("plimsoll-probe-read", this::read);
        this.sending = PeriodicTask.each("plimsoll-probe-send", startNanos, EVERY_NANOS, 1, () -> {
            while (due(sent.get()) <= now()) {
                send(sent.get());
                sent.incrementAndGet();
            }
        });
    }

    private long now() {
        return System.nanoTime() - startNanos;
    }

    private static long due(long number) {
        return (number + 1) * EVERY_NANOS;
    }

    private void send(long number) {
        ends.set((int) (number % KEPT), 0);
        byte[] value = ByteBuffer.allocate(RECORD_BYTES).putLong(number).array();
        try {
            var unused = producer.send(
                    new ProducerRecord<>(topic, (int) (number % partitions), null, value), (metadata, failure) -> {
                        if (failure != null) {
                            failed(number);
                        }
                    });
        } catch (KafkaException | IllegalStateException e) {
            failed(number);
        }
    }

    private void failed(long number) {
        ends.set((int) (number % KEPT), FAILED);
        count(due(number), Latencies.HIGHEST_MICROS);
    }

    private void read() {
        try {
            while (true) {
                for (ConsumerRecord<byte[], byte[]> r : consumer.poll(Duration.ofMillis(100))) {
                    long number = ByteBuffer.wrap(r.value()).getLong();
                    long now = now();
                    ends.set((int) (number % KEPT), now);
                    count(due(number), (now - due(number)) / 1000);
                }
            }
        } catch (WakeupException e) {
            // The probe is closed.
        } finally {
            consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
        }
    }

    private synchronized void count(long dueNanos, long micros) {
        if (dueNanos >= fromNanos) {
            all.recordValue(Math.max(1, micros));
        }
    }

    /** Latencies of records that were read or failed within this time, and of records still unread. */
    public Latencies last(Duration time) {
        Histogram window = new Histogram(Latencies.DIGITS);
        long until = now();
        long since = until - time.toNanos();
        long count = sent.get();
        for (long n = Math.max(0, count - KEPT); n < count; n++) {
            long end = ends.get((int) (n % KEPT));
            if (end == FAILED && due(n) >= since) {
                window.recordValue(Latencies.HIGHEST_MICROS);
            } else if (end == 0 || end >= since) {
                window.recordValue(Math.max(1, ((end == 0 ? until : end) - due(n)) / 1000));
            }
        }
        return Latencies.of(window);
    }

    /** Starts a new period for {@link #total}. */
    public synchronized void reset() {
        fromNanos = now();
        all.reset();
    }

    /** Latencies of all records due in the current period, read or unread. */
    public synchronized Latencies total() {
        Histogram total = all.copy();
        long until = now();
        long count = sent.get();
        for (long n = Math.max(0, count - KEPT); n < count; n++) {
            if (ends.get((int) (n % KEPT)) == 0 && due(n) >= fromNanos) {
                total.recordValue(Math.max(1, (until - due(n)) / 1000));
            }
        }
        return Latencies.of(total);
    }

    @Override
    public void close() {
        sending.end(CLOSE_LIMIT.toMillis());
        producer.close(Duration.ZERO);
        consumer.wakeup();
        Daemon.join(reader, 2 * CLOSE_LIMIT.toMillis());
    }
}
