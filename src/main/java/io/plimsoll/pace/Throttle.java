package io.plimsoll.pace;

import java.util.Arrays;

/**
 * How a load comes to its rate, and how far it is held back since, for the sake of others on its cluster. Each time that it
 * is held back its schedule goes on at half the speed: from then on the same events are due twice as far apart. Whoever
 * orders it names a time that nobody has reached yet, so that no event was taken that is due later now. Thread-safe.
 */
public final class Throttle {
    /** More than these halvings nobody asks for: the load is stopped instead. */
    public static final int MOST = 3;

    private static final long PERIOD_NANOS = 100_000_000;

    private final long rampUpNanos;
    /** Nanoseconds after the start, ascending. */
    private volatile long[] halvings = {};

    /** @param rampUpNanos the time in which a warm-up comes from nothing to its rate; 0: at once */
    public Throttle(long rampUpNanos) {
        this.rampUpNanos = rampUpNanos;
    }

    /** From this time on, in nanoseconds after the schedule's start, the load has half the rate that it had before. */
    public synchronized void halve(long afterStart) {
        long[] before = halvings;
        if (before.length < MOST) {
            long[] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = before.length == 0 ? afterStart : Math.max(afterStart, before[before.length - 1]);
            halvings = more;
        }
    }

    /** How often it was ordered so far, although the time may not have come yet. */
    public int halvings() {
        return halvings.length;
    }

    /** In a closed loop, which has no schedule: when it may go on, since it rests for a part of each tenth of a second. */
    public long goesOn(long elapsedNanos) {
        int times = 0;
        for (long at : halvings) {
            times += elapsedNanos >= at ? 1 : 0;
        }
        long within = Math.floorMod(elapsedNanos, PERIOD_NANOS);
        return within < (PERIOD_NANOS >> times) ? elapsedNanos : elapsedNanos - within + PERIOD_NANOS;
    }

    /** The schedule, reached and held back like this: exact to the nanosecond, as the schedule itself is. */
    public Schedule of(Schedule main, WarmupEnd warmup) {
        return new Held(new WarmupSchedule(main, warmup, rampUpNanos));
    }

    /** A walk through the stretches of one rate each: the n-th is {@code 2ⁿ} times as long as the schedule takes for it. */
    private record Stretch(long fromNanos, long scheduledNanos, int slower, long toNanos) {
        static Stretch first(long[] halvings) {
            return new Stretch(0, 0, 0, halvings.length == 0 ? Long.MAX_VALUE : halvings[0]);
        }

        Stretch next(long[] halvings) {
            int n = slower + 1;
            return new Stretch(toNanos, scheduled(toNanos), n, n < halvings.length ? halvings[n] : Long.MAX_VALUE);
        }

        /** Rounded up: what is scheduled before this is due before the time. */
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

        private static Stretch at(long[] halvings, long elapsedNanos) {
            Stretch stretch = Stretch.first(halvings);
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
            Stretch stretch = Stretch.first(now);
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
            Stretch stretch = at(halvings, elapsedNanos);
            return main.ratePerSecond(stretch.scheduled(elapsedNanos)) / (1 << stretch.slower());
        }
    }
}
