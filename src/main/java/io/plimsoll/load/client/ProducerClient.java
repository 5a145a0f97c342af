package io.plimsoll.load.client;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.load.Waiter;
import io.plimsoll.measure.AckMeter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * One producer with the meter of its outcomes. The producer is thread-safe; the outcomes are reported on its I/O thread.
 */
final class ProducerClient {
    final Producer<byte[], byte[]> producer;
    final AckMeter acks;
    private final Waiter waiter;
    private final boolean transactional;
    /** Which partitions of each topic the transaction has written to: 1, else 0. */
    private final AtomicIntegerArray[] touched;

    private final AtomicLongArray[] markers;
    /** The same of partitions that were added since the start: which the transaction has written to, and the markers. */
    private final Set<Place> touchedLater = ConcurrentHashMap.newKeySet();

    private final Map<Place, Long> markersLater = new ConcurrentHashMap<>();
    /** Says how many records were sent again; null until it is asked for. Of the I/O thread. */
    private Supplier<Object> retries;

    private final AtomicBoolean abandoning = new AtomicBoolean();

    /** A record of the batch whose callbacks are running, and when they began. Of the I/O thread. */
    private Future<?> answered;

    private long answeredNanos;
    /** Of each topic whether brokers set the times of its records; null if none is such. */
    private boolean[] appendTimes;

    private record Place(int topic, int partition) {}

    ProducerClient(
            Producer<byte[], byte[]> producer, AckMeter acks, Waiter waiter, boolean transactional, int[] partitions) {
        this.producer = producer;
        this.acks = acks;
        this.waiter = waiter;
        this.transactional = transactional;
        this.touched = new AtomicIntegerArray[partitions.length];
        this.markers = new AtomicLongArray[partitions.length];
        for (int i = 0; i < partitions.length; i++) {
            touched[i] = new AtomicIntegerArray(partitions[i]);
            markers[i] = new AtomicLongArray(partitions[i]);
        }
    }

    long nanoTime() {
        return waiter.nanoTime();
    }

    /**
     * I/O thread: when the batch of a record was acknowledged. The client calls back for all records of a batch in a row, and
     * none of their futures is done before the last was called: while one is not, the look at the clock for it still holds.
     *
     * @param record whose callback this is; null if the client has not handed out its future yet
     */
    long acknowledgedNanos(Future<?> record) {
        if (answered == null || answered.isDone()) {
            answered = record;
            answeredNanos = waiter.nanoTime();
        }
        return answeredNanos;
    }

    /** Before the first record is sent. */
    void appendTimes(boolean[] ofTopics) {
        appendTimes = ofTopics;
    }

    /** I/O thread: a broker has said when it appended a record, if the topic is such. */
    void appended(int topicIndex, RecordMetadata metadata, long sentNanos, long nowNanos) {
        if (appendTimes != null && appendTimes[topicIndex] && metadata.hasTimestamp()) {
            acks.appended(topicIndex, metadata.partition(), sentNanos, nowNanos, metadata.timestamp());
        }
    }

    /** I/O thread: a record is in the log. */
    void completed(int topicIndex, int partition) {
        if (transactional && partition < touched[topicIndex].length()) {
            touched[topicIndex].set(partition, 1);
        } else if (transactional) {
            touchedLater.add(new Place(topicIndex, partition));
        }
    }

    /** The transaction has ended: the coordinator writes one marker to each partition that it touched. */
    void transactionEnded() {
        for (int t = 0; t < touched.length; t++) {
            for (int p = 0; p < touched[t].length(); p++) {
                markers[t].addAndGet(p, touched[t].getAndSet(p, 0));
            }
        }
        touchedLater.removeIf(place -> markersLater.merge(place, 1L, Long::sum) > 0);
    }

    long markersOf(int topicIndex, int partition) {
        return partition < markers[topicIndex].length()
                ? markers[topicIndex].get(partition)
                : markersLater.getOrDefault(new Place(topicIndex, partition), 0L);
    }

    /** Any thread: a record will not be acknowledged. */
    void failed(long intendedNanos, Exception failure) {
        if (abandoning.get()) {
            acks.abandoned(intendedNanos, waiter.nanoTime());
        } else {
            acks.failed(intendedNanos, KafkaErrors.kind(failure));
        }
    }

    /**
     * Closes at once. Records that are still without an answer come back through {@link #failed} and are charged with
     * the time they have waited, not counted as errors: nobody knows what became of them.
     */
    void abandonAndClose() {
        abandoning.set(true);
        BoundedClose.closeAtOnce(producer);
    }

    /** I/O thread: whether any record was sent more than once; true if the client does not say. */
    boolean hasRetried() {
        if (retries == null) {
            retries = producer.metrics().entrySet().stream()
                    .filter(m -> m.getKey().group().equals("producer-metrics")
                            && m.getKey().name().equals("record-retry-total"))
                    .map(m -> (Supplier<Object>) m.getValue()::metricValue)
                    .findFirst()
                    .orElse(() -> 1);
        }
        return ((Number) retries.get()).doubleValue() > 0;
    }

    /** True if nothing can be sent with this client any more. */
    static boolean fatal(RuntimeException e) {
        return e instanceof ProducerFencedException
                || e instanceof IllegalStateException
                || e instanceof org.apache.kafka.common.errors.OutOfOrderSequenceException
                || e instanceof org.apache.kafka.common.errors.AuthorizationException
                || e instanceof org.apache.kafka.common.errors.UnsupportedVersionException;
    }
}
