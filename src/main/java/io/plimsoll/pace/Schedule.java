package io.plimsoll.pace;

/**
 * A rate as a function of time, in closed form: {@code F(t)} events are due in the first {@code t} nanoseconds, and the
 * event with number {@code n} (0-based) is due at {@code F⁻¹(n)}. Nothing is accumulated, so nothing drifts, however
 * long the run. Thread-safe.
 */
public interface Schedule {

    /**
     * {@code F⁻¹}: when the n-th event is due, in nanoseconds after the schedule's start.
     *
     * @param n 0 or more; fractions are allowed (Poisson arrivals rescale time with them)
     * @return non-decreasing in n; {@link Long#MAX_VALUE} if the schedule never gets that far
     */
    long dueNanos(double n);

    /**
     * {@code ⌈F(t)⌉}: how many events have {@code dueNanos < elapsedNanos}.
     *
     * @param elapsedNanos since the schedule's start; 0 or less yields 0
     */
    long dueBefore(long elapsedNanos);

    /** {@code F′(t)} in events per second. */
    double ratePerSecond(long elapsedNanos);
}
