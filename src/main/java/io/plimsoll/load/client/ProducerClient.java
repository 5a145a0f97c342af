package io.plimsoll.load.client;

import io.plimsoll.audit.Journal.Ending;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.load.ProducerTrail;
import io.plimsoll.load.Waiter;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.Acknowledgment;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.wire.RequestTimes;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.jspecify.annotations.Nullable;

/** A producer and the meter of its records' outcomes; the producer's I/O thread reports the outcomes. */
final class ProducerClient {
    final Producer<byte[], byte[]> producer;
    final AckMeter acks;
    private final Waiter waiter;
    private final boolean transactional;
    /** For each topic, 1 for each partition that the transaction has written to, otherwise 0. */
    private final AtomicIntegerArray[] touched;

    private final AtomicLongArray[] markers;
    private final Set<Place> touchedLater = ConcurrentHashMap.newKeySet();
    private final Map<Place, Long> markersLater = new ConcurrentHashMap<>();
    /** Metric of the number of retried records. Used by the I/O thread. */
    private @Nullable Supplier<Object> retries;

    private final RequestTimes requests;
    /** The acknowledgment of the current callback's record. Used by the I/O thread. */
    private final Acknowledgment answer = new Acknowledgment();

    private final AtomicBoolean abandoning = new AtomicBoolean();

    /** A record of the batch being acknowledged, and the time of the batch's first callback. Used by the I/O thread. */
    private @Nullable Future<?> answered;

    private long answeredNanos;
    private boolean[] appendTimes;

    private record Place(int topic, int partition) {}

