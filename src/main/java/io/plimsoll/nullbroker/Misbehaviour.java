package io.plimsoll.nullbroker;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts a {@link NullBrokerBehaviour} into effect. All times are nanoseconds since the start of the broker. Safe for
 * several threads.
 */
final class Misbehaviour {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long seed;
    private final AtomicLong requests = new AtomicLong();
    private final NullBrokerBehaviour active;
    private double serverFreeNanos;

    Misbehaviour(NullBrokerBehaviour behaviour, long seed) {
        this.seed = seed;
        this.active = behaviour;
    }

    boolean refusesNext() {
        double rate = active.errorRate();
        return rate > 0 && uniform(seed, requests.getAndIncrement()) < rate;
    }

    /** SplitMix64 as a function of the number alone: the choice does not depend on which thread asks first. */
    private static double uniform(long seed, long number) {
        long z = seed + number * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        z ^= z >>> 31;
        return (z >>> 11) * 0x1.0p-53;
    }

    /** When a server of the capacity that works off requests one after the other is done with this one. */
    long servedNanos(long nowNanos, long records) {
        double capacity = active.capacityRecordsPerSecond();
        if (capacity == 0) {
            return nowNanos;
        }
        synchronized (this) {
            serverFreeNanos = Math.max(serverFreeNanos, nowNanos) + records * NANOS_PER_SECOND / capacity;
            return (long) Math.ceil(serverFreeNanos);
        }
    }

    /** When the answer of a produce request that is served then may leave. */
    long answerNanos(long servedNanos) {
        return servedNanos + active.delay().toNanos();
    }

    /** When the stall that is on ends; now, if none is. */
    long stalledUntilNanos(long nowNanos) {
        if (active.stall().isZero()) {
            return nowNanos;
        }
        long period = active.stallPeriod().toNanos();
        long phase = nowNanos % period;
        return phase < period - active.stall().toNanos() ? nowNanos : nowNanos - phase + period;
    }
}
