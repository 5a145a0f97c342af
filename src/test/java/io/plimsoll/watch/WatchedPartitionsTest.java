package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Guards that sequences grow from one process to the next, regardless of unsaved state. */
class WatchedPartitionsTest {
    private static final Instant BEGIN = Instant.parse("2026-05-04T12:00:00Z");

    private final Ledger ledger =
            new Ledger(new WatchClock(20_000_000), Duration.ofSeconds(1), Duration.ofMillis(400), outage -> {});

    private WatchedPartitions process(Map<Integer, WatchedPartitions.Saved> saved, Instant start) {
        WatchFiles.Audited none = WatchFiles.Audited.NONE;
        return new WatchedPartitions(
                ledger,
                WatchSamples.moments("watched"),
                new UUID(1, 2),
                new WatchFiles.Audited(none.schema(), new UUID(1, 2), null, none.given(), saved, List.of()),
                start.toEpochMilli());
    }

    private static long next(WatchedPartitions partitions, int number) {
        return partitions.next(partitions.get(number)).sequence();
    }

    @Test
    void sequencesContinueBeyondUnsavedOnes() {
        WatchedPartitions first = process(Map.of(), BEGIN);
        first.add(List.of(0, 1));
        assertThat(next(first, 0)).isLessThan(next(first, 0));
        Map<Integer, WatchedPartitions.Saved> saved = Map.of(0, first.save().get(0));

        // Three days without disk space, with a record per millisecond.
        WatchedPartitions second = process(saved, BEGIN.plus(Duration.ofDays(3)));
        second.add(List.of(0, 1));
        long mostSent = BEGIN.toEpochMilli() + Duration.ofDays(3).toMillis();
        assertThat(next(second, 0)).isGreaterThanOrEqualTo(mostSent);
        assertThat(next(second, 1)).as("of which nothing was kept").isGreaterThanOrEqualTo(mostSent);
    }

    @Test
    void clockSetBackDoesNotResetSequences() {
        WatchedPartitions first = process(Map.of(), BEGIN);
        first.add(List.of(0));
        long last = next(first, 0);
        WatchedPartitions second = process(first.save(), BEGIN.minus(Duration.ofDays(1)));
        assertThat(next(second, 0)).isGreaterThan(last + 50_000);
    }
}
