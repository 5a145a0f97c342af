package io.plimsoll.run;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What readers of committed records are not shown, look after look: a transaction that is open holds back all that comes
 * behind it in its partition. Used by one thread.
 */
final class StableOffsets {
    private record Held(long stable, long sinceNanos) {}

    private final Map<TopicPartition, Held> held = new HashMap<>();

    /**
     * @param ends of partitions, asked for before {@code stable}
     * @param stable their last stable offsets
     * @param gauges takes the records between both, and for how many seconds the last stable offset of a partition has stood
     *     still while there were any, of the one where that is longest
     */
    void look(
            Map<TopicPartition, Long> ends,
            Map<TopicPartition, Long> stable,
            long nowNanos,
            Map<String, Double> gauges) {
        long open = 0;
        long longest = 0;
        for (Map.Entry<TopicPartition, Long> each : stable.entrySet()) {
            long behind = ends.getOrDefault(each.getKey(), 0L) - each.getValue();
            Held before = held.get(each.getKey());
            if (behind <= 0) {
                held.remove(each.getKey());
            } else {
                open += behind;
                if (before == null || before.stable() != each.getValue()) {
                    held.put(each.getKey(), new Held(each.getValue(), nowNanos));
                } else {
                    longest = Math.max(longest, nowNanos - before.sinceNanos());
                }
            }
        }
        gauges.put("openRecords", (double) open);
        gauges.put("stuckSeconds", longest / 1e9);
    }
}