    ProducerClient(
            Producer<byte[], byte[]> producer,
            AckMeter acks,
            Waiter waiter,
            boolean transactional,
            int[] partitions,
            ClientEvents events) {
        this.producer = producer;
        this.acks = acks;
        this.waiter = waiter;
        this.transactional = transactional;
        this.requests = RequestTimes.of(producer, events);
        this.appendTimes = new boolean[partitions.length];
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
     * The acknowledgment time of a record's batch; called by the I/O thread. The client runs all callbacks of a batch
     * in sequence and completes no future before the last callback, so one clock reading is valid for the batch.
     * @param record of the current callback; null if its future was not yet returned
     * @param sentNanos time at which it was sent
     */
    long acknowledgedNanos(@Nullable Future<?> record, long sentNanos) {
        if (answered == null || answered.isDone()) {
            answered = record;
            answeredNanos = waiter.nanoTime();
            requests.current(answer, sentNanos);
        }
        return answeredNanos;
    }

    void appendTimes(boolean[] ofTopics) {
        appendTimes = ofTopics;
    }

    /** Reports an append time if the topic has append times; called by the I/O thread. */
    void appended(int topicIndex, RecordMetadata metadata, long sentNanos, long nowNanos) {
        if (appendTimes[topicIndex] && metadata.hasTimestamp()) {
            acks.appended(topicIndex, metadata.partition(), sentNanos, nowNanos, metadata.timestamp());
        }
    }

    /** Reports that a record is in the log; called by the I/O thread. */
    void completed(int topicIndex, int partition) {
        if (transactional && partition < touched[topicIndex].length()) {
            touched[topicIndex].set(partition, 1);
        } else if (transactional) {
            touchedLater.add(new Place(topicIndex, partition));
        }
    }

    /** Counts the markers of a transaction: the coordinator writes one marker to each touched partition. */
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

    /** Reports that a record will not be acknowledged. Usable by any thread. */
    void failed(long intendedNanos, Exception failure) {
        if (abandoning()) {
            acks.abandoned(intendedNanos, waiter.nanoTime());
        } else {
            acks.failed(intendedNanos, KafkaErrors.kind(failure));
        }
    }

    /**
     * Closes immediately. Unanswered records are reported to {@link #failed}. Because their outcome is unknown, they
     * are charged with their waiting time and not counted as errors.
     */
    void abandonAndClose() {
        abandoning.set(true);
        BoundedClose.closeAtOnce(producer);
    }

    /** Whether the client closes without waiting, so that the outcome of a failed record is unknown. */
    boolean abandoning() {
        return abandoning.get();
    }

    /** Whether any record was retried; true if unknown. Called by the I/O thread. */
    boolean hasRetried() {
        Supplier<Object> known = retries;
        if (known == null) {
            known = producer.metrics().entrySet().stream()
                    .filter(m -> m.getKey().group().equals("producer-metrics")
                            && m.getKey().name().equals("record-retry-total"))
                    .map(m -> (Supplier<Object>) m.getValue()::metricValue)
                    .findFirst()
                    .orElse(() -> 1);
            retries = known;
        }
        return ((Number) known.get()).doubleValue() > 0;
    }

    static boolean fatal(RuntimeException e) {
        return e instanceof ProducerFencedException
                || e instanceof IllegalStateException
                || e instanceof org.apache.kafka.common.errors.OutOfOrderSequenceException
                || e instanceof org.apache.kafka.common.errors.AuthorizationException
                || e instanceof org.apache.kafka.common.errors.UnsupportedVersionException;
    }

    /** The outcome of one record; the only object that Plimsoll allocates per record. */
    class Ack implements Callback {
        private final long intendedNanos;
        private final long sentNanos;
        private final int topicIndex;
        private final int bytes;
        private @Nullable Future<RecordMetadata> future;

        Ack(int topicIndex, long intendedNanos, long sentNanos, int bytes) {
            this.topicIndex = topicIndex;
            this.intendedNanos = intendedNanos;
            this.sentNanos = sentNanos;
            this.bytes = bytes;
        }

        /** Reports that the client accepted the record; the callback can run before this call. */
        final void taken(Future<RecordMetadata> recordFuture) {
            future = recordFuture;
        }

        @Override
        public void onCompletion(RecordMetadata metadata, @Nullable Exception failure) {
            if (failure != null) {
                failed(intendedNanos, failure);
                return;
            }
            long now = acknowledgedNanos(future, sentNanos);
            answer.at(topicIndex, metadata.partition(), metadata.hasOffset() ? metadata.offset() : -1, now);
            acks.acknowledged(answer, intendedNanos, sentNanos, 1, bytes);
            appended(topicIndex, metadata, sentNanos, now);
            completed(topicIndex, metadata.partition());
        }
    }

    final class AuditedAck extends Ack {
        private final ProducerTrail trail;
        private final Thread sender;
        private final long sequence;

        AuditedAck(int topicIndex, long intendedNanos, long sentNanos, int bytes, ProducerTrail trail, long sequence) {
            super(topicIndex, intendedNanos, sentNanos, bytes);
            this.trail = trail;
            this.sender = Thread.currentThread();
            this.sequence = sequence;
        }

        @Override
        public void onCompletion(RecordMetadata metadata, @Nullable Exception failure) {
            if (failure == null) {
                long offset = metadata.hasOffset() ? metadata.offset() : -1;
                trail.acknowledged(super.topicIndex, metadata.partition(), offset, sequence, 1);
            } else if (Thread.currentThread() == sender || certain(failure)) {
                // Called in the sending thread: the record was refused before it entered a batch.
                trail.ended(Ending.FAILED, sequence, 1);
            }
            super.onCompletion(metadata, failure);
        }

        /**
         * Whether it is certain that no attempt was written. After a retry, an exceeded limit proves nothing, because
         * the topic may have had another limit at an earlier attempt.
         */
        private boolean certain(Exception failure) {
            boolean limit = failure instanceof RecordTooLargeException
                    || failure instanceof RecordBatchTooLargeException
                    || failure instanceof InvalidTimestampException;
            return (limit && !hasRetried())
                    || failure instanceof SerializationException
                    || failure instanceof InvalidTopicException
                    || failure instanceof UnsupportedForMessageFormatException;
        }
    }
}
