package io.plimsoll.load.client;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.measure.AckMeter;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * One {@link KafkaProducer} with the meter of its outcomes. The producer is thread-safe; the outcomes are reported on
 * its I/O thread.
 */
final class ProducerClient {
    private final KafkaProducer<byte[], byte[]> producer;
    private final AckMeter acks;
    private final ProducerWire wire;
    private final ProducerFigures figures;
    private final boolean transactional;
    private final BitSet[] touched;
    private final long[][] markers;
    private final AtomicBoolean abandoning = new AtomicBoolean();

    ProducerClient(KafkaProducer<byte[], byte[]> producer, AckMeter acks, boolean transactional, int[] partitions) {
        this.producer = producer;
        this.acks = acks;
        this.wire = new ProducerWire(producer);
        this.figures = new ProducerFigures(producer);
        this.transactional = transactional;
        this.touched = new BitSet[partitions.length];
        this.markers = new long[partitions.length][];
        for (int i = 0; i < partitions.length; i++) {
            touched[i] = new BitSet(partitions[i]);
            markers[i] = new long[partitions[i]];
        }
    }

    KafkaProducer<byte[], byte[]> producer() {
        return producer;
    }

    AckMeter acks() {
        return acks;
    }

    ProducerWire wire() {
        return wire;
    }

    ProducerFigures figures() {
        return figures;
    }

    /** I/O thread: a record is in the log. */
    void completed(int topicIndex, int partition) {
        if (transactional) {
            synchronized (touched) {
                touched[topicIndex].set(partition);
            }
        }
    }

    /** The transaction has ended: the coordinator writes one marker to each partition that it touched. */
    void transactionEnded() {
        synchronized (touched) {
            for (int t = 0; t < touched.length; t++) {
                int topic = t;
                touched[t].stream().filter(p -> p < markers[topic].length).forEach(p -> markers[topic][p]++);
                touched[t].clear();
            }
        }
    }

    long markersOf(int topicIndex, int partition) {
        synchronized (touched) {
            return markers[topicIndex][partition];
        }
    }

    /** Any thread: a record will not be acknowledged. */
    void failed(long intendedNanos, Exception failure) {
        if (abandoning.get()) {
            acks.abandoned(intendedNanos, System.nanoTime());
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

    /** True if nothing can be sent with this client any more. */
    static boolean fatal(RuntimeException e) {
        return e instanceof ProducerFencedException
                || e instanceof IllegalStateException
                || e instanceof org.apache.kafka.common.errors.OutOfOrderSequenceException
                || e instanceof org.apache.kafka.common.errors.AuthorizationException
                || e instanceof org.apache.kafka.common.errors.UnsupportedVersionException;
    }
}
