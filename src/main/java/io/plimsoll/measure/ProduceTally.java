package io.plimsoll.measure;

import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * Adds up the meters of one worker's producers and yields what is new since the last reading. Owned by the thread that
 * makes snapshots.
 */
public final class ProduceTally {

    static final class Sums {
        long sent;
        long acknowledged;
        long acknowledgedBytes;
        long arrived;
        long arrivedBytes;
        long unacknowledged;
        long unsent;
        long due;
        Map<String, Long> errors = Map.of();
        Map<String, Long> events = Map.of();
        final Histogram response;
        final Histogram service;
        final Histogram delay;

        Sums() {
            response = Latencies.newHistogram();
            service = Latencies.newHistogram();
            delay = Latencies.newHistogram();
        }

        /** Histograms are large: those of the interval before are used again. */
        Sums(Sums before) {
            response = emptied(before.response);
            service = emptied(before.service);
            delay = emptied(before.delay);
        }

        private static Histogram emptied(Histogram used) {
            if (used.getTotalCount() > 0) {
                used.reset();
            }
            return used;
        }
    }

    private final Sums[] current = {new Sums(), new Sums()};
    private final long[] dueBefore = new long[2];
    long ticks;
    long lateTicks;
    long heldNanos;

    Sums window(boolean measured) {
        return current[measured ? 1 : 0];
    }

    /**
     * Reads all meters.
     *
     * @param nowNanos now, in nanoTime
     * @param due records due since the trial's start: 0 gives those of the warm-up, 1 those of the measured window; a
     *     negative answer means a closed loop, where due is what was sent
     */
    public void read(long nowNanos, List<AckMeter> acks, List<SendMeter> sends, LongUnaryOperator due) {
        current[0] = new Sums(current[0]);
        current[1] = new Sums(current[1]);
        ticks = 0;
        lateTicks = 0;
        heldNanos = 0;
        acks.forEach(meter -> meter.drainInto(this));
        sends.forEach(meter -> meter.drainInto(this, nowNanos));
        boolean closedLoop = acks.stream().anyMatch(AckMeter::closedLoop);
        for (int w = 0; w < 2; w++) {
            Sums sums = current[w];
            long asked = due.applyAsLong(w);
            sums.due = asked < 0 ? sums.sent + sums.unsent : asked - dueBefore[w];
            dueBefore[w] = Math.max(0, asked);
            if (closedLoop) {
                sums.service.add(sums.response);
            }
        }
    }

    /** Says what happened between the last two readings. */
    public ProduceCounts counts(boolean measured) {
        Sums now = window(measured);
        return new ProduceCounts(
                now.due,
                now.sent,
                new ProduceCounts.Volume(now.acknowledged, now.acknowledgedBytes, now.arrived, now.arrivedBytes),
                now.unacknowledged,
                now.unsent,
                now.errors,
                now.events,
                new ProduceCounts.Times(
                        Latencies.of(now.response), Latencies.of(now.service), Latencies.of(now.delay)));
    }

    /** @param spunNanos which no meter counts */
    public GeneratorSample.WakeUps wakeUpsOfInterval(long spunNanos) {
        return new GeneratorSample.WakeUps(ticks, lateTicks, spunNanos);
    }

    public long heldNanosOfInterval() {
        return heldNanos;
    }
}
