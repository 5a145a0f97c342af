package io.plimsoll.nullbroker;

import io.plimsoll.scenario.InvalidValueException;
import java.time.Duration;

/**
 * Deviations of a {@link NullBroker} from immediate responses, as the ground truth for measurements.
 * Immutable.
 *
 * @param delay added to the answer of every produce request; requests do not wait for each other
 * @param capacityRecordsPerSecond the broker answers as a single server that works off produce requests first come,
 *     first served, at this rate would; 0: without a limit
 * @param stall nothing at all is answered during the last {@code stall} of each {@code stallPeriod}; zero: never
 * @param stallPeriod counted from the start of the broker
 * @param errorRate share (0 to 1) of produce requests that are refused whole with NOT_LEADER_OR_FOLLOWER, which clients
 *     try again; which ones is decided by the broker's seed and the number of the request
 */
public record NullBrokerBehaviour(
        Duration delay, double capacityRecordsPerSecond, Duration stall, Duration stallPeriod, double errorRate) {
    /** Answers everything at once. */
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
