package io.plimsoll.pace;

/**
 * A daily curve: rate {@code m·(1 + A·sin(2πt/P))}.
 *
 * <p>{@code F(t) = m·(t + (A·P/π)·sin²(πt/P))}, which is {@code m·P} for each whole period. The inverse has no
 * formula: whole periods are split off, and Newton's method within bounds finds the rest (near a rate of 0, a plain
 * Newton step would leave the period).
 */
public final class DailySchedule extends ClosedForm {
    private static final int MAX_ITERATIONS = 200;
    private static final double TOLERANCE_SECONDS = 1e-12;

    private final double mean;
    private final double amplitude;
    private final long periodNanos;
    private final double periodSeconds;
    private final double periodEvents;

    /**
     * @param mean events per second, more than 0
     * @param amplitude 0 to 1
     * @param periodNanos more than 0
     */
    public DailySchedule(double mean, double amplitude, long periodNanos) {
        this.mean = requireRate(mean);
        if (mean == 0 || !(amplitude >= 0 && amplitude <= 1)) {
            throw new IllegalArgumentException("not a daily curve: mean " + mean + ", amplitude " + amplitude);
        }
        this.amplitude = amplitude;
        this.periodNanos = requireTime(periodNanos);
        this.periodSeconds = periodNanos / NANOS_PER_SECOND;
        this.periodEvents = eventsIn(periodNanos, mean);
    }

    @Override
    public long dueNanos(double n) {
        if (n <= 0) {
            return 0;
        }
        double periods = Math.floor(n / periodEvents);
        if (periods * periodNanos >= Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        double rest = Math.min(Math.max(Math.fma(-periods, periodEvents, n), 0), periodEvents);
        long inPeriod = Math.min(floorNanos(secondsFor(rest / mean)), periodNanos);
        return plus(periodNanos * (long) periods, inPeriod);
    }

    /** The t in one period with {@code F(t)/m = target}. */
    private double secondsFor(double target) {
        double low = 0;
        double high = periodSeconds;
        double t = target;
        for (int i = 0; i < MAX_ITERATIONS; i++) {
            double excess = meanSeconds(t) - target;
            if (excess == 0) {
                return t;
            }
            if (excess > 0) {
                high = t;
            } else {
                low = t;
            }
            double next = t - excess / relativeRate(t);
            if (!(next > low && next < high)) {
                next = (low + high) / 2;
            }
            if (Math.abs(next - t) <= Math.max(TOLERANCE_SECONDS, Math.ulp(t))) {
                return next;
            }
            t = next;
        }
        return t;
    }

    /** {@code F(t)/m}. */
    private double meanSeconds(double seconds) {
        double sine = Math.sin(Math.PI * seconds / periodSeconds);
        return seconds + amplitude * periodSeconds / Math.PI * sine * sine;
    }

    private double relativeRate(double seconds) {
        return 1 + amplitude * Math.sin(2 * Math.PI * seconds / periodSeconds);
    }

    @Override
    double eventsBefore(long elapsedNanos) {
        long periods = elapsedNanos / periodNanos;
        double rest = (elapsedNanos % periodNanos) / NANOS_PER_SECOND;
        return Math.fma(periods, periodEvents, mean * meanSeconds(rest));
    }

    @Override
    public double ratePerSecond(long elapsedNanos) {
        return mean * relativeRate((Math.max(elapsedNanos, 0) % periodNanos) / NANOS_PER_SECOND);
    }
}
