package io.plimsoll.run;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Tracks records that {@code read_committed} consumers cannot see yet: an open transaction blocks everything after it
 * in its partition. Confined to one thread.
 */
final class StableOffsets {
    private record Held(long stable, long sinceNanos) {}

    private final Map<TopicPartition, Held> held = new HashMap<>();

    /**
     * @param ends end offsets, read before {@code stable}
     * @param stable last stable offsets
     * @param gauges receives the number of blocked records and the longest time in seconds that a partition's last
     *     stable offset has been stuck
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
