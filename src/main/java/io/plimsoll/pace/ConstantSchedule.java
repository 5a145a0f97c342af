package io.plimsoll.pace;

/** {@code F(t) = r·t}, so {@code F⁻¹(n) = n/r}. */
public final class ConstantSchedule extends ClosedForm {
    private final double perSecond;

    /** @param perSecond events per second, 0 (no events) or more */
    public ConstantSchedule(double perSecond) {
        this.perSecond = requireRate(perSecond);
    }

    @Override
    public long dueNanos(double n) {
        return perSecond == 0 ? Long.MAX_VALUE : nanosFor(n, perSecond);
    }

    @Override
    double eventsBefore(long elapsedNanos) {
        return eventsIn(elapsedNanos, perSecond);
    }

    @Override
    public double ratePerSecond(long elapsedNanos) {
        return perSecond;
    }
}
