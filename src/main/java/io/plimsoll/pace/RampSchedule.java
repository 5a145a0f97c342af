package io.plimsoll.pace;

/**
 * A linear rate from {@code a} to {@code b} over {@code D}, then constant {@code b}.
 *
 * <p>{@code F(t) = a·t + (b−a)·t²/(2D)} up to {@code D}. The inverse is {@code F⁻¹(n) = 2n / (a + √(a² + 2n·(b−a)/D))},
 * a form of the quadratic root without cancellation that becomes {@code n/a} without slope. A falling ramp is computed
 * as a rising ramp, backward from its end.
 */
public final class RampSchedule extends ClosedForm {
    private final double from;
    private final double to;
    private final long overNanos;
    private final double overSeconds;
    private final double rampEvents;

    /**
     * @param from events per second at the start, 0 or more
     * @param to events per second at the end, 0 or more
     * @param overNanos more than 0
     */
    public RampSchedule(double from, double to, long overNanos) {
        this.from = requireRate(from);
        this.to = requireRate(to);
        this.overNanos = requireTime(overNanos);
        this.overSeconds = overNanos / NANOS_PER_SECOND;
        this.rampEvents = eventsIn(overNanos, (from + to) / 2);
    }

    @Override
    public long dueNanos(double n) {
        if (n <= 0 && from > 0) {
            return 0;
        }
        if (n >= rampEvents) {
            return to == 0 ? Long.MAX_VALUE : plus(overNanos, nanosFor(n - rampEvents, to));
        }
        double seconds = from <= to ? rising(from, to, Math.max(n, 0)) : overSeconds - rising(to, from, rampEvents - n);
        return Math.min(floorNanos(Math.max(seconds, 0)), overNanos);
    }

    private double rising(double low, double high, double events) {
        double root = Math.sqrt(low * low + 2 * events * (high - low) / overSeconds);
        return events == 0 ? 0 : 2 * events / (low + root);
    }

    @Override
    double eventsBefore(long elapsedNanos) {
        if (elapsedNanos >= overNanos) {
            return rampEvents + eventsIn(elapsedNanos - overNanos, to);
        }
        // The mean of the rates at both ends, times the time between them.
        return eventsIn(elapsedNanos, (from + ratePerSecond(elapsedNanos)) / 2);
    }

    @Override
    public double ratePerSecond(long elapsedNanos) {
        if (elapsedNanos >= overNanos) {
            return to;
        }
        return from + (to - from) * (Math.max(elapsedNanos, 0) / (double) overNanos);
    }
}
