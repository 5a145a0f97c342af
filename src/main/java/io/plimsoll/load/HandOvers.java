package io.plimsoll.load;

import io.plimsoll.measure.HandOver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * When the partitions of a group were given to members, and what that cost: how long each was not read, and what was read
 * once more. Thread-safe; each partition has one reader at a time.
 */
public final class HandOvers {
    private static final int MOST = 100_000;

    private final Map<TopicPartition, Reading> readings = new ConcurrentHashMap<>();
    private final List<HandOver> done = new ArrayList<>(); // Guarded by itself.

    /** How one partition is read. Guarded by itself. */
    private static final class Reading {
        private long lastNanos;
        private long next;
        private boolean given;
        private long givenNanos;
        private int latest = -1;
    }

    private Reading of(TopicPartition partition) {
        return readings.computeIfAbsent(partition, p -> new Reading());
    }

    /** A member has been given these partitions, which it may have had before. */
    public void given(Collection<TopicPartition> partitions, long nowNanos) {
        for (TopicPartition partition : partitions) {
            Reading reading = of(partition);
            synchronized (reading) {
                reading.given = true;
                reading.givenNanos = nowNanos;
            }
        }
    }

    /** A poll has returned records of a partition. */
    public void read(TopicPartition partition, List<? extends ConsumerRecord<?, ?>> records, long nowNanos) {
        Reading reading = of(partition);
        synchronized (reading) {
            long again = records.get(0).offset() >= reading.next
                    ? 0
                    : records.stream().filter(r -> r.offset() < reading.next).count();
            if (reading.given && reading.lastNanos != 0) {
                reading.latest =
                        add(new HandOver(partition.toString(), reading.lastNanos, reading.givenNanos, nowNanos, again));
            } else if (again > 0 && reading.latest >= 0) {
                addAgain(reading.latest, again);
            }
            reading.given = false;
            reading.lastNanos = nowNanos;
            reading.next =
                    Math.max(reading.next, records.get(records.size() - 1).offset() + 1);
        }
    }

    private int add(HandOver handOver) {
        synchronized (done) {
            if (done.size() == MOST) {
                return -1;
            }
            done.add(handOver);
            return done.size() - 1;
        }
    }

    private void addAgain(int number, long again) {
        synchronized (done) {
            done.set(number, done.get(number).with(again));
        }
    }

    /** Those that are over, in the order in which they were. */
    public List<HandOver> all() {
        synchronized (done) {
            return List.copyOf(done);
        }
    }
}
