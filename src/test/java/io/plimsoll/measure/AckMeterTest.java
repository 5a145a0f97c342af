package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** An acknowledgment counts in the right window and partition, with its bytes and waiting time. */
class AckMeterTest {
    private static final long MILLI = 1_000_000;
    private static final TrialClock CLOCK = new TrialClock(0, 100 * MILLI, 200 * MILLI, 0);

    private Snapshot last;

    private static AckMeter meter(boolean closedLoop, boolean shared) {
        AckMeter meter = AckMeter.of(new int[] {2}, closedLoop, shared);
        meter.start(CLOCK);
        return meter;
    }

    private Counts measured(AckMeter... meters) {
        last = MeterCounts.of(meters);
        return last.measured();
    }

    @Test
    void countsLatencyByDueTimeAndThroughputByArrival() {
        AckMeter meter = meter(false, false);
        meter.acknowledged(new Acknowledgment().at(0, 0, -1, 110 * MILLI), 90 * MILLI, 95 * MILLI, 1, 10);
        meter.acknowledged(new Acknowledgment().at(0, 1, -1, 250 * MILLI), 190 * MILLI, 192 * MILLI, 1, 20);
        Counts counts = measured(meter);
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isEqualTo(1);
        assertThat(counts.get(Produced.ACKNOWLEDGED_BYTES)).isEqualTo(20);
        assertThat(counts.get(Produced.ARRIVED)).isEqualTo(1);
        assertThat(counts.get(Produced.ARRIVED_BYTES)).isEqualTo(10);
        assertThat(counts.get(Produced.RESPONSE_TIME).maxMicros()).isBetween(60_000L, 60_050L);
        assertThat(counts.get(Produced.SERVICE_TIME).maxMicros()).isBetween(58_000L, 58_050L);
        assertThat(last.warmup().get(Produced.ACKNOWLEDGED)).isEqualTo(1);
        assertThat(last.warmup().get(Produced.RESPONSE_TIME).maxMicros()).isBetween(20_000L, 20_020L);
        assertThat(meter.lastAckNanos()).isEqualTo(250 * MILLI);
    }

    /** A backlog of the warm-up is acknowledged in the measured window, later than any record of the window. */
    @Test
    void keepsSlowestOfTheWindowDespiteSlowerBacklog() {
        AckMeter meter = meter(false, false);
        for (int i = 0; i <= SlowTail.MOST; i++) {
            long now = (200 + i) * MILLI;
            meter.acknowledged(new Acknowledgment().at(0, 0, i, now), i * MILLI, i * MILLI, 1, 10);
        }
        meter.acknowledged(new Acknowledgment().at(0, 1, 7, 250 * MILLI), 110 * MILLI, 110 * MILLI, 1, 10);
        long[] due = {90 * MILLI, 120 * MILLI, 130 * MILLI};
        meter.acknowledged(new Acknowledgment().at(0, 1, 8, 251 * MILLI), due, due, due.length, 30);
        assertThat(meter.takeSlow("p", topic -> "t"))
                .extracting(batch -> batch.offset() + " " + batch.records() + " " + batch.fromNanos() / MILLI)
                .containsExactly("7 1 110", "9 2 120");
    }

    @Test
    void countsPartitionsAddedMidRun() {
        AckMeter meter = meter(false, false);
        assertThat(meter.partitionsOf(0)).isEqualTo(2);
        meter.acknowledged(new Acknowledgment().at(0, 1, -1, 110 * MILLI), 105 * MILLI, 105 * MILLI, 1, 10);
        meter.acknowledged(new Acknowledgment().at(0, 7, -1, 120 * MILLI), 110 * MILLI, 110 * MILLI, 1, 10);
        meter.acknowledged(new Acknowledgment().at(0, 7, -1, 130 * MILLI), 120 * MILLI, 120 * MILLI, 1, 10);
        assertThat(meter.acknowledgedTotal()).isEqualTo(3);
        assertThat(meter.partitionsOf(0)).isEqualTo(8);
        assertThat(meter.acknowledgedOf(0, 1)).isEqualTo(1);
        assertThat(meter.acknowledgedOf(0, 7)).isEqualTo(2);
        assertThat(meter.acknowledgedOf(0, 8)).isZero();
    }

