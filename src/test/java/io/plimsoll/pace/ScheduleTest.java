package io.plimsoll.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A schedule follows its formula and depends only on the event number. */
class ScheduleTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void rampsUpAndHalvesRateWhenThrottled() {
        Throttle throttle = new Throttle(4 * SECOND);
        Schedule load = throttle.of(new ConstantSchedule(1000), WarmupEnd.after(10 * SECOND));
        assertThat(load.dueBefore(2 * SECOND)).isEqualTo(500);
        assertThat(load.dueBefore(4 * SECOND)).isEqualTo(2000);
        assertThat(load.dueBefore(10 * SECOND)).isEqualTo(8000);
        long reached = load.dueNanos(13_000);
        assertThat(reached).isEqualTo(15 * SECOND);
        throttle.halve(20 * SECOND);
        throttle.halve(24 * SECOND);
        assertThat(load.dueNanos(13_000)).isEqualTo(reached);
        assertThat(load.dueBefore(20 * SECOND)).isEqualTo(18_000);
        assertThat(load.dueBefore(24 * SECOND)).isEqualTo(20_000);
        assertThat(load.dueBefore(32 * SECOND)).isEqualTo(22_000);
        assertThat(load.ratePerSecond(30 * SECOND)).isEqualTo(250);
        assertThat(load.dueNanos(22_000)).isEqualTo(32 * SECOND);
    }

    @Test
    void constantRateIsExactAfterHundredBillionEvents() {
        for (double rate : new double[] {1, 3, 7, 1_000, 30_000, 100_000, 1_234_567}) {
            Schedule schedule = new ConstantSchedule(rate);
            long seconds = (long) (100_000_000_000L / rate) + 1;
            long event = seconds * (long) rate;
            if (seconds < Long.MAX_VALUE / SECOND) {
                assertThat(schedule.dueNanos(event)).isEqualTo(seconds * SECOND);
                assertThat(schedule.dueBefore(seconds * SECOND)).isEqualTo(event);
                assertThat(schedule.dueNanos(event + 1.0)).isEqualTo(seconds * SECOND + (long) (SECOND / rate));
            }
        }
    }

    @Test
    void zeroRateIsNeverDue() {
        assertThat(new ConstantSchedule(0).dueNanos(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(new ConstantSchedule(0).dueBefore(Long.MAX_VALUE)).isZero();
    }

    @Test
    void rampIsExactAtItsEnd() {
        Schedule ramp = new RampSchedule(1_000, 50_000, 30 * SECOND);
        assertThat(ramp.dueBefore(30 * SECOND)).isEqualTo(765_000);
        assertThat(ramp.dueNanos(765_000)).isEqualTo(30 * SECOND);
        assertThat(ramp.dueNanos(764_999)).isBetween(30 * SECOND - 20_001, 30 * SECOND - 19_999);
        assertThat(ramp.dueBefore(40 * SECOND)).isEqualTo(765_000 + 500_000);
        assertThat(ramp.ratePerSecond(15 * SECOND)).isEqualTo(25_500);
    }

    @Test
    void rampFromZeroFollowsParabola() {
        Schedule ramp = new RampSchedule(0, 10_000, 10 * SECOND);
        assertThat(ramp.dueNanos(0)).isZero();
        assertThat(ramp.dueNanos(500)).isBetween(SECOND - 1, SECOND);
        assertThat(ramp.dueNanos(12_500)).isBetween(5 * SECOND - 1, 5 * SECOND);
        assertThat(ramp.dueBefore(10 * SECOND)).isEqualTo(50_000);
    }

    @Test
    void fallingRampMirrorsRisingOne() {
        Schedule rising = new RampSchedule(0, 10_000, 10 * SECOND);
        Schedule falling = new RampSchedule(10_000, 0, 10 * SECOND);
        for (int n = 1; n < 50_000; n += 7) {
            long mirrored = 10 * SECOND - rising.dueNanos(n);
            assertThat(falling.dueNanos(50_000 - n)).isBetween(mirrored - 1, mirrored + 1);
        }
        assertThat(falling.dueBefore(1_000 * SECOND)).isEqualTo(50_000);
        assertThat(falling.dueNanos(50_000)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void nearlyFlatRampMatchesConstantRate() {
        Schedule constant = new ConstantSchedule(1_000);
        for (double to : new double[] {1_000, Math.nextUp(1_000.0), 1_000.0000001, 999.9999999}) {
            Schedule ramp = new RampSchedule(1_000, to, 3_600 * SECOND);
            for (long n : new long[] {0, 1, 1_001, 1_800_003, 3_599_999}) {
                assertThat(ramp.dueNanos(n)).isCloseTo(constant.dueNanos(n), within(200L));
            }
        }
    }

    @Test
    void stepsAreExactAtEachBoundary() {
        Schedule steps = new StepSchedule(new double[] {1_000, 0, 333, 50_000}, 10 * SECOND);
        assertThat(steps.dueBefore(10 * SECOND)).isEqualTo(10_000);
        assertThat(steps.dueBefore(20 * SECOND)).isEqualTo(10_000);
        assertThat(steps.dueNanos(10_000)).isEqualTo(20 * SECOND);
        assertThat(steps.dueBefore(30 * SECOND)).isEqualTo(13_330);
        assertThat(steps.dueNanos(13_330)).isEqualTo(30 * SECOND);
        assertThat(steps.dueBefore(40 * SECOND)).isEqualTo(513_330);
        assertThat(steps.dueBefore(50 * SECOND)).isEqualTo(1_013_330);
    }

    @Test
    void dailyCurveIsExactPerPeriodAndSolvesItsIntegral() {
        long period = 86_400 * SECOND;
        Schedule daily = new DailySchedule(1_000, 0.8, period);
        assertThat(daily.dueBefore(period)).isEqualTo(86_400_000);
        assertThat(daily.dueBefore(1_000 * period)).isEqualTo(86_400_000_000L);
        assertThat(daily.dueNanos(86_400_000_000L)).isEqualTo(1_000 * period);
        for (double n = 1; n < 86_400_000; n += 1_234_567.25) {
            double seconds = daily.dueNanos(n) / 1e9;
            double sine = Math.sin(Math.PI * seconds / 86_400);
            double integral = 1_000 * (seconds + 0.8 * 86_400 / Math.PI * sine * sine);
            assertThat(integral).isCloseTo(n, within(3e-6));
        }
    }

    @Test
    void scheduleBeginsExactlyAtEndOfWarmup() {
        Schedule ramp = new RampSchedule(1_000, 50_000, 30 * SECOND);
        WarmupSchedule warmed = new WarmupSchedule(ramp, WarmupEnd.after(5 * SECOND), 0);
        assertThat(warmed.dueBefore(5 * SECOND)).isEqualTo(5_000);
        assertThat(warmed.dueNanos(5_000)).isEqualTo(5 * SECOND);
        assertThat(warmed.dueBefore(35 * SECOND)).isEqualTo(770_000);
        assertThat(warmed.dueNanos(5_000 + 4_321)).isEqualTo(5 * SECOND + ramp.dueNanos(4_321));
    }

    @Test
    void warmupBeforeRampFromZeroUsesFirstSecondsAverage() {
        WarmupSchedule warmed =
                new WarmupSchedule(new RampSchedule(0, 10_000, 10 * SECOND), WarmupEnd.after(2 * SECOND), 0);
        assertThat(warmed.ratePerSecond(0)).isEqualTo(500);
        assertThat(warmed.dueBefore(2 * SECOND)).isEqualTo(1_000);
    }

    @Test
    void convertsByteRatesByRecordSize() {
        Rate payload = new Rate.Constant(new Quantity(20_000_000, Unit.PAYLOAD_BYTES));
        Rate wire = new Rate.Constant(new Quantity(20_000_000, Unit.WIRE_BYTES));
        assertThat(Schedules.of(payload, 100, 50).ratePerSecond(0)).isEqualTo(200_000);
        assertThat(Schedules.of(wire, 100, 50).ratePerSecond(0)).isEqualTo(400_000);
        assertThatThrownBy(() -> Schedules.of(payload, 0, 50))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining("rate in bytes");
    }

    @Test
    void createsScheduleForEachOpenLoopRate() {
        Quantity ten = new Quantity(10, Unit.RECORDS);
        Quantity twenty = new Quantity(20, Unit.RECORDS);
        Duration second = Duration.ofSeconds(1);
        assertThat(Schedules.of(new Rate.Ramp(ten, twenty, second), 1, 1).dueBefore(SECOND))
                .isEqualTo(15);
        assertThat(Schedules.of(new Rate.Steps(List.of(ten, twenty), second), 1, 1)
                        .dueBefore(2 * SECOND))
                .isEqualTo(30);
        assertThat(Schedules.of(new Rate.Daily(ten, 1, second), 1, 1).dueBefore(2 * SECOND))
                .isEqualTo(20);
        assertThat(Schedules.isClosedLoop(new Rate.Unlimited())).isTrue();
        assertThat(Schedules.isClosedLoop(new Rate.Constant(ten))).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> Schedules.of(new Rate.Unlimited(), 1, 1));
    }
}
