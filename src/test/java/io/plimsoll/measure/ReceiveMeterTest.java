package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Guards what a member of a group is said to have received. */
class ReceiveMeterTest {
    private static final long MILLI = 1_000_000;

    private final ConsumeTally tally = new ConsumeTally();
    private final ReceiveMeter one = ReceiveMeter.of("a", false);
    private final ReceiveMeter two = ReceiveMeter.of("a", false);

    private ConsumeCounts read() {
        tally.read(List.of(one, two));
        return tally.counts(true);
    }

    @Test
    void membersOfAGroupAddUpAndAReadingHasWhatIsNew() {
        one.received(10, 1000, true, true, 5);
        two.received(20, 2000, true, false, 6);
        two.committed(1);
        two.rebalanced();
        one.failed("timedOut");
        ConsumeCounts counts = read();
        assertThat(counts.records()).isEqualTo(30);
        assertThat(counts.bytes()).isEqualTo(3000);
        assertThat(counts.arrived()).isEqualTo(10);
        assertThat(counts.arrivedBytes()).isEqualTo(1000);
        assertThat(counts.errors()).containsEntry("timedOut", 1L);
        assertThat(counts.groups()).containsEntry("a", new ConsumeCounts.Group(30, 3000, 1, 1));
        one.received(1, 100, false, false, 7);
        ConsumeCounts second = read();
        assertThat(second.records()).isZero();
        assertThat(second.errors()).isEmpty();
        assertThat(tally.counts(false).records()).isEqualTo(1);
        assertThat(one.lastRecordNanos()).isEqualTo(7);
    }

    @Test
    void eachErrorAndEventHasTheWindowInWhichItHappened() {
        boolean[] now = {false, false};
        one.windows(new ReceiveMeter.Now() {
            @Override
            public boolean measured() {
                return now[0];
            }

            @Override
            public boolean inWindow() {
                return now[1];
            }
        });
        one.failed("timeout");
        one.count("deliveries", 100);
        one.endToEnd(false, -1, 1);
        now[0] = true;
        now[1] = true;
        one.count("deliveries", 20);
        one.endToEnd(true, -1, 2);
        now[1] = false;
        one.failed("timeout");
        one.count("deliveries", 3);
        ConsumeCounts measured = read();
        ConsumeCounts warmup = tally.counts(false);
        assertThat(measured.errors()).isEqualTo(Map.of("timeout", 1L)).isEqualTo(warmup.errors());
        assertThat(measured.events()).isEqualTo(Map.of("deliveries", 23L));
        assertThat(measured.eventsInTime().events()).isEqualTo(Map.of("deliveries", 20L));
        assertThat(warmup.events()).isEqualTo(Map.of("deliveries", 100L));
        assertThat(measured.times().negativeEndToEnd()).isEqualTo(2);
        assertThat(warmup.times().negativeEndToEnd()).isEqualTo(1);
    }

    @Test
    void fromAppendHasBothEndsOfTheWindow() {
        TrialClock clock = new TrialClock(0, 1_000 * MILLI, 2_000 * MILLI, 0);
        for (long millis : new long[] {999, 1_000, 1_999, 2_000, 2_500}) {
            one.fromAppend(clock, millis, 3_000 * MILLI, 1);
        }
        ConsumeCounts.Times times = read().times();
        assertThat(times.endToEndFromAppend().count()).isEqualTo(2);
        assertThat(times.endToEndFromAppend().minMicros()).isBetween(1_000_500L, 1_001_500L);
        assertThat(tally.counts(false).times().endToEndFromAppend().count()).isEqualTo(1);
    }

    @Test
    void whatNeverCameCountsWithTheTimeThatItWaited() {
        TrialClock clock = new TrialClock(0, 1_000 * MILLI, 2_000 * MILLI, 0);
        one.endToEnd(clock, 1_100 * MILLI, false, 1_110 * MILLI, 1);
        one.neverReceived(clock, 1_500 * MILLI, 31_500 * MILLI, 3);
        one.neverReceived(clock, 500 * MILLI, 31_500 * MILLI, 5);
        ConsumeCounts.Times times = read().times();
        assertThat(times.neverReceived()).isEqualTo(3);
        assertThat(times.endToEnd().count()).isEqualTo(4);
        assertThat(times.endToEnd().percentileMicros(50)).isBetween(29_900_000L, 30_100_000L);
        assertThat(tally.counts(false).times().neverReceived()).isEqualTo(5);
    }

    @Test
    void aRecordThatCameBeforeItWasDueIsAFaultOfClocksAndNoLatency() {
        one.endToEnd(true, 5 * MILLI, 1);
        one.endToEnd(true, 0, 1);
        one.endToEnd(true, -1, 1);
        one.endToEnd(true, -2 * MILLI, 3);
        ConsumeCounts counts = read();
        assertThat(counts.times().negativeEndToEnd()).isEqualTo(4);
        assertThat(counts.endToEnd().count()).isEqualTo(2);
        assertThat(counts.endToEnd().maxMicros()).isBetween(4_995L, 5_005L);
    }
}
