package io.plimsoll.pace;

import java.util.Arrays;

/**
 * The ramp-up of a load, and its later throttling by guards. Each throttling halves the rate of the schedule from a
 * future time on, so that events already taken do not move. Thread-safe.
 */
public final class Throttle {
    /** Maximum number of halvings; beyond it, the load is stopped. */
    public static final int MOST = 3;

    private static final long PERIOD_NANOS = 100_000_000;

    private final long rampUpNanos;
    private volatile long[] halvings = {};

    /** @param rampUpNanos time in which a warm-up ramps up to its rate; 0 for no ramp-up */
    public Throttle(long rampUpNanos) {
        this.rampUpNanos = rampUpNanos;
    }

    /** Halves the rate from this time on, in nanoseconds after the schedule's start. */
    public synchronized void halve(long afterStart) {
        long[] before = halvings;
        if (before.length < MOST) {
            long[] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = before.length == 0 ? afterStart : Math.max(afterStart, before[before.length - 1]);
            halvings = more;
        }
    }

    /** Number of halvings, including halvings that are not in effect yet. */
    public int halvings() {
        return halvings.length;
    }

    /**
     * For a closed loop: the time at which to continue. Each tenth of a second ends with a pause; each halving
     * lengthens it.
     */
    public long resumeNanos(long elapsedNanos) {
        int times = 0;
        for (long at : halvings) {
            times += elapsedNanos >= at ? 1 : 0;
        }
        long within = Math.floorMod(elapsedNanos, PERIOD_NANOS);
        return within < (PERIOD_NANOS >> times) ? elapsedNanos : elapsedNanos - within + PERIOD_NANOS;
    }

    /** The schedule with ramp-up and throttling applied; exact to the nanosecond. */
    public Schedule of(Schedule main, WarmupEnd warmup) {
        return new Held(new WarmupSchedule(main, warmup, rampUpNanos));
    }

    /** The time between two halvings: after n halvings, the time of the schedule is stretched by {@code 2ⁿ}. */
    private record ConstantRate(long fromNanos, long scheduledNanos, int slower, long toNanos) {
        static ConstantRate first(long[] halvings) {
            return new ConstantRate(0, 0, 0, halvings.length == 0 ? Long.MAX_VALUE : halvings[0]);
        }

        ConstantRate next(long[] halvings) {
            int n = slower + 1;
            return new ConstantRate(toNanos, scheduled(toNanos), n, n < halvings.length ? halvings[n] : Long.MAX_VALUE);
        }

        /** The scheduled time, rounded up: events scheduled earlier are due earlier. */
        long scheduled(long nanos) {
            long rest = nanos - fromNanos;
            return scheduledNanos + (rest >> slower) + ((rest & ((1L << slower) - 1)) == 0 ? 0 : 1);
        }

        long due(long scheduled) {
            long rest = scheduled - scheduledNanos;
            return rest > (Long.MAX_VALUE >> (slower + 1))
                    ? Long.MAX_VALUE
                    : ClosedForm.plus(fromNanos, rest << slower);
        }
    }

    private final class Held implements Schedule {
        private final Schedule main;

        Held(Schedule main) {
            this.main = main;
        }

        private static ConstantRate at(long[] halvings, long elapsedNanos) {
            ConstantRate stretch = ConstantRate.first(halvings);
            while (elapsedNanos >= stretch.toNanos() && stretch.toNanos() != Long.MAX_VALUE) {
                stretch = stretch.next(halvings);
            }
            return stretch;
        }

        @Override
        public long dueNanos(double n) {
            long scheduled = main.dueNanos(n);
            long[] now = halvings;
            if (now.length == 0 || scheduled == Long.MAX_VALUE) {
                return scheduled;
            }
            ConstantRate stretch = ConstantRate.first(now);
            while (stretch.toNanos() != Long.MAX_VALUE && scheduled >= stretch.scheduled(stretch.toNanos())) {
                stretch = stretch.next(now);
            }
            return stretch.due(scheduled);
        }

        @Override
        public long dueBefore(long elapsedNanos) {
            return main.dueBefore(at(halvings, elapsedNanos).scheduled(elapsedNanos));
        }

        @Override
        public double ratePerSecond(long elapsedNanos) {
            ConstantRate stretch = at(halvings, elapsedNanos);
            return main.ratePerSecond(stretch.scheduled(elapsedNanos)) / (1 << stretch.slower());
        }
    }
}
