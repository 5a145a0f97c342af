package io.plimsoll.measure;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** How far the wall clock is from {@link System#nanoTime()}. */
public final class WallClock {
    private static final int READINGS = 9;

    private WallClock() {}

    /**
     * Nanoseconds to be added to {@link System#nanoTime()} for nanoseconds since 1970, exact to half the time that reading
     * both clocks takes, well below a microsecond. {@link System#currentTimeMillis()} would be up to 1 ms behind.
     */
    public static long epochOffsetNanos() {
        return epochOffsetNanos(System::nanoTime, () -> ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()));
    }

    /** Of several readings that with the least time around it: in between another thread may have had the core. */
    static long epochOffsetNanos(LongSupplier monotonic, LongSupplier wall) {
        long least = Long.MAX_VALUE;
        long offset = 0;
        for (int i = 0; i < READINGS; i++) {
            long before = monotonic.getAsLong();
            long now = wall.getAsLong();
            long took = monotonic.getAsLong() - before;
            if (took < least) {
                least = took;
                offset = now - before - took / 2;
            }
        }
        return offset;
    }
}
