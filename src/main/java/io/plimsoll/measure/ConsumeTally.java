package io.plimsoll.measure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Adds up the meters of one worker's consumers and yields the difference since the last reading. Owned by the thread
 * that makes snapshots.
 */
public final class ConsumeTally {
    final Histogram[] endToEnd = {Latencies.newHistogram(), Latencies.newHistogram()};
    final long[] records = new long[2];
    final long[] bytes = new long[2];
    long arrived;
    long arrivedBytes;
    long negative;
    Map<String, Long> errors = Map.of();
    final Map<String, ConsumeCounts.Group> groups = new HashMap<>();

    private final long[] recordsBefore = new long[2];
    private final long[] bytesBefore = new long[2];
    private long arrivedBefore;
    private long arrivedBytesBefore;
    private long negativeBefore;
    private Map<String, ConsumeCounts.Group> groupsBefore = Map.of();

    public void read(List<ReceiveMeter> meters) {
        for (int w = 0; w < 2; w++) {
            recordsBefore[w] = records[w];
            bytesBefore[w] = bytes[w];
            records[w] = 0;
            bytes[w] = 0;
            endToEnd[w].reset();
        }
        arrivedBefore = arrived;
        arrivedBytesBefore = arrivedBytes;
        negativeBefore = negative;
        groupsBefore = Map.copyOf(groups);
        arrived = 0;
        arrivedBytes = 0;
        negative = 0;
        errors = Map.of();
        groups.clear();
        meters.forEach(meter -> meter.drainInto(this));
    }

    /**
     * Says what happened between the last two readings. Group figures, errors and clock faults are kept with the measured
     * window.
     */
    public ConsumeCounts counts(boolean measured) {
        int w = measured ? 1 : 0;
        Map<String, ConsumeCounts.Group> deltas = new HashMap<>();
        if (measured) {
            groups.forEach((id, g) -> {
                ConsumeCounts.Group b = groupsBefore.getOrDefault(id, new ConsumeCounts.Group(0, 0, 0, 0));
                deltas.put(
                        id,
                        new ConsumeCounts.Group(
                                g.records() - b.records(),
                                g.bytes() - b.bytes(),
                                g.commits() - b.commits(),
                                g.rebalances() - b.rebalances()));
            });
        }
        return new ConsumeCounts(
                records[w] - recordsBefore[w],
                bytes[w] - bytesBefore[w],
                measured ? arrived - arrivedBefore : 0,
                measured ? arrivedBytes - arrivedBytesBefore : 0,
                Latencies.of(endToEnd[w]),
                measured ? negative - negativeBefore : 0,
                measured ? errors : Map.of(),
                deltas);
    }
}
