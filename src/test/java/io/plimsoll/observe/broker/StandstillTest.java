package io.plimsoll.observe.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.observe.broker.BrokerSource.Standstill;
import org.junit.jupiter.api.Test;

/** The time without any response is summed; response times are not. */
class StandstillTest {
    @Test
    void sumsOnlyLongResponseTimes() {
        Standstill standstill = new Standstill();
        for (int i = 0; i < 1000; i++) {
            standstill.answered(2_000_000);
        }
        assertThat(standstill.seconds()).isZero();
        standstill.answered(700_000_000);
        standstill.answered(600_000_000);
        assertThat(standstill.seconds()).isCloseTo(1.3, within(1e-9));
    }

    @Test
    void doesNotCountDistanceOfBroker() {
        Standstill standstill = new Standstill();
        for (int i = 0; i < 100; i++) {
            standstill.answered(40_000_000 + i * 200_000);
        }
        assertThat(standstill.seconds()).isZero();
        standstill.answered(500_000_000);
        assertThat(standstill.seconds()).isCloseTo(0.5, within(1e-9));
    }
}
