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
 * End offsets once all acknowledged records are readable. With {@code acks=1} the high watermark can lag behind
 * acknowledgements; with {@code acks=0} the last records can still be in the socket buffer. An immediate reading would
 * report these records as lost.
 */
final class SettledEnds {
    private static final long PAUSE_NANOS = 20_000_000;
    /** A leader without appends for this time has processed every request. */
    private static final long STILL_NANOS = 2_000_000_000;

    private SettledEnds() {}

    /**
     * @param before end offsets before the first record
     * @param produced records since then
     * @return end offsets, at the latest after the limit: a leader waits up to 30 s for a hung follower
     *     (replica.lag.time.max.ms), and lost records never arrive
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
     * @param ends polled repeatedly
     * @param followed whether any of these partitions has an in-sync follower; without one, the end is final once it
     *     stops moving
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
