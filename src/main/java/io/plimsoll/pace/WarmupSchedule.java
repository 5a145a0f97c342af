package io.plimsoll.pace;

/**
 * A warm-up at the initial rate of {@code main}, then {@code main}. Event numbers go on: {@code main}'s event k is this
 * schedule's event {@code warmupEvents + k}, due {@code warmupNanos} later.
 *
 * <p>The warm-up's rate is {@code main}'s at 0; where that is 0 (a ramp from nothing), it is {@code main}'s average over
 * its first second, since a warm-up without events would warm nothing. If that is 0 too, the warm-up is a pause.
 */
public final class WarmupSchedule implements Schedule {
    private final Schedule main;
    private final long warmupNanos;
    private final ConstantSchedule warmup;
    /** The exact number of events due before {@code warmupNanos}. */
    private final long warmupEvents;

    /** @param warmupNanos 0 or more */
    public WarmupSchedule(Schedule main, long warmupNanos) {
        if (warmupNanos < 0) {
            throw new IllegalArgumentException("a warm-up of " + warmupNanos + " ns");
        }
        this.main = main;
        this.warmupNanos = warmupNanos;
        double initial = main.ratePerSecond(0);
        this.warmup = new ConstantSchedule(initial > 0 ? initial : main.dueBefore(1_000_000_000));
        this.warmupEvents = warmup.dueBefore(warmupNanos);
    }

    @Override
    public long dueNanos(double n) {
        if (n < warmupEvents) {
            // A fraction between the last event of the warm-up and the first of main may lie behind the corner.
            return Math.min(warmup.dueNanos(n), warmupNanos);
        }
        return ClosedForm.plus(warmupNanos, main.dueNanos(n - warmupEvents));
    }

    @Override
    public long dueBefore(long elapsedNanos) {
        return elapsedNanos <= warmupNanos
                ? warmup.dueBefore(elapsedNanos)
                : warmupEvents + main.dueBefore(elapsedNanos - warmupNanos);
    }

    @Override
    public double ratePerSecond(long elapsedNanos) {
        return elapsedNanos < warmupNanos
                ? warmup.ratePerSecond(elapsedNanos)
                : main.ratePerSecond(elapsedNanos - warmupNanos);
    }
}
