package io.plimsoll.pace;

import org.jspecify.annotations.Nullable;

/**
 * A warm-up at the initial rate of {@code main}, then {@code main}, with continuous event numbers: {@code main}'s event
 * k is event {@code warmupEvents + k}. The warm-up continues until its end is set; then the events after the end are
 * rescheduled.
 *
 * <p>The rate of the warm-up is {@code main}'s rate at its start or, if that is 0, {@code main}'s average rate over its
 * first second. If both are 0, the warm-up is a pause.
 */
public final class WarmupSchedule implements Schedule {
    private final Schedule main;
    private final WarmupEnd end;
    private final ClosedForm warmup;
    /** The exact number of events due before the end; null until it is known. */
    private volatile @Nullable Long warmupEvents;

    /** @param rampUpNanos time in which the warm-up ramps up from 0, at most the whole warm-up */
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
            // A fractional event number between the warm-up and {@code main} can be due after the end.
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
