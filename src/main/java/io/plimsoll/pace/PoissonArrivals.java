package io.plimsoll.pace;

import java.util.SplittableRandom;

/**
 * A Poisson process with the schedule's rate, divided evenly over W threads.
 *
 * <p>By time rescaling: the k-th event is due at {@code F⁻¹(W·(E₁ + … + Eₖ))}, the E independent and exponential with
 * mean 1. One thread's process has the rate {@code F′/W}; W of them laid over each other are a Poisson process of rate
 * {@code F′}, without the threads having to agree on anything.
 */
public final class PoissonArrivals implements Arrivals {
    private final Schedule schedule;
    private final int count;
    private final SplittableRandom random;
    private double position;
    private long before;
    private long last;

    /**
     * @param count how many threads share the schedule
     * @param seed a different one for each thread, for example the run's seed plus the thread's index
     */
    public PoissonArrivals(Schedule schedule, int count, long seed) {
        if (count < 1) {
            throw new IllegalArgumentException(count + " threads");
        }
        this.schedule = schedule;
        this.count = count;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public long nextDueNanos() {
        // 1 − u is never 0; the logarithm is written out because the JDK may change its own exponential generator.
        position -= count * Math.log(1 - random.nextDouble());
        before = last;
        return lastDueNanos();
    }

    @Override
    public long lastDueNanos() {
        // The inverse may be wrong by a fraction of a nanosecond, a gap may be smaller: time never goes back.
        last = Math.max(before, schedule.dueNanos(position));
        return last;
    }
}
