package io.plimsoll.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.pace.Arrivals.UniformArrivals;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;

/** Properties of every schedule. */
class SchedulePropertiesTest {
    private static final long DAY = 86_400_000_000_000L;

    @Provide
    Arbitrary<Schedule> schedules() {
        Arbitrary<Schedule> warmedUp = Combinators.combine(
                        plainSchedules(), Arbitraries.longs().between(0, 60_000_000_000L))
                .as((main, nanos) -> new WarmupSchedule(main, WarmupEnd.after(nanos), 0));
        Arbitrary<Schedule> heldBack = Combinators.combine(
                        plainSchedules(),
                        Arbitraries.longs().between(0, 60_000_000_000L),
                        Arbitraries.longs().between(0, 20_000_000_000L),
                        Arbitraries.longs().between(0, 100_000_000_000L).list().ofMaxSize(4))
                .as((main, warmup, rampUp, halvings) -> {
                    Throttle throttle = new Throttle(rampUp);
                    Schedule held = throttle.of(main, WarmupEnd.after(warmup));
                    halvings.forEach(throttle::halve);
                    return held;
                });
        return Arbitraries.oneOf(plainSchedules(), warmedUp, heldBack);
    }

    @Provide
    Arbitrary<Schedule> plainSchedules() {
        Arbitrary<Double> rates = Arbitraries.doubles().between(0.001, 2e6).ofScale(6);
        Arbitrary<Long> times = Arbitraries.longs().between(1_000_000_000L, DAY);
        Arbitrary<Schedule> constant = rates.map(ConstantSchedule::new);
        Arbitrary<Schedule> rampUp = Combinators.combine(Arbitraries.oneOf(rates, Arbitraries.just(0.0)), rates, times)
                .as(RampSchedule::new);
        Arbitrary<Schedule> rampToNothing =
                Combinators.combine(rates, times).as((rate, over) -> new RampSchedule(rate, 0, over));
        Arbitrary<Schedule> steps = Combinators.combine(
                        Arbitraries.oneOf(rates, Arbitraries.just(0.0))
                                .array(double[].class)
                                .ofMinSize(1)
                                .ofMaxSize(6),
                        times)
                .as(StepSchedule::new);
        Arbitrary<Schedule> daily = Combinators.combine(
                        rates,
                        Arbitraries.oneOf(Arbitraries.doubles().between(0, 1).ofScale(6), Arbitraries.of(0.0, 1.0)),
                        times)
                .as(DailySchedule::new);
        return Arbitraries.oneOf(constant, rampUp, rampToNothing, steps, daily);
    }

    @Property(tries = 3000)
    void countsEventExactlyWhenDue(
            @ForAll("schedules") Schedule schedule, @ForAll @LongRange(max = 1_000_000_000L) long n) {
        long due = schedule.dueNanos(n);
        if (due == Long.MAX_VALUE) {
            assertThat(schedule.dueBefore(100 * DAY)).isLessThanOrEqualTo(n);
            return;
        }
        assertThat(schedule.dueBefore(due)).isLessThanOrEqualTo(n);
        assertThat(schedule.dueBefore(due + 1)).isGreaterThan(n);
    }

    @Property(tries = 3000)
    void countIsIndexOfFirstEventNotYetDue(
            @ForAll("schedules") Schedule schedule, @ForAll @LongRange(max = 100 * DAY) long elapsed) {
        long count = schedule.dueBefore(elapsed);
        assertThat(schedule.dueNanos(count)).isGreaterThanOrEqualTo(elapsed);
        if (count > 0) {
            assertThat(schedule.dueNanos(count - 1)).isLessThan(elapsed);
        }
    }

    @Property(tries = 3000)
    void dueTimesNeverDecrease(
            @ForAll("schedules") Schedule schedule,
            @ForAll @DoubleRange(max = 1e9) double n,
            @ForAll @DoubleRange(min = 0.01, max = 1e4) double more) {
        long due = schedule.dueNanos(n);
        assertThat(due).isNotNegative();
        assertThat(schedule.dueNanos(n + more)).isGreaterThanOrEqualTo(due);
    }

    @Property(tries = 1000)
    void countGrowsAtTheRate(@ForAll("plainSchedules") Schedule schedule, @ForAll @LongRange(max = DAY) long elapsed) {
        long step = 10_000_000;
        double lowest = Double.MAX_VALUE;
        double highest = 0;
        for (int i = 0; i <= 64; i++) {
            double rate = schedule.ratePerSecond(elapsed + step * i / 64);
            lowest = Math.min(lowest, rate);
            highest = Math.max(highest, rate);
        }
        double counted = schedule.dueBefore(elapsed + step) - schedule.dueBefore(elapsed);
        // One event for rounding, and a thousandth for a peak between two samples.
        assertThat(counted).isBetween(lowest * step / 1e9 * 0.999 - 1.001, highest * step / 1e9 * 1.001 + 1.001);
    }

    @Property(tries = 300)
    void threadsTogetherTakeEachEventOnce(
            @ForAll("schedules") Schedule schedule, @ForAll @LongRange(min = 1, max = 9) long threads) {
        int count = (int) threads;
        Arrivals[] arrivals = new Arrivals[count];
        for (int i = 0; i < count; i++) {
            arrivals[i] = new UniformArrivals(schedule, i, count);
        }
        long[] turns = new long[count];
        for (int n = 0; n < 100; n++) {
            assertThat(arrivals[n % count].nextDueNanos()).isEqualTo(schedule.dueNanos(n));
            turns[n % count]++;
        }
        for (int i = 0; i < count; i++) {
            assertThat(Arrivals.share(100, i, count)).isEqualTo(turns[i]);
        }
    }
}
