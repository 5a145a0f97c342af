package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The drain time of a backlog is found in the seconds of a trial. */
class BacklogFoldTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int RECORD_BYTES = 100;

    private final BacklogFold fold = new BacklogFold(Map.of("late", List.of("events")), false);
    /** Of a label that only the first of these groups has. */
    private final BacklogFold labeled =
            new BacklogFold(Map.of("late", List.of("events"), "other", List.of("others")), true);

    private final BacklogFold otherLabel = new BacklogFold(Map.of("other", List.of("others")), true);
    private long sequence;

    private void second(long produced, long responseMicros, long read, long lag) {
        Counts measured = Counts.Sum.overTime()
                .add(Produced.DUE, produced)
                .add(Produced.SENT, produced)
                .add(Produced.ACKNOWLEDGED, produced)
                .add(Produced.RESPONSE_TIME, Timelines.latencies(produced, responseMicros))
                .add(Consumed.RECORDS, read)
                .add(Consumed.GROUP_RECORDS, "late", read)
                .add(Consumed.GROUP_BYTES, "late", read * RECORD_BYTES)
                .total();
        Counts whole = Counts.Sum.overTime()
                .add(Consumed.LAG, "late", lag)
                .add(Consumed.BY_PARTITION, "events-0", read)
                .total();
        Snapshot snapshot = new Snapshot(
                "local",
                "one",
                sequence,
                Phase.MEASURE,
                sequence * SECOND,
                ++sequence * SECOND,
                null,
                null,
                Counts.NONE,
                measured,
                whole,
                Busiest.NONE,
                List.of(),
                List.of());
        for (BacklogFold each : List.of(fold, labeled, otherLabel)) {
            each.accept(snapshot, Map.of("events-0", produced, "others-0", 3 * produced));
        }
    }

    /** 1,000/s for 10.5 s, then read at 3,000/s: 10,500 records shrink by 2,000 per second to 1,000. */
    @Test
    void measuresBacklogAndItsDrain() {
        long lag = 0;
        for (int i = 0; i < 10; i++) {
            second(1000, 2000, 0, lag += 1000);
        }
        second(1000, 8000, 1500, lag += 1000 - 1500);
        for (int i = 0; i < 4; i++) {
            second(1000, 8000, 3000, lag -= 2000);
        }
        second(1000, 8000, 2500, 0);
        for (int i = 0; i < 3; i++) {
            second(1000, 2000, 1000, 0);
        }
        Backlog backlog = fold.result(10.5);
        assertThat(backlog.records()).isEqualTo(10_500);
        assertThat(backlog.drained()).isTrue();
        assertThat(backlog.drainSeconds()).isCloseTo(4.75, within(0.26));
        assertThat(backlog.recordsPerSecond()).isCloseTo(16_000 / 5.5, within(1.0));
        assertThat(backlog.bytesPerSecond()).isCloseTo(1_600_000 / 5.5, within(100.0));
        assertThat(backlog.responseP99Before()).isCloseTo(2000L, within(5L));
        assertThat(backlog.responseP99During()).isCloseTo(8000L, within(10L));
        assertThat(labeled.result(10.5)).isEqualTo(backlog);
        assertThat(otherLabel.result(10.5)).isNull();
    }

    @Test
    void reportsUndrainedBacklog() {
        for (int i = 0; i < 5; i++) {
            second(1000, 2000, 0, 1000L * (i + 1));
        }
        for (int i = 0; i < 5; i++) {
            second(1000, 2000, 1000, 5000);
        }
        Backlog backlog = fold.result(5.0);
        assertThat(backlog.drained()).isFalse();
        assertThat(backlog.drainSeconds()).isEqualTo(5);
        assertThat(backlog.recordsPerSecond()).isCloseTo(1000, within(1.0));
    }

    @Test
    void isAbsentIfNoGroupWasHeldBack() {
        second(1000, 2000, 1000, 0);
        assertThat(fold.result(null)).isNull();
        assertThat(new BacklogFold(Map.of(), false).result(1.0)).isNull();
    }
}
