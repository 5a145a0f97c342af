package io.plimsoll.fleet.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A standstill of the process between two looks counts no more than a usual interval. */
class RunningTimeTest {
    private final RunningTime time = new RunningTime(400, 1_000);

    @Test
    void regularIntervalsCountInFull() {
        assertThat(time.look(1_200)).isEqualTo(200);
        assertThat(time.look(1_600)).isEqualTo(600);
        assertThat(time.nanos()).isEqualTo(600);
    }

    @Test
    void standstillCountsAsOneInterval() {
        time.look(1_200);
        assertThat(time.look(9_000_000)).isEqualTo(600);
        assertThat(time.look(9_000_200)).isEqualTo(800);
    }
}
