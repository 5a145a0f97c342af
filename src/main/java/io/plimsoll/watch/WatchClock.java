package io.plimsoll.watch;

import io.plimsoll.measure.WallClock;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The time of a watch. Its running time stands still while this process does (stopped, or without a core), as far as
 * {@link #tick} shows it: what was not looked at is nobody's outage. Any thread.
 */
final class WatchClock {
    /** A tick that is late by less is one of a system that is busy. */
    private static final long LATE_NANOS = 50_000_000;

    private final LongSupplier nanoTime;
    private final LongSupplier epochOffset;
    private final long everyNanos;
    private volatile long offsetNanos;
    private volatile Tick last;

    /** @param stoodNanos for how long this process had stood by then */
    private record Tick(long atNanos, long stoodNanos) {}

    /** @param everyNanos the time from one tick to the next */
    WatchClock(long everyNanos) {
        this(everyNanos, System::nanoTime, WallClock::epochOffsetNanos);
    }

    /** With clocks to be tested with; {@code epochOffset} is what is added to {@code nanoTime} for nanoseconds since 1970. */
    WatchClock(long everyNanos, LongSupplier nanoTime, LongSupplier epochOffset) {
        this.everyNanos = everyNanos;
        this.nanoTime = nanoTime;
        this.epochOffset = epochOffset;
        last = new Tick(nanoTime.getAsLong(), 0);
        offsetNanos = epochOffset.getAsLong();
    }

    /** Called by one thread that has nothing else to do. */
    void tick() {
        long now = nanoTime.getAsLong();
        long late = Math.max(0, now - last.atNanos - everyNanos - LATE_NANOS);
        last = new Tick(now, last.stoodNanos + late);
        offsetNanos = epochOffset.getAsLong();
    }

    /** Nanoseconds while which this process ran, after some origin. */
    long runningNanos() {
        Tick tick = last;
        return Math.min(nanoTime.getAsLong(), tick.atNanos + everyNanos + LATE_NANOS) - tick.stoodNanos;
    }

    /** For how long it stood since it began. */
    long stoodNanos() {
        return last.stoodNanos;
    }

    long epochMinute() {
        return Math.floorDiv(nanoTime.getAsLong() + offsetNanos, 60_000_000_000L);
    }

    /** The time of day that a recent running time was. */
    Instant instant(long runningNanos) {
        return Instant.EPOCH.plusNanos(runningNanos + last.stoodNanos + offsetNanos);
    }

    Instant now() {
        return Instant.EPOCH.plusNanos(nanoTime.getAsLong() + offsetNanos);
    }
}
