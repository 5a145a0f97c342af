package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.SlowBatch.Stage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Counts of the records received by a group member. */
class ReceiveMeterTest {
    private static final long MILLI = 1_000_000;

    private Snapshot last;
    private final ReceiveMeter one = ReceiveMeter.of("a", false);
    private final ReceiveMeter two = ReceiveMeter.of("a", false);

    private Counts read() {
        last = MeterCounts.of(one, two);
        return last.measured();
    }

    @Test
    void sumsGroupMembersAndReportsOnlyNewCounts() {
        one.received(10, 1000, true, true, 5);
        two.received(20, 2000, true, false, 6);
        two.committed(1);
        two.rebalanced();
        one.failed("timedOut");
        Counts counts = read();
        assertThat(counts.get(Consumed.RECORDS)).isEqualTo(30);
        assertThat(counts.get(Consumed.BYTES)).isEqualTo(3000);
        assertThat(counts.get(Consumed.ARRIVED)).isEqualTo(10);
        assertThat(counts.get(Consumed.ARRIVED_BYTES)).isEqualTo(1000);
        assertThat(counts.get(Consumed.ERRORS)).containsEntry("timedOut", 1L);
        assertThat(counts.get(Consumed.GROUP_RECORDS)).containsEntry("a", 30L);
        assertThat(counts.get(Consumed.GROUP_BYTES)).containsEntry("a", 3000L);
        assertThat(counts.get(Consumed.GROUP_COMMITS)).containsEntry("a", 1L);
        assertThat(counts.get(Consumed.GROUP_REBALANCES)).containsEntry("a", 1L);
        one.received(1, 100, false, false, 7);
        Counts second = read();
        assertThat(second.get(Consumed.RECORDS)).isZero();
        assertThat(second.get(Consumed.ERRORS)).isEmpty();
        assertThat(last.warmup().get(Consumed.RECORDS)).isEqualTo(1);
        assertThat(one.lastRecordNanos()).isEqualTo(7);
    }

    @Test
    void assignsErrorsAndEventsToTheirWindow() {
        boolean[] now = {false, false};
        one.windows(new ReceiveMeter.Now(() -> now[0], () -> now[1]));
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
        Counts measured = read();
        Counts warmup = last.warmup();
        assertThat(measured.get(Consumed.ERRORS))
                .isEqualTo(Map.of("timeout", 1L))
                .isEqualTo(warmup.get(Consumed.ERRORS));
        assertThat(measured.get(Consumed.EVENTS)).isEqualTo(Map.of("deliveries", 23L));
        assertThat(measured.get(Consumed.ARRIVED_EVENTS)).isEqualTo(Map.of("deliveries", 20L));
        assertThat(warmup.get(Consumed.EVENTS)).isEqualTo(Map.of("deliveries", 100L));
        assertThat(measured.get(Consumed.NEGATIVE_END_TO_END)).isEqualTo(2);
        assertThat(warmup.get(Consumed.NEGATIVE_END_TO_END)).isEqualTo(1);
    }

    @Test
    void latencyFromAppendRespectsBothWindowBounds() {
        TrialClock clock = new TrialClock(0, 1_000 * MILLI, 2_000 * MILLI, 0);
        for (long millis : new long[] {999, 1_000, 1_999, 2_000, 2_500}) {
            one.fromAppend(clock, millis, 3_000 * MILLI, 1);
        }
        Counts times = read();
        assertThat(times.get(Consumed.END_TO_END_FROM_APPEND).count()).isEqualTo(2);
        assertThat(times.get(Consumed.END_TO_END_FROM_APPEND).minMicros()).isBetween(1_000_500L, 1_001_500L);
        assertThat(last.warmup().get(Consumed.END_TO_END_FROM_APPEND).count()).isEqualTo(1);
    }

    @Test
    void countsMissingRecordsWithTheirWaitingTime() {
        TrialClock clock = new TrialClock(0, 1_000 * MILLI, 2_000 * MILLI, 0);
        one.endToEnd(clock, 1_100 * MILLI, false, 1_110 * MILLI, 1);
        one.neverReceived(clock, 1_500 * MILLI, 31_500 * MILLI, 3);
        one.neverReceived(clock, 500 * MILLI, 31_500 * MILLI, 5);
        Counts times = read();
        assertThat(times.get(Consumed.NEVER_RECEIVED)).isEqualTo(3);
        assertThat(times.get(Consumed.END_TO_END).count()).isEqualTo(4);
        assertThat(times.get(Consumed.END_TO_END).percentileMicros(50)).isBetween(29_900_000L, 30_100_000L);
        assertThat(last.warmup().get(Consumed.NEVER_RECEIVED)).isEqualTo(5);
    }

