package io.plimsoll.load.client;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.Waiter;
import io.plimsoll.measure.AckMeter;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * One producer with the meter of its outcomes. The producer is thread-safe; the outcomes are reported on its I/O thread.
 */
final class ProducerClient {
    private final RecordSink sink;
    private final AckMeter acks;
    private final Waiter waiter;
    private final boolean transactional;
    private final BitSet[] touched;
    private final long[][] markers;
    private final AtomicBoolean abandoning = new AtomicBoolean();

    ProducerClient(RecordSink sink, AckMeter acks, Waiter waiter, boolean transactional, int[] partitions) {
        this.sink = sink;
        this.acks = acks;
        this.waiter = waiter;
        this.transactional = transactional;
        this.touched = new BitSet[partitions.length];
        this.markers = new long[partitions.length][];
        for (int i = 0; i < partitions.length; i++) {
            touched[i] = new BitSet(partitions[i]);
            markers[i] = new long[partitions[i]];
        }
    }

    RecordSink sink() {
        return sink;
    }

    AckMeter acks() {
        return acks;
    }

    long nanoTime() {
        return waiter.nanoTime();
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
        sink.closeAtOnce();
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
