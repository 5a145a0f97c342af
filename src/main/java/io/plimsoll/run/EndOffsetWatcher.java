package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.measure.PeriodicTask;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks for the ends of the partitions once a second, so that consumer lag can be told, in a thread of its own: a broker
 * that answers late delays no snapshot.
 */
final class EndOffsetWatcher implements AutoCloseable {
    private static final long EVERY_NANOS = 1_000_000_000L;
    /** So long before a snapshot is made, that its lag is told by a fresh answer. */
    private static final long BEFORE_SNAPSHOT_NANOS = 100_000_000L;
    /** An older answer is that of a question which the next ones have had to wait for. */
    private static final long LATE_NANOS = EVERY_NANOS + 5 * BEFORE_SNAPSHOT_NANOS;

    private final Topics topics;
    private final Collection<String> names;
    private final PeriodicTask task;
    private volatile Map<TopicPartition, Long> latest = Map.of();
    private volatile long askedNanos;

    /**
     * @param names of topics; none: nobody is asked
     * @param startNanos of the trial, from which snapshots are made every second
     */
    EndOffsetWatcher(Topics topics, Collection<String> names, long startNanos) {
        this.topics = topics;
        this.names = names;
        long first = startNanos - BEFORE_SNAPSHOT_NANOS;
        this.task =
                names.isEmpty() ? null : PeriodicTask.each("plimsoll-end-offsets", first, EVERY_NANOS, 0, this::ask);
    }

    private void ask() {
        long now = System.nanoTime();
        try {
            latest = topics.endOffsets(names);
            askedNanos = now;
        } catch (PlimsollException e) {
            // A broker that is down in mid-run: the figure is absent until it answers again.
            latest = Map.of();
        }
    }

    Map<TopicPartition, Long> latest() {
        return latest;
    }

    /**
     * Brokers, or this process, have been too busy to tell the ends of this second. Only then are they raised to what
     * is acknowledged: a lag that counts records of this very instant never comes to 0 while producing goes on.
     */
    boolean isLate() {
        return System.nanoTime() - askedNanos > LATE_NANOS;
    }

    /** A question that is not answered is given up. */
    @Override
    public void close() {
        if (task != null) {
            task.end(1);
        }
    }
}
