package io.plimsoll.load;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Arrivals.UniformArrivals;
import io.plimsoll.pace.ConstantSchedule;
import io.plimsoll.pace.Schedule;
import io.plimsoll.pace.Throttle;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.pace.WarmupSchedule;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.testing.Scenarios;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Guards which records of a schedule a sender takes, and which are charged at the end. */
class DueTimesTest {
    private static final long START = -5 * SECOND;

    /** Ten records per second, the first second is warm-up. */
    private static DueTimes times(long records, long endNanos) {
        DueTimes times = new DueTimes(
                new UniformArrivals(new WarmupSchedule(new ConstantSchedule(10), WarmupEnd.after(SECOND), 0), 0, 1),
                records,
                new Throttle(0));
        times.start(new TrialClock(START, START + SECOND, endNanos, 0));
        return times;
    }

    private static long takeAll(DueTimes times) {
        long taken = 0;
        while (times.next() != Long.MAX_VALUE) {
            assertThat(times.next()).isEqualTo(START + taken * SECOND / 10);
            times.taken();
            taken++;
        }
        return taken;
    }

    @Test
    void warmupRecordsComeOnTopOfRequestedNumber() {
        assertThat(takeAll(times(3, Long.MAX_VALUE))).isEqualTo(13);
    }

    @Test
    void nothingIsDueAtOrAfterEnd() {
        assertThat(takeAll(times(Long.MAX_VALUE, START + 2 * SECOND))).isEqualTo(20);
    }

    @Test
    void chargesUntakenRecordsOnce() {
        DueTimes times = times(Long.MAX_VALUE, START + 10 * SECOND);
        AckMeter acks = AckMeter.of(new int[] {1}, false, false);
        acks.start(new TrialClock(START, START, Long.MAX_VALUE, 0));
        for (int i = 0; i < 5; i++) {
            times.next();
            times.taken();
        }
        times.charge(START + SECOND + 50 * MILLI, acks::unsent);
        times.charge(START + SECOND + 50 * MILLI, acks::unsent);
        Counts counts = MeterCounts.of(acks).measured();
        assertThat(counts.get(Produced.UNSENT)).isEqualTo(6);
        assertThat(counts.get(Produced.RESPONSE_TIME).maxMicros()).isBetween(549_000L, 551_000L);
        assertThat(counts.get(Produced.RESPONSE_TIME).minMicros()).isBetween(49_900L, 50_100L);
    }

    /** Senders continue for two seconds: an unsent record has waited until the last record was sent. */
    @Test
    void chargesUnsentRecordsUntilSendingEnds() {
        long end = START + 3 * SECOND;
        List<Long> waited = new ArrayList<>();
        DueTimes times = times(Long.MAX_VALUE, end);
        times.charge(end + 10 * SECOND, (due, until) -> waited.add(until - due));
        assertThat(waited).hasSize(30).startsWith(5 * SECOND).endsWith(DueTimes.CATCH_UP_NANOS + 100 * MILLI);
        waited.clear();
        times(Long.MAX_VALUE, end).charge(end + 500 * MILLI, (due, until) -> waited.add(until - due));
        assertThat(waited).hasSize(30).endsWith(600 * MILLI);
    }

    @Test
    void throttledSenderKeepsRecordCountAtHalfRate() {
        Throttle throttle = new Throttle(0);
        Schedule held = throttle.of(new ConstantSchedule(10), WarmupEnd.after(SECOND));
        DueTimes times = new DueTimes(new UniformArrivals(held, 0, 1), 20, throttle);
        times.start(new TrialClock(START, START + SECOND, Long.MAX_VALUE, 0));
        for (int i = 0; i < 20; i++) {
            times.next();
            times.taken();
        }
        assertThat(times.next()).isEqualTo(START + 2 * SECOND);
        throttle.halve(2 * SECOND - 200 * MILLI);
        // It was drawn before, is due later now, and counts once.
        assertThat(times.next()).isEqualTo(START + 2 * SECOND + 200 * MILLI);
        int left = 0;
        for (long due = times.next(); due != Long.MAX_VALUE; due = times.next()) {
            assertThat(due).isEqualTo(START + 2 * SECOND + 200 * MILLI * (left + 1));
            times.taken();
            left++;
        }
        assertThat(left).isEqualTo(10);
    }

