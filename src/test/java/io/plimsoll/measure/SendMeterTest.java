package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Counts of sent records and of send delays. */
class SendMeterTest {
    private static final long MILLI = 1_000_000;

    private Snapshot last;

    private static SendMeter meter(boolean closedLoop, boolean shared) {
        SendMeter meter = SendMeter.of(closedLoop, shared);
        meter.start(new TrialClock(0, 100 * MILLI, 200 * MILLI, 0));
        return meter;
    }

    private Counts read(SendMeter meter) {
        return read(meter, 0);
    }

    private Counts read(SendMeter meter, long nowNanos) {
        last = MeterCounts.of(nowNanos, meter);
        return last.measured();
    }

    @Test
    void sendDelayIsTimeFromDueToSent() {
        SendMeter meter = meter(false, false);
        meter.sent(90 * MILLI, 120 * MILLI, 1);
        meter.sent(110 * MILLI, 113 * MILLI, 1);
        Counts counts = read(meter);
        assertThat(counts.get(Produced.SENT)).isEqualTo(1);
        assertThat(counts.get(Produced.SEND_DELAY).maxMicros()).isBetween(2_995L, 3_005L);
        assertThat(last.warmup().get(Produced.SENT)).isEqualTo(1);
        assertThat(read(meter).get(Produced.SENT)).isZero();
    }

    @Test
    void wakeUpIsLateBeyondOneMillisecond() {
        SendMeter meter = meter(false, false);
        meter.tick(0);
        meter.tick(SendMeter.LATE_NANOS);
        meter.tick(SendMeter.LATE_NANOS + 1);
        read(meter);
        assertThat(last.whole().get(GeneratorUse.TICKS)).isEqualTo(3);
        assertThat(last.whole().get(GeneratorUse.LATE_TICKS)).isEqualTo(1);
        read(meter);
        assertThat(last.whole().get(GeneratorUse.TICKS)).isZero();
    }

    /** After its end the client reports the whole wait; the part already counted is not counted twice. */
    @Test
    void ongoingWaitCountsUpToNow() {
        SendMeter meter = meter(false, false);
        meter.handing(110 * MILLI);
        read(meter, 140 * MILLI);
        assertThat(last.whole().get(WireUse.HELD_NANOS)).isEqualTo(30 * MILLI);
        read(meter, 150 * MILLI);
        assertThat(last.whole().get(WireUse.HELD_NANOS)).isEqualTo(10 * MILLI);
        meter.handed();
        read(meter, 170 * MILLI);
        assertThat(last.whole().get(WireUse.HELD_NANOS)).isEqualTo(-40 * MILLI);
        read(meter, 180 * MILLI);
        assertThat(last.whole().get(WireUse.HELD_NANOS)).isZero();
    }

    @Test
    void closedLoopHasNoSendDelay() {
        SendMeter meter = meter(true, false);
        meter.sent(110 * MILLI, 150 * MILLI, 1);
        meter.sent(150 * MILLI, 150 * MILLI, 9);
        assertThat(read(meter).get(Produced.SENT)).isEqualTo(10);
        assertThat(last.measured().get(Produced.SEND_DELAY).isEmpty()).isTrue();
    }

    @Test
    void sharedMeterLosesNothingAcrossThreads() throws InterruptedException {
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
                        meter.sent(150 * MILLI, 150 * MILLI, 2);
                    } else {
                        meter.sent(150 * MILLI, 150 * MILLI, 1);
                    }
                    meter.tick(0);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(read(meter).get(Produced.SENT)).isEqualTo(3L * each);
        assertThat(last.whole().get(GeneratorUse.TICKS)).isEqualTo(2L * each);
    }
}
