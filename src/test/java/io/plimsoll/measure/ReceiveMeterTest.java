package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
