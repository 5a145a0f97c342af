package io.plimsoll.pace;

import java.util.SplittableRandom;

/** The intended times of one sending thread, in order. Used by one thread. */
public interface Arrivals {

    /** Takes the next time, in nanoseconds after the schedule's start; {@link Long#MAX_VALUE} after the last event. */
    long nextDueNanos();

    /** Due time of the event taken last; setting the end of a warm-up can change it. */
    long lastDueNanos();

    /**
     * Number of the events {@code index}, {@code index + count}, {@code index + 2·count}, … that are below {@code
     * total}.
     */
    static long share(long total, int index, int count) {
        return total <= index ? 0 : (total - index - 1) / count + 1;
    }

    /** Number of events, out of {@code total}, that threads {@code from} to {@code to − 1} of {@code count} take. */
    static long shareOf(long total, int from, int to, int count) {
        long rest = total % count;
        return total / count * (to - from) + Math.max(0, Math.min(rest, to) - Math.min(rest, from));
    }

    /** Thread i of W takes the events i, i + W, i + 2W, …, so that together the threads take each event exactly once. */
    final class UniformArrivals implements Arrivals {
        private final Schedule schedule;
        private final int count;
        private long next;

        /**
         * @param index of the thread, 0 to {@code count − 1}
         * @param count number of threads
         */
        public UniformArrivals(Schedule schedule, int index, int count) {
            if (index < 0 || index >= count) {
                throw new IllegalArgumentException("thread " + index + " of " + count);
            }
            this.schedule = schedule;
            this.count = count;
            this.next = index;
        }

        @Override
        public long nextDueNanos() {
            long due = schedule.dueNanos(next);
            next += count;
            return due;
        }

        @Override
        public long lastDueNanos() {
            return schedule.dueNanos(next - count);
        }
    }

    /**
     * A Poisson process with the schedule's rate, divided evenly over W threads.
     *
     * <p>By time rescaling, the k-th event is due at {@code F⁻¹(W·(E₁ + … + Eₖ))} with independent exponential E of
     * mean 1. Each thread's process has the rate {@code F′/W}, so all threads together are a Poisson process of rate
     * {@code F′}.
     */
    final class PoissonArrivals implements Arrivals {
        private final Schedule schedule;
        private final int count;
        private final SplittableRandom random;
        private double position;
        private long before;
        private long last;

        /**
         * @param count number of threads
         * @param seed different for each thread
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
            // 1 − u is never 0. This formula is fixed, whereas the JDK can change its exponential generator.
            position -= count * Math.log(1 - random.nextDouble());
            before = last;
            return lastDueNanos();
        }

        @Override
        public long lastDueNanos() {
            // Rounding of the inverse must not reverse the order.
            last = Math.max(before, schedule.dueNanos(position));
            return last;
        }
    }
}
