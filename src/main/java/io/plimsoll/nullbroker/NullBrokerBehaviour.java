package io.plimsoll.nullbroker;

import io.plimsoll.scenario.InvalidValueException;
import java.time.Duration;

/**
 * Deviations of a {@link NullBroker} from an immediate response. Immutable.
 *
 * @param delay added to the response of every produce request, in parallel
 * @param capacityRecordsPerSecond rate of a single server that handles produce requests in order; 0: unlimited
 * @param stall length of the stall at the end of each {@code stallPeriod}, without any response; zero: never
 * @param stallPeriod counted from the broker's start
 * @param errorRate fraction (0 to 1) of produce requests rejected with the retriable NOT_LEADER_OR_FOLLOWER; the
 *     broker's seed and the request number select them
 */
public record NullBrokerBehaviour(
        Duration delay, double capacityRecordsPerSecond, Duration stall, Duration stallPeriod, double errorRate) {
    /** Responds immediately. */
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

    public NullBrokerBehaviour withDelay(Duration changed) {
        return new NullBrokerBehaviour(changed, capacityRecordsPerSecond, stall, stallPeriod, errorRate);
    }

    public NullBrokerBehaviour withCapacity(double recordsPerSecond) {
        return new NullBrokerBehaviour(delay, recordsPerSecond, stall, stallPeriod, errorRate);
    }

    public NullBrokerBehaviour withStall(Duration changed, Duration period) {
        return new NullBrokerBehaviour(delay, capacityRecordsPerSecond, changed, period, errorRate);
    }

    public NullBrokerBehaviour withErrorRate(double changed) {
        return new NullBrokerBehaviour(delay, capacityRecordsPerSecond, stall, stallPeriod, changed);
    }
}
