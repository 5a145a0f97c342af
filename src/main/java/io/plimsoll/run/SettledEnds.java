package io.plimsoll.run;

import io.plimsoll.cluster.Topics;
import io.plimsoll.load.Waiter;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;

/**
 * The ends of partitions, once all that was acknowledged can be read. With {@code acks=1} a leader acknowledges what its
 * followers do not have yet, and says that a partition ends where they are; with {@code acks=0} the last records may not even
 * have been taken from their connection. Whoever looked at once would take the rest for lost, or not read it.
 */
final class SettledEnds {
    private static final long PAUSE_NANOS = 20_000_000;
    /** A leader that has appended nothing for so long has nothing left to append. */
    private static final long STILL_NANOS = 2_000_000_000;

    private SettledEnds() {}

    /**
     * @param before how the logs ended before the first record
     * @param produced since
     * @return where they end now, at the latest when the time is over: a leader waits for a follower that stands still
     *     for up to 30 s (replica.lag.time.max.ms), and what was lost never comes
     */
    static Map<TopicPartition, Long> ask(
            Topics topics,
            Collection<String> names,
            LogEnds before,
            WorkerBarrier.Produced produced,
            Duration limit,
            BooleanSupplier enough) {
        Map<String, String> ids = LogEnds.ids(topics.describe(names));
        Map<String, Long> expected = new HashMap<>();
        produced.acknowledged().forEach((partition, count) -> {
            if (count > 0) {
                long marked = produced.markers().getOrDefault(partition, 0L);
                before.start(partition, ids).ifPresent(from -> expected.put(partition, from + count + marked));
            }
        });
        return await(
                () -> topics.endOffsets(names),
                lacking -> followed(topics, lacking),
                expected,
                Waiter.SYSTEM,
                limit,
                enough);
    }

    /**
     * @param ends asked again and again
     * @param followed whether any of the given partitions has a follower in sync; where nobody but the leader is, its
     *     end is the end once it moves no more
     */
    static Map<TopicPartition, Long> await(
            Supplier<Map<TopicPartition, Long>> ends,
            Predicate<Set<TopicPartition>> followed,
            Map<String, Long> expected,
            Waiter waiter,
            Duration limit,
            BooleanSupplier enough) {
        long began = waiter.nanoTime();
        long movedNanos = began;
        Map<TopicPartition, Long> before = Map.of();
        while (true) {
            Map<TopicPartition, Long> now = ends.get();
            long time = waiter.nanoTime();
            movedNanos = now.equals(before) ? movedNanos : time;
            before = now;
            Set<TopicPartition> lacking = lacking(now, expected);
            boolean over = lacking.isEmpty() || time - began >= limit.toNanos() || enough.getAsBoolean();
            if (over || (time - movedNanos >= STILL_NANOS && !followed.test(lacking))) {
                return now;
            }
            waiter.park(PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                return now;
            }
        }
    }

    private static Set<TopicPartition> lacking(Map<TopicPartition, Long> ends, Map<String, Long> expected) {
        Set<TopicPartition> lacking = new HashSet<>();
        ends.forEach((partition, end) -> {
            if (end < expected.getOrDefault(partition.toString(), 0L)) {
                lacking.add(partition);
            }
        });
        return lacking;
    }

    private static boolean followed(Topics topics, Set<TopicPartition> partitions) {
        Set<String> names = new HashSet<>();
        partitions.forEach(p -> names.add(p.topic()));
        return topics.describe(names).entrySet().stream().anyMatch(topic -> topic.getValue().partitions().stream()
                .anyMatch(p ->
                        p.isr().size() > 1 && partitions.contains(new TopicPartition(topic.getKey(), p.partition()))));
    }

    static <T> Map<String, T> byName(Map<TopicPartition, T> figures) {
        Map<String, T> named = new HashMap<>();
        figures.forEach((partition, figure) -> named.put(partition.toString(), figure));
        return named;
    }
}
