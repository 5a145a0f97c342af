package io.plimsoll.load;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;

/** Closes clients and waits for threads within a time limit, even if the caller is interrupted. */
public final class BoundedClose {
    /** Waits for all threads, at most {@code limit} in total; returns early if interrupted. */
    public static void join(Collection<Thread> threads, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        for (Thread thread : threads) {
            try {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Closes without waiting. Also works in an interrupted thread, in which the client's own close would fail. */
    public static void closeAtOnce(Producer<?, ?> producer) {
        boolean interrupted = Thread.interrupted();
        try {
            producer.close(Duration.ZERO);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
