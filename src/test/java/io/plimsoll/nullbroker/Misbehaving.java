package io.plimsoll.nullbroker;

import java.time.Duration;

/** Null brokers that deviate in one respect. */
public final class Misbehaving {
    private Misbehaving() {}

    public static NullBrokerBehaviour delay(Duration delay) {
        return new NullBrokerBehaviour(delay, 0, Duration.ZERO, Duration.ZERO, 0);
    }

    public static NullBrokerBehaviour capacity(double recordsPerSecond) {
        return new NullBrokerBehaviour(Duration.ZERO, recordsPerSecond, Duration.ZERO, Duration.ZERO, 0);
    }

    public static NullBrokerBehaviour stall(Duration stall, Duration period) {
        return new NullBrokerBehaviour(Duration.ZERO, 0, stall, period, 0);
    }

    public static NullBrokerBehaviour errorRate(double rate) {
        return new NullBrokerBehaviour(Duration.ZERO, 0, Duration.ZERO, Duration.ZERO, rate);
    }
}
