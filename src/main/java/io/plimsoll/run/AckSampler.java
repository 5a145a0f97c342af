package io.plimsoll.run;

import io.plimsoll.engine.Producers;
import io.plimsoll.measure.AckPulse;
import io.plimsoll.measure.TrialClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Looks every 10 ms how many acknowledgements have come, and tells once a second, in a thread of its own. */
final class AckSampler {
    private static final long LOOK_NANOS = 10_000_000L;
    private static final int LOOKS_PER_BUCKET = 10;
    private static final int BUCKETS_PER_PULSE = 10;

    private final List<Producers> producers;
    private final Consumer<AckPulse> pulses;
    private final TrialClock clock;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = new Thread(this::sample, "plimsoll-acks");

    private long countBefore;
    private long lastAckNanos;
    private long gapFromNanos;
    private long gapToNanos;

    AckSampler(List<Producers> producers, TrialClock clock, Consumer<AckPulse> pulses) {
        this.producers = producers;
        this.clock = clock;
        this.pulses = pulses;
        thread.setDaemon(true);
    }

    void start() {
        lastAckNanos = clock.startNanos();
        thread.start();
    }

    private void sample() {
        List<Long> buckets = new ArrayList<>();
        long from = 0;
        try {
            for (long k = 1; !ended.await(untilLook(k), TimeUnit.NANOSECONDS); k++) {
                look(System.nanoTime());
                if (k % LOOKS_PER_BUCKET == 0) {
                    buckets.add(bucket());
                    if (buckets.size() == BUCKETS_PER_PULSE) {
                        from = tell(buckets, from);
                    }
                }
            }
            look(System.nanoTime());
            buckets.add(bucket());
            tell(buckets, from);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (io.plimsoll.PlimsollException e) {
            // The timeline cannot be written: the next snapshot will say so.
        }
    }

    private long untilLook(long k) {
        return Math.max(0, clock.startNanos() + k * LOOK_NANOS - System.nanoTime());
    }

    /** What came between two looks is told from the last of it alone: the gap before is longer by less than a look. */
    private void look(long now) {
        long last = producers.stream().mapToLong(Producers::lastAckNanos).max().orElse(0);
        if (last - lastAckNanos > 0) {
            gap(last);
            lastAckNanos = last;
        } else {
            gap(now);
        }
    }

    private void gap(long toNanos) {
        if (toNanos - lastAckNanos > gapToNanos - gapFromNanos) {
            gapFromNanos = lastAckNanos;
            gapToNanos = toNanos;
        }
    }

    private long bucket() {
        long count = producers.stream().mapToLong(Producers::acknowledgedTotal).sum();
        long came = count - countBefore;
        countBefore = count;
        return came;
    }

    /** @return where the next pulse begins */
    private long tell(List<Long> buckets, long fromNanos) {
        long start = clock.startNanos();
        AckPulse pulse = new AckPulse(
                fromNanos,
                LOOKS_PER_BUCKET * LOOK_NANOS,
                buckets,
                Math.max(0, gapFromNanos - start),
                Math.max(0, gapToNanos - start));
        pulses.accept(pulse);
        buckets.clear();
        gapFromNanos = 0;
        gapToNanos = 0;
        return pulse.toNanos();
    }

    /** Tells the rest, and returns when that is done. */
    void end() {
        ended.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