    @Test
    void throttledClosedLoopPausesHalfOfTheTime() {
        Throttle throttle = new Throttle(0);
        DueTimes times = new DueTimes(null, Long.MAX_VALUE, throttle);
        times.start(new TrialClock(START, START, START + 10 * SECOND, 0));
        throttle.halve(SECOND);
        assertThat(times.claim(8, START + 999 * MILLI)).isEqualTo(8);
        assertThat(times.claim(8, START + SECOND + 49 * MILLI)).isEqualTo(8);
        long resting = START + SECOND + 50 * MILLI;
        assertThat(times.claim(8, resting)).isZero();
        assertThat(times.over(resting)).isFalse();
        assertThat(times.resumeNanos(resting)).isEqualTo(START + SECOND + 100 * MILLI);
        assertThat(times.claim(8, times.resumeNanos(resting))).isEqualTo(8);
    }

    /** Users are also independent across entries. */
    @Test
    void poissonArrivalsDifferBetweenEntries() {
        String yaml = "topics: [{name: t}]\nproducers: [{topic: t, rate: 100/s, arrivals: poisson}]\n";
        ProducerSpec spec = Scenarios.producer(yaml);
        LoadContext context = new LoadContext(Map.of("bootstrap.servers", "127.0.0.1:1"), "test", 1, 1, text -> {});
        Set<Long> instants = new HashSet<>();
        for (String part : List.of("producers-0", "producers-1", "producers-2")) {
            ProducerLoad load = new ProducerLoad(context, spec, Slice.all(1), part, WarmupEnd.after(0));
            for (int thread = 0; thread < 40; thread++) {
                DueTimes times = load.dueTimes(thread, 40);
                times.start(new TrialClock(START, START, START + 600 * SECOND, 0));
                instants.add(times.next());
            }
        }
        assertThat(instants).hasSize(120);
    }

    @Test
    void closedLoopLimitsRecordsAfterWarmup() {
        DueTimes times = new DueTimes(null, 10, new Throttle(0));
        times.start(new TrialClock(START, START + SECOND, Long.MAX_VALUE, 0));
        assertThat(times.claim(8, START - 1)).isZero();
        assertThat(times.claim(8, START)).isEqualTo(8);
        assertThat(times.claim(8, START + SECOND)).isEqualTo(8);
        assertThat(times.claim(8, START + SECOND)).isEqualTo(2);
        assertThat(times.claim(8, START + SECOND)).isZero();
        assertThat(times.over(START + SECOND)).isTrue();
    }

    @Test
    void senderIsTooLateBeyondCatchUpLimit() {
        DueTimes times = times(Long.MAX_VALUE, START + 2 * SECOND);
        assertThat(times.tooLate(START + 2 * SECOND + DueTimes.CATCH_UP_NANOS)).isFalse();
        assertThat(times.tooLate(START + 2 * SECOND + DueTimes.CATCH_UP_NANOS + 1))
                .isTrue();
    }

    @Test
    void nextDueTimeChangesOnceWarmupEndIsKnown() {
        WarmupEnd end = WarmupEnd.later();
        DueTimes times = new DueTimes(
                new UniformArrivals(new WarmupSchedule(new ConstantSchedule(0.5), end, 0), 0, 1), 2, new Throttle(0));
        times.start(new TrialClock(START, end, Long.MAX_VALUE, 0));
        assertThat(times.next()).isEqualTo(START);
        times.taken();
        assertThat(times.next()).isEqualTo(START + 2 * SECOND);
        end.tell(SECOND);
        assertThat(times.next()).isEqualTo(START + SECOND);
        assertThat(times.next()).isEqualTo(START + SECOND);
        times.taken();
        assertThat(times.next()).isEqualTo(START + 3 * SECOND);
        times.taken();
        assertThat(times.next()).isEqualTo(Long.MAX_VALUE);
    }
}
