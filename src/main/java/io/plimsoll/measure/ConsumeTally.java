package io.plimsoll.measure;

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
    long arrived;
    long arrivedBytes;
    long negative;
    long negativeFromAppend;
    Map<String, Long> errors = Map.of();
    Map<String, Long> events = Map.of();
    final Map<String, ConsumeCounts.Group> groups = new HashMap<>();

    public void read(List<ReceiveMeter> meters) {
        Arrays.fill(records, 0);
        Arrays.fill(bytes, 0);
        for (int w = 0; w < 2; w++) {
            endToEnd[w].reset();
            fromAppend[w].reset();
        }
        arrived = 0;
        arrivedBytes = 0;
        negative = 0;
        negativeFromAppend = 0;
        errors = Map.of();
        events = Map.of();
        groups.clear();
        meters.forEach(meter -> meter.drainInto(this));
    }

    /**
     * Says what happened between the last two readings. Group figures, errors, events and clock faults are kept with the measured
     * window.
     */
    public ConsumeCounts counts(boolean measured) {
        int w = measured ? 1 : 0;
        return new ConsumeCounts(
                records[w],
                bytes[w],
                measured ? arrived : 0,
                measured ? arrivedBytes : 0,
                new ConsumeCounts.Times(
                        Latencies.of(endToEnd[w]),
                        measured ? negative : 0,
                        Latencies.of(fromAppend[w]),
                        measured ? negativeFromAppend : 0),
                measured ? errors : Map.of(),
                measured ? groups : Map.of(),
                measured ? events : Map.of());
    }
}
