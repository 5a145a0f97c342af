package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.watch.WatchedPartitions.InFlightReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guards that acknowledged records that are never read count against the end-to-end signal, once, in virtual time. */
class InFlightReadsTest {
    private long now = Duration.ofDays(1).toNanos();
    private final WatchClock clock = new WatchClock(Duration.ofHours(1).toNanos(), () -> now, () -> 0);
    private final Ledger ledger = new Ledger(clock, Duration.ofSeconds(1), Duration.ofMillis(400), outage -> {});
    private final InFlightReads records = new InFlightReads(ledger);

    private void pass(Duration time) {
        now += time.toNanos();
        records.expire();
    }

    /** Successes and failures of broker 1. */
    private List<Long> counted() {
        List<Long> counts = new ArrayList<>();
        ledger.minutes().stream()
                .filter(m -> m.signal() == Signal.END_TO_END && m.broker() == 1)
                .forEach(m -> counts.addAll(List.of(m.good(), m.bad())));
        return List.of(counts.get(0) + counts.get(2), counts.get(1) + counts.get(3));
    }

    @Test
    void unreadRecordCountsOnceAsFailure() {
        records.begin(1, 1, true);
        pass(InFlightReads.LONGEST);
        assertThat(records.isEmpty()).isFalse();
        pass(Duration.ofMillis(1));
        assertThat(records.isEmpty()).isTrue();
        records.read(1);
        assertThat(counted()).containsExactly(0L, 1L);
    }

    /** A leadership move waits for a record outside the statistics, which is in flight like any other record. */
    @Test
    void awaitsUncountedRecordsToo() {
        records.begin(1, 1, false);
        pass(Duration.ofSeconds(5));
        assertThat(records.isEmpty()).isFalse();
        pass(InFlightReads.LONGEST);
        assertThat(records.isEmpty()).isTrue();
        assertThat(ledger.minutes()).isEmpty();
    }

    @Test
    void timelyReadsSucceedAndUnacknowledgedRecordsFail() {
        records.begin(1, 1, true);
        records.begin(2, 1, true);
        records.begin(3, 1, false);
        records.read(1);
        records.fail(2);
        pass(InFlightReads.LONGEST.plusMillis(1));
        assertThat(counted()).containsExactly(1L, 1L);
        assertThat(records.isEmpty()).isTrue();
    }
}
