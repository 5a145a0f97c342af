package io.plimsoll.pace;

/**
 * Rate {@code rᵢ} during the i-th interval of length {@code E}; the last rate continues indefinitely.
 *
 * <p>With {@code Cᵢ = E·(r₀ + … + rᵢ₋₁)}: {@code F(t) = Cᵢ + rᵢ·(t − i·E)} and {@code F⁻¹(n) = i·E + (n − Cᵢ)/rᵢ},
 * where {@code i} is the interval of {@code t} or {@code n}.
 */
public final class StepSchedule extends ClosedForm {
    private final double[] perSecond;
    private final double[] eventsAtStart;
    private final long eachNanos;

    /**
     * @param perSecond one or more rates, each 0 (a pause) or more
     * @param eachNanos more than 0
     */
    public StepSchedule(double[] perSecond, long eachNanos) {
        if (perSecond.length == 0) {
            throw new IllegalArgumentException("no steps");
        }
        this.perSecond = perSecond.clone();
        this.eachNanos = requireTime(eachNanos);
        this.eventsAtStart = new double[perSecond.length];
        for (int i = 0; i < perSecond.length; i++) {
            requireRate(perSecond[i]);
            if (i > 0) {
                eventsAtStart[i] = eventsAtStart[i - 1] + eventsIn(eachNanos, perSecond[i - 1]);
            }
        }
    }

    @Override
    public long dueNanos(double n) {
        double event = Math.max(n, 0);
        int i = 0;
        while (i + 1 < perSecond.length && event >= eventsAtStart[i + 1]) {
            i++;
        }
        if (perSecond[i] == 0) {
            return Long.MAX_VALUE; // A rate of 0 is reached here only in the last interval.
        }
        long inStep = nanosFor(event - eventsAtStart[i], perSecond[i]);
        return i + 1 < perSecond.length ? i * eachNanos + Math.min(inStep, eachNanos - 1) : plus(i * eachNanos, inStep);
    }

    @Override
    double eventsBefore(long elapsedNanos) {
        int i = stepAt(elapsedNanos);
        return eventsAtStart[i] + eventsIn(elapsedNanos - i * eachNanos, perSecond[i]);
    }

    @Override
    public double ratePerSecond(long elapsedNanos) {
        return perSecond[stepAt(Math.max(elapsedNanos, 0))];
    }

    private int stepAt(long elapsedNanos) {
        return (int) Math.min(elapsedNanos / eachNanos, perSecond.length - 1);
    }
}
