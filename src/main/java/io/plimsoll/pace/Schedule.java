package io.plimsoll.pace;

/**
 * A rate as a function of time, in closed form: {@code F(t)} events are due in the first {@code t} nanoseconds, and
 * event {@code n} (0-based) is due at {@code F⁻¹(n)}. Nothing accumulates, so nothing drifts. Thread-safe.
 */
public interface Schedule {

    /**
     * {@code F⁻¹}: due time of event n, in nanoseconds after the schedule's start.
     * @param n 0 or more; fractions occur in Poisson arrivals
     * @return non-decreasing in n; {@link Long#MAX_VALUE} if the schedule never reaches event n
     */
    long dueNanos(double n);

    /** {@code ⌈F(t)⌉}: number of events with {@code dueNanos < elapsedNanos}; 0 if {@code elapsedNanos} is 0 or less. */
    long dueBefore(long elapsedNanos);

    /** {@code F′(t)}: the rate in events per second. */
    double ratePerSecond(long elapsedNanos);
}
