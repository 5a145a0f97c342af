package io.plimsoll.measure;

import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * Adds up the meters of one worker's producers and yields the difference since the last reading. Owned by the thread
 * that makes snapshots.
 */
public final class ProduceTally {

    /** Sums of one window; counters are totals since the start, histograms and error maps are of the interval. */
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

        /** Histograms are large: those of the interval before are used again. */
        Sums(Sums before) {
            response = emptied(before == null ? null : before.response);
            service = emptied(before == null ? null : before.service);
            delay = emptied(before == null ? null : before.delay);
        }

        private static Histogram emptied(Histogram used) {
            if (used == null) {
                return Latencies.newHistogram();
            }
            if (used.getTotalCount() > 0) {
                used.reset();
            }
            return used;
        }
    }

    private Sums[] previous = {new Sums(null), new Sums(null)};
    private Sums[] current = {new Sums(previous[0]), new Sums(previous[1])};
    private long previousTicks;
    private long previousLateTicks;
    long ticks;
    long lateTicks;

    Sums window(boolean measured) {
        return current[measured ? 1 : 0];
    }

    /**
     * Reads all meters.
     *
     * @param due records due since the trial's start: 0 gives those of the warm-up, 1 those of the measured window; a
     *     negative answer means a closed loop, where due is what was sent
     */
    public void read(List<AckMeter> acks, List<SendMeter> sends, LongUnaryOperator due) {
        previous = current;
        previousTicks = ticks;
        previousLateTicks = lateTicks;
        current = new Sums[] {new Sums(previous[0]), new Sums(previous[1])};
        ticks = 0;
        lateTicks = 0;
        boolean closedLoop = false;
        for (AckMeter meter : acks) {
            meter.drainInto(this);
            closedLoop |= meter.closedLoop();
        }
        for (SendMeter meter : sends) {
            meter.drainInto(this);
        }
        for (int w = 0; w < 2; w++) {
            Sums sums = current[w];
            long asked = due.applyAsLong(w);
            sums.due = asked < 0 ? sums.sent + sums.unsent : asked;
            if (closedLoop) {
                sums.service.add(sums.response);
            }
        }
    }

    /** Says what happened between the last two readings. */
    public ProduceCounts counts(boolean measured) {
        Sums now = current[measured ? 1 : 0];
        Sums before = previous[measured ? 1 : 0];
        return new ProduceCounts(
                now.due - before.due,
                now.sent - before.sent,
                new ProduceCounts.Volume(
                        now.acknowledged - before.acknowledged,
                        now.acknowledgedBytes - before.acknowledgedBytes,
                        now.arrived - before.arrived,
                        now.arrivedBytes - before.arrivedBytes),
                now.unacknowledged - before.unacknowledged,
                now.unsent - before.unsent,
                now.errors,
                now.events,
                new ProduceCounts.Times(
                        Latencies.of(now.response), Latencies.of(now.service), Latencies.of(now.delay)));
    }

    public long ticksOfInterval() {
        return ticks - previousTicks;
    }

    public long lateTicksOfInterval() {
        return lateTicks - previousLateTicks;
    }
}
