package io.plimsoll.pace;

/**
 * The base of all schedules: exact conversions of whole nanoseconds, and a {@link #dueBefore} that agrees with {@link
 * #dueNanos} to the event.
 *
 * <p>{@code dueNanos} is {@code ⌊F⁻¹(n)⌋}: for a whole {@code t}, {@code ⌊x⌋ < t} holds exactly when {@code x < t},
 * so only rounding down keeps every count.
 */
abstract class ClosedForm implements Schedule {
    static final double NANOS_PER_SECOND = 1e9;
    /** Maximum number of events: larger doubles cannot distinguish consecutive events. */
    private static final long MAX_EXACT_EVENTS = 1L << 53;

    /** {@code F(t)}, 0 at 0, within 1e-15 of its value. */
    abstract double eventsBefore(long elapsedNanos);

    @Override
    public final long dueBefore(long elapsedNanos) {
        if (elapsedNanos <= 0) {
            return 0;
        }
        long events = (long) Math.ceil(eventsBefore(elapsedNanos));
        if (events >= MAX_EXACT_EVENTS) {
            return events;
        }
        // F and its inverse are rounded separately and can disagree by one event; the inverse decides.
        while (events > 0 && dueNanos(events - 1) >= elapsedNanos) {
            events--;
        }
        while (dueNanos(events) < elapsedNanos) {
            events++;
        }
        return events;
    }

    /**
     * {@code ⌊events ÷ rate⌋} in nanoseconds. Whole seconds are split off first, to avoid rounding {@code events ×
     * 10⁹}.
     */
    static long nanosFor(double events, double perSecond) {
        if (events <= 0) {
            return 0;
        }
        double seconds = Math.floor(events / perSecond);
        if (seconds * NANOS_PER_SECOND >= Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        double rest = Math.fma(-seconds, perSecond, events);
        return plus((long) (seconds * NANOS_PER_SECOND), (long) Math.floor(rest * NANOS_PER_SECOND / perSecond));
    }

    /** The events of a constant rate, with the same precision. */
    static double eventsIn(long nanos, double perSecond) {
        long seconds = nanos / 1_000_000_000;
        long rest = nanos % 1_000_000_000;
        return Math.fma(seconds, perSecond, rest * perSecond / NANOS_PER_SECOND);
    }

    static long floorNanos(double seconds) {
        return (long) Math.floor(seconds * NANOS_PER_SECOND);
    }

    /** A sum that saturates at {@link Long#MAX_VALUE} ("never"); both terms are −1 or more. */
    static long plus(long nanos, long more) {
        long sum = nanos + more;
        return sum < 0 && nanos > 0 ? Long.MAX_VALUE : sum;
    }

    static double requireRate(double perSecond) {
        if (!(perSecond >= 0) || Double.isInfinite(perSecond)) {
            throw new IllegalArgumentException("not a rate: " + perSecond + " per second");
        }
        return perSecond;
    }

    static long requireTime(long nanos) {
        if (nanos <= 0) {
            throw new IllegalArgumentException("not a length of time: " + nanos + " ns");
        }
        return nanos;
    }
}
