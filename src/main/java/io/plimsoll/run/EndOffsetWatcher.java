package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks for the ends of the partitions once a second, so that consumer lag can be told, in a thread of its own: a broker
 * that answers late delays no snapshot.
 */
final class EndOffsetWatcher implements AutoCloseable {
    private static final long EVERY_NANOS = 1_000_000_000L;
    /** So long before a snapshot is made, that its lag is told by a fresh answer. */
    private static final long BEFORE_SNAPSHOT_NANOS = 100_000_000L;

    private final Thread thread;
    private volatile Map<TopicPartition, Long> latest = Map.of();
    private volatile boolean stop;

    /** @param startNanos of the trial, from which snapshots are made every second */
    EndOffsetWatcher(Topics topics, Collection<String> names, long startNanos) {
        thread = new Thread(
                () -> {
                    while (!stop) {
                        try {
                            latest = topics.endOffsets(names);
                        } catch (PlimsollException e) {
                            // A broker that is down in mid-run: the figure is absent until it answers again.
                            latest = Map.of();
                        }
                        try {
                            TimeUnit.NANOSECONDS.sleep(untilNext(System.nanoTime() - startNanos));
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                },
                "plimsoll-end-offsets");
        thread.setDaemon(true);
    }

    private static long untilNext(long sinceStartNanos) {
        return EVERY_NANOS - Math.floorMod(sinceStartNanos + BEFORE_SNAPSHOT_NANOS, EVERY_NANOS);
    }

    void start() {
        thread.start();
    }

    /** The last answer; empty if there is none. */
    Map<TopicPartition, Long> latest() {
        return latest;
    }

    @Override
    public void close() {
        stop = true;
        thread.interrupt();
    }
}
