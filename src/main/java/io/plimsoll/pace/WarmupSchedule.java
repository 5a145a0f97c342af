package io.plimsoll.pace;

/**
 * A warm-up at the initial rate of {@code main}, then {@code main}. Event numbers go on: {@code main}'s event k is this
 * schedule's event {@code warmupEvents + k}, due {@code k}'s time in {@code main} after the warm-up's end. As long as the
 * end is not known the warm-up goes on; when it is told, events that were due behind it get other times.
 *
 * <p>The warm-up's rate is {@code main}'s at 0; where that is 0 (a ramp from nothing), it is {@code main}'s average over
 * its first second, since a warm-up without events would warm nothing. If that is 0 too, the warm-up is a pause.
 */
public final class WarmupSchedule implements Schedule {
    private final Schedule main;
    private final WarmupEnd end;
    private final ClosedForm warmup;
    /** The exact number of events due before the end; null until it is known. */
    private volatile Long warmupEvents;

    /** @param rampUpNanos the time in which the warm-up comes from nothing to its rate, or all of it if it is shorter */
    public WarmupSchedule(Schedule main, WarmupEnd end, long rampUpNanos) {
        this.main = main;
        this.end = end;
        double initial = main.ratePerSecond(0);
        double rate = initial > 0 ? initial : main.dueBefore(1_000_000_000);
        long ramp = Math.min(rampUpNanos, end.nanos());
        this.warmup = ramp > 0 ? new RampSchedule(0, rate, ramp) : new ConstantSchedule(rate);
    }

    private long events(long endNanos) {
        Long known = warmupEvents;
        if (known == null) {
            known = warmup.dueBefore(endNanos);
            warmupEvents = known;
        }
        return known;
    }

    @Override
    public long dueNanos(double n) {
        long endNanos = end.nanos();
        if (endNanos == WarmupEnd.UNKNOWN) {
            return warmup.dueNanos(n);
        }
        long events = events(endNanos);
        if (n < events) {
            // A fraction between the last event of the warm-up and the first of main may lie behind the corner.
            return Math.min(warmup.dueNanos(n), endNanos);
        }
        return ClosedForm.plus(endNanos, main.dueNanos(n - events));
    }

    @Override
    public long dueBefore(long elapsedNanos) {
        long endNanos = end.nanos();
        return elapsedNanos <= endNanos
                ? warmup.dueBefore(elapsedNanos)
                : events(endNanos) + main.dueBefore(elapsedNanos - endNanos);
    }

    @Override
    public double ratePerSecond(long elapsedNanos) {
        long endNanos = end.nanos();
        return elapsedNanos < endNanos
                ? warmup.ratePerSecond(elapsedNanos)
                : main.ratePerSecond(elapsedNanos - endNanos);
    }
}
