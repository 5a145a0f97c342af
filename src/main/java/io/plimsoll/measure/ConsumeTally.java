package io.plimsoll.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Adds up the meters of one worker's consumers and yields what is new since the last reading. Owned by the thread that
 * makes snapshots.
 */
public final class ConsumeTally {
    final Histogram[] endToEnd = {Latencies.newHistogram(), Latencies.newHistogram()};
    final Histogram[] fromAppend = {Latencies.newHistogram(), Latencies.newHistogram()};
    final long[] records = new long[2];
    final long[] bytes = new long[2];
    final long[] neverReceived = new long[2];
    final long[] negative = new long[2];
    final long[] negativeFromAppend = new long[2];
    final List<Map<String, Long>> errors = new ArrayList<>();
    final List<Map<String, Long>> events = new ArrayList<>();
    long arrived;
    long arrivedBytes;
    Map<String, Long> eventsInWindow = Map.of();
    final Map<String, ConsumeCounts.Group> groups = new HashMap<>();

    public void read(List<ReceiveMeter> meters) {
        for (long[] counts : List.of(records, bytes, neverReceived, negative, negativeFromAppend)) {
            Arrays.fill(counts, 0);
        }
        errors.clear();
        events.clear();
        for (int w = 0; w < 2; w++) {
            endToEnd[w].reset();
            fromAppend[w].reset();
            errors.add(Map.of());
            events.add(Map.of());
        }
        arrived = 0;
        arrivedBytes = 0;
        eventsInWindow = Map.of();
        groups.clear();
        meters.forEach(meter -> meter.drainInto(this));
    }

    /**
     * Says what happened between the last two readings. What arrived and the counts of groups are kept with the measured
     * window.
     */
    public ConsumeCounts counts(boolean measured) {
        int w = measured ? 1 : 0;
        return new ConsumeCounts(
                records[w],
                bytes[w],
                measured ? new ConsumeCounts.InTime(arrived, arrivedBytes, eventsInWindow) : ConsumeCounts.InTime.NONE,
                new ConsumeCounts.Times(
                        Latencies.of(endToEnd[w]),
                        neverReceived[w],
                        negative[w],
                        Latencies.of(fromAppend[w]),
                        negativeFromAppend[w]),
                errors.get(w),
                measured ? groups : Map.of(),
                events.get(w));
    }
}
