package io.plimsoll.measure;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** Offset of the wall clock from {@link System#nanoTime()}. */
public final class WallClock {
    private static final int READINGS = 9;

    private WallClock() {}

    /**
     * Nanoseconds to add to {@link System#nanoTime()} for nanoseconds since 1970, accurate to well below a microsecond.
     * {@link System#currentTimeMillis()} lags by up to 1 ms.
     */
    public static long epochOffsetNanos() {
        return epochOffsetNanos(System::nanoTime, () -> ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now()));
    }

    /** Takes the reading with the shortest round trip; a longer one can include a context switch. */
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
