package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** A latency recorder counts like a histogram while another thread reads it. */
class LatencyRecorderTest {

    @Property
    void matchesHdrHistogram(
            @ForAll @Size(min = 1, max = 50) long[] exponents, @ForAll @LongRange(min = 0, max = 1) long mode) {
        LatencyRecorder recorder = new LatencyRecorder();
        Histogram expected = new Histogram(Latencies.DIGITS);
        for (long seed : exponents) {
            // Any order of magnitude up to centuries.
            long nanos = mode == 0 ? (seed >>> 1) >>> (int) (seed & 62) : Math.floorMod(seed, 10_000_000L);
            nanos = Math.min(nanos, Long.MAX_VALUE - 1000);
            recorder.recordNanos(nanos);
            expected.recordValue(Math.max(1, (nanos + 500) / 1000));
        }
        assertThat(recorder.drain()).isEqualTo(Latencies.of(expected));
    }

    @Test
    void drainsOnlyNewValues() {
        LatencyRecorder recorder = new LatencyRecorder();
        recorder.recordNanos(5_000_000);
        recorder.drain();
        recorder.recordNanos(7_000_000);
        recorder.recordNanos(7_000_000);

        Latencies second = recorder.drain();

        assertThat(second.count()).isEqualTo(2);
        assertThat(second.minMicros()).isGreaterThan(6_900);
    }

    @Test
    void losesNoValuesDuringConcurrentReads() throws InterruptedException {
        LatencyRecorder recorder = new LatencyRecorder();
        AtomicBoolean done = new AtomicBoolean();
        int values = 2_000_000;
        Thread writer = new Thread(() -> {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < values; i++) {
                // An occasional value that makes the recorder grow during a reading.
                recorder.recordNanos(
                        i % 500_000 == 250_000 ? 1L << (55 + i / 500_000) : random.nextLong(1_000_000_000));
            }
            done.set(true);
        });
        Latencies sum = Latencies.EMPTY;
        writer.start();
        while (!done.get()) {
            sum = sum.plus(recorder.drain());
        }
        writer.join();
        assertThat(sum.plus(recorder.drain()).count()).isEqualTo(values);
    }
}
