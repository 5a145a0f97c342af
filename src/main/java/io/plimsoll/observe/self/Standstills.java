package io.plimsoll.observe.self;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.PeriodicTask;
import java.io.IOException;
import java.io.RandomAccessFile;

/**
 * Detects times at which no thread of this process runs: a thread that only sleeps, and did not wait for a core, wakes
 * up late only if all other threads were stopped as well. This includes stops by a signal. Thread-safe.
 */
final class Standstills {
    static final long EVERY_NANOS = 5_000_000;
    /** A wake-up that is late by less was one of a system that is busy, and no standstill. */
    static final long LEAST_NANOS = 5_000_000;

    private static final String COUNTERS = "/proc/thread-self/schedstat";

    private long awakeNanos;
    private long coreWaitNanos;
    private long stoodNanos;
    private double squares;

    Standstills(long nowNanos) {
        awakeNanos = nowNanos;
    }

    /** Lets a thread wake up from now on, until it is ended. */
    PeriodicTask watch() {
        RandomAccessFile[] counters = {null};
        return PeriodicTask.each("plimsoll-witness", awakeNanos, EVERY_NANOS, 1, () -> {
            if (counters[0] == null) {
                counters[0] = counters();
            }
            awake(System.nanoTime(), coreWaits(counters[0]));
        });
    }

    /** Scheduler counters of the calling thread; null if unavailable. Closed by the garbage collector. */
    private static RandomAccessFile counters() {
        try {
            return new RandomAccessFile(COUNTERS, "r");
        } catch (IOException e) {
            return null;
        }
    }

    /** Total time that the thread of these counters has waited for a core; 0 if unavailable. */
    private static long coreWaits(RandomAccessFile counters) {
        try {
            if (counters != null) {
                counters.seek(0);
                return Long.parseLong(counters.readLine().split(" ", -1)[1]);
            }
        } catch (IOException | NumberFormatException e) {
            // Not available.
        }
        return 0;
    }

    /**
     * The thread is awake, and wakes up again within {@link #EVERY_NANOS}. A later wake-up means a stop of at least the
     * difference.
     *
     * @param waitedNanos for which it has waited for a core since it began
     */
    synchronized void awake(long nowNanos, long waitedNanos) {
        long late = nowNanos - awakeNanos - EVERY_NANOS - (waitedNanos - coreWaitNanos);
        coreWaitNanos = waitedNanos;
        if (late >= LEAST_NANOS) {
            stoodNanos += late;
            squares += late / 1e3 * (late / 1e3);
        }
        awakeNanos = nowNanos;
    }

    /** Adds the observations since the last call, and the time since then. */
    synchronized void read(long elapsedNanos, Counts.Sum into) {
        into.add(GeneratorUse.WATCHED_NANOS, elapsedNanos)
                .add(GeneratorUse.STOOD_NANOS, stoodNanos)
                .add(GeneratorUse.STOOD_SQUARES, Double.valueOf(squares));
        stoodNanos = 0;
        squares = 0;
    }
}
