package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.Waiter;
import io.plimsoll.result.AuditResult;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * End offsets and topic ids at one point in time. The ids reveal recreated topics, which start again at offset 0.
 * @param offsets by {@code topic-partition}; absent for partitions without a leader
 */
record LogEnds(Map<String, Long> offsets, Map<String, String> topics, Map<String, Integer> partitions) {
    static final LogEnds UNKNOWN = new LogEnds(Map.of(), Map.of(), Map.of());

    private static final long PAUSE_NANOS = 20_000_000;
    /** Time in ns without appends after which a leader has processed every request. */
    private static final long STILL_NANOS = 2_000_000_000;
    /** Polling interval in ms, short compared with a response time. */
    private static final long LOOK_EVERY_MILLIS = 2;

    static LogEnds of(Map<String, TopicDescription> described, Map<TopicPartition, Long> offsets) {
        Map<String, Integer> partitions = new HashMap<>();
        described.forEach(
                (name, topic) -> partitions.put(name, topic.partitions().size()));
        return new LogEnds(byName(offsets), ids(described), partitions);
    }

    static LogEnds of(Topics topics, Collection<String> names) {
        return of(topics.describe(names), topics.endOffsets(names));
    }

    /** Topic ids. Brokers without topic ids return the same id for all topics, so recreation is not detected. */
    static Map<String, String> ids(Map<String, TopicDescription> described) {
        Map<String, String> ids = new HashMap<>();
        described.forEach((name, topic) -> ids.put(name, topic.topicId().toString()));
        return ids;
    }

    boolean isRecreated(String topic, Map<String, String> idsNow) {
        String was = topics.get(topic);
        return was != null && !was.equals(idsNow.getOrDefault(topic, was));
    }

    /**
     * The end offset before the trial; 0 for a partition added since then; empty if the partition had no leader or the
     * topic was recreated.
     */
    Optional<Long> start(String partition, Map<String, String> idsNow) {
        int dash = partition.lastIndexOf('-');
        String topic = partition.substring(0, dash);
        if (isRecreated(topic, idsNow)) {
            return Optional.empty();
        }
        boolean added =
                Integer.parseInt(partition.substring(dash + 1)) >= partitions.getOrDefault(topic, Integer.MAX_VALUE);
        return added ? Optional.of(0L) : Optional.ofNullable(offsets.get(partition));
    }

    /**
     * Compares acknowledged records with the growth of each log. Losses are detected unless retries or third-party
     * producers filled the gap; duplicates are not detected.
     * @param markers transaction markers per partition; each occupies one offset
     * @param unknown number of records without a known outcome, which can be in the log
     */
    static AuditResult audit(
            LogEnds before, LogEnds after, Map<String, Long> acknowledged, Map<String, Long> markers, long unknown) {
        long total = 0;
        long found = 0;
        long lost = 0;
        boolean complete = true;
        List<Sentence> findings = new ArrayList<>();
        for (Map.Entry<String, Long> entry : new TreeMap<>(acknowledged).entrySet()) {
            String partition = entry.getKey();
            long acked = entry.getValue();
            total += acked;
            Long from = before.start(partition, after.topics()).orElse(null);
            Long to = after.offsets().get(partition);
            if (from == null || to == null) {
                complete = complete && acked == 0;
                continue;
            }
            long grown = to - from - markers.getOrDefault(partition, 0L);
            found += grown;
            if (grown < acked) {
                lost += acked - grown;
                findings.add(Sentence.of("run.missing", acked - grown, acked, partition, from, to));
            }
        }
        return AuditResult.ofOffsets(
                new AuditResult.Counts(total, found, lost, null, null, null, unknown, null), complete, findings);
    }

    /**
     * End offsets once all acknowledged records are readable, or after the limit at the latest. This object is the
     * state before the first record. With {@code acks=1}, the high watermark can lag behind acknowledgments, and with
     * {@code acks=0}, the last records can still be in the socket buffer. A leader waits up to 30 s for a hung follower
     * (replica.lag.time.max.ms).
     */
    Map<TopicPartition, Long> settled(
            Topics cluster,
            Collection<String> names,
            WorkerBarrier.Produced produced,
            Duration limit,
            BooleanSupplier enough) {
        Map<String, String> ids = ids(cluster.describe(names));
        Map<String, Long> expected = new HashMap<>();
        produced.acknowledged().forEach((partition, count) -> {
            if (count > 0) {
                long marked = produced.markers().getOrDefault(partition, 0L);
                start(partition, ids).ifPresent(from -> expected.put(partition, from + count + marked));
            }
        });
        return await(
                () -> cluster.endOffsets(names),
                lacking -> followed(cluster, lacking),
                expected,
                Waiter.SYSTEM,
                limit,
                enough);
    }

    /**
     * @param followed whether any of these partitions has an in-sync follower; without one, the end offset is final
     *     once it stops increasing
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

    /**
     * Calls the cluster in a separate thread, so that an unresponsive cluster cannot block the end of a run.
     * @param hurry returns whether the run is about to end; from then on {@code hurriedLimit} applies
     * @return empty without a response
     */
    static <T> Optional<T> inTime(
            Supplier<T> question,
            Duration limit,
            BooleanSupplier hurry,
            Duration hurriedLimit,
            Consumer<Sentence> problem) {
        AtomicReference<T> answer = new AtomicReference<>();
        CountDownLatch answered = new CountDownLatch(1);
        Daemon.start("plimsoll-question", () -> {
            try {
                answer.set(question.get());
            } catch (PlimsollException e) {
                problem.accept(e.sentence());
            } finally {
                answered.countDown();
            }
        });
        try {
            long deadline = System.nanoTime() + limit.toNanos();
            long hurriedDeadline = Long.MAX_VALUE;
            while (!answered.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)
                    && System.nanoTime() < Math.min(deadline, hurriedDeadline)) {
                if (hurriedDeadline == Long.MAX_VALUE && hurry.getAsBoolean()) {
                    hurriedDeadline = System.nanoTime() + hurriedLimit.toNanos();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.ofNullable(answer.get());
    }
}
