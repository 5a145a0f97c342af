package io.plimsoll.run;

import io.plimsoll.engine.client.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * The ends of partitions, once all that was acknowledged can be read. With {@code acks=1} a leader acknowledges what its
 * followers do not have yet, and says that a partition ends where they are: whoever looked at once would take the rest
 * for lost, or not read it.
 */
final class SettledEnds {
    private static final long PAUSE_MILLIS = 20;

    private SettledEnds() {}

    /**
     * @param before where the partitions ended before the first record, by {@code topic-partition}
     * @param acknowledged records since, by the same
     * @param markers of transactions, which take an offset each, by the same
     * @return where they end now, at the latest when the time is over: a leader waits for a follower that stands still
     *     for up to 30 s (replica.lag.time.max.ms), and what was lost never comes
     */
    static Map<TopicPartition, Long> ask(
            Topics topics,
            Collection<String> names,
            Map<String, Long> before,
            Map<String, Long> acknowledged,
            Map<String, Long> markers,
            Duration limit,
            BooleanSupplier enough) {
        Map<String, Long> expected = new HashMap<>();
        acknowledged.forEach((partition, count) -> {
            if (count > 0 && before.containsKey(partition)) {
                expected.put(partition, before.get(partition) + count + markers.getOrDefault(partition, 0L));
            }
        });
        long deadline = System.nanoTime() + limit.toNanos();
        Map<TopicPartition, Long> ends = topics.endOffsets(names);
        while (behind(topics, ends, expected) && System.nanoTime() < deadline && !enough.getAsBoolean() && pause()) {
            ends = topics.endOffsets(names);
        }
        return ends;
    }

    /** Whether followers may still lack records; where nobody but the leader is in sync, its end is the end. */
    private static boolean behind(Topics topics, Map<TopicPartition, Long> ends, Map<String, Long> expected) {
        Set<TopicPartition> lacking = new HashSet<>();
        ends.forEach((partition, end) -> {
            if (end < expected.getOrDefault(partition.toString(), 0L)) {
                lacking.add(partition);
            }
        });
        if (lacking.isEmpty()) {
            return false;
        }
        Set<String> names = new HashSet<>();
        lacking.forEach(p -> names.add(p.topic()));
        return topics.describe(names).entrySet().stream().anyMatch(topic -> topic.getValue().partitions().stream()
                .anyMatch(p ->
                        p.isr().size() > 1 && lacking.contains(new TopicPartition(topic.getKey(), p.partition()))));
    }

    static Map<String, Long> byName(Map<TopicPartition, Long> offsets) {
        Map<String, Long> named = new HashMap<>();
        offsets.forEach((partition, offset) -> named.put(partition.toString(), offset));
        return named;
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
