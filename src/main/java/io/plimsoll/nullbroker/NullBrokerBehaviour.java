package io.plimsoll.nullbroker;

import io.plimsoll.scenario.InvalidValueException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deviations of a {@link NullBroker} from an immediate response. Immutable.
 *
 * @param delay added to the response of every produce request, in parallel
 * @param capacityRecordsPerSecond rate of a single server that handles produce requests in order; 0 for unlimited
 * @param stall time without any response at the end of each {@code stallPeriod}; zero for none
 * @param stallPeriod interval of stalls, counted from the broker's start
 * @param errorRate fraction (0 to 1) of produce requests rejected with the retriable NOT_LEADER_OR_FOLLOWER; the
 *     broker's seed and the request number select them
 */
public record NullBrokerBehaviour(
        Duration delay, double capacityRecordsPerSecond, Duration stall, Duration stallPeriod, double errorRate) {
    /** No deviation: the broker responds immediately. */
    public static final NullBrokerBehaviour NONE =
            new NullBrokerBehaviour(Duration.ZERO, 0, Duration.ZERO, Duration.ZERO, 0);

    public NullBrokerBehaviour {
        require(!delay.isNegative(), "nullbroker.negativeDelay", delay);
        require(
                capacityRecordsPerSecond >= 0 && capacityRecordsPerSecond < Double.POSITIVE_INFINITY,
                "nullbroker.negativeCapacity",
                capacityRecordsPerSecond);
        require(errorRate >= 0 && errorRate <= 1, "nullbroker.errorRate", errorRate);
        require(!stall.isNegative(), "nullbroker.negativeStall", stall);
        require(stall.isZero() || stall.compareTo(stallPeriod) < 0, "nullbroker.longStall", stall, stallPeriod);
    }

    private static void require(boolean possible, String rule, Object... found) {
        if (!possible) {
            throw new InvalidValueException(rule, found);
        }
    }

    /** Applies a {@link NullBrokerBehaviour}. Times are nanoseconds since the broker's start. Thread-safe. */
    static final class Misbehaviour {
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

        /** A uniform random number (SplitMix64) that depends only on the arguments, and not on thread scheduling. */
        private static double uniform(long seed, long number) {
            long z = seed + number * 0x9e3779b97f4a7c15L;
            z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
            z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
            z ^= z >>> 31;
            return (z >>> 11) * 0x1.0p-53;
        }

        /** Completion time of this request on a server that handles requests in order with the configured capacity. */
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

        /** Earliest time to send the response of a produce request served at {@code servedNanos}. */
        long answerNanos(long servedNanos) {
            return servedNanos + active.delay().toNanos();
        }

        /** End of the current stall; {@code nowNanos} if none. */
        long stalledUntilNanos(long nowNanos) {
            if (active.stall().isZero()) {
                return nowNanos;
            }
            long period = active.stallPeriod().toNanos();
            long phase = nowNanos % period;
            return phase < period - active.stall().toNanos() ? nowNanos : nowNanos - phase + period;
        }
    }
}
