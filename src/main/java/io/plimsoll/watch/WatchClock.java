package io.plimsoll.watch;

import io.plimsoll.measure.TrialClock.WallClock;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The clock of a watch. Running time pauses while the process is suspended or without a core, as detected by {@link
 * #tick}, so that unobserved time is not an outage. Thread-safe.
 */
final class WatchClock {
    /** Maximum delay of a tick in ns that is normal on a busy system. */
    private static final long LATE_NANOS = 50_000_000;

    private final LongSupplier nanoTime;
    private final LongSupplier epochOffset;
    private final long everyNanos;
    private volatile long offsetNanos;
    private volatile Tick last;

    /** @param stoodNanos total time of suspension until this tick */
    private record Tick(long atNanos, long stoodNanos) {}

    WatchClock(long everyNanos) {
        this(everyNanos, System::nanoTime, WallClock::epochOffsetNanos);
    }

    /** Creates a clock for tests; {@code epochOffset} plus {@code nanoTime} is nanoseconds since 1970. */
    WatchClock(long everyNanos, LongSupplier nanoTime, LongSupplier epochOffset) {
        this.everyNanos = everyNanos;
        this.nanoTime = nanoTime;
        this.epochOffset = epochOffset;
        last = new Tick(nanoTime.getAsLong(), 0);
        offsetNanos = epochOffset.getAsLong();
    }

    void tick() {
        long now = nanoTime.getAsLong();
        long late = Math.max(0, now - last.atNanos - everyNanos - LATE_NANOS);
        last = new Tick(now, last.stoodNanos + late);
        offsetNanos = epochOffset.getAsLong();
    }

    /** Nanoseconds of running time, from an arbitrary origin. */
    long runningNanos() {
        Tick tick = last;
        return Math.min(nanoTime.getAsLong(), tick.atNanos + everyNanos + LATE_NANOS) - tick.stoodNanos;
    }

    long stoodNanos() {
        return last.stoodNanos;
    }

    long epochMinute() {
        return Math.floorDiv(nanoTime.getAsLong() + offsetNanos, 60_000_000_000L);
    }

    /** Converts a recent running time to wall-clock time. */
    Instant instant(long runningNanos) {
        return Instant.EPOCH.plusNanos(runningNanos + last.stoodNanos + offsetNanos);
    }

    Instant now() {
        return Instant.EPOCH.plusNanos(nanoTime.getAsLong() + offsetNanos);
    }
}