    @Test
    void earlyRecordCountsAsClockErrorNotLatency() {
        one.endToEnd(true, 5 * MILLI, 1);
        one.endToEnd(true, 0, 1);
        one.endToEnd(true, -1, 1);
        one.endToEnd(true, -2 * MILLI, 3);
        Counts counts = read();
        assertThat(counts.get(Consumed.NEGATIVE_END_TO_END)).isEqualTo(4);
        assertThat(counts.get(Consumed.END_TO_END).count()).isEqualTo(2);
        assertThat(counts.get(Consumed.END_TO_END).maxMicros()).isBetween(4_995L, 5_005L);
    }

    private static final long START = 50_000 * MILLI;
    private static final long EPOCH = 7_000_000 * MILLI;

    private final TrialClock clock = new TrialClock(START, START, 100_000 * MILLI, EPOCH);
    private final ClientEvents events = new ClientEvents();
    private final Polls polls = new Polls("a", "a-1", events);

    private void poll(long fromMillis, long toMillis) {
        polls.begun(START + fromMillis * MILLI);
        polls.ended(START + toMillis * MILLI, 100 * MILLI);
    }

    private List<SlowBatch> receive(long dueMillis, long stampMillis, long polledMillis, long doneMillis) {
        long due = EPOCH + START + dueMillis * MILLI;
        long done = START + doneMillis * MILLI;
        if (one.endToEnd(clock, due, false, done, 1)) {
            long stamp = EPOCH + START + stampMillis * MILLI;
            one.slow(polls, clock, "t", 3, 42, 2, due, stamp, START + polledMillis * MILLI, done, 1);
        }
        return one.takeSlow(clock.startNanos());
    }

    @Test
    void splitsSlowRecordLatencyIntoStages() {
        poll(0, 100);
        poll(130, 150);
        poll(400, 420);
        assertThat(receive(110, 115, 420, 450)).singleElement().satisfies(batch -> {
            assertThat(batch.of()).isEqualTo("a");
            assertThat(batch.partition()).isEqualTo("t-3");
            assertThat(batch.offset()).isEqualTo(42);
            assertThat(batch.broker()).isEqualTo(2);
            assertThat(batch.fromNanos()).isEqualTo(110 * MILLI);
            assertThat(batch.stages())
                    .isEqualTo(Map.of(
                            Stage.PRODUCE, 5 * MILLI,
                            Stage.FETCH, (20 + 20) * MILLI,
                            Stage.POLL, (15 + 250) * MILLI,
                            Stage.WORK, 30 * MILLI));
        });
        assertThat(receive(419, 419, 420, 420)).isEmpty();
    }

    /** Without pauses all of the time is the fetch, and a timestamp after the poll is an error of a clock. */
    @Test
    void attributesDelayToFetchIfPollingContinuously() {
        for (int at = 0; at < 600; at += 100) {
            poll(at, at + 100);
        }
        assertThat(receive(20, 0, 600, 600)).singleElement().satisfies(batch -> assertThat(batch.stages())
                .isEqualTo(Map.of(Stage.FETCH, 580 * MILLI)));
        assertThat(receive(20, 700, 600, 600)).singleElement().satisfies(batch -> assertThat(batch.stages())
                .isEqualTo(Map.of(Stage.PRODUCE, 580 * MILLI)));
    }

    /** A poll returns after 100 ms at the latest: in the rest of a longer one, its thread stood still. */
    @Test
    void overlongPollIsAPause() {
        poll(0, 100);
        poll(100, 299);
        assertThat(events.take()).isEmpty();
        poll(299, 1_200);
        assertThat(receive(310, 310, 1_200, 1_200)).singleElement().satisfies(batch -> assertThat(batch.stages())
                .isEqualTo(Map.of(Stage.FETCH, 89 * MILLI, Stage.POLL, 801 * MILLI)));
        assertThat(events.take())
                .containsExactly(new Incident(
                        Incident.Kind.CONSUMER_PAUSE,
                        "group a",
                        START + 399 * MILLI,
                        START + 1_200 * MILLI,
                        100 * MILLI,
                        "a-1"));
    }

    /** Records arrive all the time, so a poll usually returns soon. */
    @Test
    void pauseWithinPollStartsAtUsualReturn() {
        for (int at = 0; at < 2_000; at += 10) {
            poll(at, at + 10);
        }
        poll(2_000, 2_700);
        assertThat(events.take()).singleElement().satisfies(pause -> {
            assertThat(pause.fromNanos() - START).isBetween(2_010 * MILLI, 2_011 * MILLI);
            assertThat(pause.toNanos() - START).isEqualTo(2_700 * MILLI);
        });
    }

    @Test
    void reportsUnusuallyLongPause() {
        poll(0, 10);
        poll(12, 20);
        poll(520, 530);
        assertThat(events.take())
                .containsExactly(new Incident(
                        Incident.Kind.CONSUMER_PAUSE, "group a", START + 20 * MILLI, START + 520 * MILLI, 0, "a-1"));
        for (int at = 1_000; at < 40_000; at += 500) {
            poll(at, at + 10);
        }
        events.take();
        poll(40_500, 40_510);
        assertThat(events.take()).isEmpty();
    }
}