    @Test
    void batchCountsLikeItsSingleRecords() {
        AckMeter single = meter(false, false);
        AckMeter batch = meter(false, false);
        long[] due = {90 * MILLI, 110 * MILLI, 130 * MILLI, 150 * MILLI};
        long[] handed = {91 * MILLI, 112 * MILLI, 133 * MILLI, 154 * MILLI};
        for (int i = 0; i < due.length; i++) {
            single.acknowledged(new Acknowledgment().at(0, 1, -1, 160 * MILLI), due[i], handed[i], 1, 10);
        }
        batch.acknowledged(new Acknowledgment().at(0, 1, -1, 160 * MILLI), due, handed, due.length, 40L);
        Counts one = measured(single);
        Snapshot other = MeterCounts.of(batch);
        assertThat(other.measured()).isEqualTo(one);
        assertThat(other.warmup()).isEqualTo(last.warmup());
        assertThat(batch.acknowledgedOf(0, 1))
                .isEqualTo(single.acknowledgedOf(0, 1))
                .isEqualTo(4);
    }

    @Test
    void chargesUnansweredRecordsOnceWithTheirWait() {
        AckMeter meter = meter(false, false);
        meter.abandoned(150 * MILLI, 190 * MILLI);
        meter.unsent(180 * MILLI, 190 * MILLI);
        meter.failed(120 * MILLI, "timedOut");
        Counts first = measured(meter);
        assertThat(first.get(Produced.UNACKNOWLEDGED)).isEqualTo(1);
        assertThat(first.get(Produced.UNSENT)).isEqualTo(1);
        assertThat(first.get(Produced.ERRORS)).containsEntry("timedOut", 1L);
        assertThat(first.get(Produced.RESPONSE_TIME).count()).isEqualTo(2);
        assertThat(first.get(Produced.RESPONSE_TIME).maxMicros()).isBetween(40_000L, 40_050L);
        assertThat(first.get(Produced.SERVICE_TIME).isEmpty()).isTrue();
        Counts second = measured(meter);
        assertThat(second.get(Produced.UNACKNOWLEDGED) + second.get(Produced.UNSENT))
                .isZero();
        assertThat(second.get(Produced.RESPONSE_TIME).isEmpty()).isTrue();
        assertThat(second.get(Produced.ERRORS)).isEmpty();
    }

    @Test
    void readingHasOnlyCountsSinceTheLastOne() {
        AckMeter meter = meter(true, false);
        meter.acknowledged(new Acknowledgment().at(0, 0, -1, 120 * MILLI), 110 * MILLI, 110 * MILLI, 3, 30);
        assertThat(measured(meter).get(Produced.ACKNOWLEDGED)).isEqualTo(3);
        meter.acknowledged(new Acknowledgment().at(0, 0, -1, 170 * MILLI), 130 * MILLI, 130 * MILLI, 5, 50);
        Counts second = measured(meter);
        assertThat(second.get(Produced.ACKNOWLEDGED)).isEqualTo(5);
        assertThat(second.get(Produced.ACKNOWLEDGED_BYTES)).isEqualTo(50);
        assertThat(second.get(Produced.RESPONSE_TIME).count()).isEqualTo(5);
        assertThat(second.get(Produced.RESPONSE_TIME).minMicros()).isBetween(39_950L, 40_050L);
        // In a closed loop a record is due when it is sent.
        assertThat(second.get(Produced.SERVICE_TIME)).isEqualTo(second.get(Produced.RESPONSE_TIME));
    }

    @Test
    void sharedMeterLosesNothingUnderConcurrency() throws InterruptedException {
        AckMeter meter = meter(false, true);
        int each = 3_000_000;
        CountDownLatch together = new CountDownLatch(3);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            int kind = t;
            threads.add(new Thread(() -> {
                together.countDown();
                while (together.getCount() > 0) {
                    Thread.onSpinWait();
                }
                long[] times = {110 * MILLI};
                for (int i = 0; i < each; i++) {
                    switch (kind) {
                        case 0 ->
                            meter.acknowledged(
                                    new Acknowledgment().at(0, 0, -1, 120 * MILLI), 110 * MILLI, 110 * MILLI, 1, 1);
                        case 1 ->
                            meter.acknowledged(new Acknowledgment().at(0, 0, -1, 120 * MILLI), times, times, 1, 1L);
                        default ->
                            meter.acknowledged(
                                    new Acknowledgment().at(0, 0, -1, 120 * MILLI), 110 * MILLI, 110 * MILLI, 1, 1);
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Counts counts = measured(meter);
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isEqualTo(3L * each);
        assertThat(counts.get(Produced.RESPONSE_TIME).count()).isEqualTo(3L * each);
        assertThat(meter.acknowledgedOf(0, 0)).isEqualTo(3L * each);
    }
}
