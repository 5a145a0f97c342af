package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Guards what a sending thread is said to have sent, and how late. */
class SendMeterTest {
    private static final long MILLI = 1_000_000;

    private final ProduceTally tally = new ProduceTally();

    private static SendMeter meter(boolean closedLoop, boolean shared) {
        SendMeter meter = SendMeter.of(closedLoop, shared);
        meter.start(new TrialClock(0, 100 * MILLI, 200 * MILLI, 0));
        return meter;
    }

    private ProduceCounts read(SendMeter meter) {
        return read(meter, 0);
    }

    private ProduceCounts read(SendMeter meter, long nowNanos) {
        tally.read(nowNanos, List.of(), List.of(meter), window -> -1);
        return tally.counts(true);
    }

    @Test
    void aRecordIsLateByWhatLiesBetweenItsTimeAndItsSending() {
        SendMeter meter = meter(false, false);
        meter.sent(90 * MILLI, 120 * MILLI);
        meter.sent(110 * MILLI, 113 * MILLI);
        ProduceCounts counts = read(meter);
        assertThat(counts.sent()).isEqualTo(1);
        assertThat(counts.times().sendDelay().maxMicros()).isBetween(2_995L, 3_005L);
        assertThat(tally.counts(false).sent()).isEqualTo(1);
        assertThat(read(meter).sent()).isZero();
    }

    @Test
    void aWakeUpIsLateFromAMillisecondOn() {
        SendMeter meter = meter(false, false);
        meter.tick(0);
        meter.tick(SendMeter.LATE_NANOS);
        meter.tick(SendMeter.LATE_NANOS + 1);
        read(meter);
        assertThat(tally.wakeUpsOfInterval(0).ticks()).isEqualTo(3);
        assertThat(tally.wakeUpsOfInterval(0).lateTicks()).isEqualTo(1);
        read(meter);
        assertThat(tally.wakeUpsOfInterval(0).ticks()).isZero();
    }

    /** When it has ended the client says how long it was: what it came to so far is not counted twice. */
    @Test
    void aWaitThatGoesOnCountsAsFarAsItHasCome() {
        SendMeter meter = meter(false, false);
        meter.handing(110 * MILLI);
        read(meter, 140 * MILLI);
        assertThat(tally.heldNanosOfInterval()).isEqualTo(30 * MILLI);
        read(meter, 150 * MILLI);
        assertThat(tally.heldNanosOfInterval()).isEqualTo(10 * MILLI);
        meter.handed();
        read(meter, 170 * MILLI);
        assertThat(tally.heldNanosOfInterval()).isEqualTo(-40 * MILLI);
        read(meter, 180 * MILLI);
        assertThat(tally.heldNanosOfInterval()).isZero();
    }

    @Test
    void aClosedLoopHasNoDelay() {
        SendMeter meter = meter(true, false);
        meter.sent(110 * MILLI, 150 * MILLI);
        meter.sentAtOnce(9, 150 * MILLI);
        assertThat(read(meter).sent()).isEqualTo(10);
        assertThat(tally.counts(true).times().sendDelay().isEmpty()).isTrue();
    }

    @Test
    void severalThreadsLoseNothingInASharedMeter() throws InterruptedException {
        SendMeter meter = meter(true, true);
        int each = 3_000_000;
        CountDownLatch together = new CountDownLatch(2);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            boolean atOnce = t == 0;
            threads.add(new Thread(() -> {
                together.countDown();
                while (together.getCount() > 0) {
                    Thread.onSpinWait();
                }
                for (int i = 0; i < each; i++) {
                    if (atOnce) {
                        meter.sentAtOnce(2, 150 * MILLI);
                    } else {
                        meter.sent(150 * MILLI, 150 * MILLI);
                    }
                    meter.tick(0);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(read(meter).sent()).isEqualTo(3L * each);
        assertThat(tally.wakeUpsOfInterval(0).ticks()).isEqualTo(2L * each);
    }
}
