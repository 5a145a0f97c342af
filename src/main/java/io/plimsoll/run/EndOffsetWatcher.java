package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.engine.client.Topics;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks for the ends of the partitions once a second, so that consumer lag can be told, in a thread of its own: a broker
 * that answers late delays no snapshot.
 */
final class EndOffsetWatcher implements AutoCloseable {
    private static final long EVERY_MILLIS = 1000;

    private final Thread thread;
    private volatile Map<TopicPartition, Long> latest = Map.of();
    private volatile boolean stop;

    EndOffsetWatcher(Topics topics, Collection<String> names) {
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
                            Thread.sleep(EVERY_MILLIS);
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                },
                "plimsoll-end-offsets");
        thread.setDaemon(true);
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
