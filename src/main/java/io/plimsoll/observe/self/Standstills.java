package io.plimsoll.observe.self;

import io.plimsoll.measure.GeneratorSample.Kept;
import io.plimsoll.measure.PeriodicTask;

/**
 * Sees the times for which nothing of this process runs: a thread that asks for nothing but to wake up soon wakes up late only if
 * all others stood as well, or no core was free. It sees what nobody inside is told of, such as a stop by a signal. Thread-safe.
 */
final class Standstills {
    static final long EVERY_NANOS = 5_000_000;
    /** A wake-up that is late by less was one of a system that is busy, and no standstill. */
    static final long LEAST_NANOS = 5_000_000;

    private long awakeNanos;
    private long stoodNanos;
    private double squares;

    /** @param nowNanos of {@link System#nanoTime()} */
    Standstills(long nowNanos) {
        awakeNanos = nowNanos;
    }

    /** Lets a thread wake up from now on, until it is ended. */
    PeriodicTask watch() {
        return new PeriodicTask("plimsoll-witness", awakeNanos, EVERY_NANOS, 1, () -> {
            awake(System.nanoTime());
            return 1;
        });
    }

    /** The thread is awake, and wakes up again within {@link #EVERY_NANOS}. What it is late by then it stood at least. */
    synchronized void awake(long nowNanos) {
        long late = nowNanos - awakeNanos - EVERY_NANOS;
        if (late >= LEAST_NANOS) {
            stoodNanos += late;
            squares += late / 1e3 * (late / 1e3);
        }
        awakeNanos = nowNanos;
    }

    /** What was seen since the last call. */
    synchronized Kept since(long elapsedNanos) {
        Kept seen = new Kept(elapsedNanos, stoodNanos, squares, 0, 0, 0);
        stoodNanos = 0;
        squares = 0;
        return seen;
    }
}
